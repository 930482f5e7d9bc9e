//! What the panel says about its text.

use std::fmt;

/// The state of a text that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextMessage<'a> {
    /// The user has typed, and the text is not read yet.
    Reading,
    /// The text has errors, or the scenario cannot follow it; the counts by severity.
    NotFollowed(&'a str),
    /// The scenario and the text are the same; the counts of warnings and notes.
    Same(&'a str),
}

impl fmt::Display for TextMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reading => f.write_str("Reading\u{2026}"),
            Self::NotFollowed(counts) => {
                write!(f, "{counts}. The picture keeps the earlier scenario.")
            }
            Self::Same("") => f.write_str("The picture shows this text."),
            Self::Same(counts) => write!(f, "The picture shows this text; {counts}."),
        }
    }
}
