//! Tokens and envelopes: sealed content opens, and no other text does.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

use spillgate_core::{
    affinity::{KeyRing, Life, Opened, Refused, Sealed, Token, TokenKey, TokenRules},
    draw::{Draw as _, SplitMix64},
};

mod envelopes;
mod golden;
mod rules;
mod seals;

const NOW: u64 = 1_800_000_000;
const LIFE: Life = Life {
    ttl: 3_600,
    max: 86_400,
};
const RULES: TokenRules<'static> = TokenRules {
    now: NOW,
    scope: "shop.example",
    max_life: LIFE.max,
    epoch: 3,
};
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Keys with these ids; an id always has the same secret.
fn ring(ids: &[u8]) -> KeyRing {
    let key = |id: &u8| {
        let mut draw = SplitMix64::new(u64::from(*id));
        let secret = [(); 4].map(|()| draw.draw().to_le_bytes());
        (*id, TokenKey::new(*id, secret.as_flattened()))
    };
    KeyRing::new(ids.iter().map(key)).expect("valid keys")
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

fn open(ring: &KeyRing, sealed: &Sealed, rules: &TokenRules<'_>) -> Result<Opened, Refused> {
    ring.open(sealed.as_str().as_bytes(), rules)
}

/// The six bits of a character.
fn digit(character: u8) -> u8 {
    ALPHABET
        .iter()
        .position(|c| *c == character)
        .expect("a character of base64url") as u8
}

/// The text with the token version and this key id in its header.
fn with_key(text: &[u8], id: u8) -> Vec<u8> {
    let mut text = text.to_vec();
    let nonce = digit(text[2]) & 3;
    let digits = [0, 1 << 4 | id >> 4, (id & 15) << 2 | nonce];
    for (character, digit) in text.iter_mut().zip(digits) {
        *character = ALPHABET[usize::from(digit)];
    }
    text
}

/// The text with one bit of its decoded bytes flipped.
fn flipped(text: &[u8], bit: usize) -> Vec<u8> {
    let mut text = text.to_vec();
    let character = &mut text[bit / 6];
    *character = ALPHABET[usize::from(digit(*character) ^ 1 << (bit % 6))];
    text
}
