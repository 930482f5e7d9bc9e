//! A host that a request names: whether it serves.

use crate::{
    model::{Health, HealthStatus},
    route::{OverrideHost, StatefulSession},
    snapshot::{ClusterId, HostRef, PlainSnapshot, Snapshot},
};

/// What becomes of the host that a session names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionHost {
    /// It serves.
    Kept(HostRef),
    /// The cluster has no such host.
    NoMember,
    /// The cluster has no hosts of its own: an aggregate, or one that goes where requests say.
    NoHosts,
    /// Hosts of this status keep no sessions.
    Status(HostRef, HealthStatus),
}

/// A host that a request names and gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverrideTarget {
    /// By its session.
    Session(HostRef),
    /// By an address where the policy looks.
    Listed(HostRef),
}

impl Snapshot {
    /// What becomes of the host that a session names, in the cluster that the request is routed
    /// to: its level and its subsets do not matter (`HostUtility::selectOverrideHost`).
    #[must_use]
    pub fn session_host(&self, cluster: ClusterId, address: &str) -> SessionHost {
        let Some(plain) = self.plain(cluster) else {
            return SessionHost::NoHosts;
        };
        let Some(host) = plain.find(cluster, address) else {
            return SessionHost::NoMember;
        };
        let status = plain.health_of(host).session_status();
        match plain.settings.override_statuses.contains(status) {
            true => SessionHost::Kept(host),
            false => SessionHost::Status(host, status),
        }
    }
}

impl PlainSnapshot {
    /// The host of an address; of several the first one, as in Envoy's map of hosts.
    pub(super) fn find(&self, cluster: ClusterId, address: &str) -> Option<HostRef> {
        let mut levels = self.levels.iter().enumerate();
        levels.find_map(|(priority, level)| {
            let mut endpoints = level.level.endpoints.iter();
            let host = endpoints.position(|endpoint| endpoint.address == address)?;
            Some(HostRef {
                cluster,
                priority,
                host,
            })
        })
    }

    pub(super) fn health_of(&self, host: HostRef) -> Health {
        let level = self.levels.get(host.priority);
        level.map_or(Health::default(), |level| level.health(host.host))
    }
}

impl SessionHost {
    /// The status with which a strict session is refused; `None` where its host serves.
    #[must_use]
    pub const fn refusal(self, session: &OverrideHost) -> Option<u16> {
        match self {
            Self::Kept(_) => None,
            Self::NoMember | Self::NoHosts => Some(session.status_not_found),
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
