//! What of a request matters to its plan, and what is known of the hosts at that moment.

use core::time::Duration;

use crate::{
    load::hash_roll,
    model::Metadata,
    route::RetryPolicy,
    snapshot::{ClusterId, HostRef},
};

/// What decides between clusters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum ClusterChoice {
    /// A draw, as in Envoy.
    #[default]
    Random,
    /// The request hash, so that a key keeps to its cluster while the loads stay; a draw where
    /// the request has no hash. A balancer's own hash policies have no say in it.
    Hash,
}

/// What of a request matters besides its cluster and its hash.
#[derive(Clone, Copy)]
pub(crate) struct Facts<'a> {
    pub(crate) criteria: &'a Metadata,
    pub(crate) retry: &'a RetryPolicy,
    /// The hosts that were tried before, in order.
    pub(crate) tried: &'a [HostRef],
    pub(crate) hosts: &'a dyn HostStats,
    pub(crate) cluster_choice: ClusterChoice,
    /// The session key whose rendezvous hashing chooses the host, where one does.
    pub(crate) key: Option<u64>,
    /// Whether a host is wanted that is not hot ([`HostStats::is_hot`]).
    pub(crate) avoids_hot_hosts: bool,
}

impl Facts<'_> {
    /// The roll for a member of an aggregate, where a session key or the request hash makes it.
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

/// What is known of hosts at the moment of a decision.
pub trait HostStats {
    /// Active requests of a host (`upstream_rq_active` of the host).
    fn active(&self, host: HostRef) -> u32 {
        let _ = host;
        0
    }

    /// Active requests of all hosts of a cluster (its gauge `upstream_rq_active`).
    fn cluster_active(&self, cluster: ClusterId) -> u32 {
        let _ = cluster;
        0
    }

    /// Whether sessions that begin or move must avoid a host, because it has too many. Only requests
    /// with sessions ask.
    fn is_hot(&self, host: HostRef) -> bool {
        let _ = host;
        false
    }

    /// How long a host has been healthy, for slow start; `None` when long enough.
    fn healthy_for(&self, host: HostRef) -> Option<Duration> {
        let _ = host;
        None
    }
}

/// Hosts without active requests that have always been healthy.
#[derive(Debug, Clone, Copy, Default)]
pub struct IdleHosts;

impl HostStats for IdleHosts {}
