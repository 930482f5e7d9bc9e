//! Envelopes: texts that clients send, and session ids that servers send.

use super::tokens::{RING, RULES, token};

/// A sealed envelope, and ids that a server may send.
pub(in crate::fuzz) fn seeds() -> Vec<Vec<u8>> {
    let token = token(&[7, 1, RULES.now, RULES.now + 60]);
    let sealed = RING.seal_envelope(&token, b"server-session-42");
    let mut seeds = vec![
        b"5f3b1c9e-7a52-4c0e-9d4e-1f6b2a3c4d5e".to_vec(),
        vec![b'a'; 512],
    ];
    seeds.extend(sealed.map(String::into_bytes));
    seeds
}

/// Opens the input as an envelope, and seals it as a server's id.
pub(in crate::fuzz) fn read(input: &[u8]) {
    if let Ok(envelope) = RING.open_envelope(input, &RULES) {
        let again = RING.seal_envelope(&envelope.opened.token, &envelope.inner);
        assert_eq!(again.as_deref().map(str::as_bytes), Some(input));
    }
    let token = token(&[input.len() as u64, 1, RULES.now, RULES.now + 1]);
    match RING.seal_envelope(&token, input) {
        None => assert!(input.len() > 512, "{} bytes", input.len()),
        Some(text) => {
            let opened = RING.open_envelope(text.as_bytes(), &RULES);
            assert_eq!(opened.expect("an envelope").inner, input);
            assert!(RING.open(text.as_bytes(), &RULES).is_err(), "not a token");
        }
    }
}
