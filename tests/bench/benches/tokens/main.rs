//! Session tokens: sealing one, opening one for the first time and again, finding one among
//! cookies.

use divan::{Bencher, black_box};
use spillgate_bench::tokens::{RULES, ring, token};
use spillgate_core::affinity::{
    CookieSettings, FoundToken, OpenedTokens, SessionCookie, TokenCarrier,
};

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

/// A token that the worker has opened before.
#[divan::bench]
fn open_again(bencher: Bencher<'_, '_>) {
    let ring = ring();
    let text = ring.seal(&token(&ring));
    let mut known = OpenedTokens::default();
    let mut opened = || {
        known.open(
            &ring,
            TokenCarrier::Cookie,
            black_box(text.as_str().as_bytes()),
            &RULES,
        )
    };
    assert!(opened().is_ok());
    bencher.bench_local(opened);
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
    bencher.bench_local(|| {
        matches!(
            cookie.find([black_box(header.as_bytes())]),
            FoundToken::One(_)
        )
    });
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
