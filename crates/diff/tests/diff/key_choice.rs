//! Hashes that choose the host on one side only.

use spillgate_config::envoy::{EnvoyConfig, Format, read};
use spillgate_diff::cluster_effect;

use super::common::{self, compare};

fn config(policy: &str, hosts: u32) -> EnvoyConfig {
    let hosts = (1..=hosts).map(|number| {
        format!(
            "{{endpoint: {{address: {{socket_address: {{address: 10.0.0.{number}, port_value: 80}}}}}}}}"
        )
    });
    let hosts: Vec<String> = hosts.collect();
    let text = format!(
        "static_resources: {{clusters: [{{name: shop, type: STATIC, lb_policy: {policy}, load_assignment: \
         {{cluster_name: shop, endpoints: [{{lb_endpoints: [{}]}}]}}}}]}}",
        hosts.join(", ")
    );
    read(&text, Format::Yaml).unwrap()
}

#[test]
fn a_key_keeps_its_host_by_chance_only() {
    for (old, new, begins) in [
        ("MAGLEV", "ROUND_ROBIN", false),
        ("ROUND_ROBIN", "RING_HASH", true),
    ] {
        let (old, new) = (config(old, 4), config(new, 4));
        let report = compare(&old, &new);
        let cluster = report.clusters.first().expect("a difference");
        let choice = cluster.requests[0].key_choice.expect("one side hashes");
        assert_eq!(choice.begins, begins);
        // Four hosts with about a quarter each.
        assert!((choice.moved - 75.0).abs() < 1.0, "{choice:?}");
        assert!(cluster_effect(cluster).starts_with("keys n"), "{cluster:?}");
    }
}

#[test]
fn both_sides_with_or_without_hashes_have_no_such_difference() {
    for (old, new) in [("MAGLEV", "RING_HASH"), ("ROUND_ROBIN", "RANDOM")] {
        let (old, new) = (config(old, 4), config(new, 3));
        let report = compare(&old, &new);
        let requests = &report.clusters[0].requests;
        assert!(requests.iter().all(|kind| kind.key_choice.is_none()));
    }
}

/// A hash table chooses at random for a request without a hash.
#[test]
fn requests_without_a_hash_keep_no_key() {
    let side = |policy: &str, hashes: &str| {
        let hosts = (1..=4).map(|number| {
            format!("{{endpoint: {{address: {{socket_address: {{address: 10.0.0.{number}, port_value: 80}}}}}}}}")
        });
        let hosts: Vec<String> = hosts.collect();
        let clusters = format!(
            "{{name: shop, type: STATIC, lb_policy: {policy}, load_assignment: {{cluster_name: shop, endpoints: \
             [{{lb_endpoints: [{}]}}]}}}}",
            hosts.join(", ")
        );
        let route =
            format!("{{match: {{prefix: /}}, route: {{cluster: shop, hash_policy: [{hashes}]}}}}");
        common::config(&clusters, r#""*""#, &route)
    };
    let header = "{header: {header_name: x-user}}";
    for (hashes, begins) in [("", None), (header, Some(false))] {
        let report = compare(&side("MAGLEV", hashes), &side("ROUND_ROBIN", hashes));
        let requests = &report.clusters[0].requests;
        let found = requests[0].key_choice.map(|choice| choice.begins);
        assert_eq!(found, begins, "hash policies: {hashes}");
    }
}
