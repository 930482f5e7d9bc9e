//! The same configuration in its other shapes.

use serde_json::{Map, Value, json};

const TYPES: &str = "type.googleapis.com/envoy.extensions.load_balancing_policies.";

/// Fields whose keys are the user's.
const MAPS: [&str; 4] = [
    "filter_metadata",
    "default_subset",
    "typed_per_filter_config",
    "typed_extension_protocol_options",
];

/// Every field name in camelCase.
pub(crate) fn camel_case(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(camel_case).collect(),
        Value::Object(fields) => {
            let renamed = fields.iter().map(|(name, value)| {
                let value = if MAPS.contains(&name.as_str()) {
                    value.clone()
                } else {
                    camel_case(value)
                };
                (camel(name), value)
            });
            Value::Object(renamed.collect())
        }
        scalar => scalar.clone(),
    }
}

fn camel(name: &str) -> String {
    let mut out = String::new();
    let mut upper = false;
    for c in name.chars() {
        match c {
            '_' => upper = true,
            c if upper => {
                upper = false;
                out.push(c.to_ascii_uppercase());
            }
            c => out.push(c),
        }
    }
    out
}

/// Moves every classic policy into `load_balancing_policy`; `None` if there is no such policy.
pub(crate) fn typed(bootstrap: &Value) -> Option<Value> {
    let mut changed = false;
    let mut bootstrap = bootstrap.clone();
    let clusters = bootstrap.pointer_mut("/static_resources/clusters")?;
    for cluster in clusters.as_array_mut()? {
        let cluster = cluster.as_object_mut()?;
        let provided = cluster.get("lb_policy") == Some(&json!("CLUSTER_PROVIDED"));
        if provided || cluster.contains_key("load_balancing_policy") {
            continue;
        }
        changed = true;
        let policy = typed_policy(cluster);
        cluster.insert("load_balancing_policy".into(), policy);
    }
    changed.then_some(bootstrap)
}

fn typed_policy(cluster: &mut Map<String, Value>) -> Value {
    let name = cluster.remove("lb_policy");
    let name = name
        .as_ref()
        .and_then(Value::as_str)
        .unwrap_or("ROUND_ROBIN");
    let (type_name, settings) = match name {
        "RANDOM" => ("random.v3.Random", None),
        "LEAST_REQUEST" => (
            "least_request.v3.LeastRequest",
            cluster.remove("least_request_lb_config"),
        ),
        "RING_HASH" => (
            "ring_hash.v3.RingHash",
            cluster.remove("ring_hash_lb_config"),
        ),
        "MAGLEV" => ("maglev.v3.Maglev", cluster.remove("maglev_lb_config")),
        _ => (
            "round_robin.v3.RoundRobin",
            cluster.remove("round_robin_lb_config"),
        ),
    };
    let mut config = settings.unwrap_or_else(|| json!({}));
    config["@type"] = json!(format!("{TYPES}{type_name}"));
    let mut localities = Map::new();
    if let Some(common) = cluster
        .get_mut("common_lb_config")
        .and_then(Value::as_object_mut)
    {
        for field in ["zone_aware_lb_config", "locality_weighted_lb_config"] {
            localities.extend(common.remove(field).map(|value| (field.to_owned(), value)));
        }
    }
    if matches!(name, "RING_HASH" | "MAGLEV") {
        config.as_object_mut().unwrap().extend(localities);
    } else if !localities.is_empty() {
        config["locality_lb_config"] = Value::Object(localities);
    }
    let policy = policies("inner", config);
    let Some(mut subset) = cluster.remove("lb_subset_config") else {
        return policy;
    };
    subset["@type"] = json!(format!("{TYPES}subset.v3.Subset"));
    subset["subset_lb_policy"] = policy;
    policies("subset", subset)
}

fn policies(name: &str, config: Value) -> Value {
    json!({"policies": [{"typed_extension_config": {"name": name, "typed_config": config}}]})
}

/// The response of `/config_dump` for a bootstrap.
pub(crate) fn dump(bootstrap: &Value) -> Value {
    const ADMIN: &str = "type.googleapis.com/envoy.admin.v3.";
    let with_type = |value: &Value, name: &str| {
        let mut value = value.clone();
        value["@type"] = json!(format!("type.googleapis.com/envoy.config.{name}"));
        value
    };
    let list = |field: &str| {
        let found = bootstrap.pointer(&format!("/static_resources/{field}"));
        found.and_then(Value::as_array).cloned().unwrap_or_default()
    };
    let clusters: Vec<Value> = list("clusters")
        .iter()
        .map(|cluster| json!({"cluster": with_type(cluster, "cluster.v3.Cluster")}))
        .collect();
    let listeners: Vec<Value> = list("listeners")
        .iter()
        .map(|listener| json!({"listener": with_type(listener, "listener.v3.Listener")}))
        .collect();
    json!({"configs": [
        {"@type": format!("{ADMIN}BootstrapConfigDump"), "bootstrap": bootstrap},
        {"@type": format!("{ADMIN}ClustersConfigDump"), "static_clusters": clusters},
        {"@type": format!("{ADMIN}ListenersConfigDump"), "static_listeners": listeners},
    ]})
}
