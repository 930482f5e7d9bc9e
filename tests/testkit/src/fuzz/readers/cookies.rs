//! `cookie` headers, one per line, and the token in them.

use std::sync::LazyLock;

use spillgate_core::affinity::{CookieSettings, FoundToken, SessionCookie};

use super::tokens::{self, RING, RULES};

static COOKIE: LazyLock<SessionCookie> = LazyLock::new(|| {
    SessionCookie::new(&CookieSettings::default()).expect("settings that are legal")
});

/// Finds the token, and compares the result with a simple second search.
pub(in crate::fuzz) fn read(text: &str) {
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
            tokens::open(value.as_bytes());
        }
        other => panic!("{other:?}"),
    }
}

fn unquoted(value: &str) -> &str {
    let inner = value.strip_prefix('"').and_then(|v| v.strip_suffix('"'));
    inner.unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A seed without a legal token would test little.
    #[test]
    fn the_seed_has_a_token() {
        let seed = include_str!("../../../seeds/cookies.txt");
        let FoundToken::One(text) = COOKIE.find(seed.lines().map(str::as_bytes)) else {
            panic!("no token in {seed}");
        };
        assert!(RING.open(text.as_bytes(), &RULES).is_ok());
    }
}
