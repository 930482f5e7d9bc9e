//! Losses that a cluster survives on one side only.

use spillgate_config::envoy::{EnvoyConfig, Format, read};
use spillgate_diff::ClusterDiff;

use super::common::compare;

/// A cluster with a host for each pair of a zone and a health.
fn config(hosts: &[(&str, &str)]) -> EnvoyConfig {
    let zones = hosts.iter().enumerate().map(|(number, (zone, health))| {
        format!(
            "{{locality: {{zone: {zone}}}, lb_endpoints: [{{health_status: {health}, endpoint: {{address: {{socket_address: \
             {{address: 10.0.0.{number}, port_value: 80}}}}}}}}]}}"
        )
    });
    let zones: Vec<String> = zones.collect();
    let text = format!(
        "static_resources: {{clusters: [{{name: shop, type: STATIC, load_assignment: {{cluster_name: shop, endpoints: [{}]}}}}]}}",
        zones.join(", ")
    );
    read(&text, Format::Yaml).unwrap()
}

fn changed(old: &[(&str, &str)], new: &[(&str, &str)]) -> ClusterDiff {
    let report = compare(&config(old), &config(new));
    assert_eq!(report.clusters.len(), 1, "{report:?}");
    report.clusters[0].clone()
}

#[test]
fn only_zones_of_the_new_side_have_a_verdict() {
    let (a, b) = (("a", "HEALTHY"), ("b", "HEALTHY"));
    let zones = |old: &[(&str, &str)], new: &[(&str, &str)]| {
        let found = changed(old, new).zones.into_iter();
        let found = found.map(|of| (of.zone, of.survives));
        found.collect::<Vec<_>>()
    };
    assert_eq!(zones(&[a, b], &[a]), [("a".to_owned(), false)]);
    assert_eq!(zones(&[a], &[a, b]), [("a".to_owned(), true)]);
    assert_eq!(zones(&[a, b], &[a, a, b, b]), []);
}

#[test]
fn panic_mode_that_begins_is_no_margin() {
    let (up, down) = (("a", "HEALTHY"), ("a", "UNHEALTHY"));
    let begins = changed(&[up; 4], &[up, down, down, down]);
    assert_eq!(begins.requests[0].new_panic, ["P0"]);
    assert_eq!(begins.panic_margin, None);
    let smaller = changed(&[up; 4], &[up, up, up, down]);
    assert!(smaller.panic_margin.is_some(), "{smaller:?}");
}
