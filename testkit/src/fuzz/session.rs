//! `cookie` headers, one a line, and the token in them.

use std::sync::LazyLock;

use spillgate_core::affinity::{
    CookieSettings, FoundToken, KeyRing, Rules, SessionCookie, Token, TokenKey,
};

const RULES: Rules<'static> = Rules {
    now: 1_800_000_000,
    scope: "shop.example",
    max_life: 86_400,
    epoch: 0,
};

static COOKIE: LazyLock<SessionCookie> = LazyLock::new(|| {
    SessionCookie::new(&CookieSettings::default()).expect("settings that are legal")
});

static RING: LazyLock<KeyRing> = LazyLock::new(|| {
    let key = TokenKey::new(1, b"the key of what is fuzzed, alone");
    KeyRing::new([(1, key)]).expect("a key that is legal")
});

pub(super) fn read(text: &str) {
    let found = COOKIE.find(text.lines().map(str::as_bytes));
    let pairs: Vec<&str> = text.lines().flat_map(|line| line.split(';')).collect();
    let bytes: usize = text.lines().map(str::len).sum();
    if bytes > 8 * 1024 || pairs.len() > 64 {
        assert_eq!(found, FoundToken::TooMany);
        return;
    }
    let white = |c: char| c.is_ascii_whitespace();
    let pairs = pairs.iter().filter_map(|pair| pair.split_once('='));
    let named: Vec<&str> = pairs
        .filter(|(name, _)| name.trim_matches(white) == COOKIE.name())
        .map(|(_, value)| value.trim_matches(white))
        .collect();
    match (found, named.as_slice()) {
        (FoundToken::None, []) => {}
        (FoundToken::Several(copies), [_, _, ..]) => {
            let expected = named.iter().take(4).map(|value| unquoted(value).as_bytes());
            assert!(copies.values().eq(expected), "{named:?}");
        }
        (FoundToken::Malformed | FoundToken::TooLong(_), [value]) => {
            assert!(RING.open(value.as_bytes(), &RULES).is_err(), "{value}");
        }
        (FoundToken::One(value), [whole]) => {
            assert_eq!(value, unquoted(whole));
            token(value);
        }
        other => panic!("{other:?}"),
    }
    envelope(text);
}

fn unquoted(value: &str) -> &str {
    let inner = value.strip_prefix('"').and_then(|v| v.strip_suffix('"'));
    inner.unwrap_or(value)
}

/// A token has one text, and an envelope is something else.
fn token(text: &str) {
    if let Ok(opened) = RING.open(text.as_bytes(), &RULES) {
        assert_eq!(RING.seal(&opened.token).as_str(), text);
    }
    assert!(RING.open_envelope(text.as_bytes(), &RULES).is_err());
}

/// Sealed data comes back unchanged.
fn envelope(inner: &str) {
    assert!(RING.open_envelope(inner.as_bytes(), &RULES).is_err());
    let key = RING.first();
    let token = Token {
        session: inner.len() as u64,
        host: key.host_id("shop", "10.0.0.1:80"),
        cluster: key.cluster_id("shop"),
        scope: key.scope_id(RULES.scope),
        subset: key.subset_id(b""),
        issued: RULES.now,
        expires: RULES.now + 1,
        epoch: 0,
    };
    match RING.seal_envelope(&token, inner.as_bytes()) {
        None => assert!(inner.len() > 512, "{} bytes", inner.len()),
        Some(text) => {
            let opened = RING
                .open_envelope(text.as_bytes(), &RULES)
                .expect("an envelope");
            assert_eq!(opened.inner, inner.as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A seed whose token is refused at once would test nothing.
    #[test]
    fn the_seed_has_a_token() {
        let seed = include_str!("../../seeds/cookies.txt");
        let FoundToken::One(text) = COOKIE.find(seed.lines().map(str::as_bytes)) else {
            panic!("no token in {seed}");
        };
        assert!(RING.open(text.as_bytes(), &RULES).is_ok());
    }
}
