//! Session affinity of the filter: the session of a request and the rules that keep it on its host.

use crate::{
    model::OverrideStatuses,
    snapshot::{ClusterId, HostRef},
};

/// The session affinity of a request.
///
/// A session stays on its host while the host exists, belongs to a cluster that the request can
/// reach, is in an allowed subset, and has one of the [`statuses`](Self::statuses). The priority of
/// the host does not matter (gRFC A75). This works across aggregates and weighted clusters, which
/// Envoy's own stateful sessions do not support.
///
/// # Examples
/// A session stays on its host, even if the host drains.
/// ```
/// use spillgate_core::{
///     decide::{BalancerState, OnLost, Reason, Request, Session, Sessions, decide},
///     draw::SplitMix64,
///     model::*,
///     route::HeaderList,
///     snapshot::{HostRef, Snapshot},
///     trace::NoTrace,
/// };
///
/// let draining = Endpoint {
///     health: Health::from_status(HealthStatus::Draining),
///     ..Endpoint::new("10.0.0.2:80")
/// };
/// let hosts = vec![Endpoint::new("10.0.0.1:80"), draining];
/// let shop = PlainCluster {
///     priorities: vec![Priority::single_locality(hosts)],
///     ..PlainCluster::default()
/// };
/// let snapshot = Snapshot::build(&Model::new(vec![Cluster::plain("shop", shop)]).unwrap());
/// let cluster = snapshot.cluster_id("shop").unwrap();
/// let host = HostRef { cluster, priority: 0, host: 1 };
/// let sessions = Sessions {
///     session: Some(Session { host: Some(host) }),
///     statuses: OverrideStatuses::DEFAULT.with(HealthStatus::Draining),
///     clusters: &[],
///     on_lost: OnLost::Rebalance,
///     key: None,
/// };
/// let headers = HeaderList::<&str, &str>(&[]);
/// let request = Request { sessions: Some(sessions), ..Request::new(cluster, &headers) };
///
/// let mut draw = SplitMix64::new(7);
/// let mut state = BalancerState::new(&snapshot, &mut draw);
/// let decision = decide(&snapshot, &mut state, &request, &mut draw, &mut NoTrace);
/// assert_eq!((decision.reason, decision.host), (Reason::Session, Some(1)));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Sessions<'a> {
    /// The session of the request; `None` for a request without a valid token.
    pub session: Option<Session>,
    /// The host statuses in which a session may stay.
    pub statuses: OverrideStatuses,
    /// Other clusters that the request could have been routed to, such as those of a weighted
    /// split. The session may stay in any of them.
    pub clusters: &'a [ClusterId],
    /// What happens if the session's host cannot serve.
    pub on_lost: OnLost,
    /// The session key: rendezvous hashing of this key chooses the host of a new or moved session,
    /// so that all replicas choose the same host. `None`: the policy of the cluster chooses.
    pub key: Option<u64>,
}

/// The session of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Session {
    /// The host of the session; `None` if it no longer exists.
    pub host: Option<HostRef>,
}

/// What happens to a session whose host cannot serve.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OnLost {
    /// The session moves to another host.
    #[default]
    Rebalance,
    /// The request is refused; the decision has no host.
    Refuse,
}
