//! `meshNetworks` of Istio's ConfigMap: networks and their gateways.

use alloc::{string::String, vec::Vec};

use crate::node::{Node, NodeValue, Scalars, read_yaml};

/// A network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IstioMeshNetwork {
    /// Its name.
    pub name: String,
    /// Whether it selects endpoints by registry or address (`endpoints`).
    pub selects: bool,
    /// Its gateways.
    pub gateways: Vec<IstioMeshNetworkGateway>,
}

/// A gateway of a network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IstioMeshNetworkGateway {
    /// Its address or the host of its Service (`address`, `registryServiceName`).
    pub address: String,
    /// Whether it is the host of a Service.
    pub is_service: bool,
    /// Its port.
    pub port: u16,
}

/// Reads the text in `data.meshNetworks`; a text that is not readable has no networks.
pub(super) fn read_mesh_networks(config_map: &Node<'_>) -> Vec<IstioMeshNetwork> {
    let text = config_map
        .get("data")
        .and_then(|data| data.get("meshNetworks"));
    let Some(NodeValue::String(text)) = text.map(|node| &node.value) else {
        return Vec::new();
    };
    let parsed = read_yaml(text, Scalars::Json);
    let root = parsed.as_ref().ok().and_then(|parsed| parsed.roots.first());
    let networks = root.and_then(|root| root.get("networks"));
    let Some(NodeValue::Map(networks)) = networks.map(|node| &node.value) else {
        return Vec::new();
    };
    let networks = networks.iter();
    networks
        .map(|entry| IstioMeshNetwork {
            name: entry.key.name.as_ref().into(),
            selects: !items(&entry.node, "endpoints").is_empty(),
            gateways: items(&entry.node, "gateways")
                .iter()
                .filter_map(gateway)
                .collect(),
        })
        .collect()
}

fn gateway(node: &Node<'_>) -> Option<IstioMeshNetworkGateway> {
    let text = |field| match &node.get(field)?.value {
        NodeValue::String(text) => Some(text.as_ref()),
        _ => None,
    };
    let port = match &node.get("port")?.value {
        NodeValue::Int(port) => u16::try_from(*port).ok()?,
        _ => return None,
    };
    let address = text("address");
    Some(IstioMeshNetworkGateway {
        address: address.or_else(|| text("registryServiceName"))?.into(),
        is_service: address.is_none(),
        port,
    })
}

fn items<'n, 'a>(node: &'n Node<'a>, field: &str) -> &'n [Node<'a>] {
    match node.get(field).map(|node| &node.value) {
        Some(NodeValue::List(items)) => items,
        _ => &[],
    }
}
