//! Whether the host of a session serves on, and why it does not.

use core::ops::ControlFlow;

use super::{ChosenPriority, Decision, Reason, Session, SessionMove, Sessions};
use crate::{
    load::HostClass,
    model::{Coarse, OverrideStatuses},
    plan::{Asked, Facts},
    snapshot::{
        ClusterId, ClusterSnapshotKind, HostRef, PlainSnapshot, PrioritySet, Snapshot, Source,
    },
    subset::{ChosenSubset, SetChoice, StepSet, SubsetReason},
};

/// The decision that keeps the session on its host.
///
/// # Errors
/// Why it cannot stay there.
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
    let mut asked = core::iter::once(cluster).chain(sessions.clusters.iter().copied());
    let cluster = asked
        .find(|&asked| snapshot.owners(asked).any(|owner| owner == host.cluster))
        .ok_or(SessionMove::OtherCluster)?;
    let subset = allowed(plain, host, facts).map_err(|()| SessionMove::OtherSubset)?;
    let choice = subset.map_or(SetChoice::Whole, |subset| subset.choice);
    let panic = plain
        .set(choice)
        .is_some_and(|set| set.load.panics(host.priority))
        && !plain.settings_of(choice).fails_traffic_on_panic();
    let health = priority.health(host.host);
    let status = health.session_status();
    // Where a priority in panic serves everybody from all its hosts, leaving would be no better.
    let no_better = || {
        let any = sessions.statuses != OverrideStatuses::EMPTY;
        any && panic && gets_others(snapshot, cluster, host, choice, facts)
    };
    if !sessions.statuses.contains(status) && !no_better() {
        return Err(SessionMove::Status(status));
    }
    let class = match health.coarse() {
        Coarse::Degraded => HostClass::Degraded,
        Coarse::Healthy | Coarse::Unhealthy => HostClass::Healthy,
    };
    Ok(Decision {
        cluster,
        subset,
        priority: Some(ChosenPriority {
            owner: host.cluster,
            number: host.priority,
            class,
            panic,
            source: Some(if panic {
                Source::All
            } else {
                Source::Class(class)
            }),
        }),
        host: Some(host.host),
        hash: sessions.key.unwrap_or(0),
        reason: Reason::Session,
        moved: None,
    })
}

/// Whether requests without a session get to the host's priority as well: the step of the chain is
/// the one that serves now, and the priority has load.
fn gets_others(
    snapshot: &Snapshot,
    asked: ClusterId,
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
    match snapshot.cluster(asked).map(|cluster| &cluster.kind) {
        Some(ClusterSnapshotKind::Plain(plain)) => {
            let step = plain.serving_step(facts.criteria, |_, _, _| {});
            has_load && step.is_ok_and(serves)
        }
        Some(ClusterSnapshotKind::Aggregate(aggregate)) => {
            let linearized = aggregate.linearized(facts.criteria, |_, _, _| {});
            let Some(linearized) = linearized.filter(|found| serves(found.step)) else {
                return false;
            };
            // A hash table chooses the priority itself, once its cluster is chosen.
            let by_table = facts.key.is_none() && owner.settings.policy.hashes();
            let line = linearized.line;
            let mut priorities = line.priorities.iter().enumerate();
            (has_load || !by_table)
                && priorities.any(|(at, priority)| {
                    priority.cluster == host.cluster
                        && (by_table || priority.number == host.priority)
                        && line.load.of_priority(at) > 0
                })
        }
        Some(ClusterSnapshotKind::OriginalDst(_)) | None => false,
    }
}

/// Through which subset the request may go to the host; `Ok(None)` where there are no subsets.
///
/// Of a chain any step will do whose hosts the criteria name: a session that began on a later step
/// does not leave its host when an earlier one recovers.
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
        let (has, empty) = match plain.asked(subset) {
            Asked::Set(asked) => (contains(asked.set, host), asked.set.is_empty()),
            Asked::Host { priority, host: at } => {
                ((priority, at) == (host.priority, host.host), false)
            }
            Asked::Nobody => (false, false),
        };
        if has {
            found = Ok(Some(subset));
        }
        // A fallback serves only where the subset before it has no host.
        match empty {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    found
}

fn contains(set: &PrioritySet, host: HostRef) -> bool {
    let priority = set.priorities.get(host.priority);
    priority.is_some_and(|priority| priority.members().place_of(host.host).is_some())
}
