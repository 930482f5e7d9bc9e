//! Reading what users bring: dumps and `/clusters`, beside a JSON parser that keeps no positions
//! and checks nothing.

use divan::{Bencher, counter::BytesCount};
use serde_json::{Value, json};
use spillgate_config::{
    clusters,
    envoy::{Format, read},
};

fn main() {
    divan::main();
}

/// The size of a dump that an Envoy with a dozen clusters gives.
const DUMP_BYTES: usize = 130_000;

/// A dump in Envoy's own layout, of at least that size.
fn dump(bytes: usize) -> String {
    let mut clusters = 1;
    loop {
        let text = dump_of(clusters);
        if text.len() >= bytes {
            return text;
        }
        clusters += clusters.div_ceil(8);
    }
}

fn dump_of(clusters: usize) -> String {
    let numbers = 0..clusters;
    let configured = numbers.clone().map(|number| {
        json!({"version_info": "1", "last_updated": "2026-01-01T00:00:00.000Z", "cluster": {
            "@type": "type.googleapis.com/envoy.config.cluster.v3.Cluster",
            "name": format!("cluster-{number}"), "type": "EDS", "connect_timeout": "0.250s",
            "eds_cluster_config": {"service_name": format!("service-{number}")},
            "lb_policy": "LEAST_REQUEST",
            "lb_subset_config": {"fallback_policy": "ANY_ENDPOINT",
                "subset_selectors": [{"keys": ["stage"]}]}}})
    });
    let endpoints = numbers.map(|number| {
        let hosts = (0..10).map(|host| {
            let address = format!("10.0.{number}.{host}");
            json!({"endpoint": {"address": {"socket_address":
                {"address": address, "port_value": 8080}}, "health_check_config": {}},
                "health_status": "HEALTHY", "load_balancing_weight": 1,
                "metadata": {"filter_metadata": {"envoy.lb": {"stage": "prod"}}}})
        });
        json!({"endpoint_config": {
            "@type": "type.googleapis.com/envoy.config.endpoint.v3.ClusterLoadAssignment",
            "cluster_name": format!("service-{number}"),
            "endpoints": [{"locality": {"region": "r", "zone": "z"}, "load_balancing_weight": 0,
                "lb_endpoints": hosts.collect::<Vec<_>>()}],
            "policy": {"overprovisioning_factor": 140}}})
    });
    let dump = json!({"configs": [
        {"@type": "type.googleapis.com/envoy.admin.v3.ClustersConfigDump",
            "dynamic_active_clusters": configured.collect::<Vec<_>>()},
        {"@type": "type.googleapis.com/envoy.admin.v3.EndpointsConfigDump",
            "dynamic_endpoint_configs": endpoints.collect::<Vec<_>>()},
    ]});
    format!("{dump:#}")
}

#[divan::bench]
fn config_dump(bencher: Bencher<'_, '_>) {
    let text = dump(DUMP_BYTES);
    assert!(read(&text, Format::Json).is_ok());
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| read(&text, Format::Json));
}

#[divan::bench]
fn config_dump_as_plain_json(bencher: Bencher<'_, '_>) {
    let text = dump(DUMP_BYTES);
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| serde_json::from_str::<Value>(&text));
}

/// The lines of so many hosts.
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
