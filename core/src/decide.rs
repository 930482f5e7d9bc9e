//! One request in, one host out: the single entry point of proxy, page and command line.

mod candidates;
mod decision;
mod member;
mod pick;
mod state;

pub use candidates::MAXIMUM_CANDIDATES;
pub use decision::{ChosenLevel, Decision, Reason};
pub use state::State;

use alloc::format;

use self::{member::choose_member, pick::Pick};
use crate::{
    draw::Draw,
    route::{Connection, HashPolicy, Headers, request_hash},
    snapshot::{ClusterId, Kind, Snapshot},
    trace::{Step, StepKind, Trace},
};

/// What a decision is asked for.
#[derive(Debug)]
pub struct Request<'a, H> {
    /// The cluster that the request is routed to.
    pub cluster: ClusterId,
    /// How its hash is made.
    pub hash_policies: &'a [HashPolicy],
    /// Its headers.
    pub headers: &'a H,
    /// Which try this is, 0 for the first. Hash policies go on to other hosts.
    pub attempt: u32,
}

/// Chooses a host for a request.
///
/// Total: whatever the arguments, an answer comes out. Random draws are taken in Envoy's order: an
/// aggregate's choice of a level, then the member's, then the host's.
pub fn decide<H: Headers>(
    snapshot: &Snapshot,
    state: &mut State,
    request: &Request<'_, H>,
    draw: &mut impl Draw,
    trace: &mut impl Trace,
) -> Decision {
    let hash = request_hash(
        request.hash_policies,
        request.headers,
        &Connection::default(),
    );
    trace.step(|| route_step(snapshot, request.cluster, hash));
    let nothing = Decision {
        cluster: request.cluster,
        level: None,
        host: None,
        hash: hash.unwrap_or(0),
    };
    let kind = snapshot.cluster(request.cluster).map(|c| &c.kind);
    let chosen = match kind {
        Some(Kind::Plain(_)) => Some((request.cluster, None)),
        Some(Kind::Aggregate(aggregate)) => choose_member(snapshot, aggregate, draw, trace)
            .map(|(member, priority, class)| (member, Some((priority, class)))),
        None => None,
    };
    let Some((owner, forced)) = chosen else {
        return nothing;
    };
    let Some(plain) = snapshot.plain(owner) else {
        return nothing;
    };
    let pick = Pick {
        cluster: request.cluster,
        owner,
        plain,
        forced,
        hash,
        attempt: request.attempt,
    };
    pick.run(state, draw, trace)
}

fn route_step(snapshot: &Snapshot, cluster: ClusterId, hash: Option<u64>) -> Step {
    let name = snapshot.cluster(cluster).map_or("", |c| c.name.as_str());
    Step {
        kind: StepKind::Route,
        what: match hash {
            Some(_) => format!("cluster {name}, with a request hash"),
            None => format!("cluster {name}, without a request hash"),
        },
        values: hash.map(|hash| ("hash", hash.into())).into_iter().collect(),
    }
}
