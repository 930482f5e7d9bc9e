//! A change of hosts, health or active requests.

use alloc::vec::Vec;

use spillgate_core::snapshot::{ClusterId, Snapshot};

/// A change of hosts, health or active requests.
#[derive(Debug, Default)]
pub struct HostChange {
    /// The changed hosts.
    pub hosts: Hosts,
    /// New counts of active requests: by cluster, then by priority and host.
    pub active: Vec<(ClusterId, Vec<Vec<u32>>)>,
}

/// How the hosts of the clusters changed.
#[derive(Debug, Default)]
pub enum Hosts {
    /// Not at all.
    #[default]
    Same,
    /// Only health changed.
    NewHealth(Snapshot),
    /// Hosts were added, removed or changed in another way, so that a `HostRef` to the previous
    /// snapshot may refer to another host.
    NewHosts(Snapshot),
}
