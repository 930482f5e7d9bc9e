//! The host of a session (A55, A75): in any priority of the leaf cluster that serves.

use spillgate_core::model::Endpoint;
use spillgate_grpc::{
    ChildPick, Connectivity, GrpcEndpoint, OverrideHostPick, OverrideHosts,
    shares::{LeafAnswer, RootShares, localities, reachable, serves},
};

use super::view::{GrpcCluster, GrpcLeaf};

/// Where the calls of a session go.
#[derive(Debug, Clone, PartialEq)]
pub enum SessionTarget {
    /// To the host that its cookie names.
    Host(SessionHostShare),
    /// To the hosts of the policy, for this reason.
    Policy(String),
    /// Not known, for this reason.
    Unknown(String),
}

/// The host of a session.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionHostShare {
    /// The leaf cluster with the host.
    pub leaf: String,
    /// The priority of the host.
    pub priority: usize,
    /// Its address.
    pub address: String,
    /// The address list of the cookie: this address, then the others of the host.
    pub address_list: String,
    /// Its share of the calls in percent; the leaf drops the others.
    pub share: f64,
}

impl GrpcCluster<'_> {
    /// The target of a session with this address list. The leaf of an aggregate is chosen before: a
    /// session does not keep the leaf of its host.
    pub fn session_target(&self, addresses: &str) -> SessionTarget {
        let leaf = match self.root {
            RootShares::Leaf(serving) => self.leaves.get(serving),
            // The priority policy uses its last child if none is connected.
            RootShares::NoHost => self.leaves.last(),
            _ => None,
        };
        let Some(leaf) = leaf else {
            return SessionTarget::Policy("the cluster has no hosts".into());
        };
        if addresses.split(',').all(str::is_empty) {
            return SessionTarget::Policy("the cookie names no host".into());
        }
        if leaf.logical_dns {
            return SessionTarget::Unknown(
                "sessions of LOGICAL_DNS clusters are not modeled".into(),
            );
        }
        let mut hosts = hosts(leaf);
        let child = || ChildPick::Queue;
        let (address, address_list) = match hosts.pick(0, Some(addresses), child) {
            OverrideHostPick::Override {
                address,
                address_list,
            } => (address, address_list),
            OverrideHostPick::Queue(wait) => {
                let entry = hosts.entry(wait.address());
                let list = entry.map_or_else(String::new, |entry| entry.address_list.clone());
                (wait.address().to_owned(), list)
            }
            OverrideHostPick::Delegate { .. } => return no_host(leaf, &hosts, addresses),
        };
        let holds = |of: &Endpoint| of.address == address;
        let mut priorities = leaf.plain.priorities.iter();
        let priority = priorities.position(|of| of.endpoints.iter().any(holds));
        SessionTarget::Host(SessionHostShare {
            leaf: leaf.name.to_owned(),
            priority: priority.unwrap_or(0),
            address,
            address_list,
            share: 100.0 - leaf.dropped(),
        })
    }
}

/// The hosts that sessions of a leaf can name. Those of the used priority are connected.
fn hosts(leaf: &GrpcLeaf<'_>) -> OverrideHosts {
    let used = match leaf.answer {
        LeafAnswer::Shares { shares, .. } => shares.used,
        LeafAnswer::Rejected(_) | LeafAnswer::Unknown(_) => None,
    };
    let mut endpoints = Vec::new();
    let mut connected = Vec::new();
    let mut refusing = Vec::new();
    for (number, priority) in leaf.plain.priorities.iter().enumerate() {
        let weighted: Vec<usize> = localities(priority).map(|(at, _)| at).collect();
        let read = priority
            .endpoints
            .iter()
            .filter(|of| weighted.contains(&of.locality));
        for endpoint in read.filter(|of| !of.health.flags.pending_dynamic_removal) {
            endpoints.push(GrpcEndpoint {
                addresses: vec![endpoint.address.clone()],
                health: endpoint.health.status,
            });
            if !reachable(endpoint.health) {
                refusing.push(endpoint.address.as_str());
            } else if used == Some(number) && serves(endpoint) {
                connected.push(endpoint.address.as_str());
            }
        }
    }
    let mut hosts = OverrideHosts::new(leaf.plain.override_statuses, u64::MAX);
    hosts.update(0, &endpoints);
    let states = [
        (connected, Connectivity::Ready),
        (refusing, Connectivity::TransientFailure),
    ];
    for (addresses, state) in states {
        for address in addresses {
            hosts.child_created(address);
            hosts.set_state(address, state);
        }
    }
    hosts
}

/// Why no address of a cookie serves.
fn no_host(leaf: &GrpcLeaf<'_>, hosts: &OverrideHosts, addresses: &str) -> SessionTarget {
    let mut unnamed = Vec::new();
    let mut why = Vec::new();
    for address in addresses.split(',').filter(|address| !address.is_empty()) {
        let priorities = leaf.plain.priorities.iter();
        let found = priorities.flat_map(|priority| {
            let weighted = |of: &Endpoint| localities(priority).any(|(at, _)| at == of.locality);
            let endpoints = priority.endpoints.iter();
            endpoints.map(move |of| (of, weighted(of)))
        });
        let mut found = found.filter(|(of, _)| of.address == address);
        why.push(match (found.next(), hosts.entry(address)) {
            (None, _) => {
                unnamed.push(address);
                format!("{address} is no host of {}", leaf.name)
            }
            (Some((_, false)), _) => format!("{address} is in a locality without a weight"),
            (Some((of, true)), _) if !reachable(of.health) => {
                format!("{address} accepts no connections")
            }
            (Some((of, true)), _) => format!(
                "{address} is {}, which keeps no session (override_host_status)",
                of.health.status.name()
            ),
        });
    }
    if leaf.more_addresses && !unnamed.is_empty() {
        SessionTarget::Unknown(format!(
            "{} is not the first address of a host of {}; additional_addresses are not modeled",
            unnamed.join(", "),
            leaf.name
        ))
    } else {
        SessionTarget::Policy(why.join(", "))
    }
}
