//! Results for a host that a request names: by a session or by an address.

use crate::{
    model::HealthStatus,
    route::{OverrideHost, StatefulSession},
    snapshot::HostRef,
};

/// Why a session cannot stay on its host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SessionMove {
    /// The host no longer exists.
    Gone,
    /// The host belongs to a cluster that the request cannot reach.
    OtherCluster,
    /// The host is not among the hosts that the request's criteria allow.
    OtherSubset,
    /// The status of the host keeps no session.
    Status(HealthStatus),
    /// The host has too many sessions.
    Hot,
}

impl SessionMove {
    /// The name in traces and metrics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::OtherCluster => "other_cluster",
            Self::OtherSubset => "other_subset",
            Self::Status(HealthStatus::Unknown) => "unknown",
            Self::Status(HealthStatus::Healthy) => "healthy",
            Self::Status(HealthStatus::Unhealthy) => "unhealthy",
            Self::Status(HealthStatus::Draining) => "draining",
            Self::Status(HealthStatus::Timeout) => "timeout",
            Self::Status(HealthStatus::Degraded) => "degraded",
            Self::Hot => "hot",
        }
    }
}

/// The result for a host that one of Envoy's own sessions names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionHost {
    /// The host serves the request.
    Accepted(HostRef),
    /// The cluster has no such host.
    Unknown,
    /// The cluster has no hosts of its own: an aggregate or an `ORIGINAL_DST` cluster.
    NoHosts,
    /// Hosts of this status keep no sessions.
    Status(HostRef, HealthStatus),
}

/// A host that serves because the request names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverrideTarget {
    /// By its session.
    Session(HostRef),
    /// By an address in the override host list.
    Listed(HostRef),
}

impl SessionHost {
    /// The status of the local reply to a strict session; `None` if its host serves.
    #[must_use]
    pub const fn refusal(self, session: &OverrideHost) -> Option<u16> {
        match self {
            Self::Accepted(_) => None,
            Self::Unknown | Self::NoHosts => Some(session.status_not_found),
            Self::Status(..) => Some(StatefulSession::UNAVAILABLE),
        }
    }
}

impl OverrideTarget {
    /// The host.
    #[must_use]
    pub const fn host(self) -> HostRef {
        match self {
            Self::Session(host) | Self::Listed(host) => host,
        }
    }
}
