//! Envelopes: a token and the session id of an upstream server, sealed together.
//!
//! The client stores one text and sends it back; the server receives its own id unchanged. The
//! length of the text reveals the length of the id only in steps of [`STEP`] bytes.

use alloc::{string::String, vec, vec::Vec};

use super::{
    KeyRing, Opened, Refused, Token, TokenRules,
    token::PLAIN,
    wire::{self, AROUND, BEFORE},
};
use crate::proto::Base64;

/// The format version of envelopes. It distinguishes envelopes from tokens.
const VERSION: u8 = 2;

/// The maximum length of a server's session id, in bytes.
const MAXIMUM: usize = 512;

/// The size step of envelopes, in bytes.
const STEP: usize = 32;

/// The bytes of the length field before the id.
const LENGTH: usize = 2;

/// The maximum length of an envelope as text.
const LONGEST: usize = (AROUND + PLAIN + (LENGTH + MAXIMUM).next_multiple_of(STEP))
    .div_ceil(3)
    .saturating_mul(4);

/// The content of an opened envelope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelope {
    /// The token and its key.
    pub opened: Opened,
    /// The session id of the upstream server, at most 512 bytes.
    pub inner: Vec<u8>,
}

impl KeyRing {
    /// Seals a token and a server's session id with the first key. The ids in the token must come
    /// from that key. `None` if the session id exceeds 512 bytes.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::affinity::{KeyRing, Life, TokenRules, Token, TokenKey};
    ///
    /// let ring = KeyRing::new([(1, TokenKey::new(1, b"32 secret bytes of this example!"))]).unwrap();
    /// let key = ring.first();
    /// let life = Life { ttl: 3_600, max: 86_400 };
    /// let token = Token {
    ///     session: 7,
    ///     host: key.host_id("shop", "10.0.0.1:80"),
    ///     cluster: key.cluster_id("shop"),
    ///     scope: key.scope_id("shop.example"),
    ///     subset: key.subset_id(b""),
    ///     issued: 1_000,
    ///     expires: life.expiry(1_000, 1_000),
    ///     epoch: 0,
    /// };
    /// let text = ring.seal_envelope(&token, b"server-session-42").unwrap();
    /// let rules = TokenRules { now: 1_010, scope: "shop.example", max_life: 86_400, epoch: 0 };
    /// let envelope = ring.open_envelope(text.as_bytes(), &rules).unwrap();
    /// assert_eq!(envelope.inner, b"server-session-42");
    /// ```
    #[must_use]
    pub fn seal_envelope(&self, token: &Token, inner: &[u8]) -> Option<String> {
        let length = u16::try_from(inner.len()).ok()?;
        if inner.len() > MAXIMUM {
            return None;
        }
        let room = (LENGTH + inner.len()).next_multiple_of(STEP);
        let mut wire = vec![0; AROUND + PLAIN + room];
        let plain = token
            .to_bytes()
            .into_iter()
            .chain(length.to_be_bytes())
            .chain(inner.iter().copied());
        for (to, from) in wire.iter_mut().skip(BEFORE).zip(plain) {
            *to = from;
        }
        wire::seal(self.first(), VERSION, &mut wire);
        Some(Base64::URL_SAFE.encode(&wire))
    }

    /// Opens an envelope from a client.
    ///
    /// # Errors
    /// Why the text is not a valid envelope of this ring under these rules.
    pub fn open_envelope(&self, text: &[u8], rules: &TokenRules<'_>) -> Result<Envelope, Refused> {
        if text.len() > LONGEST {
            return Err(Refused::Malformed);
        }
        let wire = Base64::URL_SAFE.decode(text);
        let mut wire = wire.ok_or(Refused::Malformed)?;
        let (index, key, plain) = wire::open(self, VERSION, &mut wire)?;
        let (token, inner) = split_content(plain).ok_or(Refused::Malformed)?;
        rules.check(&token, key)?;
        Ok(Envelope {
            opened: Opened {
                token,
                key: index,
                carrier: None,
            },
            inner: inner.to_vec(),
        })
    }
}

fn split_content(plain: &[u8]) -> Option<(Token, &[u8])> {
    let (token, rest) = plain.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    let inner = rest.get(..usize::from(u16::from_be_bytes(*length)))?;
    Some((Token::from_bytes(token), inner))
}
