//! Tokens: what is sealed opens, and nothing else does.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

use proptest::prelude::*;
use spillgate_core::{
    affinity::{KeyRing, Life, Opened, Refused, Rules, Sealed, Token, TokenKey, key_id},
    draw::{Draw as _, SplitMix64},
};

const NOW: u64 = 1_800_000_000;
const LIFE: Life = Life {
    ttl: 3_600,
    max: 86_400,
};
const RULES: Rules<'static> = Rules {
    now: NOW,
    scope: "shop.example",
    max_life: LIFE.max,
    epoch: 3,
};
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Keys of these numbers; a number has always the same secret.
fn ring(ids: &[u8]) -> KeyRing {
    let key = |id: &u8| {
        let mut draw = SplitMix64::new(u64::from(*id));
        let secret = [(); 4].map(|()| draw.draw().to_le_bytes());
        (*id, TokenKey::new(*id, secret.as_flattened()))
    };
    KeyRing::new(ids.iter().map(key)).expect("keys that are legal")
}

fn token(key: &TokenKey, session: u64) -> Token {
    Token {
        session,
        host: key.host_id("shop", &format!("10.0.0.{}:80", session % 250)),
        cluster: key.cluster_id("shop"),
        scope: key.scope_id(RULES.scope),
        subset: key.subset_id(b"stage=prod"),
        issued: NOW - 60,
        expires: NOW + 3_540,
        epoch: 3,
    }
}

fn open(ring: &KeyRing, sealed: &Sealed, rules: &Rules<'_>) -> Result<Opened, Refused> {
    ring.open(sealed.as_str().as_bytes(), rules)
}

/// The six bits of a character.
fn digit(character: u8) -> u8 {
    ALPHABET
        .iter()
        .position(|c| *c == character)
        .expect("a character of base64url") as u8
}

/// The text, said to be of this version and of that key.
fn with_key(text: &[u8], id: u8) -> Vec<u8> {
    let mut text = text.to_vec();
    let nonce = digit(text[2]) & 3;
    let digits = [0, 1 << 4 | id >> 4, (id & 15) << 2 | nonce];
    for (character, digit) in text.iter_mut().zip(digits) {
        *character = ALPHABET[usize::from(digit)];
    }
    text
}

proptest! {
    #[test]
    fn what_is_sealed_opens(
        session: u64, issued in NOW - 86_399..=NOW + 60, left in 1..1_u64 << 38, epoch in 3..=u16::MAX,
    ) {
        let ring = ring(&[9]);
        let token = Token { issued, expires: NOW + left, epoch, ..token(ring.first(), session) };
        let sealed = ring.seal(&token);
        prop_assert_eq!(open(&ring, &sealed, &RULES), Ok(Opened { token, key: 0 }));
        prop_assert_eq!(sealed.as_str().len(), 120);
        prop_assert!(sealed.as_str().bytes().all(|c| ALPHABET.contains(&c)));
        prop_assert_eq!(key_id(sealed.as_str().as_bytes()), Some(9));
        prop_assert_eq!(ring.seal(&token), sealed);
    }

    #[test]
    fn texts_that_nobody_sealed_are_refused(text: Vec<u8>, digits in "[-_A-Za-z0-9]{120}") {
        let ring = ring(&[0, 1, 2]);
        prop_assert!(ring.open(&text, &RULES).is_err());
        prop_assert!(ring.open(digits.as_bytes(), &RULES).is_err());
        // Those that look right up to the seal.
        for id in 0..=2 {
            let refused = ring.open(&with_key(digits.as_bytes(), id), &RULES);
            prop_assert_eq!(refused, Err(Refused::Forged));
        }
    }
}

