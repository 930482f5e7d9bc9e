//! An import in the storage of the browser's tab, so that a reload keeps it.

use super::{ImportOrigin, ImportTexts, Imported, import_result};
use crate::byte_text::{bytes_of, text_of};

/// The texts of an import, and its result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeptImport {
    /// The texts.
    pub texts: ImportTexts,
    /// The answer of the reader module, each byte as one character.
    pub answer: String,
}

/// The state of the playground after an import.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeptState {
    /// The fragment in the address bar, without the `#`.
    pub shown: String,
    /// The open screen, its selected figure and the input of each screen, with the addresses of the hosts.
    pub view: String,
    /// The scenario, with the settings that links do not contain, such as subsets.
    pub scenario: String,
    /// The scenario that it is compared with; empty if that is the same one.
    pub old: String,
    /// Where that one is from, and what a comparison must know beyond both.
    pub old_about: String,
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

    /// The import; `None` if another version of the playground stored it.
    #[must_use]
    pub fn import(self) -> Option<Imported> {
        import_result(self.texts, &bytes_of(&self.answer)?).imported
    }
}

#[cfg(test)]
mod tests {
    use super::{super::import_of, *};
    use crate::EXAMPLE_CONFIG;

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
