//! Load-balancing policies of clusters that the filter steers.

use serde_json::{Value, json};

const TYPES: &str = "type.googleapis.com/envoy.extensions.load_balancing_policies";

/// The policy that uses the host list of the filter, with a policy for requests without a host of
/// the list.
#[must_use]
pub fn override_host(fallback: &Value) -> Value {
    policy(
        "override_host",
        "OverrideHost",
        json!({
            "override_host_sources": [
                {"metadata": {"key": "spillgate", "path": [{"key": "host"}]}},
            ],
            "fallback_policy": fallback,
        }),
    )
}

/// All hosts at random.
#[must_use]
pub fn any_host() -> Value {
    policy("random", "Random", json!({}))
}

/// All hosts in turn.
#[must_use]
pub fn round_robin() -> Value {
    policy("round_robin", "RoundRobin", json!({}))
}

/// Isolation: a subset policy whose one selector matches no host.
#[must_use]
pub fn no_host() -> Value {
    policy(
        "subset",
        "Subset",
        json!({
            "fallback_policy": "NO_FALLBACK",
            "subset_selectors": [{"keys": ["spillgate-none"]}],
            "subset_lb_policy": round_robin(),
        }),
    )
}

fn policy(package: &str, message: &str, mut config: Value) -> Value {
    config["@type"] = json!(format!("{TYPES}.{package}.v3.{message}"));
    json!({"policies": [{"typed_extension_config": {
        "name": format!("envoy.load_balancing_policies.{package}"),
        "typed_config": config,
    }}]})
}
