//! A configuration to read.

use serde_json::json;

/// The size of the dump of an Envoy with a dozen clusters.
const BYTES: usize = 130_000;

/// A `config_dump` in Envoy's own layout, of about 130 kB.
#[must_use]
pub fn config_dump() -> String {
    let mut clusters = 1;
    loop {
        let text = dump_of(clusters);
        if text.len() >= BYTES {
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
