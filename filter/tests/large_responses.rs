//! The largest responses of `/clusters` that Envoy passes on: the memory of the poller.

use crate::common::live::*;
use serde_json::{Value, json};
use spillgate_testhost::{CalloutReply, Shared};
use spillgate_testkit::{amount, figure};

/// Envoy drops responses of more than 32 MiB.
const FULL_SIZE: usize = 31 << 20;
/// A reader of whole responses needed 30 times their size.
const SHORT_SIZE: usize = 8 << 20;
/// A response of hosts with one line, which no Envoy writes.
const SMALL_SIZE: usize = 2 << 20;
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
    let (text, hosts) = clusters_of_all_lines(amount(SHORT_SIZE, FULL_SIZE));
    let memory = memory_after(&text, hosts);
    figure(format_args!(
        "a response of {} MiB with {hosts} hosts: {} MiB",
        text.len() >> 20,
        memory >> 20
    ));
    assert!(memory <= MOST_MEMORY, "{hosts} hosts: {} MiB", memory >> 20);
}

#[test]
fn hosts_with_one_line_take_a_few_times_the_size_of_their_response() {
    let one_address = |_| "/".to_owned();
    let addresses = |host| format!("/{host:x}");
    for (kind, (text, hosts)) in [
        ("one address", clusters_of_one_line(SMALL_SIZE, one_address)),
        ("addresses", clusters_of_one_line(SMALL_SIZE, addresses)),
    ] {
        if !amount(kind == "addresses", true) {
            continue;
        }
        let memory = memory_after(&text, hosts);
        figure(format_args!(
            "a response of {} KiB with {hosts} hosts of one line ({kind}): {} KiB",
            text.len() >> 10,
            memory >> 10
        ));
        // The window, and what is read from it, count more than in a large response.
        assert!(memory <= 12 * SMALL_SIZE, "{kind}: {} KiB", memory >> 10);
    }
}

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
    // In windows of 1 MiB: reading the first one again with the second would take 1.5 times the fuel for a
    // byte.
    let [few, many] = [1, 2].map(|mib| repeating(mib << 20));
    let short = ["empty lines in a host", "one line"];
    for ((kind, few, is_valid), (_, many, _)) in few.into_iter().zip(many) {
        if !amount(short.contains(&kind), true) {
            continue;
        }
        let [few, many] = [few, many].map(|text| {
            let shared = Shared::default();
            let mut main = poller(&shared, &shop());
            main.set_fuel_limit(u64::MAX);
            main.take_fuel();
            let reply = CalloutReply::new(200, text.as_str());
            assert_eq!(respond_to(&mut main, "/clusters", &reply), 1);
            let failures = main.metrics().value("spillgate.health.poll_failures");
            assert_eq!(failures == 0, is_valid, "{kind}: {:?}", main.logs());
            main.take_fuel() as f64 / text.len() as f64
        });
        figure(format_args!(
            "{kind}: fuel for a byte of 1 and 2 MiB: {few:.0}, {many:.0}"
        ));
        assert!(many < few * 1.25, "{kind}: {few:.0} and {many:.0} a byte");
    }
}
