//! A session token, the key that seals it, and the rules that it is opened under.

use spillgate_core::affinity::{KeyRing, Token, TokenKey, TokenRules};

const NOW: u64 = 1_800_000_000;

/// What [`token`] is valid under.
pub const RULES: TokenRules<'_> = TokenRules {
    now: NOW,
    scope: "shop.example",
    max_life: 86_400,
    epoch: 0,
};

/// One key.
///
/// # Panics
/// Never: one key is a legal ring.
#[must_use]
pub fn ring() -> KeyRing {
    let key = TokenKey::new(1, b"a key that benchmarks alone know");
    KeyRing::new([(1, key)]).expect("one key is a legal ring")
}

/// A token that is issued now and valid for an hour.
#[must_use]
pub fn token(ring: &KeyRing) -> Token {
    let key = ring.first();
    Token {
        session: 1,
        host: key.host_id("shop", "10.0.0.1:80"),
        cluster: key.cluster_id("shop"),
        scope: key.scope_id(RULES.scope),
        subset: key.subset_id(b""),
        issued: NOW,
        expires: NOW + 3_600,
        epoch: 0,
    }
}
