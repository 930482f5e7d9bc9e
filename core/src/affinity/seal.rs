//! From a token to its text and back.
//!
//! Sealed bytes: version, number of the key, nonce, ciphertext, tag. Text: base64url without
//! padding, in its only form. The nonce is a keyed hash of everything that is sealed, so that no
//! randomness is needed and equal tokens have equal texts.

use core::{fmt, hash::Hasher as _};

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use siphasher::sip128::{Hasher128 as _, SipHasher24};

use super::{
    KeyRing, Opened, Refused, Rules, Token, TokenKey,
    siv::{NONCE, TAG},
    token::PLAIN,
};

/// The only version so far.
const VERSION: u8 = 1;

const HEAD: usize = 2;
const WIRE: usize = HEAD + NONCE + PLAIN + TAG;
const TEXT: usize = WIRE.div_ceil(3) * 4;

// Without a remainder there is no padding to leave out.
const _: () = assert!(WIRE.is_multiple_of(3));

/// The text of a sealed token: 120 characters of the base64url alphabet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Sealed([u8; TEXT]);

impl KeyRing {
    /// Seals a token with the first key, whose ids it must have.
    #[must_use]
    pub fn seal(&self, token: &Token) -> Sealed {
        let key = self.first();
        let head = [VERSION, key.id];
        let mut plain = token.to_bytes();
        let nonce = key.nonce(head, &plain);
        let tag = key.sealing.seal(&nonce, &head, &mut plain);
        let mut bytes = head.into_iter().chain(nonce).chain(plain).chain(tag);
        let wire: [u8; WIRE] = core::array::from_fn(|_| bytes.next().unwrap_or_default());
        let mut text = [0; TEXT];
        let written = BASE64_URL_SAFE_NO_PAD.encode_slice(wire, &mut text);
        debug_assert_eq!(written, Ok(TEXT), "the text has room for the bytes");
        Sealed(text)
    }

    /// Opens a text that a client has sent.
    ///
    /// # Errors
    /// Why it is no token, or none that is good here and now.
    pub fn open(&self, text: &[u8], rules: &Rules<'_>) -> Result<Opened, Refused> {
        let (token, place, key) = self.unseal(text)?;
        rules.check(&token, key)?;
        Ok(Opened { token, key: place })
    }

    /// Opens a text whatever its times and its scope.
    fn unseal(&self, text: &[u8]) -> Result<(Token, usize, &TokenKey), Refused> {
        let mut wire = [0; WIRE];
        if BASE64_URL_SAFE_NO_PAD.decode_slice(text, &mut wire) != Ok(WIRE) {
            return Err(Refused::Malformed);
        }
        let mut bytes = wire.iter().copied();
        let mut next = || bytes.next().unwrap_or_default();
        let head: [u8; HEAD] = core::array::from_fn(|_| next());
        let nonce: [u8; NONCE] = core::array::from_fn(|_| next());
        let mut plain: [u8; PLAIN] = core::array::from_fn(|_| next());
        let tag: [u8; TAG] = core::array::from_fn(|_| next());
        let [VERSION, id] = head else {
            return Err(Refused::Malformed);
        };
        let mut keys = self.keys().enumerate();
        let found = keys.find(|(_, key)| key.id == id);
        let (place, key) = found.ok_or(Refused::UnknownKey)?;
        if !key.sealing.open(&nonce, &head, &mut plain, &tag) {
            return Err(Refused::Forged);
        }
        Ok((Token::from_bytes(&plain), place, key))
    }
}

impl TokenKey {
    fn nonce(&self, head: [u8; HEAD], plain: &[u8]) -> [u8; NONCE] {
        let mut hasher = SipHasher24::new_with_key(&self.nonces);
        hasher.write(&head);
        hasher.write(plain);
        let [nonce @ .., _, _, _, _] = hasher.finish128().as_u128().to_be_bytes();
        nonce
    }
}

/// The number of the key that a text says it was sealed with, for logs. Nobody vouches for it.
#[must_use]
pub fn key_id(text: &[u8]) -> Option<u8> {
    let mut start = [0; 3];
    let decoded = BASE64_URL_SAFE_NO_PAD.decode_slice(text.get(..4)?, &mut start);
    match start {
        [VERSION, id, _] if decoded.is_ok() => Some(id),
        _ => None,
    }
}

impl Sealed {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // Base64 is ASCII.
        core::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl fmt::Debug for Sealed {
    /// A token is a secret of its client.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sealed(..)")
    }
}
