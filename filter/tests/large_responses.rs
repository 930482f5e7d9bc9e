//! The largest responses of `/clusters` that Envoy passes on: the memory of the poller.

use crate::common::live::*;
use serde_json::{Value, json};
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

/// A response of hosts with one line, and the number of its hosts.
fn clusters_of_one_line(size: usize, address: impl Fn(usize) -> String) -> (String, usize) {
    let mut text = String::with_capacity(size + 100);
    let mut hosts = 0;
    while text.len() < size {
        let address = address(hosts);
        text.push_str(&format!("shop::{address}::health_flags::healthy\n"));
        hosts += 1;
    }
    (text, hosts)
}

/// The memory of a poller that has read this response twice.
fn memory_after(text: &str, hosts: usize) -> usize {
    let shared = Shared::default();
    let mut main = poller(&shared, &shop());
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

fn shop() -> Value {
    json!({"poll": [{"cluster": ADMIN, "targets": ["shop"]}]})
}

#[test]
fn a_response_near_the_limit_of_envoy_fits_150_mib() {
    let size = amount(SHORT_SIZE, FULL_SIZE);
    let one_address = |_| "/".to_owned();
    let paths = |host| format!("/{host:x}");
    for (kind, (text, hosts)) in [
        ("all lines", clusters_of_all_lines(size)),
        (
            "one line, one address",
            clusters_of_one_line(size, one_address),
        ),
        ("one line", clusters_of_one_line(size, paths)),
    ] {
        let memory = memory_after(&text, hosts);
        figure(format_args!(
            "a response of {} MiB with {hosts} hosts ({kind}): {} MiB",
            text.len() >> 20,
            memory >> 20
        ));
        assert!(
            memory <= MOST_MEMORY,
            "{kind}, {hosts} hosts: {} MiB",
            memory >> 20
        );
    }
}

/// The most fuel of a poller for each byte of a response, whatever its lines.
const MOST_FUEL_A_BYTE: u64 = 400;

/// Responses of about this size that a reader could read again and again, and whether they are valid.
fn repeating(size: usize) -> Vec<(&'static str, String, bool)> {
    let line = "shop::10.0.0.1:80::health_flags::healthy\n";
    let times = |text: &str| text.repeat(size / text.len());
    let numbered = |line: &dyn Fn(usize) -> String| {
        let lines = (0..size / line(0).len()).map(line);
        lines.collect::<String>()
    };
    vec![
        ("empty lines first", times("\n") + line, true),
        (
            "empty lines in a host",
            format!(
                "{line}{}{}",
                times("\n"),
                line.replace("health_flags::healthy", "weight::7")
            ),
            true,
        ),
        (
            "empty lines after a long name",
            format!(
                "{}::added_via_api::false\n{}{line}",
                "a".repeat(size / 2),
                "\n".repeat(size / 2)
            ),
            true,
        ),
        (
            "unknown values of a host",
            line.to_owned() + &times("shop::10.0.0.1:80::new::1\n"),
            true,
        ),
        ("unknown lines", line.to_owned() + &times("::\n"), true),
        (
            "lines without a separator",
            line.to_owned() + &times("a\n"),
            false,
        ),
        (
            "lines that are no text",
            line.to_owned() + &times("ö\n"),
            false,
        ),
        ("one address", times(line), true),
        (
            "addresses",
            numbered(&|host| line.replace("10.0.0.1:80", &format!("/{host:06x}"))),
            true,
        ),
        (
            "localities",
            numbered(&|host| {
                format!(
                    "shop::/{host:06x}::health_flags::healthy\nshop::/{host:06x}::zone::{host:06x}\n"
                )
            }),
            true,
        ),
        (
            "clusters",
            numbered(&|cluster| format!("{cluster:06x}::added_via_api::false\n")) + line,
            true,
        ),
        (
            "one line",
            format!(
                "{line}shop::10.0.0.1:80::hostname::{}\n",
                "ö".repeat(size / 2)
            ),
            true,
        ),
        (
            "one line without an end",
            format!("{line}{}", "a".repeat(size)),
            false,
        ),
        (
            "separators in one line",
            format!("{line}{}\n", times("::")),
            true,
        ),
    ]
}

#[test]
fn the_work_for_a_response_grows_with_its_size() {
    for (kind, text, is_valid) in repeating(amount(SHORT_SIZE, FULL_SIZE)) {
        let shared = Shared::default();
        let mut main = poller(&shared, &shop());
        main.set_fuel_limit(u64::MAX);
        main.take_fuel();
        let reply = CalloutReply::new(200, text.as_str());
        assert_eq!(respond_to(&mut main, "/clusters", &reply), 1);
        let fuel = main.take_fuel() / text.len() as u64;
        figure(format_args!("{kind}: fuel {fuel} a byte"));
        assert!(fuel <= MOST_FUEL_A_BYTE, "{kind}: {fuel} a byte");
        let failures = main.metrics().value("spillgate.health.poll_failures");
        assert_eq!(failures == 0, is_valid, "{kind}: {:?}", main.logs());
    }
}
