//! Links of the playground.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use spillgate_codec::link::{self, Disclosure, Scenario, SharedScenario};

/// The payloads of the playground's links: a fragment as a whole, and the bytes that a checksum follows.
pub(in crate::fuzz) fn seeds() -> Vec<Vec<u8>> {
    let scenario: Scenario =
        link::read(include_str!("../../../seeds/link.txt").trim()).expect("a legal seed");
    let mut seeds = Vec::new();
    for disclosure in Disclosure::ALL {
        let text = link::write(&SharedScenario::new(&scenario, disclosure).scenario);
        seeds.push(link_payload(&text).expect("a legal link"));
        seeds.push(text.into_bytes());
    }
    seeds
}

/// The bytes of a link before its checksum; `None` for another text.
#[must_use]
pub fn link_payload(link: &str) -> Option<Vec<u8>> {
    let (_, payload) = link.split_once('.')?;
    let mut bytes = BASE64_URL_SAFE_NO_PAD.decode(payload).ok()?;
    bytes.truncate(bytes.len().checked_sub(2)?);
    Some(bytes)
}

/// Opens the input as a fragment, and as the payload of each codec.
pub(in crate::fuzz) fn read(input: &[u8]) {
    if let Ok(text) = std::str::from_utf8(input) {
        open(text);
    }
    for letter in ['g', 'h'] {
        open(&link::with_payload(letter, input.to_vec()));
    }
}

/// What a link contains can be written and read again without a change.
fn open(fragment: &str) {
    let Ok(scenario) = link::read::<()>(fragment) else {
        return;
    };
    let text = link::write(&scenario);
    let again = link::read::<()>(&text).expect("a written link");
    assert_eq!(again.clusters(), scenario.clusters(), "{text}");
}
