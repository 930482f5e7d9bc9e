//! The poller in a bootstrap, and the cluster that it polls.

use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

use super::address::socket_address;
use super::filter::wasm;
use crate::{Need, needed};

/// The bootstrap extension that polls; `poll` is its configuration.
///
/// # Errors
/// When `SPILLGATE_FILTER_WASM` is not set.
pub fn poller(poll: &Value) -> Result<Value> {
    Ok(poller_of(&needed(Need::FilterWasm)?, poll))
}

/// The same with another module.
#[must_use]
pub fn poller_of(module: &Path, poll: &Value) -> Value {
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

/// The cluster `admin`, at that port of 127.0.0.1.
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
