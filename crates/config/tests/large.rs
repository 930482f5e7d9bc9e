//! Inputs of 50 MB, valid and invalid: reading ends within memory limits and without a panic.

use core::fmt::Write as _;

use spillgate_config::{
    clusters,
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
    assert_eq!(plain.priorities[0].endpoints.len(), count);

    let cut = read(&text[..text.len() / 2], Format::Json).unwrap_err();
    assert_eq!(cut[0].code, "config/truncated");
}

/// A dump of that many bytes, and the number of its endpoints.
fn dump() -> (String, usize) {
    let mut text = String::with_capacity(SIZE + 1000);
    text.push_str(r#"{"configs":[{"@type":"type.googleapis.com/envoy.admin.v3.ClustersConfigDump","static_clusters":[{"cluster":{"name":"c","type":"EDS"}}]},{"@type":"type.googleapis.com/envoy.admin.v3.EndpointsConfigDump","static_endpoint_configs":[{"endpoint_config":{"cluster_name":"c","endpoints":[{"locality":{},"load_balancing_weight":0,"lb_endpoints":["#);
    let mut count = 0;
    while text.len() < SIZE {
        let comma = if count == 0 { "" } else { "," };
        let (a, b, c) = (count >> 16 & 255, count >> 8 & 255, count & 255);
        write!(text, r#"{comma}{{"endpoint":{{"address":{{"socket_address":{{"address":"10.{a}.{b}.{c}","port_value":80}}}},"health_check_config":{{}}}},"health_status":"HEALTHY","metadata":{{}},"load_balancing_weight":1}}"#).unwrap();
        count += 1;
    }
    text.push_str("]}]}}]}]}");
    (text, count)
}

#[test]
fn a_large_dump_and_its_hosts_are_read() {
    let (text, count) = dump();
    let mut config = read(&text, Format::Json).unwrap();
    let ClusterKind::Plain(plain) = &config.model.cluster("c").unwrap().kind else {
        panic!("not a plain cluster");
    };
    assert_eq!(plain.priorities[0].endpoints.len(), count);
    drop(text);

    let mut hosts = String::with_capacity(SIZE + 1000);
    let mut kept = 0;
    while hosts.len() < SIZE {
        let (a, b, c) = (kept >> 16 & 255, kept >> 8 & 255, kept & 255);
        let address = format!("c::10.{a}.{b}.{c}:80");
        writeln!(hosts, "{address}::rq_active::0\n{address}::hostname::\n{address}::health_flags::healthy\n{address}::priority::0").unwrap();
        kept += 1;
    }
    let statuses = clusters::read(&hosts).unwrap();
    assert_eq!(statuses[0].hosts.len(), kept);
    let found = clusters::lay_over(&statuses, &mut config);
    assert_eq!(found[0].code, "clusters/membership");

    // The endpoints of an address that occurs everywhere are not scanned for each host.
    const TIMES: usize = 200_000;
    let endpoint =
        r#"{"endpoint":{"address":{"socket_address":{"address":"10.0.0.1","port_value":80}}}}"#;
    let endpoints = vec![endpoint; TIMES].join(",");
    let text = format!(
        r#"{{"name":"c","load_assignment":{{"cluster_name":"c","endpoints":[{{"lb_endpoints":[{endpoints}]}}]}}}}"#
    );
    let mut config = read(&text, Format::Json).unwrap();
    let hosts = "c::10.0.0.1:80::health_flags::healthy\n".repeat(TIMES);
    let statuses = clusters::read(&hosts).unwrap();
    let found = clusters::lay_over(&statuses, &mut config);
    assert_eq!(found, []);

    let nonsense = "c::[::".repeat(SIZE / 6);
    assert_eq!(
        clusters::read(&nonsense).unwrap_err()[0].code,
        "clusters/line"
    );
    let faults = clusters::read(&"x\n".repeat(SIZE / 2)).unwrap_err();
    assert_eq!(faults.len(), 1001);
}

#[test]
fn large_invalid_inputs_are_rejected() {
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
