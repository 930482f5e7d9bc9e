//! Tokens of sessions: sealing, opening, finding one among cookies; beside the crate whose cipher
//! takes one block at a time.

use aes_gcm_siv::{Aes256GcmSiv, KeyInit as _, Nonce, aead::AeadInOut as _};
use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use divan::{Bencher, black_box};
use spillgate_bench::tokens::{RULES, ring, token};
use spillgate_core::affinity::{CookieSettings, Found, SessionCookie};

fn main() {
    divan::main();
}

#[divan::bench]
fn seal(bencher: Bencher<'_, '_>) {
    let ring = ring();
    let token = token(&ring);
    bencher.bench_local(|| ring.seal(black_box(&token)));
}

#[divan::bench]
fn open(bencher: Bencher<'_, '_>) {
    let ring = ring();
    let text = ring.seal(&token(&ring));
    let opened = || ring.open(black_box(text.as_str().as_bytes()), &RULES);
    assert!(opened().is_ok());
    bencher.bench_local(opened);
}

/// What the crate needs for as many bytes: no ids, no rules.
#[divan::bench]
fn seal_by_aes_gcm_siv(bencher: Bencher<'_, '_>) {
    let cipher = Aes256GcmSiv::new(&[7; 32].into());
    bencher.bench_local(|| {
        let mut wire = [7; 90];
        let nonce = Nonce::from([3; 12]);
        let tag = cipher.encrypt_inout_detached(&nonce, &[1, 1], wire[14..74].as_mut().into());
        wire[74..].copy_from_slice(&tag.unwrap());
        let mut text = [0; 120];
        BASE64_URL_SAFE_NO_PAD
            .encode_slice(wire, &mut text)
            .unwrap();
        text
    });
}

/// Eight cookies, ours last.
#[divan::bench]
fn find_among_cookies(bencher: Bencher<'_, '_>) {
    let ring = ring();
    let cookie = SessionCookie::new(&CookieSettings::default()).unwrap();
    let others: String = (0..7)
        .map(|n| format!("cookie{n}=0123456789abcdef; "))
        .collect();
    let header = format!("{others}spillgate={}", ring.seal(&token(&ring)).as_str());
    bencher.bench_local(|| matches!(cookie.find([black_box(header.as_bytes())]), Found::One(_)));
}

/// What new hosts cost each key.
#[divan::bench]
fn names_of_10_000_hosts(bencher: Bencher<'_, '_>) {
    let ring = ring();
    let hosts: Vec<String> = (0..10_000)
        .map(|n| format!("10.0.{}.{}:80", n / 250, n % 250))
        .collect();
    bencher.bench_local(|| {
        let ids = hosts.iter().map(|host| ring.first().host_id("shop", host));
        ids.max()
    });
}
