//! Secrets of the filter's configuration are never printed.

use crate::common::builders::{SECRETS, sessions, with};
use proptest::prelude::*;
use serde_json::json;
use spillgate_config::filter::read;

/// Whether a text has four characters of a secret that it would not have of another one.
fn reveals(text: &str, secret: &str, of_another: &str) -> bool {
    let windows = secret.as_bytes().windows(4);
    let mut windows = windows.map(|window| std::str::from_utf8(window).unwrap());
    windows.any(|window| text.contains(window) && !of_another.contains(window))
}

/// All findings in a configuration, and whether it is accepted.
fn said(text: &str) -> (String, bool) {
    match read(text) {
        Ok(config) => (format!("{config:?}"), true),
        Err(faults) => {
            let said = faults
                .iter()
                .map(|fault| format!("{}\n{fault:?}\n", fault.render("c")));
            (said.collect(), false)
        }
    }
}

/// Configurations with this secret, legal and illegal, as texts.
fn texts_with(secret: &str) -> Vec<String> {
    let key = json!({"id": 1, "secret": secret});
    let keys = [
        json!([key]),
        json!([{"id": 1, "secret": format!("A{secret}")}]),
        json!([key, {"id": 1, "secret": secret}]),
        json!([key, {"id": 1}]),
        json!([{"id": secret, "secret": secret}]),
        json!([{"id": 1, "secret": [secret]}]),
        json!([{"id": 1, "secret": {"value": secret}}]),
        json!([{"id": 1, "key": secret}]),
        json!([{"1": secret}]),
        json!([secret]),
        json!([[secret]]),
        json!({"1": secret}),
        json!(secret),
    ];
    let mut texts: Vec<String> = keys
        .iter()
        .map(|keys| with("affinity", sessions(json!({"keys": keys}))).to_string())
        .collect();
    let inner = json!({"keys": [key]}).to_string();
    texts.push(with("affinity", json!(inner)).to_string());
    texts.push(json!(inner).to_string());
    texts.push(json!(json!({"affinity": {"keys": [key]}}).to_string()).to_string());
    let whole = with("affinity", sessions(json!({"keys": [key]}))).to_string();
    texts.push(whole.replace(&format!("\"{secret}\""), secret));
    texts.push(whole.replace(&format!("\"{secret}\""), &format!("{secret}\"")));
    texts.push(whole.replace(&format!("{secret}\""), secret));
    texts.push(whole.replace(
        &format!("\"{secret}\""),
        &format!("\"{secret}\" \"{secret}\""),
    ));
    texts
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_secret_is_printed(bytes in prop::collection::vec(any::<u8>(), 32)) {
        let secret = base64(&bytes);
        let mut taken = 0;
        for (text, other) in texts_with(&secret).iter().zip(texts_with(SECRETS[1])) {
            let ((text, is_taken), (other, _)) = (said(text), said(&other));
            prop_assert!(!reveals(&text, &secret, &other), "{secret}: {text}");
            taken += usize::from(is_taken);
        }
        prop_assert_eq!(taken, 1, "the first one is legal");
    }

    #[test]
    fn no_number_in_place_of_a_secret_is_printed(secret in 1_000_000_u64..) {
        let text = |secret: u64| {
            let keys = json!([{"id": 1, "secret": secret}]);
            with("affinity", sessions(json!({"keys": keys}))).to_string()
        };
        let ((text, _), (other, _)) = (said(&text(secret)), said(&text(1234)));
        prop_assert!(!reveals(&text, &secret.to_string(), &other), "{secret}: {text}");
    }
}

/// With padding, like the output of `openssl rand -base64 32`.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let bits = (0..3).fold(0_usize, |bits, at| {
            bits << 8 | usize::from(chunk.get(at).copied().unwrap_or(0))
        });
        for at in 0..4 {
            text.push(if at <= chunk.len() {
                char::from(LETTERS[bits >> (18 - 6 * at) & 63])
            } else {
                '='
            });
        }
    }
    text
}
