//! Images with their sizes, so that the text below an image does not move when it arrives.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// mdBook puts each image twice, with a hidden check box that enlarges it by a click.
#[allow(clippy::expect_used, reason = "a constant; the tests use it")]
static ENLARGED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new("<label class=\"checkbox-label\"><input [^>]*>(<img [^>]*>)<span [^>]*><img [^>]*></span></label>")
        .expect("a valid expression")
});
#[allow(clippy::expect_used, reason = "a constant; the tests use it")]
static IMAGE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new("<img src=\"([^\":]+)\"").expect("a valid expression"));

/// A page in `folder` with each image once, and with the sizes of its images.
pub(crate) fn sized(html: &str, folder: &Path) -> String {
    let html = ENLARGED.replace_all(html, "$1");
    let html = IMAGE.replace_all(&html, |image: &Captures<'_>| {
        let size = image.get(1).and_then(|path| {
            let bytes = fs::read(folder.join(path.as_str())).ok()?;
            size(&bytes)
        });
        let tag = &image[0];
        match size {
            Some((width, height)) => format!("{tag} width=\"{width}\" height=\"{height}\""),
            None => tag.to_owned(),
        }
    });
    html.into_owned()
}

/// The width and height of a PNG or GIF.
fn size(bytes: &[u8]) -> Option<(u32, u32)> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => {
            let number = |at: usize| Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?));
            Some((number(16)?, number(20)?))
        }
        [b'G', b'I', b'F', ..] => {
            let number = |at: usize| Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
            Some((number(6)?.into(), number(8)?.into()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_files() {
        let folder = &spillgate_testkit::repository().join("docs");
        let page = |name: &str| format!("<p><img src=\"images/{name}\" alt=\"x\"></p>");
        let png = sized(&page("page-light.png"), folder);
        assert!(
            png.contains("page-light.png\" width=\"1440\" height=\"9"),
            "{png}"
        );
        let gif = sized(&page("failing-zones.gif"), folder);
        assert!(
            gif.contains(" width=\"") && gif.contains(" height=\""),
            "{gif}"
        );
        assert_eq!(sized(&page("none.png"), folder), page("none.png"));
    }

    #[test]
    fn each_image_is_there_once() {
        let twice = "<label class=\"checkbox-label\"><input class=\"checkbox-img\" type=\"checkbox\">\
             <img src=\"a.svg\" alt=\"A\"><span class=\"img-wrapper\"><img src=\"a.svg\" alt=\"A\"></span></label>";
        assert_eq!(
            sized(twice, Path::new(".")),
            "<img src=\"a.svg\" alt=\"A\">"
        );
    }
}
