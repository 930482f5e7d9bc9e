//! Compares a value that a client sends with the configured secret.

use core::hint::black_box;

/// Whether `given` is the secret. The time depends only on the length of the secret, so it does not
/// show how many bytes of a guess are right.
pub(crate) fn is_presented(secret: &str, given: &[u8]) -> bool {
    let secret = secret.as_bytes();
    // All bytes of the secret are compared, so the time does not show how many are right. `black_box`
    // keeps the compiler from leaving the loop early.
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
    fn only_the_secret_is_accepted() {
        assert!(is_presented("open", b"open"));
        for wrong in ["", "o", "opem", "open ", "Open", "open\0", "nope"] {
            assert!(!is_presented("open", wrong.as_bytes()), "{wrong:?}");
        }
        // Missing bytes of a short guess do not count as zeros.
        assert!(!is_presented("a\0", b"a"));
    }
}
