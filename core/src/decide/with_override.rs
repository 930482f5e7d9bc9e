//! Decisions for requests with an Envoy stateful session or an override host list.

use alloc::vec::Vec;

use super::{
    BalancerState, ChosenPriority, Decision, OverrideRequest, OverrideResolution, OverrideTarget,
    Reason, Request, begin, decide, drops, override_steps,
};
use crate::{
    draw::Draw,
    load::HostClass,
    model::CoarseHealth,
    route::{Headers, request_hash},
    snapshot::{HostRef, Snapshot},
    trace::{Step, StepKind, Trace},
};

/// As [`decide`], for a request that may name its host. The second value is the status of the local
/// reply if a strict session refuses the request because its host cannot serve.
///
/// # Examples
/// ```
/// use spillgate_core::{
///     decide::{BalancerState, OverrideRequest, Reason, Request, decide_with_override},
///     draw::SplitMix64,
///     model::*,
///     route::HeaderList,
///     snapshot::Snapshot,
///     trace::NoTrace,
/// };
///
/// let hosts = ["10.0.0.1:80", "10.0.0.2:80"].map(Endpoint::new);
/// let shop = PlainCluster {
///     priorities: vec![Priority::single_locality(hosts.into())],
///     override_hosts: vec![OverrideHostSource::Header("x-hosts".into())],
///     ..PlainCluster::default()
/// };
/// let snapshot = Snapshot::build(&Model::new(vec![Cluster::plain("shop", shop)]).unwrap());
/// let mut draw = SplitMix64::new(7);
/// let mut state = BalancerState::new(&snapshot, &mut draw);
/// let headers = HeaderList::<&str, &str>(&[]);
/// let request = Request::new(snapshot.cluster_id("shop").unwrap(), &headers);
/// let overrides = OverrideRequest {
///     listed: vec!["10.9.9.9:80".into(), "10.0.0.2:80".into()],
///     ..OverrideRequest::default()
/// };
///
/// let (decision, refused) =
///     decide_with_override(&snapshot, &mut state, &request, &overrides, &mut draw, &mut NoTrace);
/// assert_eq!(decision.endpoint(&snapshot).unwrap().address, "10.0.0.2:80");
/// assert_eq!((decision.reason, refused), (Reason::Chosen, None));
/// ```
pub fn decide_with_override<H: Headers>(
    snapshot: &Snapshot,
    state: &mut BalancerState,
    request: &Request<'_, H>,
    overrides: &OverrideRequest<'_>,
    draw: &mut impl Draw,
    trace: &mut impl Trace,
) -> (Decision, Option<u16>) {
    let cluster = request.cluster;
    let mut session_steps = Vec::new();
    let resolution = overrides.resolve_for(snapshot, cluster, &request.facts(), &mut session_steps);
    if let OverrideResolution::Balancer { moved } = resolution {
        let mut trace = SessionStepsFirst {
            session_steps,
            trace: &mut *trace,
        };
        let mut decision = decide(snapshot, state, request, draw, &mut trace);
        trace.flush();
        if moved && decision.reason == Reason::Chosen {
            decision.reason = Reason::SessionMoved;
        }
        return (decision, None);
    }
    let hash = request_hash(request.hash_policies, request.headers, &request.connection);
    begin(request, hash, trace);
    let settings = snapshot.plain(cluster).map(|plain| &plain.settings);
    if let Some(settings) = settings.filter(|settings| drops(settings, request, draw)) {
        trace.step(|| super::steps::dropped(cluster, settings));
        return (Decision::none(cluster, hash, Reason::Dropped), None);
    }
    for step in session_steps {
        trace.step(|| step);
    }
    let (host, refused) = match resolution {
        OverrideResolution::Host(host) => (Some(host), None),
        OverrideResolution::Refused(status) => (None, Some(status)),
        OverrideResolution::Balancer { .. } => (None, None),
    };
    let mut decision = Decision::none(cluster, hash, Reason::NoHost);
    if let Some(target) = host {
        trace.step(|| override_steps::host(target));
        decision.priority = Some(priority_of(snapshot, target.host()));
        decision.host = Some(target.host().host);
        decision.reason = match target {
            OverrideTarget::Session(_) => Reason::Session,
            OverrideTarget::Listed(_) => Reason::Chosen,
        };
    }
    (decision, refused)
}

/// The priority of a host that was chosen without a choice of priority.
fn priority_of(snapshot: &Snapshot, host: HostRef) -> ChosenPriority {
    let plain = snapshot.plain(host.cluster);
    let coarse = plain.map(|plain| plain.health_of(host).coarse());
    ChosenPriority {
        owner: host.cluster,
        number: host.priority,
        class: match coarse {
            Some(CoarseHealth::Degraded) => HostClass::Degraded,
            _ => HostClass::Healthy,
        },
        panic: false,
        source: None,
    }
}

/// Inserts the steps of the session after the route and criteria steps and before all others.
struct SessionStepsFirst<'t, T> {
    session_steps: Vec<Step>,
    trace: &'t mut T,
}

impl<T: Trace> SessionStepsFirst<'_, T> {
    fn flush(&mut self) {
        for step in core::mem::take(&mut self.session_steps) {
            self.trace.step(|| step);
        }
    }
}

impl<T: Trace> Trace for SessionStepsFirst<'_, T> {
    const NUMBERED: bool = T::NUMBERED;

    fn step(&mut self, step: impl FnOnce() -> Step) {
        self.step_if(|| Some(step()));
    }

    fn step_if(&mut self, step: impl FnOnce() -> Option<Step>) {
        let Some(step) = step() else { return };
        if !matches!(step.kind(), StepKind::Route | StepKind::Criteria) {
            self.flush();
        }
        self.trace.step(|| step);
    }
}
