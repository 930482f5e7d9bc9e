//! The result of a decision.

use super::SessionMove;
use crate::{
    model::Endpoint,
    plan::ChosenPriority,
    snapshot::{ClusterId, HostRef, Snapshot},
    subset::{ChosenSubset, SetChoice},
};

/// The result of a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// The cluster that the request is routed to; the serving member if that is a composite cluster.
    pub cluster: ClusterId,
    /// The subset or chain step that was tried last; `None` for a cluster without subsets and
    /// chain.
    pub subset: Option<ChosenSubset>,
    /// The chain step whose hosts follow the chosen host in the candidate list; `None` if those of its own
    /// step do.
    pub next_step: Option<SetChoice>,
    /// The chosen priority and its hosts; `None` if no priority was chosen.
    pub priority: Option<ChosenPriority>,
    /// The index of the chosen host in its priority; `None` without a host.
    pub host: Option<usize>,
    /// The request hash, or the random number in its place; the session key if a session stays. 0
    /// if no number was used.
    pub hash: u64,
    /// Why the decision has this result.
    pub reason: Reason,
    /// Why the session of the request could not stay on its host; `None` if it stays or the request
    /// has no session.
    pub moved: Option<SessionMove>,
}

/// Why a decision has its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The policy chose a host.
    Chosen,
    /// The session stays on its host.
    Session,
    /// The session's host cannot serve; the policy chose another host.
    SessionMoved,
    /// No host is available.
    NoHost,
    /// The request was dropped before the choice of a host (`drop_overloads`).
    Dropped,
    /// The request itself has the destination (`ORIGINAL_DST`).
    PassThrough,
}

impl Reason {
    /// The name in traces and metrics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chosen => "chosen",
            Self::Session => "session",
            Self::SessionMoved => "session_moved",
            Self::NoHost => "no_host",
            Self::Dropped => "dropped",
            Self::PassThrough => "pass_through",
        }
    }
}

impl Decision {
    /// A decision without a host.
    pub(super) const fn none(cluster: ClusterId, hash: Option<u64>, reason: Reason) -> Self {
        Self {
            cluster,
            subset: None,
            next_step: None,
            priority: None,
            host: None,
            hash: match hash {
                Some(hash) => hash,
                None => 0,
            },
            reason,
            moved: None,
        }
    }

    /// The chosen host; `None` without a host.
    #[must_use]
    pub fn host_ref(&self) -> Option<HostRef> {
        let priority = self.priority?;
        Some(HostRef {
            cluster: priority.owner,
            priority: priority.number,
            host: self.host?,
        })
    }

    /// The endpoint of the chosen host; `None` without a host.
    #[must_use]
    pub fn endpoint<'s>(&self, snapshot: &'s Snapshot) -> Option<&'s Endpoint> {
        snapshot.endpoint(self.host_ref()?)
    }
}
