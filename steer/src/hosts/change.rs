//! A change of hosts.

use alloc::vec::Vec;

use spillgate_core::snapshot::{ClusterId, Snapshot};

/// A change of hosts.
#[derive(Debug, Default)]
pub struct HostChange {
    /// The clusters as they are now.
    pub hosts: Hosts,
    /// New counts of active requests: by cluster, then by priority and host.
    pub active: Vec<(ClusterId, Vec<Vec<u32>>)>,
}

/// The clusters as they are now.
#[derive(Debug, Default)]
pub enum Hosts {
    /// As before.
    #[default]
    Same,
    /// The same hosts with another health.
    NewHealth(Snapshot),
    /// Hosts were added, removed or changed otherwise, so that their numbers mean something else.
    NewHosts(Snapshot),
}
