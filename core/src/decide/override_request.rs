//! Override hosts: the hosts of Envoy's stateful sessions and of the `override_host` policy.
//!
//! The Wasm filter does not use this module; it keeps its own sessions
//! ([`Sessions`](super::Sessions)).

use alloc::{string::String, vec::Vec};

use super::{OverrideTarget, Request, SessionHost, override_steps};
use crate::{
    plan::Facts,
    route::{OverrideHost, SessionReading, StatefulSession},
    snapshot::{ClusterId, ClusterSnapshotKind, HostRef, PlainSnapshot, Snapshot},
    trace::{NoTrace, Trace},
};

/// The override hosts of a request.
#[derive(Debug, Clone, Default)]
pub struct OverrideRequest<'a> {
    /// The reading of each `stateful_session` filter, in filter order. The last one that names a
    /// host counts.
    pub sessions: Vec<(&'a StatefulSession, SessionReading)>,
    /// The addresses in the override host list, in order, from the sources of the cluster
    /// ([`PlainCluster::override_hosts`](crate::model::PlainCluster::override_hosts)).
    pub listed: Vec<String>,
}

/// The result for the override hosts of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverrideResolution {
    /// This host serves.
    Host(OverrideTarget),
    /// A strict session refuses the request with this status.
    Refused(u16),
    /// The policy of the cluster chooses.
    Balancer {
        /// Whether a session loses its host.
        moved: bool,
    },
}

impl OverrideRequest<'_> {
    /// The host of the session, for the first attempt: retries ignore it.
    #[must_use]
    pub fn session(&self) -> Option<&OverrideHost> {
        let mut readings = self.sessions.iter().rev();
        readings.find_map(|(_, reading)| match reading {
            SessionReading::Host(host) => Some(host),
            _ => None,
        })
    }

    /// Resolves the override hosts. Drop overload is not considered: a dropped request gets no host
    /// even if this returns one.
    #[must_use]
    pub fn resolve<H>(&self, snapshot: &Snapshot, request: &Request<'_, H>) -> OverrideResolution {
        self.resolve_for(snapshot, request.cluster, &request.facts(), &mut NoTrace)
    }

    pub(super) fn resolve_for(
        &self,
        snapshot: &Snapshot,
        cluster: ClusterId,
        facts: &Facts<'_>,
        trace: &mut impl Trace,
    ) -> OverrideResolution {
        let session = self.session().filter(|_| facts.tried.is_empty());
        for (session, reading) in &self.sessions {
            trace.step_if(|| override_steps::reading(session, reading));
        }
        if let Some(session) = session {
            let found = snapshot.session_host(cluster, &session.address);
            trace.step(|| override_steps::session(snapshot, cluster, session, found));
            match (found, found.refusal(session)) {
                (SessionHost::Accepted(host), _) => {
                    return OverrideResolution::Host(OverrideTarget::Session(host));
                }
                (_, Some(status)) if session.strict => return OverrideResolution::Refused(status),
                _ => {}
            }
        }
        let moved = session.is_some();
        let Some(plain) = snapshot.plain(cluster) else {
            return match self.host_of_composite(snapshot, cluster, facts.tried.len()) {
                Some(host) => {
                    trace.step(|| override_steps::listed(cluster, &self.listed, Some(host)));
                    OverrideResolution::Host(OverrideTarget::Listed(host))
                }
                None => OverrideResolution::Balancer { moved },
            };
        };
        if plain.settings.override_hosts.is_empty() || self.listed.is_empty() {
            return OverrideResolution::Balancer { moved };
        }
        let host = self.listed_host(snapshot, cluster, plain, facts);
        trace.step(|| override_steps::listed(cluster, &self.listed, host));
        match host {
            Some(host) => OverrideResolution::Host(OverrideTarget::Listed(host)),
            None => OverrideResolution::Balancer { moved },
        }
    }

    /// The host of an attempt through a composite cluster: the next known host of the member that serves
    /// the attempt. All members walk one list, and skip hosts of other members.
    fn host_of_composite(
        &self,
        snapshot: &Snapshot,
        cluster: ClusterId,
        attempts: usize,
    ) -> Option<HostRef> {
        let Some(ClusterSnapshotKind::Composite(composite)) =
            snapshot.cluster(cluster).map(|cluster| &cluster.kind)
        else {
            return None;
        };
        let mut rest = self.listed.iter();
        let mut found = None;
        for attempt in 0..=attempts {
            let member = composite.of_attempt(attempt).next()?;
            let plain = snapshot.plain(member)?;
            found = if plain.settings.override_hosts.is_empty() {
                None
            } else {
                rest.find_map(|address| plain.find(member, address))
            };
        }
        found
    }

    /// The first known host of the list, whatever its health. Each further attempt takes the next
    /// known host; retry host predicates do not reject it. An attempt that a session served used
    /// none.
    fn listed_host(
        &self,
        snapshot: &Snapshot,
        cluster: ClusterId,
        plain: &PlainSnapshot,
        facts: &Facts<'_>,
    ) -> Option<HostRef> {
        let known = self.listed.iter();
        let mut known = known.filter_map(|address| plain.find(cluster, address));
        let used = match (facts.tried.len(), self.session()) {
            (0, _) => 0,
            (tried, Some(session)) => match snapshot.session_host(cluster, &session.address) {
                SessionHost::Accepted(_) => tried.saturating_sub(1),
                _ => tried,
            },
            (tried, None) => tried,
        };
        known.nth(used)
    }
}
