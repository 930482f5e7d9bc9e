//! The largest responses of `/clusters` that Envoy passes on: the memory of the poller.

use crate::common::live::*;
use serde_json::json;
use spillgate_testhost::{CalloutReply, Shared};
use spillgate_testkit::{amount, figure};

/// Envoy drops responses of more than 32 MiB.
const FULL_SIZE: usize = 31 << 20;
/// A reader of whole responses needed 30 times their size.
const SHORT_SIZE: usize = 8 << 20;
/// The maximum memory of the poller: 150 MiB.
const MOST_MEMORY: usize = 150 << 20;

/// A response of this size, and the number of its hosts.
fn clusters_of_all_lines(size: usize) -> (String, usize) {
    let mut text = String::with_capacity(size + 2_000);
    let mut hosts = 0;
    while text.len() < size {
        text.push_str(&all_lines(hosts, "healthy", 0));
        hosts += 1;
    }
    (text, hosts)
}

/// The memory of a poller that has read this response twice.
fn memory_after(text: &str, hosts: usize) -> usize {
    let shared = Shared::default();
    let mut main = poller(
        &shared,
        &json!({"poll": [{"cluster": ADMIN, "targets": ["shop"]}]}),
    );
    main.set_fuel_limit(u64::MAX);
    for _ in 0..2 {
        let reply = CalloutReply::new(200, text);
        assert_eq!(respond_to(&mut main, "/clusters", &reply), 1);
        main.advance(SECOND).unwrap();
    }
    assert_eq!(main.metrics().value("spillgate.health.poll_failures"), 0);
    let active = shared.value(&format!("spillgate.3.active.{ADMIN}/shop"));
    assert_eq!(
        active.unwrap().len(),
        8 + 4 * hosts,
        "all hosts are published"
    );
    main.memory_bytes()
}

#[test]
fn a_response_near_the_limit_of_envoy_fits_150_mib() {
    let (text, hosts) = clusters_of_all_lines(amount(SHORT_SIZE, FULL_SIZE));
    let memory = memory_after(&text, hosts);
    figure(format_args!(
        "a response of {} MiB with {hosts} hosts: {} MiB",
        text.len() >> 20,
        memory >> 20
    ));
    assert!(memory <= MOST_MEMORY, "{hosts} hosts: {} MiB", memory >> 20);
}
