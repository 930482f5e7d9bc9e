//! A file of the release.

/// A file with its purpose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Artifact {
    /// The path below the folder of the release.
    pub(crate) path: String,
    /// What it is for, in a sentence.
    pub(crate) purpose: String,
    /// The content.
    pub(crate) bytes: Vec<u8>,
}

impl Artifact {
    pub(crate) fn new(path: impl Into<String>, purpose: impl Into<String>, bytes: Vec<u8>) -> Self {
        let (path, purpose) = (path.into(), purpose.into());
        Self {
            path,
            purpose,
            bytes,
        }
    }
}
