//! Shared by tests of the filter's configuration: legal configurations, and the schema.

use jsonschema::Validator;
use serde_json::{Value, json};

/// The required content of `docs/filter-config.schema.json`.
pub(crate) fn document() -> Value {
    serde_json::from_str(&spillgate_config::filter::json_schema()).unwrap()
}

/// The schema of one message.
pub(crate) fn schema(message: &str) -> Validator {
    let mut document = document();
    document["$ref"] = json!(format!("#/$defs/{message}"));
    jsonschema::draft202012::new(&document).unwrap()
}

#[track_caller]
pub(crate) fn assert_fits(schema: &Validator, value: &Value) {
    let faults: Vec<String> = schema
        .iter_errors(value)
        .map(|fault| format!("{}: {fault}", fault.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{value}: {faults:#?}");
}

pub(crate) fn cluster(name: &str, host: &str) -> Value {
    json!({
        "name": name,
        "lb_policy": "MAGLEV",
        "common_lb_config": {"healthy_panic_threshold": {"value": 50}},
        "load_assignment": {"cluster_name": name, "endpoints": [{"lb_endpoints": [
            {"endpoint": {"address": {"socket_address": {"address": host, "port_value": 80}}}}
        ]}]}
    })
}

pub(crate) fn aggregate(name: &str, members: &[&str]) -> Value {
    json!({
        "name": name,
        "lb_policy": "CLUSTER_PROVIDED",
        "cluster_type": {"name": "envoy.clusters.aggregate", "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig",
            "clusters": members
        }}
    })
}

pub(crate) fn good() -> Value {
    json!({
        "clusters": [
            cluster("shop-primary", "10.0.0.1"),
            cluster("shop-secondary", "10.0.1.1"),
            aggregate("shop", &["shop-primary", "shop-secondary"]),
        ],
        "target": "shop",
        "hash_policy": [{"header": {"header_name": "X-User"}}],
        "health": {"source": "static"},
        "output": {"mode": "override_host", "candidates": 5},
        "reserved_headers": ["X-Gateway-Destination-Endpoint"],
        "trace": {"when": {"header": "X-Debug", "value": "a trace's secret"}, "steps": true},
        "tick": "250ms"
    })
}

/// A legal configuration with one field changed; null removes it.
pub(crate) fn with(field: &str, value: Value) -> Value {
    let mut config = good();
    if value.is_null() {
        config.as_object_mut().unwrap().remove(field);
    } else {
        config[field] = value;
    }
    config
}

/// Secrets for tests only.
pub(crate) const SECRETS: [&str; 2] = [
    "NY4nxqHmKQ0GyNRf2UlHp+2n2hVC5eXxPL5rX0ap8QU=",
    "BFHZRejXFLD7HCTPcsyGEw0kHZ7L8/6wWZcerkOavhM=",
];

/// An `affinity` of a cookie and one key, with these fields instead or in addition.
pub(crate) fn sessions(fields: Value) -> Value {
    let mut affinity = json!({"cookie": {}, "keys": [{"id": 1, "secret": SECRETS[0]}]});
    for (name, value) in fields.as_object().unwrap() {
        affinity[name] = value.clone();
    }
    affinity
}
