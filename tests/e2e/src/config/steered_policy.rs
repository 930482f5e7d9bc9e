//! Load-balancing policies of clusters that the filter steers.

use serde_json::{Value, json};
use spillgate_config::filter::FilterForm;

use super::filter::our_module;

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

/// The handling of requests without a host of the filter's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unlisted {
    /// Any host serves them.
    Served,
    /// They get 503.
    Refused,
}

/// The policy of the dynamic module, which publishes the hosts. Where the filter has not decided, it
/// refuses requests if the filter's configuration restricts hosts, and chooses otherwise.
#[must_use]
pub fn policy_of_module() -> Value {
    json!({"policies": [{"typed_extension_config": {
        "name": "spillgate",
        "typed_config": {
            "@type": format!(
                "{TYPES}.dynamic_modules.v3.DynamicModulesLoadBalancerConfig"
            ),
            "dynamic_module_config": our_module(),
            "lb_policy_name": "spillgate",
        },
    }}]})
}

/// The same policy with a setting for requests without a host of the list.
#[must_use]
pub fn policy_of_module_with(unlisted: Unlisted) -> Value {
    let mut policy = policy_of_module();
    let undecided = match unlisted {
        Unlisted::Served => "choose",
        Unlisted::Refused => "refuse",
    };
    policy["policies"][0]["typed_extension_config"]["typed_config"]["lb_policy_config"] = json!({
        "@type": "type.googleapis.com/google.protobuf.Struct",
        "value": {"undecided": undecided},
    });
    policy
}

/// The load-balancing policy of a cluster that the filter steers, with its other settings for that.
pub fn steer_cluster(cluster: &mut Value, form: FilterForm, unlisted: Unlisted) {
    match form {
        FilterForm::Wasm => {
            cluster["load_balancing_policy"] = override_host(&match unlisted {
                Unlisted::Served => any_host(),
                Unlisted::Refused => no_host(),
            });
        }
        FilterForm::DynamicModule => {
            cluster["load_balancing_policy"] = override_host(&policy_of_module_with(unlisted));
            let common = &mut cluster["common_lb_config"];
            common["update_merge_window"] = json!("0s");
            common["override_host_status"] = json!({"statuses": ALL_STATUSES});
        }
    }
}

/// Envoy follows the filter to hosts of every status.
const ALL_STATUSES: [&str; 6] = [
    "UNKNOWN",
    "HEALTHY",
    "UNHEALTHY",
    "DRAINING",
    "TIMEOUT",
    "DEGRADED",
];

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
