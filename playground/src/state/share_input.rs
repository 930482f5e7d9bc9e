//! What the page passes to the modules of the Share dialog, except the scenario.

use spillgate_scenario::link::{Disclosure, LinkView};

/// The state of the dialog that the page keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShareInput {
    /// What snippets and files disclose.
    pub disclosure: Disclosure,
    /// The open screen and the input of each screen, as in links.
    pub view: LinkView,
}

impl ShareInput {
    /// The texts that cross from the page to the module.
    #[must_use]
    pub fn into_texts(self) -> Vec<String> {
        let settings = self
            .view
            .into_iter()
            .flat_map(|(name, value)| [name, value]);
        let first = self.disclosure.name().into();
        std::iter::once(first).chain(settings).collect()
    }

    /// The input of such texts. Without a known disclosure, nothing is disclosed.
    #[must_use]
    pub fn from_texts(texts: Vec<String>) -> Self {
        let mut texts = texts.into_iter();
        let disclosure = texts.next().and_then(|name| Disclosure::named(&name));
        let mut view = LinkView::new();
        while let (Some(name), Some(value)) = (texts.next(), texts.next()) {
            view.push((name, value));
        }
        Self {
            disclosure: disclosure.unwrap_or(Disclosure::Shape),
            view,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_crosses_as_texts() {
        for disclosure in Disclosure::ALL {
            let input = ShareInput {
                disclosure,
                view: vec![
                    ("screen".into(), "trace".into()),
                    ("what-if".into(), "zone=a:40%\nno panic".into()),
                ],
            };
            assert_eq!(ShareInput::from_texts(input.clone().into_texts()), input);
        }
        let unknown = ShareInput::from_texts(vec!["all".into()]);
        assert_eq!(unknown.disclosure, Disclosure::Shape);
    }
}
