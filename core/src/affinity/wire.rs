//! What is sealed: version, number of the key, nonce, ciphertext, tag, in one buffer.
//!
//! The nonce is a keyed hash of everything that is sealed, so that no randomness is needed, and
//! what is equal is sealed equally.

use core::hash::Hasher as _;

use siphasher::sip128::{Hasher128 as _, SipHasher24};

use super::{
    KeyRing, Refused, TokenKey,
    siv::{NONCE, TAG},
};

/// Bytes in front of what is sealed.
pub(super) const BEFORE: usize = HEAD + NONCE;

/// Bytes around what is sealed.
pub(super) const AROUND: usize = BEFORE + TAG;

const HEAD: usize = 2;

type Parts<'w> = (
    &'w mut [u8; HEAD],
    &'w mut [u8; NONCE],
    &'w mut [u8],
    &'w mut [u8; TAG],
);

fn parts(wire: &mut [u8]) -> Option<Parts<'_>> {
    let (head, rest) = wire.split_first_chunk_mut()?;
    let (nonce, rest) = rest.split_first_chunk_mut()?;
    let (text, tag) = rest.split_last_chunk_mut()?;
    Some((head, nonce, text, tag))
}

/// Seals what stands in a buffer, between the bytes around it.
pub(super) fn seal(key: &TokenKey, version: u8, wire: &mut [u8]) {
    let Some((head, nonce, text, tag)) = parts(wire) else {
        return;
    };
    *head = [version, key.id];
    *nonce = nonce_of(key, *head, text);
    // What is sealed here has some hundred bytes: the cipher takes it.
    *tag = key.sealing.seal(nonce, head, text).unwrap_or_default();
}

/// Opens what stands in a buffer: the place of its key, its key, and what was sealed.
pub(super) fn open<'k, 'w>(
    ring: &'k KeyRing,
    version: u8,
    wire: &'w mut [u8],
) -> Result<(usize, &'k TokenKey, &'w [u8]), Refused> {
    let (head, nonce, text, tag) = parts(wire).ok_or(Refused::Malformed)?;
    let [found, id] = *head;
    if found != version {
        return Err(Refused::Malformed);
    }
    let mut keys = ring.keys().enumerate();
    let key = keys.find(|(_, key)| key.id == id);
    let (place, key) = key.ok_or(Refused::UnknownKey)?;
    if key.sealing.open(nonce, head, text, tag) {
        Ok((place, key, text))
    } else {
        Err(Refused::Forged)
    }
}

fn nonce_of(key: &TokenKey, head: [u8; HEAD], text: &[u8]) -> [u8; NONCE] {
    let mut hasher = SipHasher24::new_with_key(&key.nonces);
    hasher.write(&head);
    hasher.write(text);
    let [nonce @ .., _, _, _, _] = hasher.finish128().as_u128().to_be_bytes();
    nonce
}