#[test]
fn every_bit_counts() {
    let ring = ring(&[1, 2]);
    let mut forged = 0_u32;
    for session in 0..1_000_u64 {
        let token = token(ring.first(), session.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let sealed = ring.seal(&token);
        let text = sealed.as_str().as_bytes();
        assert!(ring.open(text, &RULES).is_ok());
        for bit in 0..text.len() * 6 {
            let mut flipped = text.to_vec();
            let character = &mut flipped[bit / 6];
            *character = ALPHABET[usize::from(digit(*character) ^ 1 << (bit % 6))];
            let refused = ring.open(&flipped, &RULES).unwrap_err();
            forged += u32::from(refused == Refused::Forged);
        }
    }
    // A flipped bit of the version (8) or of the key's number (8, two of which lead to the other
    // key or to none) is found before the seal is.
    assert!(forged >= 1_000 * (720 - 16), "{forged}");
}

#[test]
fn a_token_has_one_text() {
    let ring = ring(&[1]);
    let text = ring.seal(&token(ring.first(), 5)).as_str().to_owned();
    let others = [
        format!("{text}="),
        format!(" {text}"),
        format!("{text}\n"),
        format!("\"{text}\""),
        text.chars().take(119).collect(),
        format!("{text}A"),
        format!("{text}AAAA"),
        String::new(),
        text.replacen(|c: char| c.is_ascii_alphanumeric(), "+", 1),
        text.replacen(|c: char| c.is_ascii_alphanumeric(), "\u{e9}", 1),
    ];
    for other in others {
        let refused = ring.open(other.as_bytes(), &RULES);
        assert_eq!(refused, Err(Refused::Malformed), "{other}");
    }
}

#[test]
fn every_reason_to_refuse() {
    let ring = ring(&[1]);
    let good = token(ring.first(), 5);
    let of = |token: Token, rules: Rules<'_>| {
        open(&ring, &ring.seal(&token), &rules).map_or_else(Refused::name, |_| "opened")
    };
    let at = |now| Rules { now, ..RULES };
    for (token, rules, expected) in [
        (good, RULES, "opened"),
        (good, at(good.expires - 1), "opened"),
        (good, at(good.expires), "expired"),
        (Token { expires: 0, ..good }, RULES, "expired"),
        (
            Token {
                expires: u64::MAX,
                ..good
            },
            at(good.issued + 86_399),
            "opened",
        ),
        (
            Token {
                expires: u64::MAX,
                ..good
            },
            at(good.issued + 86_400),
            "too_old",
        ),
        (Token { issued: 0, ..good }, RULES, "too_old"),
        (
            Token {
                issued: NOW + 60,
                ..good
            },
            RULES,
            "opened",
        ),
        (
            Token {
                issued: NOW + 61,
                ..good
            },
            RULES,
            "future",
        ),
        (
            good,
            Rules {
                scope: "other.example",
                ..RULES
            },
            "scope",
        ),
        (good, Rules { scope: "", ..RULES }, "scope"),
        (good, Rules { epoch: 4, ..RULES }, "epoch"),
        (good, Rules { epoch: 0, ..RULES }, "opened"),
    ] {
        assert_eq!(of(token, rules), expected, "{token:?} {rules:?}");
    }
    let strangers = self::ring(&[2]);
    let sealed = strangers.seal(&token(strangers.first(), 5));
    assert_eq!(open(&ring, &sealed, &RULES), Err(Refused::UnknownKey));
    // The number of another key does not make it one of that key.
    let text = with_key(sealed.as_str().as_bytes(), 1);
    assert_eq!(ring.open(&text, &RULES), Err(Refused::Forged));
    let names: std::collections::BTreeSet<_> = Refused::ALL.map(Refused::name).into();
    assert_eq!(names.len(), Refused::ALL.len());
}

/// Each step is taken by one gateway after the other: whatever one seals, the others open.
#[test]
fn rotation_loses_nothing() {
    let steps = [&[1][..], &[1, 2], &[2, 1], &[2]].map(ring);
    for (before, after) in steps.iter().zip(&steps[1..3]) {
        for (sealing, opening) in [(before, after), (after, before)] {
            let token = token(sealing.first(), 7);
            let opened = open(opening, &sealing.seal(&token), &RULES).unwrap();
            assert_eq!(opened.token, token);
            assert_eq!(
                opened.is_first_key(),
                opening.first().id() == sealing.first().id()
            );
        }
    }
    // Once the old key is gone, so are its tokens.
    let [old, _, _, new] = &steps;
    let sealed = old.seal(&token(old.first(), 7));
    assert_eq!(open(new, &sealed, &RULES), Err(Refused::UnknownKey));
}

#[test]
fn fresh_tokens_are_due_when_they_change_something() {
    let ring = ring(&[1, 2]);
    let token = token(ring.first(), 5);
    let opened = Opened { token, key: 0 };
    let due = |opened: Opened, now| opened.is_due(token.cluster, token.host, now, LIFE);
    assert!(!due(opened, NOW));
    assert!(!due(opened, token.expires - 1_800));
    assert!(due(opened, token.expires - 1_799));
    assert!(due(Opened { key: 1, ..opened }, NOW));
    let elsewhere = ring.first().host_id("shop", "10.0.0.99:80");
    assert!(opened.is_due(token.cluster, elsewhere, NOW, LIFE));
    let other = ring.first().cluster_id("other");
    assert!(opened.is_due(other, token.host, NOW, LIFE));
    // At the end of a session's life, and for cookies without an end, renewing adds nothing.
    let last = Token {
        expires: token.issued + LIFE.max,
        ..token
    };
    assert!(!due(
        Opened {
            token: last,
            key: 0
        },
        last.expires - 5
    ));
    let forever = Life { ttl: 0, ..LIFE };
    let opened = Opened {
        token: token.renewed(NOW, forever),
        key: 0,
    };
    assert!(!opened.is_due(token.cluster, token.host, NOW + 80_000, forever));
}
