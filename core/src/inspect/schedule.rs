//! The next picks of a schedule or a rotation.

use alloc::vec::Vec;

use crate::{
    decide::{BalancerState, Decision, Request},
    model::{LeastRequestConfig, Policy},
    pick::Turns,
    plan::{ClusterPlan, Facts, PlannedHosts},
    snapshot::{HostRef, Snapshot},
    subset::SetChoice,
};

/// One of the next picks from a host list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NextPick {
    /// The host.
    pub host: HostRef,
    /// The weight with which the host is added to the schedule again; 1 in a rotation.
    pub weight: f64,
    /// The deadline at which the schedule picks the host; `None` in a rotation, which picks hosts with
    /// equal weights in the order of the list.
    pub deadline: Option<f64>,
}

/// The next picks from the host list that served a decision, if they depend only on the state: the
/// schedule of `LEAST_REQUEST` with different weights, and every list of `ROUND_ROBIN`. Empty for
/// other policies. The request has the active requests.
///
/// # Examples
/// A host with twice the weight gets two of three requests.
/// ```
/// use spillgate_core::{decide::*, draw::SplitMix64, inspect::next_picks, model::*};
/// use spillgate_core::{route::HeaderList, snapshot::Snapshot, trace::NoTrace};
///
/// let host = |address: &str, weight| Endpoint {
///     weight: Weight::new(weight).unwrap(),
///     ..Endpoint::new(address)
/// };
/// let shop = PlainCluster {
///     priorities: vec![Priority::single_locality(vec![host("10.0.0.1:80", 2), host("10.0.0.2:80", 1)])],
///     ..PlainCluster::default()
/// };
/// let snapshot = Snapshot::build(&Model::new(vec![Cluster::plain("shop", shop)]).unwrap());
/// let headers = HeaderList::<&str, &str>(&[]);
/// let request = Request::new(snapshot.cluster_id("shop").unwrap(), &headers);
/// let mut draw = SplitMix64::new(7);
/// let mut state = BalancerState::new(&snapshot, &mut draw);
/// let before = state.clone();
/// let decision = decide(&snapshot, &mut state, &request, &mut draw, &mut NoTrace);
///
/// let picks = next_picks(&snapshot, &before, &request, &decision, 3);
/// assert_eq!(Some(picks[0].host), decision.host_ref());
/// assert_eq!(picks.iter().filter(|pick| pick.host.host == 0).count(), 2);
/// assert!(picks.is_sorted_by_key(|pick| pick.deadline.unwrap()));
/// ```
#[must_use]
pub fn next_picks<H>(
    snapshot: &Snapshot,
    state: &BalancerState,
    request: &Request<'_, H>,
    decision: &Decision,
    count: usize,
) -> Vec<NextPick> {
    let facts = request.facts();
    picks(snapshot, state, &facts, decision, count).unwrap_or_default()
}

fn picks(
    snapshot: &Snapshot,
    state: &BalancerState,
    facts: &Facts<'_>,
    decision: &Decision,
    count: usize,
) -> Option<Vec<NextPick>> {
    let priority = decision.priority?;
    let plain = snapshot.plain(priority.owner)?;
    let least_request = match plain.settings.policy {
        Policy::LeastRequest(config) => Some(config),
        Policy::RoundRobin | Policy::ClientSideWeightedRoundRobin => None,
        _ => return None,
    };
    let choice = decision
        .subset
        .map_or(SetChoice::Whole, |subset| subset.choice);
    let list = plain.list(choice, priority.number, priority.source?);
    let mut turns: Turns = state.turns_of(decision)?.clone();
    // Without a schedule, the choice of LEAST_REQUEST is random.
    if turns.schedule().is_none() && least_request.is_some() {
        return None;
    }
    let plan = ClusterPlan::new(snapshot, facts, priority.owner, plain, None);
    let hosts = plan.hosts(priority.number);
    let weight = |index: usize| weight(hosts, list.get(index).unwrap_or(0), least_request);
    let mut picks = Vec::new();
    for _ in 0..count {
        let index = turns.pick(list.len(), weight)?;
        let schedule = turns.schedule();
        picks.push(NextPick {
            host: hosts.host_ref(list.get(index)?),
            weight: schedule.map_or(1.0, |_| weight(index)),
            deadline: schedule.map(|schedule| schedule.now()),
        });
    }
    Some(picks)
}

fn weight(hosts: PlannedHosts<'_>, host: usize, least_request: Option<LeastRequestConfig>) -> f64 {
    match least_request {
        Some(config) => hosts.biased_weight(host, &config),
        None => hosts.weight(host),
    }
}
