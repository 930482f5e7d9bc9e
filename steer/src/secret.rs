//! Comparing the value that a caller presents with the configured secret.

use core::hint::black_box;

/// Whether `given` is the secret. The time depends on the length of the secret alone, so it does not
/// show how much of a guess was right.
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
    fn only_the_secret_itself_is_accepted() {
        assert!(is_presented("open", b"open"));
        for wrong in ["", "o", "opem", "open ", "Open", "open\0", "nope"] {
            assert!(!is_presented("open", wrong.as_bytes()), "{wrong:?}");
        }
        // A guess that is too short does not match by its missing bytes.
        assert!(!is_presented("a\0", b"a"));
    }
}
