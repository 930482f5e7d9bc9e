//! Hosts that requests name before a balancer chooses: Envoy's own sessions, and the policy that
//! takes addresses from headers and metadata.
//!
//! The filter does not come here: it keeps sessions of its own.

use alloc::{string::String, vec::Vec};

use super::{
    ChosenLevel, Decision, Facts, Reason, Request, State, begin, decide, drops, named_steps,
    rejects, selections,
};
use crate::{
    draw::Draw,
    load::HostClass,
    model::{Coarse, Health},
    route::{Headers, OverrideHost, SessionReading, StatefulSession, request_hash},
    snapshot::{ClusterId, HostRef, PlainSnapshot, Snapshot},
    trace::{NamedHost, NoTrace, SessionHost, Step, StepKind, Trace},
};

/// What a request says about its host.
#[derive(Debug, Clone, Default)]
pub struct Named<'a> {
    /// What each filter that keeps sessions makes of it; the last one that names a host counts.
    pub sessions: Vec<(&'a StatefulSession, SessionReading)>,
    /// The addresses that it names where the cluster's policy looks
    /// ([`PlainCluster::override_hosts`](crate::model::PlainCluster::override_hosts)).
    pub listed: Vec<String>,
}

/// What comes of everything that a request names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    /// A host.
    Host(NamedHost),
    /// No host, and nobody else may serve: the status of the answer.
    Refused(u16),
    /// The balancer chooses; `moved`: in place of a host that a session names.
    Balancer {
        /// Whether a session loses its host.
        moved: bool,
    },
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
    fn find(&self, cluster: ClusterId, address: &str) -> Option<HostRef> {
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

    fn health_of(&self, host: HostRef) -> Health {
        let level = self.levels.get(host.priority);
        level.map_or(Health::default(), |level| level.health(host.host))
    }
}

impl Named<'_> {
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
    pub fn resolve<H>(&self, snapshot: &Snapshot, request: &Request<'_, H>) -> Naming {
        self.settle(snapshot, request.cluster, &request.facts(), &mut NoTrace)
    }

    fn settle(
        &self,
        snapshot: &Snapshot,
        cluster: ClusterId,
        facts: &Facts<'_>,
        trace: &mut impl Trace,
    ) -> Naming {
        let session = self.session(facts);
        for (session, reading) in &self.sessions {
            trace.step_if(|| named_steps::reading(session, reading));
        }
        if let Some(session) = session {
            let found = snapshot.session_host(cluster, &session.address);
            trace.step(|| named_steps::session(snapshot, cluster, session, found));
            match (found, found.refusal(session)) {
                (SessionHost::Kept(host), _) => return Naming::Host(NamedHost::Session(host)),
                (_, Some(status)) if session.strict => return Naming::Refused(status),
                _ => {}
            }
        }
        let moved = session.is_some();
        let Some(plain) = snapshot.plain(cluster) else {
            return Naming::Balancer { moved };
        };
        if plain.settings.override_hosts.is_empty() || self.listed.is_empty() {
            return Naming::Balancer { moved };
        }
        let host = self.listed_host(snapshot, cluster, plain, facts);
        trace.step(|| named_steps::listed(cluster, &self.listed, host));
        match host {
            Some(host) => Naming::Host(NamedHost::Listed(host)),
            None => Naming::Balancer { moved },
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

/// As [`decide`], for a request that may name its host. Beside the decision stands the status of a
/// request that is refused because its session's host cannot serve.
pub fn decide_named<H: Headers>(
    snapshot: &Snapshot,
    state: &mut State,
    request: &Request<'_, H>,
    named: &Named<'_>,
    draw: &mut impl Draw,
    trace: &mut impl Trace,
) -> (Decision, Option<u16>) {
    let cluster = request.cluster;
    let mut told = Vec::new();
    let naming = named.settle(snapshot, cluster, &request.facts(), &mut told);
    if let Naming::Balancer { moved } = naming {
        let mut trace = Between {
            told,
            trace: &mut *trace,
        };
        let mut decision = decide(snapshot, state, request, draw, &mut trace);
        trace.tell();
        if moved && decision.reason == Reason::Chosen {
            decision.reason = Reason::SessionMoved;
        }
        return (decision, None);
    }
    let hash = request_hash(request.hash_policies, request.headers, &request.connection);
    begin(request, hash, trace);
    let settings = snapshot.plain(cluster).map(|plain| &plain.settings);
    if let Some(settings) = settings.filter(|settings| drops(settings, draw)) {
        trace.step(|| super::steps::dropped(cluster, settings));
        return (Decision::none(cluster, hash, Reason::Dropped), None);
    }
    for step in told {
        trace.step(|| step);
    }
    let (host, refused) = match naming {
        Naming::Host(host) => (Some(host), None),
        Naming::Refused(status) => (None, Some(status)),
        Naming::Balancer { .. } => (None, None),
    };
    let mut decision = Decision::none(cluster, hash, Reason::NoHost);
    if let Some(named) = host {
        trace.step(|| named_steps::host(named));
        decision.level = Some(level_of(snapshot, named.host()));
        decision.host = Some(named.host().host);
        decision.reason = match named {
            NamedHost::Session(_) => Reason::Session,
            NamedHost::Listed(_) => Reason::Chosen,
        };
    }
    (decision, refused)
}

/// The level of a host that was not chosen by level.
fn level_of(snapshot: &Snapshot, host: HostRef) -> ChosenLevel {
    let plain = snapshot.plain(host.cluster);
    let coarse = plain.map(|plain| plain.health_of(host).coarse());
    ChosenLevel {
        owner: host.cluster,
        priority: host.priority,
        class: match coarse {
            Some(Coarse::Degraded) => HostClass::Degraded,
            _ => HostClass::Healthy,
        },
        panic: false,
        source: None,
    }
}

/// Tells of the session behind what is asked and before what is chosen.
struct Between<'t, T> {
    told: Vec<Step>,
    trace: &'t mut T,
}

impl<T: Trace> Between<'_, T> {
    fn tell(&mut self) {
        for step in core::mem::take(&mut self.told) {
            self.trace.step(|| step);
        }
    }
}

impl<T: Trace> Trace for Between<'_, T> {
    fn step(&mut self, step: impl FnOnce() -> Step) {
        self.step_if(|| Some(step()));
    }

    fn step_if(&mut self, step: impl FnOnce() -> Option<Step>) {
        let Some(step) = step() else { return };
        if !matches!(step.kind(), StepKind::Route | StepKind::Criteria) {
            self.tell();
        }
        self.trace.step(|| step);
    }
}
