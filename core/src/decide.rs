//! One request in, one host out: the single entry point of proxy, page and command line.

mod candidates;
mod chain;
mod decision;
mod load;
mod member;
mod named;
mod named_steps;
mod original_dst;
mod pick;
mod request;
mod session;
mod state;
mod steps;

pub use candidates::MAXIMUM_CANDIDATES;
pub use decision::{ChosenLevel, ChosenSubset, Decision, Reason};
pub use named::{Named, NamedHost, Naming, SessionHost, decide_named};
pub use original_dst::original_destination;
pub use request::{ClusterChoice, HostStats, IdleHosts, Request};
pub use session::{Moved, OnLost, Session, Sessions};

pub(crate) use request::Facts;
pub use state::State;

pub(crate) use load::{rejects, selections, tried_line, tried_load};

use self::{chain::choose_step, member::choose_member, pick::Pick};
use crate::{
    draw::Draw,
    route::{Headers, request_hash},
    snapshot::{Kind, Settings, Snapshot},
    trace::Trace,
};

/// Chooses a host for a request.
///
/// Total: whatever the arguments, an answer comes out. Random draws are taken in Envoy's order:
/// dropped overload, an aggregate's choice of a level, then the member's, then the host's.
///
/// Where the model has a chain, its first step that is healthy enough serves, with loads, panic
/// and turns of its own; no host outside of it is chosen.
pub fn decide<H: Headers>(
    snapshot: &Snapshot,
    state: &mut State,
    request: &Request<'_, H>,
    draw: &mut impl Draw,
    trace: &mut impl Trace,
) -> Decision {
    let cluster = request.cluster;
    let hash = request_hash(request.hash_policies, request.headers, &request.connection);
    begin(snapshot, request, hash, trace);
    let facts = request.facts();
    let mut moved = None;
    if let Some(sessions) = &request.sessions
        && let Some(session) = sessions.session
    {
        let stays = session::stay(snapshot, cluster, &facts, sessions, session);
        trace.step(|| session::told(snapshot, session, stays.map(drop)));
        match stays {
            Ok(decision) => return unless_dropped(snapshot, decision, draw, trace),
            Err(why) => moved = Some(why),
        }
        if sessions.on_lost == OnLost::Refuse {
            return Decision::none(cluster, hash, Reason::NoHost).after(moved);
        }
    }
    choose(snapshot, state, (request, &facts, hash), draw, trace).after(moved)
}

/// The way of a request without a session that could stay.
fn choose<H: Headers>(
    snapshot: &Snapshot,
    state: &mut State,
    (request, facts, hash): (&Request<'_, H>, &Facts<'_>, Option<u64>),
    draw: &mut impl Draw,
    trace: &mut impl Trace,
) -> Decision {
    let cluster = request.cluster;
    let (owner, forced, asked) = match snapshot.cluster(cluster).map(|cluster| &cluster.kind) {
        Some(Kind::Plain(plain)) => {
            if drops(&plain.settings, draw) {
                trace.step(|| steps::dropped(cluster, &plain.settings));
                return Decision::none(cluster, hash, Reason::Dropped);
            }
            let mut asked = None;
            if !plain.chain.is_empty() {
                let mut steps = plain.chain.iter().map(|step| &step.found);
                asked = choose_step(&mut steps, request.criteria, trace);
                if asked.is_none() {
                    return Decision::none(cluster, hash, Reason::NoHost);
                }
            }
            (cluster, None, asked)
        }
        Some(Kind::Aggregate(aggregate)) => {
            let roll = facts.roll(hash);
            let asked = (cluster, aggregate);
            match choose_member(snapshot, asked, facts, roll, draw, trace) {
                Some(member) => (member.id, Some(member.level), member.asked),
                None => return Decision::none(cluster, hash, Reason::NoHost),
            }
        }
        Some(Kind::OriginalDst(_)) => return Decision::none(cluster, hash, Reason::PassThrough),
        None => return Decision::none(cluster, hash, Reason::NoHost),
    };
    let Some(plain) = snapshot.plain(owner) else {
        return Decision::none(cluster, hash, Reason::NoHost);
    };
    let own = &plain.settings.hash_policies;
    let hash = if own.is_empty() {
        hash
    } else {
        let hash = request_hash(own, request.headers, &request.connection);
        trace.step(|| steps::own_hash(owner, hash));
        hash
    };
    let pick = Pick {
        snapshot,
        facts: *facts,
        asked,
        cluster,
        owner,
        plain,
        forced,
        hash,
    };
    pick.run(state, draw, trace)
}

/// A session is no way around the part of the requests that a cluster drops.
fn unless_dropped(
    snapshot: &Snapshot,
    decision: Decision,
    draw: &mut impl Draw,
    trace: &mut impl Trace,
) -> Decision {
    match snapshot.plain(decision.cluster) {
        Some(plain) if drops(&plain.settings, draw) => {
            trace.step(|| steps::dropped(decision.cluster, &plain.settings));
            Decision::none(decision.cluster, None, Reason::Dropped)
        }
        _ => decision,
    }
}

/// Tells what is asked.
fn begin<H>(
    snapshot: &Snapshot,
    request: &Request<'_, H>,
    hash: Option<u64>,
    trace: &mut impl Trace,
) {
    trace.step(|| steps::route(snapshot, request.cluster, hash));
    trace.step_if(|| steps::criteria(request.criteria));
}

fn drops(settings: &Settings, draw: &mut impl Draw) -> bool {
    let millionths = settings.drop_overload.millionths();
    millionths > 0 && draw.draw() % 1_000_000 < u64::from(millionths)
}
