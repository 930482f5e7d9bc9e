//! The input of a decision.

use super::Sessions;
use crate::{
    model::Metadata,
    plan::{ClusterChoice, Facts, HostStats, NoHostStats},
    route::{Connection, HashPolicy, RetryPolicy},
    snapshot::{ClusterId, HostRef},
};

/// One request to a cluster.
#[derive(Clone, Copy)]
pub struct Request<'a, H> {
    /// The cluster that the request is routed to.
    pub cluster: ClusterId,
    /// The hash policies of the route (`RouteAction.hash_policy`); empty for no request hash.
    pub hash_policies: &'a [HashPolicy],
    /// The request headers.
    pub headers: &'a H,
    /// The addresses of the connection.
    pub connection: Connection<'a>,
    /// The subset criteria: `metadata_match` of the route, overridden by weighted clusters and by
    /// dynamic metadata.
    pub criteria: &'a Metadata,
    /// The retry policy of the route, as far as it affects the choice of a host.
    pub retry: &'a RetryPolicy,
    /// The hosts of earlier attempts, in order; empty for a first attempt.
    pub tried: &'a [HostRef],
    /// Active requests and other facts about hosts at this moment.
    pub hosts: &'a dyn HostStats,
    /// How aggregates choose a member.
    pub cluster_choice: ClusterChoice,
    /// The filter's session affinity; `None` if it is disabled for this request. For first attempts:
    /// `tried` does not move a session.
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

    /// A first attempt with headers only: no hash policies, criteria, retry policy or sessions.
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
            hosts: &NoHostStats,
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
