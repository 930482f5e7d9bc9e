//! Session tokens: texts that clients send, and the tokens that sealing yields.

use std::sync::LazyLock;

use spillgate_core::affinity::{KeyRing, Token, TokenKey, TokenRules};

pub(super) const RULES: TokenRules<'static> = TokenRules {
    now: 1_800_000_000,
    scope: "shop.example",
    max_life: 86_400,
    epoch: 0,
};

pub(super) static RING: LazyLock<KeyRing> = LazyLock::new(|| {
    let key = TokenKey::new(1, b"the key of what is fuzzed, alone");
    KeyRing::new([(1, key)]).expect("a legal key")
});

/// The text of a token, and the numbers of one.
pub(in crate::fuzz) fn seeds() -> Vec<Vec<u8>> {
    let text = RING.seal(&token(&[7, 1, RULES.now, RULES.now + 60, 0]));
    let numbers = [7, 1, RULES.now, RULES.now + 3_600, 0].map(u64::to_le_bytes);
    vec![
        text.as_str().as_bytes().to_vec(),
        numbers.as_flattened().to_vec(),
    ]
}

/// Opens the input as a text, and seals a token of its numbers.
pub(in crate::fuzz) fn read(input: &[u8]) {
    open(input);
    let (numbers, _) = input.as_chunks();
    let numbers: Vec<u64> = numbers.iter().copied().map(u64::from_le_bytes).collect();
    let sealed = RING.seal(&token(&numbers));
    let text = sealed.as_str().as_bytes();
    assert_eq!(text.len(), 120);
    open(text);
    let rules = TokenRules {
        now: number(&numbers, 5),
        max_life: number(&numbers, 6),
        epoch: number(&numbers, 7) as u16,
        ..RULES
    };
    if let Ok(opened) = RING.open(text, &rules) {
        let token = opened.token;
        assert!(rules.now < token.expires, "{token:?}");
        assert!(token.issued <= rules.now.saturating_add(60), "{token:?}");
        assert!(token.epoch >= rules.epoch, "{token:?}");
    }
    // A flipped bit anywhere makes the text invalid.
    let at = input.len() % text.len();
    let mut changed = text.to_vec();
    changed[at] ^= 1 << (input.first().unwrap_or(&0) % 7);
    assert!(RING.genuine(&changed).is_err(), "changed at {at}");
}

/// Opens a text. A token has exactly one text, and is not an envelope.
pub(super) fn open(text: &[u8]) {
    if let Ok(opened) = RING.open(text, &RULES) {
        assert_eq!(RING.seal(&opened.token).as_str().as_bytes(), text);
        assert!(RING.open_envelope(text, &RULES).is_err());
    }
}

fn number(numbers: &[u64], at: usize) -> u64 {
    numbers.get(at).copied().unwrap_or(0)
}

/// A token with these numbers: session, host, times, epoch.
pub(super) fn token(numbers: &[u64]) -> Token {
    let key = RING.first();
    let host = format!("10.0.0.{}:80", number(numbers, 1));
    Token {
        session: number(numbers, 0),
        host: key.host_id("shop", &host),
        cluster: key.cluster_id("shop"),
        scope: key.scope_id(RULES.scope),
        subset: key.subset_id(b""),
        issued: number(numbers, 2),
        expires: number(numbers, 3),
        epoch: number(numbers, 4) as u16,
    }
}
