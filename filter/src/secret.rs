//! Comparing what a caller presents with what is configured.

use std::hint::black_box;

/// Whether `given` is the secret, in a time that depends on the secret's length alone: it does not
/// tell how much of a guess was right.
pub(crate) fn is_presented(secret: &str, given: &[u8]) -> bool {
    let secret = secret.as_bytes();
    let mut difference = u8::from(secret.len() != given.len());
    for (index, byte) in secret.iter().enumerate() {
        let guess = given.get(index).copied().unwrap_or(0);
        difference |= black_box(byte ^ guess);
    }
    black_box(difference) == 0
}

#[cfg(test)]
mod tests {
    use super::is_presented;

    #[test]
    fn only_the_secret_itself_is_taken() {
        assert!(is_presented("open", b"open"));
        for wrong in ["", "o", "opem", "open ", "Open", "open\0", "nope"] {
            assert!(!is_presented("open", wrong.as_bytes()), "{wrong:?}");
        }
        // A guess is not taken for its zero bytes where it is too short.
        assert!(!is_presented("a\0", b"a"));
    }
}
