//! What a decision is asked for.

use super::Sessions;
use crate::{
    model::Metadata,
    plan::{ClusterChoice, Facts, HostStats, IdleHosts},
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
    /// How sessions are kept, where they are. For first tries: `tried` does not move a session.
    pub sessions: Option<Sessions<'a>>,
}

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
