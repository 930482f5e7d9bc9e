//! Retries of a request that passed a filter: Envoy uses the next host of the list that the filter
//! wrote for the first attempt.

use spillgate_core::{
    decide::{ChosenPriority, Decision, Reason},
    load::HostClass,
    shares::Share,
    snapshot::HostsSource,
    subset::SetChoice,
};
use spillgate_steer::port::SteeringChoice;

use super::{SteeredAlternative, SteeredInput, SteeredOutcome, alternative::ListedAlternative};

/// The decision for a host that the filter can choose at random.
pub(super) fn decision_for(choice: &SteeringChoice<'_>, share: &Share) -> Decision {
    let drawn = choice.decision.priority;
    Decision {
        priority: drawn.map(|drawn| priority_of(choice, drawn, share)),
        host: Some(share.host),
        reason: Reason::Chosen,
        ..*choice.decision
    }
}

/// The priority of the host, with the host list that contains it. Further candidates are from this
/// list.
fn priority_of(
    choice: &SteeringChoice<'_>,
    drawn: ChosenPriority,
    share: &Share,
) -> ChosenPriority {
    let number = share.priority;
    let subset = choice.decision.subset;
    let sets = subset.map_or(SetChoice::Whole, |subset| subset.choice);
    let plain = choice.snapshot.plain(share.owner);
    let set = plain.and_then(|plain| plain.set(sets));
    let panic = set.is_some_and(|set| set.load.panics(number));
    let has = |source: HostsSource| {
        set.is_some_and(|set| set.list(number, source).index_of(share.host).is_some())
    };
    let classes = [drawn.class, HostClass::Healthy, HostClass::Degraded];
    let class = classes
        .into_iter()
        .find(|&class| has(HostsSource::Class(class)));
    let class = class.unwrap_or(drawn.class);
    let source = match drawn.source {
        _ if panic => Some(HostsSource::All),
        // Each locality has its own list.
        Some(HostsSource::Locality(..)) => {
            let priority = plain.and_then(|plain| plain.priorities.get(number));
            let endpoint = priority.and_then(|own| own.configured.endpoints.get(share.host));
            endpoint.map(|endpoint| HostsSource::Locality(class, endpoint.locality))
        }
        Some(_) => Some(HostsSource::Class(class)),
        None => None,
    };
    ChosenPriority {
        owner: share.owner,
        number,
        class,
        panic,
        source,
    }
}

/// The outcomes that fit the hosts of earlier attempts: those whose list begins with the host of the
/// first attempt, and in the next cluster, which Envoy uses after the first `left_after` attempts, with that of
/// the first attempt there. All of them if none fits, or if these hosts are unknown.
pub(super) fn fitting(
    alternatives: Vec<ListedAlternative>,
    host_header: &str,
    left_after: Option<usize>,
    input: SteeredInput<'_>,
) -> Vec<SteeredAlternative> {
    let all = |alternatives: Vec<ListedAlternative>| {
        let all = alternatives.into_iter().map(|one| one.alternative);
        all.collect()
    };
    if input.attempts() == 0 {
        return all(alternatives);
    }
    let listed = |headers: &[(String, String)]| {
        let list = headers.iter().find(|(name, _)| name == host_header);
        list.and_then(|(_, list)| list.split(',').next().map(str::to_owned))
    };
    let begins = |one: &ListedAlternative| match (&one.alternative.outcome, input.tried.first()) {
        (SteeredOutcome::Forward(headers), Some(first)) => {
            let own = one.first.clone().or_else(|| listed(headers));
            own.as_ref() == Some(first)
        }
        (SteeredOutcome::Unknown(_), Some(first)) => one.first.as_ref() == Some(first),
        (SteeredOutcome::Forward(_) | SteeredOutcome::Unknown(_), None) => true,
        // A request that the filter answers has no second attempt.
        (SteeredOutcome::Respond(_), _) => false,
    };
    let next = left_after.and_then(|attempts| input.tried.get(attempts));
    let goes_on = |one: &ListedAlternative| match (next, &one.next) {
        (Some(tried), Some(next)) => tried == next,
        _ => true,
    };
    let total = |fitting: &[&ListedAlternative]| -> f64 {
        fitting.iter().map(|one| one.alternative.part).sum()
    };
    let mut fitting: Vec<_> = alternatives.iter().filter(|one| begins(one)).collect();
    let both: Vec<_> = fitting.iter().copied().filter(|one| goes_on(one)).collect();
    if total(&both) > 0.0 {
        fitting = both;
    }
    let total = total(&fitting);
    if total <= 0.0 {
        return all(alternatives);
    }
    let fitting = fitting.into_iter().map(|one| SteeredAlternative {
        part: one.alternative.part / total,
        outcome: one.alternative.outcome.clone(),
    });
    fitting.collect()
}
