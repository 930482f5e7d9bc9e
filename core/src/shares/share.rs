//! What each host gets.

use alloc::vec::Vec;

use crate::snapshot::ClusterId;

/// Where the requests for a cluster go, in percent of them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Distribution {
    /// How many find no host, those that are dropped beforehand among them.
    pub no_host: f64,
    /// Who gets the rest; hosts that get nothing are left out.
    pub shares: Vec<Share>,
}

/// The share of one host.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// The cluster that owns the host; under an aggregate one of its members.
    pub owner: ClusterId,
    /// The host's priority in that cluster.
    pub priority: usize,
    /// Its index in the priority.
    pub host: usize,
    /// Percent of the requests, above 0 and at most 100.
    pub share: f64,
}
