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

use super::{SteeredAlternative, SteeredInput, SteeredOutcome};

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
/// first attempt. All of them if none fits, or if the first host is unknown.
pub(super) fn fitting(
    alternatives: Vec<SteeredAlternative>,
    host_header: &str,
    input: SteeredInput<'_>,
) -> Vec<SteeredAlternative> {
    if input.attempts() == 0 {
        return alternatives;
    }
    let begins = |one: &SteeredAlternative| match (&one.outcome, input.tried.first()) {
        (SteeredOutcome::Forward(headers), Some(first)) => {
            let list = headers.iter().find(|(name, _)| name == host_header);
            list.is_some_and(|(_, list)| list.split(',').next() == Some(first.as_str()))
        }
        (SteeredOutcome::Forward(_), None) => true,
        // A request that the filter answers has no second attempt.
        (SteeredOutcome::Respond(_), _) => false,
    };
    let total: f64 = alternatives
        .iter()
        .filter(|one| begins(one))
        .map(|one| one.part)
        .sum();
    if total <= 0.0 {
        return alternatives;
    }
    let fitting = alternatives
        .into_iter()
        .filter(begins)
        .map(|one| SteeredAlternative {
            part: one.part / total,
            ..one
        });
    fitting.collect()
}
