//! Reading user input, dumps and `/clusters`, compared with a JSON parser that keeps no positions
//! and checks nothing.

use divan::{Bencher, counter::BytesCount};
use serde_json::Value;
use spillgate_bench::config_dump as dump;
use spillgate_config::{
    clusters,
    envoy::{Format, read},
};

fn main() {
    divan::main();
}

#[divan::bench]
fn config_dump(bencher: Bencher<'_, '_>) {
    let text = dump();
    assert!(read(&text, Format::Json).is_ok());
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| read(&text, Format::Json));
}

#[divan::bench]
fn config_dump_as_plain_json(bencher: Bencher<'_, '_>) {
    let text = dump();
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| serde_json::from_str::<Value>(&text));
}

/// The lines of that many hosts.
fn clusters_text(hosts: usize) -> String {
    let mut text = String::from("c::observability_name::c\n");
    for host in 0..hosts {
        let address = format!("10.0.{}.{}:8080", host / 256, host % 256);
        for (name, value) in [
            ("cx_active", "1"),
            ("cx_connect_fail", "0"),
            ("cx_total", "12"),
            ("rq_active", "3"),
            ("rq_error", "0"),
            ("rq_success", "120"),
            ("rq_timeout", "0"),
            ("rq_total", "123"),
            ("hostname", ""),
            ("health_flags", "healthy"),
            ("weight", "1"),
            ("region", "r"),
            ("zone", "z"),
            ("sub_zone", ""),
            ("canary", "false"),
            ("priority", "0"),
            ("success_rate", "-1"),
            ("local_origin_success_rate", "-1"),
        ] {
            text.push_str(&format!("c::{address}::{name}::{value}\n"));
        }
    }
    text
}

#[divan::bench]
fn clusters_of_1000_hosts(bencher: Bencher<'_, '_>) {
    let text = clusters_text(1000);
    assert!(clusters::read(&text).is_ok());
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| clusters::read(&text));
}
