//! Seals tokens to text and opens them: base64url without padding, one valid text for each token.

use core::fmt;

use super::{
    KeyRing, Opened, Refused, Token, TokenCarrier, TokenKey, TokenRules,
    token::PLAIN,
    wire::{self, AROUND, BEFORE},
};
use crate::proto::Base64;

/// The format version of tokens for any carrier.
const ANY: u8 = 1;
/// The format versions of tokens for one carrier. Envelopes have the version between them.
const COOKIE: u8 = 3;
const HEADER: u8 = 4;

const WIRE: usize = PLAIN + AROUND;
const TEXT: usize = WIRE.div_ceil(3) * 4;

// A multiple of 3 bytes needs no padding.
const _: () = assert!(WIRE.is_multiple_of(3));

/// A sealed token: 120 characters of the base64url alphabet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Sealed([u8; TEXT]);

impl KeyRing {
    /// Seals a token with the first key, for any carrier. The ids in the token must come from that key.
    ///
    /// Sealing is deterministic: equal tokens have equal texts.
    #[must_use]
    pub fn seal(&self, token: &Token) -> Sealed {
        self.seal_as(ANY, token)
    }

    /// Seals a token as [`KeyRing::seal`] does, for one carrier.
    #[must_use]
    pub fn seal_for(&self, carrier: TokenCarrier, token: &Token) -> Sealed {
        let version = match carrier {
            TokenCarrier::Cookie => COOKIE,
            TokenCarrier::Header => HEADER,
        };
        self.seal_as(version, token)
    }

    fn seal_as(&self, version: u8, token: &Token) -> Sealed {
        let mut wire = [0; WIRE];
        wire[BEFORE..BEFORE + PLAIN].copy_from_slice(&token.to_bytes());
        wire::seal(self.first(), version, &mut wire);
        let mut text = [0; TEXT];
        Base64::URL_SAFE.encode_slice(&wire, &mut text);
        Sealed(text)
    }

    /// Opens a text from a client, whatever carried it.
    ///
    /// # Errors
    /// Why the text is not a valid token of this ring under these rules. See the [module
    /// example](super).
    pub fn open(&self, text: &[u8], rules: &TokenRules<'_>) -> Result<Opened, Refused> {
        self.check(self.genuine(text)?.0, rules)
    }

    /// Checks the rules for an authentic token.
    pub(super) fn check(&self, opened: Opened, rules: &TokenRules<'_>) -> Result<Opened, Refused> {
        let key = self.keys().nth(opened.key).ok_or(Refused::UnknownKey)?;
        rules.check(&opened.token, key).map(|()| opened)
    }

    /// Opens a text without checking rules, and returns the key that sealed it. For tools that
    /// explain why a token is no longer valid.
    ///
    /// # Errors
    /// [`Refused::Malformed`], [`Refused::UnknownKey`] or [`Refused::Forged`].
    pub fn genuine(&self, text: &[u8]) -> Result<(Opened, &TokenKey), Refused> {
        let mut wire = [0; WIRE];
        // Exactly this length: a shorter text would leave zeros at the end of the buffer.
        if Base64::URL_SAFE.decode_slice(text, &mut wire) != Some(WIRE) {
            return Err(Refused::Malformed);
        }
        let version = wire[0];
        let carrier = match version {
            ANY => None,
            COOKIE => Some(TokenCarrier::Cookie),
            HEADER => Some(TokenCarrier::Header),
            _ => return Err(Refused::Malformed),
        };
        let (index, key, plain) = wire::open(self, version, &mut wire)?;
        let plain = plain.first_chunk().ok_or(Refused::Malformed)?;
        let opened = Opened {
            token: Token::from_bytes(plain),
            key: index,
            carrier,
        };
        Ok((opened, key))
    }
}

/// The key id in the text of a token, for logs. The id is not authenticated. `None` if the text
/// does not start with base64url.
#[must_use]
pub fn key_id(text: &[u8]) -> Option<u8> {
    let mut start = [0; 3];
    let decoded = Base64::URL_SAFE.decode_slice(text.get(..4)?, &mut start);
    let [_, id, _] = start;
    decoded.map(|_| id)
}

impl Sealed {
    /// The text of the token.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "base64 is ASCII")]
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl fmt::Debug for Sealed {
    /// A token is a secret of its client, so the output has no content.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sealed(..)")
    }
}
