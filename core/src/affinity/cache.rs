//! A cache of opened tokens: a repeated token needs no decryption.
//!
//! Most requests carry a token that the same worker has sealed or opened before. Cached tokens are
//! checked like any others: expiry, epoch, scope and criteria on every request. New keys clear the
//! cache.

use alloc::{boxed::Box, vec::Vec};
use core::fmt;

use super::{Envelope, KeyRing, Opened, Refused, Sealed, Token, TokenCarrier, TokenRules};

/// The cache holds at most 512 texts, about 128 kB of tokens.
const SETS: usize = 64;
const WAYS: usize = 8;

/// A bounded cache of authentic tokens and envelopes, one for each worker.
///
/// The cache replaces only decryption: [`Rules`] are checked on every use, and a changed key ring
/// clears the cache. Texts are compared in constant time, so that a client cannot guess another
/// client's token byte by byte.
///
/// # Examples
/// ```
/// use spillgate_core::affinity::{KeyRing, Life, OpenedTokens, TokenRules, Token, TokenCarrier, TokenKey};
///
/// let ring = KeyRing::new([(1, TokenKey::new(1, b"32 secret bytes of this example!"))]).unwrap();
/// let key = ring.first();
/// let token = Token {
///     session: 7,
///     host: key.host_id("shop", "10.0.0.1:80"),
///     cluster: key.cluster_id("shop"),
///     scope: key.scope_id("shop.example"),
///     subset: key.subset_id(b""),
///     issued: 1_000,
///     expires: 4_600,
///     epoch: 0,
/// };
/// let mut cache = OpenedTokens::default();
/// let carrier = TokenCarrier::Cookie;
/// let sealed = cache.seal(&ring, carrier, &token);
/// let rules = TokenRules { now: 1_010, scope: "shop.example", max_life: 86_400, epoch: 0 };
/// let opened = cache.open(&ring, carrier, sealed.as_str().as_bytes(), &rules).unwrap();
/// assert!(!opened.is_due(token.cluster, token.host, 1_010, Life { ttl: 3_600, max: 86_400 }));
/// ```
#[derive(Clone, Default)]
pub struct OpenedTokens {
    /// The fingerprint of the ring that the entries belong to.
    ring: Option<u128>,
    /// Each set starts with its most recently used entry. Empty until the first token is opened.
    sets: Vec<[Option<Entry>; WAYS]>,
}

#[derive(Clone)]
struct Entry {
    text: Box<[u8]>,
    opened: Opened,
    /// The server's session id, for envelopes.
    inner: Option<Vec<u8>>,
}

impl OpenedTokens {
    /// Opens a token as [`KeyRing::open`] does, from this carrier.
    ///
    /// # Errors
    /// The errors of [`KeyRing::open`] and [`Opened::carried_by`].
    pub fn open(
        &mut self,
        ring: &KeyRing,
        carrier: TokenCarrier,
        text: &[u8],
        rules: &TokenRules<'_>,
    ) -> Result<Opened, Refused> {
        match self.find(ring, text) {
            Some(Entry {
                opened,
                inner: None,
                ..
            }) => ring.check(*opened, rules)?.carried_by(carrier),
            _ => {
                let opened = ring.open(text, rules)?;
                self.keep(text, opened, None);
                opened.carried_by(carrier)
            }
        }
    }

    /// Seals a token as [`KeyRing::seal_for`] does and adds it to the cache, because the client sends
    /// it next.
    pub fn seal(&mut self, ring: &KeyRing, carrier: TokenCarrier, token: &Token) -> Sealed {
        let sealed = ring.seal_for(carrier, token);
        let text = sealed.as_str().as_bytes();
        let opened = Opened {
            token: token.as_sealed(),
            key: 0,
            carrier: Some(carrier),
        };
        if self.find(ring, text).is_none() {
            self.keep(text, opened, None);
        }
        sealed
    }

    /// Opens an envelope as [`KeyRing::open_envelope`] does.
    ///
    /// # Errors
    /// The errors of [`KeyRing::open_envelope`].
    pub fn open_envelope(
        &mut self,
        ring: &KeyRing,
        text: &[u8],
        rules: &TokenRules<'_>,
    ) -> Result<Envelope, Refused> {
        match self.find(ring, text) {
            Some(Entry {
                opened,
                inner: Some(inner),
                ..
            }) => Ok(Envelope {
                opened: ring.check(*opened, rules)?,
                inner: inner.clone(),
            }),
            _ => {
                let envelope = ring.open_envelope(text, rules)?;
                self.keep(text, envelope.opened, Some(envelope.inner.clone()));
                Ok(envelope)
            }
        }
    }

