//! What crosses between the page and the module of the import dialog.

use spillgate_codec::import::{ImportField, TextPosition};

use super::{ImportTexts, KeptImport};

/// The initial state of the import dialog.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ImportInput {
    /// The imported texts; empty without any.
    pub texts: ImportTexts,
    /// The place of the caret; `None` at the start of the configuration.
    pub caret: Option<(ImportField, TextPosition)>,
}

impl ImportInput {
    /// The texts that cross from the page to the module.
    #[must_use]
    pub fn into_texts(self) -> Vec<String> {
        let mut texts = vec![self.texts.config, self.texts.clusters];
        if let Some((field, position)) = self.caret {
            let field = match field {
                ImportField::Config => "config",
                ImportField::Clusters => "clusters",
            };
            texts.push(format!("{field} {} {}", position.line, position.column));
        }
        texts
    }

    /// The input of such texts. An unknown place is the start.
    #[must_use]
    pub fn from_texts(texts: Vec<String>) -> Self {
        let mut texts = texts.into_iter();
        Self {
            texts: ImportTexts {
                config: texts.next().unwrap_or_default(),
                clusters: texts.next().unwrap_or_default(),
            },
            caret: texts.next().and_then(|place| place_of(&place)),
        }
    }
}

fn place_of(text: &str) -> Option<(ImportField, TextPosition)> {
    let mut words = text.split(' ');
    let field = match words.next()? {
        "config" => ImportField::Config,
        "clusters" => ImportField::Clusters,
        _ => return None,
    };
    let mut number = || words.next()?.parse().ok();
    let (line, column) = (number()?, number()?);
    Some((field, TextPosition { line, column }))
}

/// What the user imports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportReply {
    /// The texts and the answer of the reader.
    pub import: KeptImport,
    /// The cluster to show.
    pub root: usize,
}

impl ImportReply {
    /// One text, which crosses from the module to the page: the cluster and the lengths of the parts in
    /// bytes, then the parts.
    #[must_use]
    pub fn into_text(self) -> String {
        let Self { import, root } = self;
        let ImportTexts { config, clusters } = import.texts;
        let head = format!("{root} {} {}\n", config.len(), clusters.len());
        [head, config, clusters, import.answer].concat()
    }

    /// The reply in such a text; `None` if another version of the module wrote it.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let (head, parts) = text.split_once('\n')?;
        let mut numbers = head.split(' ').map(|number| number.parse::<usize>().ok());
        let mut number = || numbers.next().flatten();
        let (root, config, clusters) = (number()?, number()?, number()?);
        let (config, rest) = parts.split_at_checked(config)?;
        let (clusters, answer) = rest.split_at_checked(clusters)?;
        let texts = ImportTexts {
            config: config.into(),
            clusters: clusters.into(),
        };
        Some(Self {
            import: KeptImport {
                texts,
                answer: answer.into(),
            },
            root,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_crosses_as_texts() {
        let texts = ImportTexts {
            config: "a: 1\n".into(),
            clusters: "x::y\n".into(),
        };
        let position = TextPosition { line: 3, column: 7 };
        for caret in [
            None,
            Some((ImportField::Config, position)),
            Some((ImportField::Clusters, position)),
        ] {
            let texts = texts.clone();
            let input = ImportInput { texts, caret };
            assert_eq!(ImportInput::from_texts(input.clone().into_texts()), input);
        }
        assert_eq!(ImportInput::from_texts(Vec::new()), ImportInput::default());
        for place in ["", "config", "config 1", "config x 1", "health 1 1"] {
            assert_eq!(place_of(place), None, "{place}");
        }
    }

    #[test]
    fn a_reply_crosses_as_a_text() {
        let reply = ImportReply {
            import: KeptImport {
                texts: ImportTexts {
                    config: "n: \u{e9}\n1 2 3\n".into(),
                    clusters: "\n".into(),
                },
                answer: "\u{0}\u{ff}".into(),
            },
            root: 12,
        };
        let text = reply.clone().into_text();
        assert_eq!(ImportReply::from_text(&text), Some(reply));
        for other in ["", "1", "1 2\nab", "1 9 0\nab", "1 1 0\n\u{e9}", "x 0 0\n"] {
            assert_eq!(ImportReply::from_text(other), None, "{other}");
        }
    }
}
