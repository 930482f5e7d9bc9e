//! A token and the server's own session id, sealed together.
//!
//! The client gets one text and sends it back; the server gets its own id as it wrote it. How long
//! that id is shows in steps of [`STEP`] bytes only.

use alloc::{string::String, vec, vec::Vec};

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};

use super::{
    KeyRing, Opened, Refused, Rules, Token,
    token::PLAIN,
    wire::{self, AROUND, BEFORE},
};

/// Of an envelope. A token is none, and an envelope is no token.
const VERSION: u8 = 2;

/// The longest id of a server that is sealed, in bytes.
const MAXIMUM: usize = 512;

/// What an envelope grows by, in bytes.
const STEP: usize = 32;

/// Bytes of the length in front of the id.
const LENGTH: usize = 2;

/// The longest text of an envelope.
const LONGEST: usize = (AROUND + PLAIN + (LENGTH + MAXIMUM).next_multiple_of(STEP))
    .div_ceil(3)
    .saturating_mul(4);

/// What was in an envelope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelope {
    /// The token.
    pub opened: Opened,
    /// What the server wrote.
    pub inner: Vec<u8>,
}

impl KeyRing {
    /// Seals a token and what the server wrote, with the first key, whose ids the token must have.
    /// `None` for more than 512 bytes.
    #[must_use]
    pub fn seal_envelope(&self, token: &Token, inner: &[u8]) -> Option<String> {
        let length = u16::try_from(inner.len()).ok()?;
        if inner.len() > MAXIMUM {
            return None;
        }
        let room = (LENGTH + inner.len()).next_multiple_of(STEP);
        let mut wire = vec![0; AROUND + PLAIN + room];
        let plain = token.to_bytes().into_iter();
        let plain = plain
            .chain(length.to_be_bytes())
            .chain(inner.iter().copied());
        for (to, from) in wire.iter_mut().skip(BEFORE).zip(plain) {
            *to = from;
        }
        wire::seal(self.first(), VERSION, &mut wire);
        Some(BASE64_URL_SAFE_NO_PAD.encode(wire))
    }

    /// Opens an envelope that a client has sent.
    ///
    /// # Errors
    /// Why it is none, or none that is good here and now.
    pub fn open_envelope(&self, text: &[u8], rules: &Rules<'_>) -> Result<Envelope, Refused> {
        if text.len() > LONGEST {
            return Err(Refused::Malformed);
        }
        let wire = BASE64_URL_SAFE_NO_PAD.decode(text);
        let mut wire = wire.map_err(|_| Refused::Malformed)?;
        let (place, key, plain) = wire::open(self, VERSION, &mut wire)?;
        let (token, inner) = apart(plain).ok_or(Refused::Malformed)?;
        rules.check(&token, key)?;
        Ok(Envelope {
            opened: Opened { token, key: place },
            inner: inner.to_vec(),
        })
    }
}

fn apart(plain: &[u8]) -> Option<(Token, &[u8])> {
    let (token, rest) = plain.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    let inner = rest.get(..usize::from(u16::from_be_bytes(*length)))?;
    Some((Token::from_bytes(token), inner))
}
