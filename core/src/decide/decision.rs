//! The answer to a request.

use super::SessionMove;
use crate::{
    model::Endpoint,
    plan::ChosenPriority,
    snapshot::{ClusterId, HostRef, Snapshot},
    subset::ChosenSubset,
};

/// The answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// The cluster that was asked for.
    pub cluster: ClusterId,
    /// The subset that was asked last, in a cluster that has subsets or a chain of them.
    pub subset: Option<ChosenSubset>,
    /// The priority that was chosen; `None` when there is no priority at all.
    pub priority: Option<ChosenPriority>,
    /// The index of the host in that priority.
    pub host: Option<usize>,
    /// The request hash, or the draw that stood in for it; of a session that stays, its key.
    pub hash: u64,
    /// Why it is what it is.
    pub reason: Reason,
    /// Why the request's session could not stay where it was, if it had one that could not.
    pub moved: Option<SessionMove>,
}

/// Why a decision is what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The policy chose a host.
    Chosen,
    /// The session's host serves on.
    Session,
    /// The session's host cannot serve; another one was chosen.
    SessionMoved,
    /// There was none to choose.
    NoHost,
    /// The request was dropped before a host was sought (`drop_overloads`).
    Dropped,
    /// The request itself says where it goes (`ORIGINAL_DST`).
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
    /// No host, for a reason.
    pub(super) const fn none(cluster: ClusterId, hash: Option<u64>, reason: Reason) -> Self {
        Self {
            cluster,
            subset: None,
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

    /// The host that was chosen.
    #[must_use]
    pub fn host_ref(&self) -> Option<HostRef> {
        let priority = self.priority?;
        Some(HostRef {
            cluster: priority.owner,
            priority: priority.number,
            host: self.host?,
        })
    }

    /// The endpoint that was chosen.
    #[must_use]
    pub fn endpoint<'s>(&self, snapshot: &'s Snapshot) -> Option<&'s Endpoint> {
        snapshot.endpoint(self.host_ref()?)
    }
}
