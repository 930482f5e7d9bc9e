//! The answer to a request.

use crate::{
    load::HostClass,
    model::Endpoint,
    snapshot::{ClusterId, Snapshot},
};

/// The answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// The cluster that was asked for.
    pub cluster: ClusterId,
    /// The level that was chosen; `None` when there is no level at all.
    pub level: Option<ChosenLevel>,
    /// The index of the host in that level.
    pub host: Option<usize>,
    /// The request hash, or the draw that stood in for it.
    pub hash: u64,
}

/// A level, and which of its hosts serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChosenLevel {
    /// The cluster that owns it; under an aggregate one of its members.
    pub owner: ClusterId,
    /// Its number in that cluster.
    pub priority: usize,
    /// Which hosts the load was meant for.
    pub class: HostClass,
    /// Whether it serves from all its hosts.
    pub panic: bool,
}

/// Why a decision is what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The policy chose a host.
    Chosen,
    /// There was none to choose.
    NoHost,
}

impl Reason {
    /// The name in traces and metrics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chosen => "chosen",
            Self::NoHost => "no_host",
        }
    }
}

impl Decision {
    /// Why.
    #[must_use]
    pub const fn reason(&self) -> Reason {
        match self.host {
            Some(_) => Reason::Chosen,
            None => Reason::NoHost,
        }
    }

    /// The endpoint that was chosen.
    #[must_use]
    pub fn endpoint<'s>(&self, snapshot: &'s Snapshot) -> Option<&'s Endpoint> {
        let level = self.level?;
        let levels = &snapshot.plain(level.owner)?.levels;
        levels.get(level.priority)?.level.endpoints.get(self.host?)
    }
}
