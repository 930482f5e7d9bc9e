//! A decision for a request that may name its host.

use alloc::vec::Vec;

use super::{
    BalancerState, ChosenPriority, Decision, OverrideRequest, OverrideResolution, OverrideTarget,
    Reason, Request, begin, decide, drops, named_steps,
};
use crate::{
    draw::Draw,
    load::HostClass,
    model::Coarse,
    route::{Headers, request_hash},
    snapshot::{HostRef, Snapshot},
    trace::{Step, StepKind, Trace},
};

/// As [`decide`], for a request that may name its host. Beside the decision stands the status of a
/// request that is refused because its session's host cannot serve.
pub fn decide_with_override<H: Headers>(
    snapshot: &Snapshot,
    state: &mut BalancerState,
    request: &Request<'_, H>,
    named: &OverrideRequest<'_>,
    draw: &mut impl Draw,
    trace: &mut impl Trace,
) -> (Decision, Option<u16>) {
    let cluster = request.cluster;
    let mut told = Vec::new();
    let naming = named.settle(snapshot, cluster, &request.facts(), &mut told);
    if let OverrideResolution::Balancer { moved } = naming {
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
        OverrideResolution::Host(host) => (Some(host), None),
        OverrideResolution::Refused(status) => (None, Some(status)),
        OverrideResolution::Balancer { .. } => (None, None),
    };
    let mut decision = Decision::none(cluster, hash, Reason::NoHost);
    if let Some(named) = host {
        trace.step(|| named_steps::host(named));
        decision.priority = Some(priority_of(snapshot, named.host()));
        decision.host = Some(named.host().host);
        decision.reason = match named {
            OverrideTarget::Session(_) => Reason::Session,
            OverrideTarget::Listed(_) => Reason::Chosen,
        };
    }
    (decision, refused)
}

/// The priority of a host that was not chosen by priority.
fn priority_of(snapshot: &Snapshot, host: HostRef) -> ChosenPriority {
    let plain = snapshot.plain(host.cluster);
    let coarse = plain.map(|plain| plain.health_of(host).coarse());
    ChosenPriority {
        owner: host.cluster,
        number: host.priority,
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
