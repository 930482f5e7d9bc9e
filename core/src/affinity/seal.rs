//! From a token to its text and back: base64url without padding, in its only form.

use core::fmt;

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};

use super::{
    KeyRing, Opened, Refused, Rules, Token, TokenKey,
    token::PLAIN,
    wire::{self, AROUND, BEFORE},
};

/// Of a token; the only one so far.
const VERSION: u8 = 1;

const WIRE: usize = PLAIN + AROUND;
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
        let mut wire = [0; WIRE];
        wire[BEFORE..BEFORE + PLAIN].copy_from_slice(&token.to_bytes());
        wire::seal(self.first(), VERSION, &mut wire);
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
        self.check(self.genuine(text)?.0, rules)
    }

    /// Whether a genuine token is valid here and now.
    pub(super) fn check(&self, opened: Opened, rules: &Rules<'_>) -> Result<Opened, Refused> {
        let key = self.keys().nth(opened.key).ok_or(Refused::UnknownKey)?;
        rules.check(&opened.token, key).map(|()| opened)
    }

    /// Opens a text wherever and however long ago it was good, for tools that say why it is not
    /// any more; and the key that sealed it.
    ///
    /// # Errors
    /// Why it is no token of these keys.
    pub fn genuine(&self, text: &[u8]) -> Result<(Opened, &TokenKey), Refused> {
        let mut wire = [0; WIRE];
        if BASE64_URL_SAFE_NO_PAD.decode_slice(text, &mut wire) != Ok(WIRE) {
            return Err(Refused::Malformed);
        }
        let (place, key, plain) = wire::open(self, VERSION, &mut wire)?;
        let plain = plain.first_chunk().ok_or(Refused::Malformed)?;
        let token = Token::from_bytes(plain);
        Ok((Opened { token, key: place }, key))
    }
}

/// The number of the key that a text says it was sealed with, for logs. Nobody vouches for it.
#[must_use]
pub fn key_id(text: &[u8]) -> Option<u8> {
    let mut start = [0; 3];
    let decoded = BASE64_URL_SAFE_NO_PAD.decode_slice(text.get(..4)?, &mut start);
    let [_, id, _] = start;
    decoded.is_ok().then_some(id)
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
