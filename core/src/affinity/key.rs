//! Secrets that seal tokens, and the checks that reject weak secrets.

use core::{error::Error, fmt};

use super::siv::{Derived, Siv};
use crate::proto::Base64;

/// The length of a secret in bytes.
const SECRET: usize = 32;

/// Labels of derived keys. Each further use of a secret needs its own label.
const SEALING: &[u8; 12] = b"spillgate se";
const NAMING: &[u8; 12] = b"spillgate id";

/// Secrets that appear in documentation and are therefore public.
const EXAMPLES: [&[u8; SECRET]; 2] = [
    b"an example; spillgate refuses it",
    b"0123456789abcdef0123456789abcdef",
];

/// A secret with its key id, ready to seal and to open tokens.
///
/// The working keys are derived from the secret once, in the same way as RFC 8452 derives message
/// keys: AES-256 encrypts a counter and a label. This requires a random secret; `spillgate token
/// keygen` generates one.
#[derive(Clone)]
pub struct TokenKey {
    pub(super) id: u8,
    pub(super) sealing: Siv,
    /// The key of the nonce hash.
    pub(super) nonces: [u8; 16],
    /// The key of the id hashes.
    pub(super) ids: [u8; 16],
}

/// Why a secret is invalid. Errors never contain the secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyError {
    /// The text is not base64.
    NotBase64,
    /// The secret has this many bytes instead of 32.
    Length(usize),
    /// All bytes of the secret are equal.
    Repeated,
    /// The secret appears in documentation.
    Example,
}

impl TokenKey {
    /// A key with an id from 0 to 255 and a secret of 32 bytes.
    ///
    /// # Errors
    /// An error if the secret has another length, repeats one byte, or appears in documentation.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::affinity::{KeyError, TokenKey};
    ///
    /// assert!(TokenKey::new(1, b"32 secret bytes of this example!").is_ok());
    /// assert_eq!(TokenKey::new(1, b"short").unwrap_err(), KeyError::Length(5));
    /// assert_eq!(TokenKey::new(1, &[0; 32]).unwrap_err(), KeyError::Repeated);
    /// ```
    pub fn new(id: u8, secret: &[u8]) -> Result<Self, KeyError> {
        let Ok(secret) = <&[u8; SECRET]>::try_from(secret) else {
            return Err(KeyError::Length(secret.len()));
        };
        let [first, rest @ ..] = secret;
        if rest.iter().all(|byte| byte == first) {
            return Err(KeyError::Repeated);
        }
        if EXAMPLES.contains(&secret) {
            return Err(KeyError::Example);
        }
        let Derived {
            authentication: nonces,
            encryption: sealing,
        } = Derived::new(secret, SEALING);
        Ok(Self {
            id,
            sealing: Siv::new(&sealing),
            nonces,
            ids: Derived::new(secret, NAMING).authentication,
        })
    }

    /// A key with an id and a secret in base64, with or without padding.
    ///
    /// # Errors
    /// [`KeyError::NotBase64`], or an error of [`TokenKey::new`].
    pub fn from_base64(id: u8, secret: &str) -> Result<Self, KeyError> {
        let digits = secret.trim_end_matches('=');
        // Less padding than necessary is valid, more is not.
        if secret.len() > digits.len().next_multiple_of(4) {
            return Err(KeyError::NotBase64);
        }
        let bytes = Base64::STANDARD.decode(digits.as_bytes());
        Self::new(id, &bytes.ok_or(KeyError::NotBase64)?)
    }

    /// The key id. Tokens contain it in plain text.
    #[must_use]
    pub const fn id(&self) -> u8 {
        self.id
    }

    /// Whether both keys have the same secret.
    pub(super) fn same_secret(&self, other: &Self) -> bool {
        (self.nonces, self.ids) == (other.nonces, other.ids)
    }
}

impl fmt::Debug for TokenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenKey")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotBase64 => f.write_str("secret is not base64"),
            Self::Length(bytes) => write!(f, "secret has {bytes} bytes instead of {SECRET}"),
            Self::Repeated => f.write_str("all bytes of the secret are equal"),
            Self::Example => f.write_str("secret appears in the documentation"),
        }
    }
}

impl Error for KeyError {}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn weak_secrets_are_rejected() {
        let error = |secret: &[u8]| TokenKey::new(1, secret).err();
        assert_eq!(error(&[0; 32]), Some(KeyError::Repeated));
        assert_eq!(error(&[0xa5; 32]), Some(KeyError::Repeated));
        assert_eq!(error(&[]), Some(KeyError::Length(0)));
        assert_eq!(error(&[1; 31]), Some(KeyError::Length(31)));
        assert_eq!(error(&[1; 33]), Some(KeyError::Length(33)));
        for example in EXAMPLES {
            assert_eq!(error(example), Some(KeyError::Example));
        }
        assert_eq!(error(b"0123456789abcdef0123456789abcdeg"), None);
    }

    #[test]
    fn secrets_are_read_from_base64() {
        let of = |text: &str| TokenKey::from_base64(3, text).map(|key| key.id());
        let text = "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=";
        assert_eq!(of(text), Ok(3));
        assert_eq!(of(text.trim_end_matches('=')), Ok(3));
        assert_eq!(of("AQIDBA=="), Err(KeyError::Length(4)));
        assert_eq!(of(""), Err(KeyError::Length(0)));
        assert_eq!(of(&"AQID".repeat(100)), Err(KeyError::Length(300)));
        assert_eq!(of("AQIDBA="), Err(KeyError::Length(4)));
        for text in ["AQIDB", "not base64", "AQIDBB==", "AQ_-"] {
            assert_eq!(of(text), Err(KeyError::NotBase64), "{text}");
        }
    }

    #[test]
    fn debug_output_has_no_secrets() {
        let key = TokenKey::new(9, b"0123456789abcdef0123456789abcdeg").unwrap();
        assert_eq!(format!("{key:?}"), "TokenKey { id: 9, .. }");
    }
}
