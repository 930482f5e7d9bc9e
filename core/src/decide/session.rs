//! Whether a session can stay on its host.
//!
//! As in gRPC A75, the priority of a host does not matter: a session stays on its host during
//! spillover, failover and fallback. After a move it stays on the new host, because two moves are
//! worse than one. The same holds for members of an aggregate, clusters of a weighted split and
//! steps of a chain: any step whose hosts the criteria select is valid; otherwise the recovery of
//! an earlier step would move all sessions at once. A session never leaves its subset: outside of
//! it, a host belongs to another tenant. A priority in panic mode serves from hosts in any state,
//! so leaving one of them would gain nothing.
//!
//! Rendezvous hashing by the session's number makes replicas agree where a session starts and where
//! it moves.

use core::ops::ControlFlow;

use super::{ChosenPriority, Decision, Reason, Session, SessionMove, Sessions, next_step};
use crate::{
    load::HostClass,
    model::{CoarseHealth, OverrideStatuses},
    plan::{Facts, SetTarget},
    snapshot::{
        ClusterId, ClusterSnapshotKind, HostRef, HostsSource, PlainSnapshot, PrioritySet, Snapshot,
    },
    subset::{ChosenSubset, SetChoice, StepSet, SubsetReason},
};

/// The decision that keeps the session on its host.
///
/// # Errors
/// Why the session cannot stay.
pub(super) fn stay(
    snapshot: &Snapshot,
    cluster: ClusterId,
    facts: &Facts<'_>,
    sessions: &Sessions<'_>,
    session: Session,
) -> Result<Decision, SessionMove> {
    let host = session.host.ok_or(SessionMove::Gone)?;
    let plain = snapshot.plain(host.cluster).ok_or(SessionMove::Gone)?;
    let priority = plain
        .priorities
        .get(host.priority)
        .ok_or(SessionMove::Gone)?;
    if priority.endpoint(host.host).is_none() {
        return Err(SessionMove::Gone);
    }
    let mut reachable = core::iter::once(cluster).chain(sessions.clusters.iter().copied());
    let cluster = reachable
        .find(|&reachable| {
            snapshot
                .owners(reachable)
                .any(|owner| owner == host.cluster)
        })
        .ok_or(SessionMove::OtherCluster)?;
    let subset = allowed(plain, host, facts).map_err(|()| SessionMove::OtherSubset)?;
    let choice = subset.map_or(SetChoice::Whole, |subset| subset.choice);
    let panic = plain
        .set(choice)
        .is_some_and(|set| set.load.panics(host.priority))
        && !plain.settings_of(choice).fails_traffic_on_panic();
    let health = priority.health(host.host);
    let status = health.session_status();
    // If all requests to the priority use all hosts in panic mode, moving the session would not
    // help.
    let gains_nothing = || {
        // An empty list of statuses means that no session ever stays.
        let any = sessions.statuses != OverrideStatuses::EMPTY;
        any && panic && shares_load(snapshot, cluster, host, choice, facts)
    };
    if !sessions.statuses.contains(status) && !gains_nothing() {
        return Err(SessionMove::Status(status));
    }
    let class = match health.coarse() {
        CoarseHealth::Degraded => HostClass::Degraded,
        CoarseHealth::Healthy | CoarseHealth::Unhealthy => HostClass::Healthy,
    };
    Ok(Decision {
        cluster,
        subset,
        next_step: next_step::after(snapshot, cluster, subset, facts.criteria),
        priority: Some(ChosenPriority {
            owner: host.cluster,
            number: host.priority,
            class,
            panic,
            source: Some(if panic {
                HostsSource::All
            } else {
                HostsSource::Class(class)
            }),
        }),
        host: Some(host.host),
        hash: sessions.key.unwrap_or(0),
        reason: Reason::Session,
        moved: None,
    })
}

/// Whether requests without a session also reach the host's priority: its chain step serves now,
/// and the priority has load.
fn shares_load(
    snapshot: &Snapshot,
    cluster: ClusterId,
    host: HostRef,
    choice: SetChoice,
    facts: &Facts<'_>,
) -> bool {
    let Some(owner) = snapshot.plain(host.cluster) else {
        return false;
    };
    let load = owner
        .set(choice)
        .map(|set| set.load.of_priority(host.priority));
    let has_load = load.is_some_and(|load| load > 0);
    let serves = |step: Option<ChosenSubset>| step.is_none_or(|step| step.choice == choice);
    match snapshot.cluster(cluster).map(|cluster| &cluster.kind) {
        Some(ClusterSnapshotKind::Plain(plain)) => {
            let step = plain.serving_step(facts.criteria, |_, _, _| {});
            has_load && step.is_ok_and(serves)
        }
        Some(ClusterSnapshotKind::Aggregate(aggregate)) => {
            let serving = aggregate.serving_priorities(facts.criteria, |_, _, _| {});
            let Some(serving) = serving.filter(|found| serves(found.step)) else {
                return false;
            };
            // A hash table chooses the priority itself after the choice of the cluster.
            let by_table = facts.key.is_none() && owner.settings.policy.hashes();
            let linearized = serving.linearized;
            let mut priorities = linearized.priorities.iter().enumerate();
            (has_load || !by_table)
                && priorities.any(|(at, priority)| {
                    priority.cluster == host.cluster
                        && (by_table || priority.number == host.priority)
                        && linearized.load.of_priority(at) > 0
                })
        }
        Some(ClusterSnapshotKind::Composite(_) | ClusterSnapshotKind::OriginalDst(_)) | None => {
            false
        }
    }
}

/// The subset through which the request may use the host; `Ok(None)` if the cluster has no subsets.
///
/// In a chain, every step whose hosts match the criteria is allowed: a session that started on a
/// later step stays there when an earlier step recovers.
fn allowed(
    plain: &PlainSnapshot,
    host: HostRef,
    facts: &Facts<'_>,
) -> Result<Option<ChosenSubset>, ()> {
    if !plain.chain.is_empty() {
        let mut steps = plain.chain.iter().enumerate();
        let found = steps.find_map(|(step, compiled)| {
            let StepSet::Set(set) = compiled.found.set(facts.criteria) else {
                return None;
            };
            contains(compiled.sets.get(set)?, host).then_some(SetChoice::Step { step, set })
        });
        let choice = found.ok_or(())?;
        let reason = SubsetReason::Step;
        return Ok(Some(ChosenSubset { choice, reason }));
    }
    let Some(subsets) = &plain.subsets else {
        return Ok(None);
    };
    let mut found = Err(());
    subsets.index.choose(facts.criteria, |subset| {
        let (has, empty) = match plain.target(subset) {
            SetTarget::Set(planned) => (contains(planned.set, host), planned.set.is_empty()),
            SetTarget::Host { priority, host: at } => {
                ((priority, at) == (host.priority, host.host), false)
            }
            SetTarget::Missing => (false, false),
        };
        if has {
            found = Ok(Some(subset));
        }
        // A fallback serves only if the subset before it has no host.
        if empty {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    found
}

fn contains(set: &PrioritySet, host: HostRef) -> bool {
    let priority = set.priorities.get(host.priority);
    priority.is_some_and(|priority| priority.members().index_of(host.host).is_some())
}
