//! A fleet as the input of an evaluation.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};

use spillgate_core::model::Metadata;

use super::{
    CallerClass, CallerConfig, CapacityRule, FleetZone, LocalClusterHosts, LostCallers,
    TrafficPrice,
};

/// Callers, the clusters that they send requests to, and what the answer needs to know of hosts and traffic.
#[derive(Debug, Clone)]
pub struct Fleet {
    /// The configurations of the callers.
    pub configs: Vec<CallerConfig>,
    /// The callers.
    pub classes: Vec<CallerClass>,
    /// The subset criteria of the requests.
    pub criteria: Metadata,
    /// The hosts of the local cluster.
    pub local: LocalClusterHosts,
    /// What the callers of a lost zone do.
    pub lost_callers: LostCallers,
    /// The capacity of hosts: first the rules for all hosts, then the others in this order, of which the
    /// last that selects a host counts.
    pub capacities: Vec<CapacityRule>,
    /// The prices of traffic.
    pub prices: Vec<TrafficPrice>,
    /// The zones of hosts that their localities do not name, by address.
    pub zones: BTreeMap<String, FleetZone>,
    /// The addresses of hosts that pass their requests on to hosts of their zone, such as the ingress of a
    /// mesh zone.
    pub relays: BTreeSet<String>,
}
