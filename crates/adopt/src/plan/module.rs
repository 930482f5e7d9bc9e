//! What Envoy needs for the dynamic module.

use serde_json::{Value, json};

fn module(name: &str) -> Value {
    json!({"name": name, "do_not_close": true})
}

/// The HTTP filter.
pub(crate) fn filter(config: &Value, name: &str) -> Value {
    json!({"name": "spillgate", "typed_config": {
        "@type": "type.googleapis.com/envoy.extensions.filters.http.dynamic_modules.v3.DynamicModuleFilter",
        "dynamic_module_config": module(name),
        "filter_name": "spillgate",
        "filter_config": {"@type": "type.googleapis.com/google.protobuf.Struct", "value": config},
    }})
}

/// The policy of a cluster, which publishes its hosts.
pub(super) fn policy(name: &str, undecided: &str) -> Value {
    json!({"policies": [{"typed_extension_config": {
        "name": "spillgate",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.load_balancing_policies.dynamic_modules.v3.DynamicModulesLoadBalancerConfig",
            "dynamic_module_config": module(name),
            "lb_policy_name": "spillgate",
            "lb_policy_config": {"@type": "type.googleapis.com/google.protobuf.Struct", "value": {"undecided": undecided}},
        },
    }}]})
}

/// Further settings of a cluster: hosts of every status, and changes at once.
pub(super) fn common_settings() -> [(&'static str, Value); 2] {
    let statuses = [
        "UNKNOWN",
        "HEALTHY",
        "UNHEALTHY",
        "DRAINING",
        "TIMEOUT",
        "DEGRADED",
    ];
    [
        ("update_merge_window", "0s".into()),
        ("override_host_status", json!({"statuses": statuses})),
    ]
}

/// Routes to the cluster that the filter chose.
pub(super) fn specifier(name: &str) -> Value {
    json!({"extension": {"name": "spillgate", "typed_config": {
        "@type": "type.googleapis.com/envoy.extensions.router.cluster_specifiers.dynamic_modules.v3.DynamicModuleClusterSpecifier",
        "dynamic_module_config": module(name),
        "specifier_name": "spillgate",
        "specifier_config": {"@type": "type.googleapis.com/google.protobuf.StringValue", "value": ""},
    }}})
}

/// Distinguishes draining hosts from unhealthy ones.
pub(crate) fn bootstrap_extension(name: &str) -> Value {
    json!({"name": "spillgate", "typed_config": {
        "@type": "type.googleapis.com/envoy.extensions.bootstrap.dynamic_modules.v3.DynamicModuleBootstrapExtension",
        "dynamic_module_config": module(name),
        "extension_name": "spillgate",
    }})
}
