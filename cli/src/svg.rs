//! The frame of SVG pictures: a title and a description for those who do not see them, and a style.

/// A picture. All texts are escaped.
pub(crate) struct SvgPicture<'a> {
    pub(crate) title: &'a str,
    pub(crate) description: &'a str,
    pub(crate) style: &'a str,
    pub(crate) body: &'a str,
    /// In pixels.
    pub(crate) width: usize,
    pub(crate) height: usize,
}

impl SvgPicture<'_> {
    /// The whole document.
    pub(crate) fn write(&self) -> String {
        let Self {
            title,
            description,
            style,
            body,
            width,
            height,
        } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"t d\" \
             viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
             <title id=\"t\">{title}</title>\n<desc id=\"d\">{description}</desc>\n\
             <style>{style}</style>\n{body}</svg>\n"
        )
    }
}
