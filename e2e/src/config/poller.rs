//! The poller as Envoy is told of it, and the cluster through which it asks.

use std::path::Path;

use serde_json::{Value, json};

use super::address::socket_address;
use super::filter::wasm;

/// The bootstrap extension that asks; `poll` is its configuration.
#[must_use]
pub fn poller(module: &Path, poll: &Value) -> Value {
    let mut service = wasm(module, "spillgate", "FAIL_RELOAD", &poll.to_string());
    service["config"]["name"] = json!("spillgate-poller");
    service["config"]["root_id"] = json!("spillgate-poller");
    json!({
        "name": "envoy.bootstrap.wasm",
        "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.wasm.v3.WasmService",
            "singleton": true,
            "config": service["config"],
        },
    })
}

/// The cluster `admin`: who answers at that port of 127.0.0.1.
#[must_use]
pub fn admin_cluster(port: u16) -> Value {
    json!({
        "name": "admin",
        "type": "STATIC",
        "connect_timeout": "1s",
        "load_assignment": {"cluster_name": "admin", "endpoints": [{"lb_endpoints": [
            {"endpoint": {"address": socket_address("127.0.0.1", port)}},
        ]}]},
    })
}
