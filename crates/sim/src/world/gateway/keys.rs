//! Token keys and their rotation.

use alloc::{sync::Arc, vec::Vec};

use spillgate_core::affinity::{KeyError, KeyRing, TokenKey};

use crate::world::KeyChange;

/// The first key of every scenario.
pub(crate) const FIRST: u8 = 1;

/// The token keys that gateways are configured with.
#[derive(Debug)]
pub(crate) struct Keys {
    /// Their ids; the first key seals.
    ids: Vec<u8>,
    /// All keys so far.
    made: Vec<TokenKey>,
    pub(crate) ring: Arc<KeyRing>,
}

impl Keys {
    /// The first key. `None` is unreachable: the key is valid.
    pub(crate) fn new() -> Option<Self> {
        let first = key(FIRST, b"simulated").ok()?;
        let ring = KeyRing::new([(FIRST, Ok(first.clone()))]).ok()?;
        Some(Self {
            ids: Vec::from([FIRST]),
            made: Vec::from([first]),
            ring: Arc::new(ring),
        })
    }

    /// A ring with the same key ids and other secrets.
    pub(crate) fn foreign(&self) -> Option<KeyRing> {
        KeyRing::new(self.ids.iter().map(|&id| (id, key(id, b"elsewhere")))).ok()
    }

    /// The id of the next key.
    pub(crate) fn next(&self) -> u8 {
        let newest = self.made.last().map_or(FIRST, TokenKey::id);
        newest.wrapping_add(1)
    }

    /// The ids of the keys that do not seal.
    pub(crate) fn others(&self) -> Vec<u8> {
        self.ids.iter().skip(1).copied().collect()
    }

    /// Applies a change. Returns whether it has an effect.
    pub(crate) fn change(&mut self, change: KeyChange) -> bool {
        let before = self.ids.clone();
        apply(&mut self.ids, change);
        if self.ids == before {
            return false;
        }
        for id in &self.ids {
            if !self.made.iter().any(|key| key.id() == *id) {
                self.made.extend(key(*id, b"simulated"));
            }
        }
        let all = |id: &u8| {
            let key = self.made.iter().find(|key| key.id() == *id);
            key.map(|key| (*id, Ok(key.clone())))
        };
        if let Ok(ring) = KeyRing::new(self.ids.iter().filter_map(all)) {
            self.ring = Arc::new(ring);
        }
        true
    }
}

/// Applies a change to a list of key ids. Impossible changes have no effect, and the last key
/// stays.
pub(crate) fn apply(ids: &mut Vec<u8>, change: KeyChange) {
    let place = |ids: &Vec<u8>, id| ids.iter().position(|&known| known == id);
    match change {
        KeyChange::Add(id) if place(ids, id).is_none() => ids.push(id),
        KeyChange::Promote(id) => {
            if let Some(at) = place(ids, id) {
                ids.remove(at);
                ids.insert(0, id);
            }
        }
        // A ring without keys is no valid configuration.
        KeyChange::Drop(id) if ids.len() > 1 => ids.retain(|&known| known != id),
        KeyChange::Add(_) | KeyChange::Drop(_) | KeyChange::Rotate => {}
    }
}

/// A key with a guessable secret, for simulations only.
fn key(id: u8, of: &[u8; 9]) -> Result<TokenKey, KeyError> {
    let mut secret = [id; 32];
    for (byte, letter) in secret.iter_mut().zip(of) {
        *byte = *letter;
    }
    TokenKey::new(id, &secret)
}
