//! Snippets that show a scenario in other pages; `docs/embedding.md` explains them.

use spillgate_core::visible::escaped;

/// The folder with the files of the custom element, as in the manual.
const FOLDER: &str = "/spillgate/";

/// How a page shows the scenario.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SnippetKind {
    /// The custom element `<spillgate-split>`.
    #[default]
    Element,
    /// An iframe.
    Frame,
}

/// What the element shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SnippetView {
    /// The split as a bar.
    #[default]
    Bars,
    /// The split as a table.
    Table,
    /// The loads for every number of lost hosts.
    Sweep,
}

/// The sliders of the element.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SnippetControls {
    /// None.
    #[default]
    Without,
    /// One for the first priority.
    First,
    /// One for every priority.
    All,
}

/// A generator of documentation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Generator {
    /// None: the playground is HTML.
    #[default]
    Html,
    /// mdBook.
    MdBook,
    /// Docusaurus.
    Docusaurus,
    /// MkDocs.
    MkDocs,
    /// Sphinx.
    Sphinx,
}

/// A snippet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snippet {
    /// How the playground shows the scenario.
    pub kind: SnippetKind,
    /// What it shows.
    pub view: SnippetView,
    /// The color scheme; empty for that of the playground.
    pub theme: String,
    /// The sliders.
    pub controls: SnippetControls,
    /// The height of an iframe, in pixels.
    pub height: u32,
    /// The address of the playground for the link "open in playground"; empty for none, because not every site
    /// has the playground.
    pub playground: String,
    /// The link without a `#`.
    pub state: String,
    /// The same in words, as title or fallback.
    pub words: String,
}

impl SnippetView {
    /// All views.
    pub const ALL: [Self; 3] = [Self::Bars, Self::Table, Self::Sweep];

    /// The value of the attribute.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bars => "bars",
            Self::Table => "table",
            Self::Sweep => "sweep",
        }
    }
}

impl SnippetControls {
    /// All choices.
    pub const ALL: [Self; 3] = [Self::Without, Self::First, Self::All];

    /// The name in the list.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Without => "none",
            Self::First => "first priority",
            Self::All => "all priorities",
        }
    }

    /// The value of the attribute; `None` without the attribute.
    #[must_use]
    pub const fn attribute(self) -> Option<&'static str> {
        match self {
            Self::Without => None,
            Self::First => Some(""),
            Self::All => Some("all"),
        }
    }
}

impl Generator {
    /// All generators.
    pub const ALL: [Self; 5] = [
        Self::Html,
        Self::MdBook,
        Self::Docusaurus,
        Self::MkDocs,
        Self::Sphinx,
    ];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Html => "HTML",
            Self::MdBook => "mdBook",
            Self::Docusaurus => "Docusaurus",
            Self::MkDocs => "MkDocs",
            Self::Sphinx => "Sphinx",
        }
    }

    /// What loads the custom element once for all pages, and its file.
    #[must_use]
    pub const fn setup(self) -> (&'static str, &'static str) {
        match self {
            Self::Html => (
                "<head>",
                "<script type=\"module\" src=\"/spillgate/embed.js\"></script>",
            ),
            Self::MdBook => (
                "theme/head.hbs; files in src/spillgate/",
                "<script type=\"module\" src=\"{{ path_to_root }}spillgate/embed.js\"></script>",
            ),
            Self::Docusaurus => (
                "docusaurus.config.js; files in static/spillgate/",
                "scripts: [{ src: \"/spillgate/embed.js\", type: \"module\" }],",
            ),
            Self::MkDocs => (
                "mkdocs.yml; files in docs/spillgate/",
                "extra_javascript:\n- path: spillgate/embed.js\n  type: module",
            ),
            Self::Sphinx => (
                "conf.py; files in _static/spillgate/",
                "html_static_path = [\"_static\"]\nhtml_js_files = [(\"spillgate/embed.js\", {\"type\": \"module\"})]",
            ),
        }
    }
}

impl Snippet {
    /// The code for a page.
    #[must_use]
    pub fn code(&self, generator: Generator) -> String {
        let code = match self.kind {
            SnippetKind::Element => self.element(),
            SnippetKind::Frame => self.frame(),
        };
        match generator {
            Generator::Sphinx => {
                let indented = code.lines().map(|line| format!("   {line}\n"));
                format!(".. raw:: html\n\n{}", indented.collect::<String>())
            }
            _ => code,
        }
    }

