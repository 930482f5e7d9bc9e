//! The shares of hosts.

use alloc::vec::Vec;

use crate::snapshot::{ClusterId, HostRef};

/// The distribution of the requests for a cluster, in percent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Distribution {
    /// The percentage of requests without a host, 0 to 100. It includes dropped requests.
    pub no_host: f64,
    /// The shares of the hosts. Hosts without requests are omitted.
    pub shares: Vec<Share>,
}

/// The share of one host.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// The cluster of the host; for an aggregate, one of its members.
    pub owner: ClusterId,
    /// The priority of the host in that cluster, from 0.
    pub priority: usize,
    /// The index of the host in the priority.
    pub host: usize,
    /// Percent of the requests, above 0 and at most 100.
    pub share: f64,
}

impl Share {
    /// The host.
    #[must_use]
    pub const fn host_ref(&self) -> HostRef {
        HostRef {
            cluster: self.owner,
            priority: self.priority,
            host: self.host,
        }
    }
}
