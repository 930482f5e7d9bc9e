//! The facts about a request and about hosts that a plan depends on.
//!
//! Active requests, the time since a host became healthy and the hosts already tried change with
//! each request. So they come from `HostStats` and `Request`, not from the snapshot, and a pick
//! does not allocate.

use core::time::Duration;

use crate::{
    load::hash_roll,
    model::Metadata,
    route::RetryPolicy,
    snapshot::{ClusterId, HostRef},
};

/// How an aggregate cluster chooses a member.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum ClusterChoice {
    /// By a random number, as in Envoy.
    #[default]
    Random,
    /// By the request hash of the route, so that a key stays with its cluster while the loads are
    /// the same. Requests without a hash use a random number. Hash policies of a load-balancing
    /// policy do not count.
    Hash,
}

/// The facts about a request, except its cluster and its hash.
#[derive(Clone, Copy)]
pub(crate) struct Facts<'a> {
    pub(crate) criteria: &'a Metadata,
    pub(crate) retry: &'a RetryPolicy,
    /// The hosts of earlier attempts, in order.
    pub(crate) tried: &'a [HostRef],
    pub(crate) hosts: &'a dyn HostStats,
    pub(crate) cluster_choice: ClusterChoice,
    /// The session key, if rendezvous hashing of it chooses the host.
    pub(crate) key: Option<u64>,
    /// Whether hot hosts are avoided ([`HostStats::is_hot`]).
    pub(crate) avoids_hot_hosts: bool,
}

impl Facts<'_> {
    /// The roll for the member of an aggregate, if a session key or the request hash determines it.
    pub(crate) fn roll(&self, hash: Option<u64>) -> Option<u64> {
        if let Some(key) = self.key {
            return Some(hash_roll(key));
        }
        match self.cluster_choice {
            ClusterChoice::Random => None,
            ClusterChoice::Hash => hash.map(hash_roll),
        }
    }
}

/// Facts about hosts at the time of a decision. All methods have defaults for idle hosts.
///
/// # Examples
/// ```
/// use spillgate_core::decide::HostStats;
/// use spillgate_core::snapshot::HostRef;
///
/// struct FirstIsBusy;
///
/// impl HostStats for FirstIsBusy {
///     fn active(&self, host: HostRef) -> u32 {
///         if host.host == 0 { 10 } else { 0 }
///     }
/// }
/// ```
pub trait HostStats {
    /// The number of active requests of a host (`upstream_rq_active` of the host).
    fn active(&self, host: HostRef) -> u32 {
        let _ = host;
        0
    }

    /// The number of active requests of all hosts of a cluster (gauge `upstream_rq_active` of the
    /// cluster).
    fn cluster_active(&self, cluster: ClusterId) -> u32 {
        let _ = cluster;
        0
    }

    /// Whether new and moved sessions avoid the host because it has too many sessions. Only called
    /// for requests with sessions.
    fn is_hot(&self, host: HostRef) -> bool {
        let _ = host;
        false
    }

    /// How long the host has been healthy, for slow start; `None` if slow start is over.
    fn healthy_for(&self, host: HostRef) -> Option<Duration> {
        let _ = host;
        None
    }
}

/// Hosts without active requests that have always been healthy.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoHostStats;

impl HostStats for NoHostStats {}
