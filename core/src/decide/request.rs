//! What a decision is asked for, and what it may ask in turn.

use core::time::Duration;

use super::Sessions;
use crate::{
    load::hash_roll,
    model::Metadata,
    route::{Connection, HashPolicy, RetryPolicy},
    snapshot::{ClusterId, HostRef},
};

/// One request.
#[derive(Clone, Copy)]
pub struct Request<'a, H> {
    /// The cluster that it is routed to.
    pub cluster: ClusterId,
    /// How its hash is made.
    pub hash_policies: &'a [HashPolicy],
    /// Its headers.
    pub headers: &'a H,
    /// Where it comes from.
    pub connection: Connection<'a>,
    /// What it asks of a host, for subsets: the route's `metadata_match` and what filters added.
    pub criteria: &'a Metadata,
    /// What its route says about the hosts of retries.
    pub retry: &'a RetryPolicy,
    /// The hosts that were tried before, in order; empty for a first try.
    pub tried: &'a [HostRef],
    /// What is known of the hosts at this moment.
    pub hosts: &'a dyn HostStats,
    /// What decides between the members of an aggregate.
    pub cluster_choice: ClusterChoice,
    /// How sessions are kept, where they are.
    pub sessions: Option<Sessions<'a>>,
}

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
    pub(crate) tried: &'a [HostRef],
    pub(crate) hosts: &'a dyn HostStats,
    cluster_choice: ClusterChoice,
    /// What chooses by rendezvous hashing, where it does ([`Sessions::key`]).
    pub(crate) key: Option<u64>,
    /// Whether a host is asked for that is not hot ([`HostStats::is_hot`]).
    pub(crate) avoids_hot_hosts: bool,
}

impl Facts<'_> {
    /// The roll for a member of an aggregate, where a key or the request hash makes it.
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
    /// Requests under way to a host (`upstream_rq_active` of the host).
    fn active(&self, host: HostRef) -> u32 {
        let _ = host;
        0
    }

    /// Requests under way to all hosts of a cluster (its gauge `upstream_rq_active`).
    fn cluster_active(&self, cluster: ClusterId) -> u32 {
        let _ = cluster;
        0
    }

    /// Whether sessions that begin or move must avoid a host, because it has too many. Only requests
    /// with [`Request::sessions`] ask.
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

/// Hosts without requests that have been healthy for ever.
#[derive(Debug, Clone, Copy, Default)]
pub struct IdleHosts;

impl HostStats for IdleHosts {}

impl<'a, H> Request<'a, H> {
    pub(crate) const fn facts(&self) -> Facts<'a> {
        Facts {
            criteria: self.criteria,
            retry: self.retry,
            tried: self.tried,
            hosts: self.hosts,
            cluster_choice: self.cluster_choice,
            key: match &self.sessions {
                Some(sessions) => sessions.key,
                None => None,
            },
            avoids_hot_hosts: self.sessions.is_some(),
        }
    }

    /// A first try for a cluster, with nothing known beyond its headers.
    #[must_use]
    pub fn new(cluster: ClusterId, headers: &'a H) -> Self {
        static NO_CRITERIA: Metadata = Metadata::EMPTY;
        static NO_RETRY: RetryPolicy = RetryPolicy::NONE;
        Self {
            cluster,
            hash_policies: &[],
            headers,
            connection: Connection::default(),
            criteria: &NO_CRITERIA,
            retry: &NO_RETRY,
            tried: &[],
            hosts: &IdleHosts,
            cluster_choice: ClusterChoice::Random,
            sessions: None,
        }
    }
}

impl<H: core::fmt::Debug> core::fmt::Debug for Request<'_, H> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Request")
            .field("cluster", &self.cluster)
            .field("criteria", &self.criteria)
            .field("tried", &self.tried)
            .finish_non_exhaustive()
    }
}
