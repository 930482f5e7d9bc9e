//! Bytes as a text, each as one character: the storage of the browser keeps only texts.

/// The text of these bytes.
#[must_use]
pub fn text_of(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

/// The bytes of such a text; `None` for other texts.
#[must_use]
pub fn bytes_of(text: &str) -> Option<Vec<u8>> {
    text.chars().map(|char| u8::try_from(char).ok()).collect()
}
