//! Hosts that requests name before a balancer chooses: Envoy's own sessions, and the policy that
//! takes addresses from headers and metadata.
//!
//! The filter does not come here: it keeps sessions of its own.

use alloc::{string::String, vec::Vec};

use super::{OverrideTarget, Request, SessionHost, named_steps};
use crate::{
    plan::{Facts, rejects, selections},
    route::{OverrideHost, SessionReading, StatefulSession},
    snapshot::{ClusterId, HostRef, PlainSnapshot, Snapshot},
    trace::{NoTrace, Trace},
};

/// What a request says about its host.
#[derive(Debug, Clone, Default)]
pub struct OverrideRequest<'a> {
    /// What each filter that keeps sessions makes of it; the last one that names a host counts.
    pub sessions: Vec<(&'a StatefulSession, SessionReading)>,
    /// The addresses that it names where the cluster's policy looks
    /// ([`PlainCluster::override_hosts`](crate::model::PlainCluster::override_hosts)).
    pub listed: Vec<String>,
}

/// What comes of everything that a request names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverrideResolution {
    /// A host.
    Host(OverrideTarget),
    /// No host, and nobody else may serve: the status of the answer.
    Refused(u16),
    /// The balancer chooses; `moved`: in place of a host that a session names.
    Balancer {
        /// Whether a session loses its host.
        moved: bool,
    },
}

impl OverrideRequest<'_> {
    /// The host that sessions name. A retry does not look at it.
    fn session(&self, facts: &Facts<'_>) -> Option<&OverrideHost> {
        let mut readings = self.sessions.iter().rev();
        let named = readings.find_map(|(_, reading)| match reading {
            SessionReading::Named(host) => Some(host),
            _ => None,
        });
        named.filter(|_| facts.tried.is_empty())
    }

    /// What comes of it for a request. A request that is dropped beforehand gets no host all the
    /// same.
    #[must_use]
    pub fn resolve<H>(&self, snapshot: &Snapshot, request: &Request<'_, H>) -> OverrideResolution {
        self.settle(snapshot, request.cluster, &request.facts(), &mut NoTrace)
    }

    pub(super) fn settle(
        &self,
        snapshot: &Snapshot,
        cluster: ClusterId,
        facts: &Facts<'_>,
        trace: &mut impl Trace,
    ) -> OverrideResolution {
        let session = self.session(facts);
        for (session, reading) in &self.sessions {
            trace.step_if(|| named_steps::reading(session, reading));
        }
        if let Some(session) = session {
            let found = snapshot.session_host(cluster, &session.address);
            trace.step(|| named_steps::session(snapshot, cluster, session, found));
            match (found, found.refusal(session)) {
                (SessionHost::Kept(host), _) => {
                    return OverrideResolution::Host(OverrideTarget::Session(host));
                }
                (_, Some(status)) if session.strict => return OverrideResolution::Refused(status),
                _ => {}
            }
        }
        let moved = session.is_some();
        let Some(plain) = snapshot.plain(cluster) else {
            return OverrideResolution::Balancer { moved };
        };
        if plain.settings.override_hosts.is_empty() || self.listed.is_empty() {
            return OverrideResolution::Balancer { moved };
        }
        let host = self.listed_host(snapshot, cluster, plain, facts);
        trace.step(|| named_steps::listed(cluster, &self.listed, host));
        match host {
            Some(host) => OverrideResolution::Host(OverrideTarget::Listed(host)),
            None => OverrideResolution::Balancer { moved },
        }
    }

    /// The first host that is there, whatever its health; each further try takes the next one.
    fn listed_host(
        &self,
        snapshot: &Snapshot,
        cluster: ClusterId,
        plain: &PlainSnapshot,
        facts: &Facts<'_>,
    ) -> Option<HostRef> {
        let known = self.listed.iter();
        let known = known.filter_map(|address| plain.find(cluster, address));
        let mut known = known.skip(facts.tried.len());
        let mut host = None;
        for _ in 0..selections(facts) {
            host = known.next();
            if !host.is_some_and(|host| rejects(snapshot, facts, host)) {
                break;
            }
        }
        host
    }
}
