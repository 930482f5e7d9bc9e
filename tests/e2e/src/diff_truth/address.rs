//! Addresses of hosts, as Envoy names them.

use serde_json::Value;

/// `ip:port` of an `LbEndpoint`.
pub(super) fn address(host: &Value) -> Option<String> {
    let address = host.pointer("/endpoint/address/socket_address")?;
    let (ip, port) = (
        address["address"].as_str()?,
        address["port_value"].as_u64()?,
    );
    Some(format!("{ip}:{port}"))
}
