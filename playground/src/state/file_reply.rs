//! What became of a file.

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
