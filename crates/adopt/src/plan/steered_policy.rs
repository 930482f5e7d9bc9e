//! The policy of a steered cluster for `spillgate.wasm`.

use serde_json::{Map, Value, json};
use spillgate_config::isolation::{ISOLATION_KEY, ListFallback};

use super::place::Place;

/// `override_host`, which reads the list of the filter, around a policy.
pub(super) fn override_host(fallback: &Value) -> Value {
    json!({"policies": [{"typed_extension_config": {
        "name": "envoy.load_balancing_policies.override_host",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.load_balancing_policies.override_host.v3.OverrideHost",
            "override_host_sources": [{"metadata": {"key": "spillgate", "path": [{"key": "host"}]}}],
            "fallback_policy": fallback,
        },
    }}]})
}

/// The policy that serves if no host of the list is left.
pub(super) fn fallback_policy(cluster: &Place<'_>, fallback: ListFallback) -> Value {
    if fallback == ListFallback::Isolation {
        let no_host = json!({
            "fallback_policy": "NO_FALLBACK",
            "subset_selectors": [{"keys": [ISOLATION_KEY]}],
            "subset_lb_policy": policy("round_robin", "RoundRobin", Value::Null),
        });
        return policy("subset", "Subset", no_host);
    }
    if let Some(own) = cluster.field("load_balancing_policy") {
        return own.value.clone();
    }
    let legacy = |name: &str| {
        let own = cluster
            .field(name)
            .and_then(|own| own.value.as_object().cloned());
        own.unwrap_or_default()
    };
    // Fields that are valid only without a typed policy move into it.
    let common = |name: &str| Some(cluster.at(&["common_lb_config", name])?.value.clone());
    let localities = |mut config: Map<String, Value>| {
        let kinds = ["zone_aware_lb_config", "locality_weighted_lb_config"];
        if let Some((kind, own)) = kinds.iter().find_map(|kind| Some((*kind, common(kind)?))) {
            config.insert("locality_lb_config".into(), json!({kind: own}));
        }
        config.into()
    };
    let hashing = |mut config: Map<String, Value>| {
        for kind in [
            "consistent_hashing_lb_config",
            "locality_weighted_lb_config",
        ] {
            config.extend(common(kind).map(|own| (kind.to_owned(), own)));
        }
        config.into()
    };
    match cluster.text("lb_policy") {
        Some("RING_HASH") => policy(
            "ring_hash",
            "RingHash",
            hashing(legacy("ring_hash_lb_config")),
        ),
        Some("MAGLEV") => policy("maglev", "Maglev", hashing(legacy("maglev_lb_config"))),
        Some("RANDOM") => policy("random", "Random", localities(Map::new())),
        Some("LEAST_REQUEST") => policy(
            "least_request",
            "LeastRequest",
            localities(legacy("least_request_lb_config")),
        ),
        _ => policy(
            "round_robin",
            "RoundRobin",
            localities(legacy("round_robin_lb_config")),
        ),
    }
}

fn policy(name: &str, message: &str, fields: Value) -> Value {
    let mut config = Map::new();
    let package = format!("envoy.load_balancing_policies.{name}");
    let url =
        format!("type.googleapis.com/envoy.extensions.load_balancing_policies.{name}.v3.{message}");
    config.insert("@type".into(), url.into());
    if let Value::Object(fields) = fields {
        config.extend(fields);
    }
    json!({"policies": [{"typed_extension_config": {"name": package, "typed_config": config}}]})
}
