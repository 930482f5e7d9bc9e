//! The keys that are in use at a time.

use alloc::vec::Vec;
use core::{error::Error, fmt};

use super::{KeyError, TokenKey};

/// Keys of different numbers. The first one seals, all of them open: a key that comes in at the
/// end opens what others seal with it, and one that left the front opens what it sealed.
#[derive(Clone)]
pub struct KeyRing {
    first: TokenKey,
    others: Vec<TokenKey>,
    /// Derived from the keys and their order; differs for every other ring. Secret, like the keys.
    pub(super) fingerprint: u128,
}

/// One thing that is wrong with one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyFault {
    /// The place of the key in the list, from 0.
    pub place: usize,
    /// What is wrong with it.
    pub error: KeyRingError,
}

/// Why a key has no place in a ring. No secret is ever told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyRingError {
    /// The list has no key; the place is 0.
    Empty,
    /// The secret is none.
    Secret(KeyError),
    /// The key at that place has the same number.
    SameId(usize),
    /// The key at that place has the same secret.
    SameSecret(usize),
}

impl KeyRing {
    /// The ring of such keys, each with the number it is to have: a number and what came of its
    /// secret ([`TokenKey::new`], [`TokenKey::from_base64`]).
    ///
    /// # Errors
    /// Everything that is wrong, in the order of the list: no key at all, a secret that is none, a
    /// number or a secret that came before.
    pub fn new(
        keys: impl IntoIterator<Item = (u8, Result<TokenKey, KeyError>)>,
    ) -> Result<Self, Vec<KeyFault>> {
        let (mut ids, mut ring, mut faults) = (Vec::new(), Vec::new(), Vec::new());
        for (place, (id, key)) in keys.into_iter().enumerate() {
            let mut fault = |error| faults.push(KeyFault { place, error });
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
                    ring.push((place, key));
                }
            }
        }
        let mut ring = ring.into_iter().map(|(_, key)| key);
        match ring.next() {
            _ if !faults.is_empty() => Err(faults),
            None => Err(Vec::from([KeyFault {
                place: 0,
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

    /// Every key; the first one seals.
    pub fn keys(&self) -> impl Iterator<Item = &TokenKey> {
        core::iter::once(&self.first).chain(&self.others)
    }
}

/// Shows the ids of the keys only.
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
            Self::SameId(place) => write!(f, "the id of keys[{place}] again"),
            Self::SameSecret(place) => write!(f, "the secret of keys[{place}] again"),
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
    fn all_faults_at_once() {
        let weak = |id| (id, TokenKey::new(id, &[0; 32]));
        let faults = KeyRing::new([key(1, 1), weak(2), key(1, 2), key(3, 1), weak(2)]).unwrap_err();
        let found: Vec<_> = faults
            .iter()
            .map(|fault| (fault.place, fault.error))
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
