//! Texts of 50 MB, well formed and not: an answer comes, within memory and without a panic.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]

use core::fmt::Write as _;

use spillgate_config::{
    envoy::{Format, read},
    filter,
};
use spillgate_core::model::ClusterKind;

const SIZE: usize = 50_000_000;

/// A bootstrap of that many bytes, and the number of its endpoints.
fn bootstrap() -> (String, usize) {
    let mut text = String::with_capacity(SIZE + 1000);
    text.push_str(r#"{"static_resources":{"clusters":[{"name":"c","load_assignment":{"cluster_name":"c","endpoints":[{"lb_endpoints":["#);
    let mut count = 0;
    while text.len() < SIZE {
        let comma = if count == 0 { "" } else { "," };
        let (a, b, c) = (count >> 16 & 255, count >> 8 & 255, count & 255);
        write!(text, r#"{comma}{{"endpoint":{{"address":{{"socket_address":{{"address":"10.{a}.{b}.{c}","port_value":80}}}}}},"health_status":"HEALTHY"}}"#).unwrap();
        count += 1;
    }
    text.push_str("]}]}}]}}");
    (text, count)
}

#[test]
fn a_large_bootstrap_is_read() {
    let (text, count) = bootstrap();
    let config = read(&text, Format::Json).unwrap();
    let ClusterKind::Plain(plain) = &config.model.cluster("c").unwrap().kind else {
        panic!("not a plain cluster");
    };
    assert_eq!(plain.levels[0].endpoints.len(), count);

    let cut = read(&text[..text.len() / 2], Format::Json).unwrap_err();
    assert_eq!(cut[0].code, "config/truncated");
}

#[test]
fn large_nonsense_is_refused() {
    for (piece, format, code) in [
        ("[", Format::Json, "config/too-deep"),
        ("\"", Format::Json, "config/json-syntax"),
        ("0,", Format::Json, "config/json-syntax"),
        #[cfg(feature = "yaml")]
        ("a: ", Format::Yaml, "config/yaml-syntax"),
        #[cfg(feature = "yaml")]
        ("- ", Format::Yaml, "config/too-deep"),
        #[cfg(feature = "yaml")]
        ("#\n", Format::Yaml, "config/empty"),
    ] {
        let text = piece.repeat(SIZE / piece.len());
        let faults = read(&text, format).unwrap_err();
        assert_eq!(faults[0].code, code, "{piece}");
    }
    let numbers = format!("[{}0]", "0,".repeat(SIZE / 2));
    assert_eq!(
        filter::read(&numbers).unwrap_err()[0].code,
        "config/too-large"
    );
    let text = " ".repeat(65 * 1024 * 1024);
    assert_eq!(filter::read(&text).unwrap_err()[0].code, "config/too-large");
}
