//! What the page passes to the modules of the Share dialog, except the scenario.

use super::link::Disclosure;

/// The state of the dialog that the page keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShareInput {
    /// What snippets and files disclose.
    pub disclosure: Disclosure,
    /// The input of the What-if screen; empty if the user has not changed it.
    pub question: String,
}

impl ShareInput {
    /// The texts that cross from the page to the module.
    #[must_use]
    pub fn into_texts(self) -> Vec<String> {
        vec![self.disclosure.name().into(), self.question]
    }

    /// The input of such texts. Without a known disclosure, nothing is disclosed.
    #[must_use]
    pub fn from_texts(texts: Vec<String>) -> Self {
        let mut texts = texts.into_iter();
        let mut text = || texts.next().unwrap_or_default();
        Self {
            disclosure: Disclosure::named(&text()).unwrap_or(Disclosure::Shape),
            question: text(),
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
                question: "zone=a:40%\nno panic".into(),
            };
            assert_eq!(ShareInput::from_texts(input.clone().into_texts()), input);
        }
        let unknown = ShareInput::from_texts(vec!["all".into()]);
        assert_eq!(unknown.disclosure, Disclosure::Shape);
    }
}
