//! The decision for one request: the host that Envoy would choose.
//!
//! [`decide`] is the entry point of the Wasm filter, the web page and the CLI. It is a function of
//! its arguments:
//!
//! - a [`Snapshot`]: the compiled configuration and host health,
//! - a [`BalancerState`]: round-robin positions and EDF schedules of one worker,
//! - a [`Request`]: cluster, headers, criteria, earlier attempts, sessions,
//! - a [`Draw`]: the random numbers,
//! - a [`Trace`]: receives the steps of the decision, or ignores them
//!   ([`NoTrace`](crate::trace::NoTrace)).
//!
//! [`decide_with_override`] additionally handles Envoy's own stateful sessions and override host
//! lists.
//!
//! The functions of `core/src/decide/` return the decision as their last expression, which the
//! compiler writes to its final location, and pass small values instead of references to structs: a
//! decision that is copied from function to function waits for the store buffer of the processor,
//! which once made 25 % more instructions take 80 % more time. Sessions, retries and further
//! subsets are separate functions that other requests never call.

mod candidates;
#[cfg(feature = "composite")]
mod composite;
mod decision;
mod host;
mod member;
mod next_step;
mod numbers;
mod original_dst;
mod override_request;
mod override_steps;
mod override_target;
mod pick;
mod priority;
mod recorded;
mod request;
mod session;
mod sessions;
mod state;
mod steps;
mod with_override;

pub use candidates::{MAXIMUM_CANDIDATES, SessionSpread};
pub use decision::{Decision, Reason};
pub use original_dst::original_destination;
pub use override_request::{OverrideRequest, OverrideResolution};
pub use request::Request;
pub use sessions::{OnLost, Session, Sessions};
pub use with_override::decide_with_override;

pub use crate::trace::{OverrideTarget, SessionHost, SessionMove};
pub use state::BalancerState;

pub use crate::{
    plan::{ChosenPriority, ClusterChoice, HostStats, NoHostStats},
    subset::ChosenSubset,
};

use self::pick::Pick;
use crate::{
    draw::Draw,
    plan::{ClusterPlan, Facts},
    route::{Headers, request_hash},
    snapshot::{ClusterSnapshotKind, HostRef, Settings, Snapshot},
    trace::Trace,
};

/// Chooses a host for a request.
///
/// The function always returns a decision; a request without a host has [`Reason::NoHost`]. It
/// makes random draws in Envoy's order: drop overload, the aggregate's choice of a linearized
/// priority, the choice of the priority, zone-aware routing, the policy. It allocates nothing,
/// except for recomputed loads of a retry, for repeated or rewritten headers in a request hash, and
/// for the steps of a trace.
///
/// If the model has a subset fallback chain, the first step with enough healthy hosts serves with
/// its own priorities, loads and panic mode. Hosts outside the step are never chosen.
///
/// # Examples
/// ```
/// use spillgate_core::{
///     decide::{BalancerState, Reason, Request, decide},
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
///     ..PlainCluster::default()
/// };
/// let snapshot = Snapshot::build(&Model::new(vec![Cluster::plain("shop", shop)]).unwrap());
/// let mut draw = SplitMix64::new(7);
/// let mut state = BalancerState::new(&snapshot, &mut draw);
/// let headers = HeaderList(&[("x-user", "ann")]);
/// let request = Request::new(snapshot.cluster_id("shop").unwrap(), &headers);
///
/// let decision = decide(&snapshot, &mut state, &request, &mut draw, &mut NoTrace);
/// assert_eq!(decision.reason, Reason::Chosen);
/// assert!(decision.endpoint(&snapshot).is_some());
/// ```
pub fn decide<H: Headers>(
    snapshot: &Snapshot,
    state: &mut BalancerState,
    request: &Request<'_, H>,
    draw: &mut impl Draw,
    trace: &mut impl Trace,
) -> Decision {
    decide_leaving(snapshot, state, request, draw, trace, |_| false)
}

/// As [`decide`]. In addition, a session leaves its host if `leaves` returns true for the host and
/// another host, which is not [hot](HostStats::is_hot), can serve the request.
pub fn decide_leaving<H: Headers>(
    snapshot: &Snapshot,
    state: &mut BalancerState,
    request: &Request<'_, H>,
    draw: &mut impl Draw,
    trace: &mut impl Trace,
    leaves: impl FnOnce(HostRef) -> bool,
) -> Decision {
    let hash = request_hash(request.hash_policies, request.headers, &request.connection);
    begin(request, hash, trace);
    let facts = request.facts();
    let context = DecisionContext {
        snapshot,
        request,
        facts: &facts,
        hash,
        is_member: false,
    };
    match &request.sessions {
        None => context.choose(state, draw, trace),
        Some(sessions) => context.keep_or_choose(sessions, state, draw, trace, leaves),
    }
}

/// The request, its hash and the facts that the decision depends on.
struct DecisionContext<'a, H> {
    snapshot: &'a Snapshot,
    request: &'a Request<'a, H>,
    facts: &'a Facts<'a>,
    hash: Option<u64>,
    /// Whether a composite cluster asks its member, whose requests are not dropped.
    is_member: bool,
}

