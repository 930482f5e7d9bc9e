//! Seals: every flipped bit is refused, and a token has exactly one text.

use proptest::prelude::*;
use spillgate_core::affinity::{Opened, Refused, Token, key_id};

use super::{ALPHABET, NOW, RULES, flipped, open, ring, token, with_key};

proptest! {
    #[test]
    fn sealed_content_opens(
        session: u64, issued in NOW - 86_399..=NOW + 60, left in 1..1_u64 << 38, epoch in 3..=u16::MAX,
    ) {
        let ring = ring(&[9]);
        let token = Token { issued, expires: NOW + left, epoch, ..token(ring.first(), session) };
        let sealed = ring.seal(&token);
        prop_assert_eq!(open(&ring, &sealed, &RULES), Ok(Opened { token, key: 0, carrier: None }));
        prop_assert_eq!(sealed.as_str().len(), 120);
        prop_assert!(sealed.as_str().bytes().all(|c| ALPHABET.contains(&c)));
        prop_assert_eq!(key_id(sealed.as_str().as_bytes()), Some(9));
        prop_assert_eq!(ring.seal(&token), sealed);
    }

    #[test]
    fn unsealed_texts_are_refused(text: Vec<u8>, digits in "[-_A-Za-z0-9]{120}") {
        let ring = ring(&[0, 1, 2]);
        prop_assert!(ring.open(&text, &RULES).is_err());
        prop_assert!(ring.open(digits.as_bytes(), &RULES).is_err());
        // Texts with a valid header.
        for id in 0..=2 {
            let refused = ring.open(&with_key(digits.as_bytes(), id), &RULES);
            prop_assert_eq!(refused, Err(Refused::Forged));
        }
    }
}

#[test]
fn every_flipped_bit_is_refused() {
    let ring = ring(&[1, 2]);
    let mut forged = 0_u32;
    for session in 0..1_000_u64 {
        let token = token(ring.first(), session.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let sealed = ring.seal(&token);
        let text = sealed.as_str().as_bytes();
        assert!(ring.open(text, &RULES).is_ok());
        for bit in 0..text.len() * 6 {
            let refused = ring.open(&flipped(text, bit), &RULES).unwrap_err();
            forged += u32::from(refused == Refused::Forged);
        }
    }
    // A flipped bit of the version (8 bits) or of the key id (8 bits) is found before the tag is
    // checked.
    assert!(forged >= 1_000 * (720 - 16), "{forged}");
}

#[test]
fn a_token_has_exactly_one_text() {
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
