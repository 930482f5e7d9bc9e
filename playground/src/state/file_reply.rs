//! What the module that writes files replies to the page.

/// A file, or the reason of the failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileReply {
    /// The file.
    Written {
        /// Its text.
        text: String,
        /// What it omits, as sentences; empty for a complete file.
        omitted: String,
    },
    /// The reason, as a sentence.
    Refused(String),
}

impl FileReply {
    /// The texts that cross from the module to the page.
    #[must_use]
    pub fn into_texts(self) -> Vec<String> {
        match self {
            Self::Written { text, omitted } => vec![text, omitted],
            Self::Refused(reason) => vec![reason],
        }
    }

    /// The reply of such texts.
    #[must_use]
    pub fn from_texts(texts: Vec<String>) -> Self {
        let mut texts = texts.into_iter();
        let (first, second) = (texts.next(), texts.next());
        match (first.unwrap_or_default(), second) {
            (text, Some(omitted)) => Self::Written { text, omitted },
            (reason, None) => Self::Refused(reason),
        }
    }
}
