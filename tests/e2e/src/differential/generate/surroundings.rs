//! What belongs to the proxy: its locality, the local cluster, its HTTP filters, its connection
//! manager, its runtime.

use serde_json::{Value, json};

use super::super::features::Features;
use super::super::scenario::Surroundings;
use super::maker::{KEYS, Maker};
use spillgate_testkit::models::Dice;

/// The surroundings of the `number`th process of a run.
#[must_use]
pub fn surroundings(seed: u64, number: u64, features: &Features) -> Surroundings {
    let nothing = Surroundings::default();
    let dice = Dice::of(seed ^ 0x5107_7e55, number);
    let mut maker = Maker::new(dice, features, &nothing);
    let mut made = Surroundings::default();
    if maker.uses("node_locality", 60) {
        made.locality = Some(maker.locality());
        if maker.uses("zone_aware", 75) {
            let mut groups = Vec::new();
            for _ in 0..maker.dice.between(1, 3) {
                let mut group = json!({"locality": maker.locality()});
                let mut hosts = Vec::new();
                for _ in 0..maker.dice.between(1, 4) {
                    let (ip, port) = maker.address();
                    hosts.push(json!({
                        "endpoint": {"address": {"socket_address": {"address": ip, "port_value": port}}},
                    }));
                }
                group["lb_endpoints"] = hosts.into();
                if groups
                    .iter()
                    .all(|other: &serde_json::Value| other["locality"] != group["locality"])
                {
                    groups.push(group);
                }
            }
            if maker.dice.chance(85) {
                // Without its own host among them the proxy has no local zone.
                groups[0]["locality"] = made.locality.clone().unwrap_or_default();
                let (first, rest) = groups.split_at_mut(1);
                let first = &first[0]["locality"];
                let doubled = rest.iter().position(|group| &group["locality"] == first);
                if let Some(doubled) = doubled {
                    groups.remove(doubled + 1);
                }
            }
            made.local_cluster = Some(json!({
                "name": "local",
                "type": "STATIC",
                "connect_timeout": "1s",
                "load_assignment": {"cluster_name": "local", "endpoints": groups},
            }));
        }
    }
    if maker.uses("header_to_metadata", 60) {
        let rules = KEYS.map(|key| {
            json!({
                "header": format!("x-{key}"),
                "on_header_present": {"metadata_namespace": "envoy.lb", "key": key, "type": "STRING"},
                "remove": false,
            })
        });
        made.filters.push(json!({
            "name": "envoy.filters.http.header_to_metadata",
            "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.filters.http.header_to_metadata.v3.Config",
                "request_rules": rules,
            },
        }));
    }
    if maker.uses("set_metadata", 25) {
        made.filters.push(json!({
            "name": "envoy.filters.http.set_metadata",
            "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.filters.http.set_metadata.v3.Config",
                "metadata": [{"metadata_namespace": "envoy.lb", "value": {"stage": "prod"}, "allow_overwrite": true}],
            },
        }));
    }
    made.filters.extend(maker.metadata_filters());
    made.filters.extend(maker.session_filters());
    if let Some(filter) = maker.header_mutation_filter() {
        let at = maker.dice.between(0, made.filters.len());
        made.filters.insert(at, filter);
    }
    made.manager = maker.manager();
    made.runtime = maker.shared_runtime();
    let mut route_config = json!({});
    maker.change_headers("headers_route_config", 35, &mut route_config);
    if maker.uses("most_specific_headers", 35) {
        route_config["most_specific_header_mutations_wins"] = true.into();
    }
    if let Value::Object(fields) = route_config {
        made.route_config = fields;
    }
    made.features = maker.used;
    made
}
