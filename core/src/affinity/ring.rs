//! The ring of keys that are in use at the same time.

use alloc::vec::Vec;
use core::{error::Error, fmt};

use super::{KeyError, TokenKey};

/// Keys with different ids. The first key seals, all keys open.
///
/// Rotation in two steps loses no session: first add the new key at the end on every gateway, so
/// that all can open its tokens; then move it to the front. Remove the old key after the maximum
/// lifetime of its tokens.
#[derive(Clone)]
pub struct KeyRing {
    first: TokenKey,
    others: Vec<TokenKey>,
    /// A secret hash of the keys and their order. It differs for every other ring.
    pub(super) fingerprint: u128,
}

/// A problem with one key of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyFault {
    /// The index of the key in the list, from 0.
    pub index: usize,
    /// The problem.
    pub error: KeyRingError,
}

/// Why a list of keys is not a valid ring. Errors never contain a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyRingError {
    /// The list is empty; the index is 0.
    Empty,
    /// The secret is invalid.
    Secret(KeyError),
    /// The key at this index has the same id.
    SameId(usize),
    /// The key at this index has the same secret.
    SameSecret(usize),
}

impl KeyRing {
    /// A ring of keys, given as the expected key id and the result of [`TokenKey::new`] or
    /// [`TokenKey::from_base64`].
    ///
    /// # Errors
    /// All problems in the order of the list: no key, invalid secrets, repeated ids, repeated
    /// secrets.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::affinity::{KeyRing, KeyRingError, TokenKey};
    ///
    /// let new = || (2, TokenKey::new(2, b"the secret bytes of the new key."));
    /// let old = || (1, TokenKey::new(1, b"the secret bytes of the old key."));
    /// let ring = KeyRing::new([new(), old()]).unwrap();
    /// assert_eq!(ring.first().id(), 2);
    /// assert_eq!(ring.keys().count(), 2);
    ///
    /// let faults = KeyRing::new([old(), old()]).unwrap_err();
    /// assert_eq!(faults[0].error, KeyRingError::SameId(0));
    /// assert!(KeyRing::new([]).is_err());
    /// ```
    pub fn new(
        keys: impl IntoIterator<Item = (u8, Result<TokenKey, KeyError>)>,
    ) -> Result<Self, Vec<KeyFault>> {
        let (mut ids, mut ring, mut faults) = (Vec::new(), Vec::new(), Vec::new());
        for (index, (id, key)) in keys.into_iter().enumerate() {
            let mut fault = |error| faults.push(KeyFault { index, error });
            if let Some(before) = ids.iter().position(|other| *other == id) {
                fault(KeyRingError::SameId(before));
            }
            ids.push(id);
            match key {
                Err(error) => fault(KeyRingError::Secret(error)),
                Ok(key) => {
                    let same = |(_, other): &&(usize, TokenKey)| other.same_secret(&key);
                    if let Some((before, _)) = ring.iter().find(same) {
                        fault(KeyRingError::SameSecret(*before));
                    }
                    ring.push((index, key));
                }
            }
        }
        let mut ring = ring.into_iter().map(|(_, key)| key);
        match ring.next() {
            _ if !faults.is_empty() => Err(faults),
            None => Err(Vec::from([KeyFault {
                index: 0,
                error: KeyRingError::Empty,
            }])),
            Some(first) => Ok(Self::of(first, ring.collect())),
        }
    }

    fn of(first: TokenKey, others: Vec<TokenKey>) -> Self {
        let keys = core::iter::once(&first).chain(&others);
        let secrets: Vec<u8> = keys
            .flat_map(|key| [key.id].into_iter().chain(key.nonces).chain(key.ids))
            .collect();
        Self {
            fingerprint: first.hashed(b'r', &[&secrets]),
            first,
            others,
        }
    }

    /// The key that seals.
    #[must_use]
    pub const fn first(&self) -> &TokenKey {
        &self.first
    }

    /// All keys in order; the first one seals.
    pub fn keys(&self) -> impl Iterator<Item = &TokenKey> {
        core::iter::once(&self.first).chain(&self.others)
    }
}

/// Formats the key ids only.
impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.keys()).finish()
    }
}

impl fmt::Display for KeyRingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("no key"),
            Self::Secret(error) => error.fmt(f),
            Self::SameId(index) => write!(f, "same id as keys[{index}]"),
            Self::SameSecret(index) => write!(f, "same secret as keys[{index}]"),
        }
    }
}

impl Error for KeyRingError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(id: u8, last: u8) -> (u8, Result<TokenKey, KeyError>) {
        let mut secret = *b"0123456789abcdef0123456789abcde?";
        secret[31] = last;
        (id, TokenKey::new(id, &secret))
    }

    #[test]
    fn the_first_key_seals() {
        let ring = KeyRing::new([key(7, 1), key(3, 2)]).unwrap();
        assert_eq!(ring.first().id(), 7);
        let ids: Vec<_> = ring.keys().map(TokenKey::id).collect();
        assert_eq!(ids, [7, 3]);
    }

    #[test]
    fn all_faults_are_reported_together() {
        let weak = |id| (id, TokenKey::new(id, &[0; 32]));
        let faults = KeyRing::new([key(1, 1), weak(2), key(1, 2), key(3, 1), weak(2)]).unwrap_err();
        let found: Vec<_> = faults
            .iter()
            .map(|fault| (fault.index, fault.error))
            .collect();
        let weak = KeyRingError::Secret(KeyError::Repeated);
        assert_eq!(
            found,
            [
                (1, weak),
                (2, KeyRingError::SameId(0)),
                (3, KeyRingError::SameSecret(0)),
                (4, KeyRingError::SameId(1)),
                (4, weak),
            ]
        );
        let none = KeyRing::new([]).unwrap_err();
        assert_eq!(none[0].error, KeyRingError::Empty);
    }
}
