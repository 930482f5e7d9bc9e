//! Envelopes: the server's session id round-trips and stays secret.

use proptest::prelude::*;
use spillgate_core::affinity::{Opened, Refused, TokenRules};

use super::{NOW, RULES, flipped, ring, token};

proptest! {
    #[test]
    fn sealed_content_opens(inner in proptest::collection::vec(any::<u8>(), 0..=512)) {
        let ring = ring(&[4, 1]);
        let token = token(ring.first(), 1);
        let text = ring.seal_envelope(&token, &inner).unwrap();
        let envelope = ring.open_envelope(text.as_bytes(), &RULES).unwrap();
        prop_assert_eq!(envelope.opened, Opened { token, key: 0, carrier: None });
        prop_assert_eq!(envelope.inner, inner);
    }

    #[test]
    fn unsealed_texts_are_refused(text: Vec<u8>, digits in "Ag[EQ][-_A-Za-z0-9]{117,900}") {
        let ring = ring(&[0, 1]);
        prop_assert!(ring.open_envelope(&text, &RULES).is_err());
        prop_assert!(ring.open_envelope(digits.as_bytes(), &RULES).is_err());
    }
}

#[test]
fn every_flipped_bit_is_refused() {
    let ring = ring(&[1, 2]);
    for length in [0, 1, 30, 31, 62, 63, 512] {
        let token = token(ring.first(), 7);
        let text = ring.seal_envelope(&token, &vec![b'x'; length]).unwrap();
        let text = text.as_bytes();
        assert!(ring.open_envelope(text, &RULES).is_ok());
        for bit in 0..text.len() * 6 {
            assert!(ring.open_envelope(&flipped(text, bit), &RULES).is_err());
        }
    }
}

#[test]
fn the_length_grows_in_steps() {
    let ring = ring(&[1]);
    let token = token(ring.first(), 7);
    let length = |inner: usize| {
        let text = ring.seal_envelope(&token, &vec![b'x'; inner]);
        text.map(|text| text.len())
    };
    let step = |bytes: usize| Some((90 + bytes) * 4_usize).map(|bits| bits.div_ceil(3));
    assert_eq!([0, 1, 30].map(length), [step(32); 3]);
    assert_eq!([31, 62].map(length), [step(64); 2]);
    assert_eq!(length(512), step(544));
    assert_eq!(length(513), None);
    assert_eq!(length(70_000), None);
}

#[test]
fn an_envelope_is_not_a_token() {
    let ring = ring(&[1]);
    let token = token(ring.first(), 7);
    let sealed = ring.seal(&token);
    let refused = ring.open_envelope(sealed.as_str().as_bytes(), &RULES);
    assert_eq!(refused, Err(Refused::Malformed));
    for inner in 0..100 {
        let text = ring.seal_envelope(&token, &vec![0; inner]).unwrap();
        assert_eq!(ring.open(text.as_bytes(), &RULES), Err(Refused::Malformed));
        assert_eq!(
            ring.open(&text.as_bytes()[..120], &RULES),
            Err(Refused::Malformed)
        );
    }
}

#[test]
fn the_rules_apply_to_envelopes() {
    let ring = ring(&[1]);
    let token = token(ring.first(), 7);
    let text = ring.seal_envelope(&token, b"id").unwrap();
    let refused = |rules| ring.open_envelope(text.as_bytes(), &rules).unwrap_err();
    let later = TokenRules {
        now: NOW + 3_540,
        ..RULES
    };
    assert_eq!(refused(later), Refused::Expired);
    let elsewhere = TokenRules {
        scope: "other.example",
        ..RULES
    };
    assert_eq!(refused(elsewhere), Refused::Scope);
    let tail = text.clone() + &"A".repeat(1_000);
    assert_eq!(
        ring.open_envelope(tail.as_bytes(), &RULES),
        Err(Refused::Malformed)
    );
}