    /// The address of the iframe, from the folder of the playground's own files.
    #[must_use]
    pub fn frame_address(&self) -> String {
        let mut query = format!("view={}", self.view.name());
        if !self.theme.is_empty() {
            query.push_str(&format!("&theme={}", self.theme));
        }
        match self.controls.attribute() {
            None => {}
            Some("") => query.push_str("&controls"),
            Some(value) => query.push_str(&format!("&controls={value}")),
        }
        // The path of an address may have a `&`, but neither `?` nor `#`.
        let playground = self.playground.replace('&', "%26");
        query.push_str(&format!("&playground={playground}"));
        format!("embed.html?{query}#{}", self.state)
    }

    fn element(&self) -> String {
        let mut attributes = String::new();
        match self.controls.attribute() {
            None => {}
            Some("") => attributes.push_str(" controls"),
            Some(value) => attributes.push_str(&format!(" controls=\"{value}\"")),
        }
        if self.view != SnippetView::Bars {
            attributes.push_str(&format!(" view=\"{}\"", self.view.name()));
        }
        if !self.theme.is_empty() {
            attributes.push_str(&format!(" theme=\"{}\"", escaped(&self.theme)));
        }
        format!(
            "<spillgate-split{attributes} playground=\"{}\"\n  state=\"{}\">\n  <p>{}</p>\n</spillgate-split>\n",
            escaped(&self.playground),
            escaped(&self.state),
            escaped(&self.words)
        )
    }

    fn frame(&self) -> String {
        format!(
            "<iframe title=\"{}\" width=\"100%\" height=\"{}\" loading=\"lazy\"\n  \
             sandbox=\"{}\"\n  src=\"{FOLDER}{}\"></iframe>\n",
            escaped(&self.words),
            self.height,
            Self::SANDBOX,
            escaped(&self.frame_address())
        )
    }

    /// What an iframe needs: scripts, and the link to the playground.
    pub const SANDBOX: &str = "allow-scripts allow-popups allow-popups-to-escape-sandbox";
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snippet() -> Snippet {
        Snippet {
            height: 220,
            state: "1g.AAAA".into(),
            playground: "https://play.example/a&b/".into(),
            words: "P0 of <a> & \"b\" takes 70 %.".into(),
            ..Snippet::default()
        }
    }

    #[test]
    fn the_element_has_the_chosen_attributes_and_its_fallback() {
        assert_eq!(
            snippet().code(Generator::Html),
            "<spillgate-split playground=\"https://play.example/a&amp;b/\"\n  state=\"1g.AAAA\">\n  \
             <p>P0 of &lt;a&gt; &amp; &quot;b&quot; takes 70 %.</p>\n</spillgate-split>\n"
        );
        let all = Snippet {
            view: SnippetView::Sweep,
            controls: SnippetControls::All,
            theme: "dark".into(),
            ..snippet()
        };
        let code = all.code(Generator::MkDocs);
        let start = "<spillgate-split controls=\"all\" view=\"sweep\" theme=\"dark\" playground=";
        assert!(code.starts_with(start), "{code}");
    }

    #[test]
    fn a_frame_has_its_attributes_in_the_query() {
        let frame = Snippet {
            kind: SnippetKind::Frame,
            controls: SnippetControls::First,
            theme: "light".into(),
            ..snippet()
        };
        assert_eq!(
            frame.frame_address(),
            "embed.html?view=bars&theme=light&controls&playground=https://play.example/a%26b/#1g.AAAA"
        );
        let code = frame.code(Generator::Html);
        let address = "src=\"/spillgate/embed.html?view=bars&amp;theme=light&amp;controls&amp;playground=https://play.example/a%26b/#1g.AAAA\"";
        assert!(code.contains(address), "{code}");
        assert!(
            code.contains("height=\"220\"") && !code.contains("<a>"),
            "{code}"
        );
    }

    #[test]
    fn sphinx_gets_a_directive() {
        let code = snippet().code(Generator::Sphinx);
        assert!(
            code.starts_with(".. raw:: html\n\n   <spillgate-split playground=\"https://play.example/a&amp;b/\"\n     state="),
            "{code}"
        );
    }

    #[test]
    fn the_manual_has_the_line_of_every_generator() {
        let manual = include_str!("../../../../docs/embedding.md");
        for generator in Generator::ALL {
            for line in generator.setup().1.lines() {
                assert!(manual.contains(line), "{}: {line}", generator.name());
            }
        }
        assert!(manual.contains(Snippet::SANDBOX));
    }
}
