//! The binary form of tokens and envelopes: version, key id, nonce, ciphertext, tag.
//!
//! The nonce is a keyed hash of the content. Sealing therefore needs no random numbers, and equal
//! contents have equal texts.

use core::hash::Hasher as _;

use siphasher::sip128::{Hasher128 as _, SipHasher24};

use super::{
    KeyRing, Refused, TokenKey,
    siv::{NONCE, TAG},
};

/// The bytes before the ciphertext.
pub(super) const BEFORE: usize = HEAD + NONCE;

/// The bytes around the ciphertext.
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

/// Seals the content of a buffer in place.
pub(super) fn seal(key: &TokenKey, version: u8, wire: &mut [u8]) {
    let Some((head, nonce, text, tag)) = parts(wire) else {
        return;
    };
    *head = [version, key.id];
    *nonce = nonce_of(key, *head, text);
    // The content has some hundred bytes, far below the limit of the cipher.
    *tag = key.sealing.seal(nonce, head, text).unwrap_or_default();
}

/// Opens a buffer in place: the index of the key, the key, and the content.
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
    let (index, key) = key.ok_or(Refused::UnknownKey)?;
    // The head is authenticated too: a client cannot turn a token into one of another version or key.
    if key.sealing.open(nonce, head, text, tag) {
        Ok((index, key, text))
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