    /// The entry of a text. It moves to the front of its set.
    fn find(&mut self, ring: &KeyRing, text: &[u8]) -> Option<&Entry> {
        if self.ring != Some(ring.fingerprint) {
            self.sets.clear();
            self.ring = Some(ring.fingerprint);
        }
        let set = self.set(text)?;
        let known = |entry: &Option<Entry>| entry.as_ref().is_some_and(|e| same(&e.text, text));
        let index = set.iter().position(known)?;
        set.get_mut(..=index)?.rotate_right(1);
        set.first()?.as_ref()
    }

    /// Adds an entry at the front of its set; the least recently used entry is dropped.
    fn keep(&mut self, text: &[u8], opened: Opened, inner: Option<Vec<u8>>) {
        if self.sets.is_empty() {
            self.sets.resize_with(SETS, Default::default);
        }
        if let Some(set) = self.set(text) {
            set.rotate_right(1);
            let [first, ..] = set;
            *first = Some(Entry {
                text: text.into(),
                opened,
                inner,
            });
        }
    }

    /// The set of a text, selected by the end of its tag, which clients cannot choose.
    fn set(&mut self, text: &[u8]) -> Option<&mut [Option<Entry>; WAYS]> {
        let [.., c, d, e, f] = *text else {
            return None;
        };
        let index = u32::from_be_bytes([c, d, e, f]).wrapping_mul(0x9e37_79b9) >> 16;
        self.sets.get_mut(index as usize % SETS)
    }
}

/// Whether two texts are equal. The time depends only on their lengths.
fn same(a: &[u8], b: &[u8]) -> bool {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks(), b.as_chunks());
    // No early exit: the time does not show how many bytes of a guess are right.
    let words = a.iter().zip(b).fold(0, |differs, (a, b)| {
        differs | (u64::from_ne_bytes(*a) ^ u64::from_ne_bytes(*b))
    });
    let rest = a_rest.iter().zip(b_rest);
    let differs = rest.fold(words, |differs, (a, b)| differs | u64::from(a ^ b));
    (a.len(), a_rest.len()) == (b.len(), b_rest.len()) && differs == 0
}

