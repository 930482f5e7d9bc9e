//! SHA-256 sums in hexadecimal digits.

use sha2::{Digest as _, Sha256};

/// The sum of these bytes.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    let sum = Sha256::digest(bytes);
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}
