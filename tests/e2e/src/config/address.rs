//! Addresses of listeners and hosts.

use serde_json::{Value, json};

/// An Envoy `Address`.
pub(super) fn socket_address(ip: &str, port: u16) -> Value {
    json!({"socket_address": {"address": ip, "port_value": port}})
}
