//! Whether the host of a session serves on, and why it does not.

use core::ops::ControlFlow;

use super::{ChosenLevel, ChosenSubset, Decision, Facts, Reason, chain::choose_step};
use crate::{
    load::HostClass,
    model::{Coarse, OverrideStatuses},
    snapshot::{ClusterId, HostRef, Kind, PlainSnapshot, PrioritySet, Snapshot, Source},
    subset::{Choice, StepIndex, SubsetReason},
    trace::{Moved, NoTrace},
};

/// How sessions are kept (gRFC A75: whatever the host's level; ours: in every cluster that the
/// request may reach, and never outside its subset).
#[derive(Debug, Clone, Copy)]
pub struct Sessions<'a> {
    /// The session that the request brings.
    pub session: Option<Session>,
    /// The states of a host that it may stay on.
    pub statuses: OverrideStatuses,
    /// The clusters that the request might have been sent to instead, such as those of a weighted
    /// split: the session may stay in any of them.
    pub clusters: &'a [ClusterId],
    /// What becomes of a session whose host cannot serve.
    pub on_lost: OnLost,
    /// Chooses the host of a session that begins or moves by rendezvous hashing of this key, so that
    /// every replica chooses alike. Without it the cluster's own policy chooses.
    pub key: Option<u64>,
}

/// A session that a request brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Session {
    /// Its host; none where it is no longer there.
    pub host: Option<HostRef>,
}

/// What becomes of a session whose host cannot serve.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OnLost {
    /// It moves to another host.
    #[default]
    Rebalance,
    /// The request is refused; the decision has no host.
    Refuse,
}

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
) -> Result<Decision, Moved> {
    let host = session.host.ok_or(Moved::Gone)?;
    let plain = snapshot.plain(host.cluster).ok_or(Moved::Gone)?;
    let level = plain.levels.get(host.priority).ok_or(Moved::Gone)?;
    if level.endpoint(host.host).is_none() {
        return Err(Moved::Gone);
    }
    let mut asked = core::iter::once(cluster).chain(sessions.clusters.iter().copied());
    let cluster = asked
        .find(|&asked| snapshot.owners(asked).any(|owner| owner == host.cluster))
        .ok_or(Moved::OtherCluster)?;
    let subset = allowed(plain, host, facts).map_err(|()| Moved::OtherSubset)?;
    if facts.tried.contains(&host) {
        return Err(Moved::Tried);
    }
    let choice = subset.map_or(Choice::Whole, |subset| subset.choice);
    let panic = plain
        .set(choice)
        .is_some_and(|set| set.load.panics(host.priority))
        && !plain.settings_of(choice).fails_traffic_on_panic();
    let health = level.health(host.host);
    let status = health.session_status();
    // Where a level in panic serves everybody from all its hosts, leaving would be no better.
    let no_better = || {
        let any = sessions.statuses != OverrideStatuses::EMPTY;
        any && panic && gets_others(snapshot, cluster, (host, choice), facts)
    };
    if !sessions.statuses.contains(status) && !no_better() {
        return Err(Moved::Status(status));
    }
    let class = match health.coarse() {
        Coarse::Degraded => HostClass::Degraded,
        Coarse::Healthy | Coarse::Unhealthy => HostClass::Healthy,
    };
    Ok(Decision {
        cluster,
        subset,
        level: Some(ChosenLevel {
            owner: host.cluster,
            priority: host.priority,
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

/// Whether requests without a session get to the host's level as well: the step of the chain is the
/// one that serves now, and the level has load.
fn gets_others(
    snapshot: &Snapshot,
    asked: ClusterId,
    (host, choice): (HostRef, Choice),
    facts: &Facts<'_>,
) -> bool {
    let serves = |steps: &mut dyn Iterator<Item = &StepIndex>| {
        let serving = choose_step(steps, facts.criteria, &mut NoTrace);
        serving.is_some_and(|serving| serving.choice == choice)
    };
    let Some(owner) = snapshot.plain(host.cluster) else {
        return false;
    };
    let has_load = owner
        .set(choice)
        .is_some_and(|set| set.load.of_level(host.priority) > 0);
    match snapshot.cluster(asked).map(|cluster| &cluster.kind) {
        Some(Kind::Plain(plain)) => {
            let mut steps = plain.chain.iter().map(|step| &step.found);
            (plain.chain.is_empty() || serves(&mut steps)) && has_load
        }
        Some(Kind::Aggregate(aggregate)) => {
            let mut steps = aggregate.chain.iter().map(|step| &step.found);
            let served = aggregate.chain.is_empty() || serves(&mut steps);
            let Some(line) = aggregate.line(choice).filter(|_| served) else {
                return false;
            };
            // A hash table chooses the level itself, once its cluster is chosen.
            let by_table = facts.key.is_none() && owner.settings.policy.hashes();
            let mut levels = line.levels.iter().enumerate();
            (has_load || !by_table)
                && levels.any(|(at, level)| {
                    level.cluster == host.cluster
                        && (by_table || level.priority == host.priority)
                        && line.load.of_level(at) > 0
                })
        }
        Some(Kind::OriginalDst(_)) | None => false,
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
            let set = compiled.found.set(facts.criteria)??;
            contains(compiled.sets.get(set)?, host).then_some(Choice::Step { step, set })
        });
        let choice = found.ok_or(())?;
        let reason = SubsetReason::Step;
        return Ok(Some(ChosenSubset { choice, reason }));
    }
    let Some(subsets) = &plain.subsets else {
        return Ok(None);
    };
    let mut found = Err(());
    subsets.index.choose(facts.criteria, |choice, reason| {
        let set = plain.set(choice);
        let has = match choice {
            Choice::Host { priority, host: at } => (priority, at) == (host.priority, host.host),
            _ => set.is_some_and(|set| contains(set, host)),
        };
        if has {
            found = Ok(Some(ChosenSubset { choice, reason }));
        }
        // A fallback serves only where the subset before it has nobody.
        let empty = set.is_some_and(|set| set.levels.iter().all(|l| l.members().is_empty()));
        match empty {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    found
}

fn contains(set: &PrioritySet, host: HostRef) -> bool {
    let level = set.levels.get(host.priority);
    level.is_some_and(|level| level.members().place_of(host.host).is_some())
}
