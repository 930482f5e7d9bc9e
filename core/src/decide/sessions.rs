//! Sessions: what a request brings, and how it is kept.

use crate::{
    model::OverrideStatuses,
    snapshot::{ClusterId, HostRef},
};

/// How sessions are kept (gRFC A75: whatever the host's priority; ours: in every cluster that the
/// request may reach, and never outside its subset).
#[derive(Debug, Clone, Copy)]
pub struct Sessions<'a> {
    /// The session that the request brings.
    pub session: Option<Session>,
    /// The states of a host that it may stay on.
    pub statuses: OverrideStatuses,
    /// The clusters that the request might have been sent to instead, such as those of a weighted
    /// split: the session may stay in any of them.
    pub clusters: &'a [ClusterId],
    /// What becomes of a session whose host cannot serve.
    pub on_lost: OnLost,
    /// Chooses the host of a session that begins or moves by rendezvous hashing of this key, so that
    /// every replica chooses alike. Without it the cluster's own policy chooses.
    pub key: Option<u64>,
}

/// A session that a request brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Session {
    /// Its host; none where it is no longer there.
    pub host: Option<HostRef>,
}

/// What becomes of a session whose host cannot serve.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OnLost {
    /// It moves to another host.
    #[default]
    Rebalance,
    /// The request is refused; the decision has no host.
    Refuse,
}
