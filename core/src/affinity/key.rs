//! A secret that seals tokens, and which secrets are none.

use core::{error::Error, fmt};

use base64::{
    DecodeSliceError, Engine as _, alphabet,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};

use super::siv::{Derived, Siv};

/// Bytes of a secret.
const SECRET: usize = 32;

/// What keys are derived for. Another use of a secret gets a label of its own.
const SEALING: &[u8; 12] = b"spillgate se";
const NAMING: &[u8; 12] = b"spillgate id";

/// Base64 with padding or without.
const ANY_PADDING: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Secrets that documents show: whoever copies one shares it with every reader.
const EXAMPLES: [&[u8; SECRET]; 2] = [
    b"an example; spillgate refuses it",
    b"0123456789abcdef0123456789abcdef",
];

/// A secret and its number, ready to seal and to open.
///
/// The keys it works with are derived of the secret once, as RFC 8452 derives those of a message:
/// the block cipher, of blocks that occur once. That makes good keys of a secret that is random,
/// which `spillgate token keygen` sees to.
#[derive(Clone)]
pub struct TokenKey {
    pub(super) id: u8,
    pub(super) sealing: Siv,
    /// Makes nonces of what is sealed.
    pub(super) nonces: [u8; 16],
    /// Makes names of hosts and clusters.
    pub(super) ids: [u8; 16],
}

/// Why a secret is none. The secret itself is never told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyError {
    /// It is not base64.
    NotBase64,
    /// It has this many bytes instead of 32.
    Length(usize),
    /// It is one byte over and over.
    Repeated,
    /// It stands in the documentation.
    Example,
}

impl TokenKey {
    /// The key of a number, 0 to 255, and 32 secret bytes.
    ///
    /// # Errors
    /// A secret of another length, of one byte over and over, or one that documents show.
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

    /// The key of a number and of a secret in base64, with padding or without.
    ///
    /// # Errors
    /// A text that is no base64, and what [`TokenKey::new`] refuses.
    pub fn from_base64(id: u8, secret: &str) -> Result<Self, KeyError> {
        /// More than any secret of a plausible length.
        const ROOM: usize = 256;
        let mut room = [0; ROOM];
        match ANY_PADDING.decode_slice(secret, &mut room) {
            Ok(length) => Self::new(id, room.get(..length).unwrap_or_default()),
            Err(DecodeSliceError::OutputSliceTooSmall) => {
                Err(KeyError::Length(secret.len() / 4 * 3))
            }
            Err(DecodeSliceError::DecodeError(_)) => Err(KeyError::NotBase64),
        }
    }

    /// Its number, which tokens carry openly.
    #[must_use]
    pub const fn id(&self) -> u8 {
        self.id
    }

    /// Whether both were made of the same secret.
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
            Self::NotBase64 => f.write_str("a secret that is not base64"),
            Self::Length(bytes) => write!(f, "a secret of {bytes} bytes instead of {SECRET}"),
            Self::Repeated => f.write_str("a secret of one byte over and over"),
            Self::Example => f.write_str("a secret that the documentation shows"),
        }
    }
}

impl Error for KeyError {}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn weak_secrets_are_refused() {
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
    fn secrets_come_in_base64() {
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
    fn nothing_secret_is_printed() {
        let key = TokenKey::new(9, b"0123456789abcdef0123456789abcdeg").unwrap();
        assert_eq!(format!("{key:?}"), "TokenKey { id: 9, .. }");
    }
}