impl<H: Headers> DecisionContext<'_, H> {
    /// Keeps the session on its host if possible. A separate function, so that a request without a
    /// session does not pay for it.
    #[inline(never)]
    fn keep_or_choose(
        &self,
        sessions: &Sessions<'_>,
        state: &mut BalancerState,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
        leaves: impl FnOnce(HostRef) -> bool,
    ) -> Decision {
        let snapshot = self.snapshot;
        let Some(session) = sessions.session else {
            return self.choose(state, draw, trace);
        };
        let cluster = self.request.cluster;
        let stays = session::stay(snapshot, cluster, self.facts, sessions, session);
        if stays.is_ok()
            && let Some(host) = session.host
            && leaves(host)
            && let Some(decision) = self.leave(session, host, state, draw, trace)
        {
            return decision;
        }
        trace.step(|| override_steps::affinity(session, stays.map(drop)));
        let moved = match stays {
            Ok(decision) => return unless_dropped(snapshot, decision, draw, trace),
            Err(moved) => Some(moved),
        };
        let decision = match sessions.on_lost {
            OnLost::Rebalance => self.choose(state, draw, trace),
            OnLost::Refuse => self.none(Reason::NoHost),
        };
        let reason = match decision.reason {
            Reason::Chosen => Reason::SessionMoved,
            reason => reason,
        };
        Decision {
            reason,
            moved,
            ..decision
        }
    }

    /// The decision for a session that leaves its host; `None` if no better host can serve, so that
    /// the session stays.
    fn leave(
        &self,
        session: Session,
        host: HostRef,
        state: &mut BalancerState,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> Option<Decision> {
        trace.step(|| override_steps::affinity(session, Err(SessionMove::Hot)));
        let decision = self.choose(state, draw, trace);
        let other = decision.host_ref()?;
        let is_better = other != host && !self.facts.hosts.is_hot(other);
        is_better.then_some(Decision {
            reason: Reason::SessionMoved,
            moved: Some(SessionMove::Hot),
            ..decision
        })
    }

    const fn none(&self, reason: Reason) -> Decision {
        Decision::none(self.request.cluster, self.hash, reason)
    }

    /// Chooses a host by the cluster's policy.
    fn choose(
        &self,
        state: &mut BalancerState,
        draw: &mut impl Draw,
        trace: &mut impl Trace,
    ) -> Decision {
        let (snapshot, request) = (self.snapshot, self.request);
        let cluster = request.cluster;
        let (owner, plain, forced, step) = match snapshot.cluster(cluster).map(|found| &found.kind)
        {
            Some(ClusterSnapshotKind::Plain(plain)) => {
                // Envoy drops before it chooses a host, and only first attempts (`Filter::decodeHeaders`
                // of the router).
                if !self.is_member && drops(&plain.settings, request, draw) {
                    trace.step(|| steps::dropped(cluster, &plain.settings));
                    return self.none(Reason::Dropped);
                }
                let step = plain.serving_step(request.criteria, |at, index, verdict| {
                    trace.step(|| steps::chain_step(at, index, verdict));
                });
                let Ok(step) = step else {
                    return self.none(Reason::NoHost);
                };
                (cluster, plain, None, step)
            }
            Some(ClusterSnapshotKind::Aggregate(aggregate)) => {
                let Some(member) = self.choose_member(aggregate, draw, trace) else {
                    return self.none(Reason::NoHost);
                };
                let Some(plain) = snapshot.plain(member.id) else {
                    return self.none(Reason::NoHost);
                };
                (member.id, plain, Some(member.priority), member.step)
            }
            #[cfg(feature = "composite")]
            Some(ClusterSnapshotKind::Composite(composite)) => {
                return self.choose_of_composite(composite, state, draw, trace);
            }
            Some(ClusterSnapshotKind::OriginalDst(_)) => return self.none(Reason::PassThrough),
            // Also a composite cluster in a build without them.
            _ => return self.none(Reason::NoHost),
        };
        let own = &plain.settings.hash_policies;
        let mut hash = self.hash;
        if !own.is_empty() {
            let connection = request.connection.passed_on(forced.is_some());
            hash = request_hash(own, request.headers, &connection);
            trace.step(|| steps::own_hash(owner, hash));
        }
        let pick = Pick {
            plan: ClusterPlan::new(snapshot, self.facts, owner, plain, forced),
            cluster,
            hash,
        };
        pick.run(step, state, draw, trace)
    }
}

/// Sessions do not bypass `drop_overloads`.
fn unless_dropped(
    snapshot: &Snapshot,
    decision: Decision,
    draw: &mut impl Draw,
    trace: &mut impl Trace,
) -> Decision {
    match snapshot.plain(decision.cluster) {
        Some(plain) if drops_any(&plain.settings, draw) => {
            trace.step(|| steps::dropped(decision.cluster, &plain.settings));
            Decision::none(decision.cluster, None, Reason::Dropped)
        }
        _ => decision,
    }
}

/// Records the first steps of a decision: cluster, hash and criteria.
fn begin<H>(request: &Request<'_, H>, hash: Option<u64>, trace: &mut impl Trace) {
    trace.step(|| steps::route(request.cluster, hash));
    trace.step_if(|| steps::criteria(request.criteria));
}

/// Whether a request is dropped. Envoy drops only HTTP requests, before their first attempt.
fn drops<H>(settings: &Settings, request: &Request<'_, H>, draw: &mut impl Draw) -> bool {
    let is_first = || request.tried.is_empty() && request.connection.proxy.is_http();
    settings.drop_overload.millionths() > 0 && is_first() && drops_any(settings, draw)
}

/// Whether a first attempt is dropped.
fn drops_any(settings: &Settings, draw: &mut impl Draw) -> bool {
    let millionths = settings.drop_overload.millionths();
    // No draw without a setting: other configurations keep their stream of random numbers.
    millionths > 0 && draw.draw() % 1_000_000 < u64::from(millionths)
}
