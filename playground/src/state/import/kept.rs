//! An import in the storage of the browser's tab, so that a reload keeps it.

use super::{ImportOrigin, ImportTexts, Imported, import_result};

/// The texts of an import, and its result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeptImport {
    /// The texts.
    pub texts: ImportTexts,
    /// The answer of the reader module, each byte as one character.
    pub answer: String,
}

/// The state of the page after an import.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeptLink {
    /// The fragment in the address bar, without the `#`.
    pub shown: String,
    /// The same with the addresses of the hosts.
    pub full: String,
    /// The scenario with the settings that links do not contain, such as subsets; each byte is a character.
    pub scenario: String,
}

impl KeptImport {
    /// The content of the storage for an import.
    #[must_use]
    pub fn of(origin: &ImportOrigin) -> Self {
        Self {
            texts: origin.texts.clone(),
            answer: text_of(&origin.answer),
        }
    }

    /// The import; `None` if another version of the page stored it.
    #[must_use]
    pub fn import(self) -> Option<Imported> {
        import_result(self.texts, &bytes_of(&self.answer)?).imported
    }
}

/// Bytes as a text, each as one character.
pub(super) fn text_of(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

/// The bytes of such a text; `None` for other texts.
pub(super) fn bytes_of(text: &str) -> Option<Vec<u8>> {
    text.chars().map(|char| u8::try_from(char).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::{super::import_of, *};
    use crate::state::EXAMPLE_CONFIG;

    #[test]
    fn a_kept_import_is_the_same() {
        let text = EXAMPLE_CONFIG.replace("priority: 1", "priority: 2");
        let origin = import_of(&text).imported.unwrap().origin;
        assert!(!origin.faults.is_empty());
        let kept = KeptImport::of(&origin);
        let again = kept.clone().import().unwrap().origin;
        assert_eq!(again.texts.config, text);
        assert_eq!(again.clusters, origin.clusters);
        assert_eq!(again.places, origin.places);
        assert_eq!(again.faults, origin.faults);
        for answer in ["", "x", "\u{20ac}"] {
            let answer = answer.into();
            let other = KeptImport {
                answer,
                ..kept.clone()
            };
            assert!(other.import().is_none());
        }
    }
}