impl fmt::Debug for OpenedTokens {
    /// Tokens are secrets of their clients, so the output has no content.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OpenedTokens(..)")
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::String, vec::Vec};

    use super::*;
    use crate::affinity::{Token, TokenKey};

    const COOKIE: TokenCarrier = TokenCarrier::Cookie;
    const RULES: TokenRules<'_> = TokenRules {
        now: 1_000,
        scope: "shop",
        max_life: 500,
        epoch: 3,
    };

    fn ring(secrets: &[&[u8; 32]]) -> KeyRing {
        let keys = secrets.iter().zip(1..);
        KeyRing::new(keys.map(|(secret, id)| (id, TokenKey::new(id, *secret)))).unwrap()
    }

    fn token(ring: &KeyRing, session: u64) -> Token {
        let key = ring.first();
        Token {
            session,
            host: key.host_id("shop", "10.0.0.1:80"),
            cluster: key.cluster_id("shop"),
            scope: key.scope_id("shop"),
            subset: key.subset_id(b""),
            issued: 900,
            expires: 1_200,
            epoch: 3,
        }
    }

    #[test]
    fn a_cached_token_is_checked_against_the_rules_again() {
        let ring = ring(&[b"0123456789abcdef0123456789abcdeg"]);
        let mut known = OpenedTokens::default();
        let text = String::from(ring.seal(&token(&ring, 1)).as_str());
        let mut open = |rules: &TokenRules<'_>| known.open(&ring, COOKIE, text.as_bytes(), rules);
        let first = open(&RULES).unwrap();
        assert_eq!(open(&RULES), Ok(first));
        for (rules, refused) in [
            (
                TokenRules {
                    now: 1_200,
                    ..RULES
                },
                Refused::Expired,
            ),
            (TokenRules { epoch: 4, ..RULES }, Refused::Epoch),
            (
                TokenRules {
                    max_life: 99,
                    ..RULES
                },
                Refused::TooOld,
            ),
            (
                TokenRules {
                    scope: "other",
                    ..RULES
                },
                Refused::Scope,
            ),
        ] {
            assert_eq!(open(&rules), Err(refused));
        }
        assert_eq!(open(&RULES), Ok(first));
    }

    #[test]
    fn a_sealed_token_is_cached() {
        let ring = ring(&[b"0123456789abcdef0123456789abcdeg"]);
        let mut known = OpenedTokens::default();
        let token = Token {
            expires: u64::MAX,
            ..token(&ring, 1)
        };
        let sealed = known.seal(&ring, COOKIE, &token);
        let text = sealed.as_str().as_bytes();
        assert!(known.find(&ring, text).is_some());
        assert_eq!(
            known.open(&ring, COOKIE, text, &RULES),
            ring.open(text, &RULES)
        );
    }

    #[test]
    fn a_token_is_refused_in_another_carrier_also_from_the_cache() {
        use TokenCarrier::{Cookie, Header};
        let ring = ring(&[b"0123456789abcdef0123456789abcdeg"]);
        let token = token(&ring, 1);
        for (own, other) in [(Cookie, Header), (Header, Cookie)] {
            let sealed = ring.seal_for(own, &token);
            let text = sealed.as_str().as_bytes();
            let mut known = OpenedTokens::default();
            for _ in 0..2 {
                let refused = known.open(&ring, other, text, &RULES);
                assert_eq!(refused, Err(Refused::Carrier));
                assert!(known.open(&ring, own, text, &RULES).is_ok());
            }
            let mut sealing = OpenedTokens::default();
            sealing.seal(&ring, own, &token);
            let refused = sealing.open(&ring, other, text, &RULES);
            assert_eq!(refused, Err(Refused::Carrier));
        }
        // Earlier versions sealed tokens for any carrier.
        let sealed = ring.seal(&token);
        let text = sealed.as_str().as_bytes();
        let mut known = OpenedTokens::default();
        for carrier in [Cookie, Header] {
            assert!(known.open(&ring, carrier, text, &RULES).is_ok());
        }
    }

    #[test]
    fn other_keys_clear_the_cache() {
        let one: &[u8; 32] = b"0123456789abcdef0123456789abcdeg";
        let two: &[u8; 32] = b"0123456789abcdef0123456789abcdeh";
        let (before, after) = (ring(&[one]), ring(&[two]));
        let text = String::from(before.seal(&token(&before, 1)).as_str());
        let mut known = OpenedTokens::default();
        assert!(known.open(&before, COOKIE, text.as_bytes(), &RULES).is_ok());
        let opened = known.open(&after, COOKIE, text.as_bytes(), &RULES);
        assert_eq!(opened, Err(Refused::Forged));
        assert!(known.sets.is_empty());
    }

    #[test]
    fn a_refused_text_is_not_cached() {
        let ring = ring(&[b"0123456789abcdef0123456789abcdeg"]);
        let mut known = OpenedTokens::default();
        let late = TokenRules {
            now: 5_000,
            ..RULES
        };
        let text = String::from(ring.seal(&token(&ring, 1)).as_str());
        assert!(known.open(&ring, COOKIE, text.as_bytes(), &late).is_err());
        assert!(known.open(&ring, COOKIE, b"no token", &RULES).is_err());
        assert!(known.sets.is_empty());
    }

    #[test]
    fn tokens_and_envelopes_are_not_confused() {
        let ring = ring(&[b"0123456789abcdef0123456789abcdeg"]);
        let mut known = OpenedTokens::default();
        let text = ring.seal_envelope(&token(&ring, 1), b"mcp-1").unwrap();
        let once = known.open_envelope(&ring, text.as_bytes(), &RULES).unwrap();
        let again = known.open_envelope(&ring, text.as_bytes(), &RULES);
        assert_eq!(again, Ok(once));
        let opened = known.open(&ring, COOKIE, text.as_bytes(), &RULES);
        assert_eq!(opened, Err(Refused::Malformed));
    }

    #[test]
    fn the_cache_is_bounded_and_drops_the_least_recently_used() {
        let ring = ring(&[b"0123456789abcdef0123456789abcdeg"]);
        let mut known = OpenedTokens::default();
        let opened = Opened {
            token: token(&ring, 1),
            key: 0,
            carrier: None,
        };
        // Texts with the same ending share a set.
        let texts: Vec<String> = (0..=WAYS).map(|n| format!("{n}-the same end")).collect();
        let find =
            |known: &mut OpenedTokens, n: usize| known.find(&ring, texts[n].as_bytes()).is_some();
        assert!(!find(&mut known, 0));
        for text in &texts[..WAYS] {
            known.keep(text.as_bytes(), opened, None);
        }
        assert!(find(&mut known, 0));
        known.keep(texts[WAYS].as_bytes(), opened, None);
        let found = (0..=WAYS).map(|n| find(&mut known, n));
        let found: Vec<bool> = found.collect();
        let lost = found.iter().filter(|found| !**found).count();
        assert_eq!((found[1], lost), (false, 1));
        assert_eq!(known.sets.len(), SETS);
    }
}
