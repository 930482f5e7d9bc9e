//! Times, scopes, epochs and key rotation: which authentic tokens are valid.

use spillgate_core::{
    affinity::{KeyRing, Life, Opened, Refused, Token, TokenKey, TokenRules},
    draw::{Draw as _, SplitMix64},
};

use super::{LIFE, NOW, RULES, open, ring, token, with_key};

#[test]
fn every_reason_for_refusal() {
    let ring = ring(&[1]);
    let good = token(ring.first(), 5);
    let of = |token: Token, rules: TokenRules<'_>| {
        open(&ring, &ring.seal(&token), &rules).map_or_else(Refused::name, |_| "opened")
    };
    let at = |now| TokenRules { now, ..RULES };
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
            TokenRules {
                scope: "other.example",
                ..RULES
            },
            "scope",
        ),
        (good, TokenRules { scope: "", ..RULES }, "scope"),
        (good, TokenRules { epoch: 4, ..RULES }, "epoch"),
        (good, TokenRules { epoch: 0, ..RULES }, "opened"),
    ] {
        assert_eq!(of(token, rules), expected, "{token:?} {rules:?}");
    }
    let strangers = super::ring(&[2]);
    let sealed = strangers.seal(&token(strangers.first(), 5));
    assert_eq!(open(&ring, &sealed, &RULES), Err(Refused::UnknownKey));
    // Another key id does not make the token valid for that key.
    let text = with_key(sealed.as_str().as_bytes(), 1);
    assert_eq!(ring.open(&text, &RULES), Err(Refused::Forged));
    let names: std::collections::BTreeSet<_> = Refused::ALL.map(Refused::name).into();
    assert_eq!(names.len(), Refused::ALL.len());
}

/// Gateways take each step one after the other: every gateway opens the tokens of all others.
#[test]
fn key_rotation_loses_no_session() {
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
    // Without the old key, its tokens are refused.
    let [old, _, _, new] = &steps;
    let sealed = old.seal(&token(old.first(), 7));
    assert_eq!(open(new, &sealed, &RULES), Err(Refused::UnknownKey));
}

#[test]
fn new_tokens_are_due_only_if_they_change_something() {
    let ring = ring(&[1, 2]);
    let token = token(ring.first(), 5);
    let opened = Opened {
        token,
        key: 0,
        carrier: None,
    };
    let due = |opened: Opened, now| opened.is_due(token.cluster, token.host, now, LIFE);
    assert!(!due(opened, NOW));
    assert!(!due(opened, token.expires - 1_800));
    assert!(due(opened, token.expires - 1_799));
    assert!(due(Opened { key: 1, ..opened }, NOW));
    let elsewhere = ring.first().host_id("shop", "10.0.0.99:80");
    assert!(opened.is_due(token.cluster, elsewhere, NOW, LIFE));
    let other = ring.first().cluster_id("other");
    assert!(opened.is_due(other, token.host, NOW, LIFE));
    // At the end of a session's lifetime, and for tokens without a lifetime of their own, a renewal
    // adds no time.
    let last = Token {
        expires: token.issued + LIFE.max,
        ..token
    };
    assert!(!due(
        Opened {
            token: last,
            ..opened
        },
        last.expires - 5
    ));
    let forever = Life { ttl: 0, ..LIFE };
    let opened = Opened {
        token: token.renewed(NOW, forever),
        ..opened
    };
    assert!(!opened.is_due(token.cluster, token.host, NOW + 80_000, forever));
}

#[test]
fn debug_output_of_a_key_ring_has_only_key_ids() {
    let ring = |seed| {
        let mut draw = SplitMix64::new(seed);
        let mut secret = || [(); 4].map(|()| draw.draw().to_le_bytes());
        let key = |id| (id, TokenKey::new(id, secret().as_flattened()));
        KeyRing::new([1, 2].map(key)).unwrap()
    };
    let shown = format!("{:?}", ring(1));
    assert_eq!(shown, "[TokenKey { id: 1, .. }, TokenKey { id: 2, .. }]");
    assert_eq!(format!("{:?}", ring(2)), shown);
}
