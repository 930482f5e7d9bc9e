//! Retries that never reach a priority.

use alloc::{format, string::String, vec::Vec};

use crate::{
    context::{Context, Plain},
    finding::Severity,
    rule::Rule,
    sink::Sink,
};

/// `previous_priorities` excludes the priorities of earlier attempts after every `update_frequency`
/// attempts, and `num_retries` ends before the last priority of the cluster gets an attempt.
///
/// Retries never reach that priority. A warning if no health signal moves requests there either, else
/// info.
pub(crate) static UNREACHED: Rule = Rule {
    id: "retry-priority-unreached",
    severity: Severity::Warning,
    summary: "previous_priorities with too few retries for the priorities of the cluster",
    check: unreached,
};

/// The non-empty priorities of a cluster or of the members of an aggregate, in the order of attempts.
fn priorities(owners: &[Plain<'_>]) -> Vec<String> {
    let mut names = Vec::new();
    for owner in owners {
        for (number, priority) in owner.plain.priorities.iter().enumerate() {
            if priority.endpoints.is_empty() {
                continue;
            }
            names.push(match owners.len() {
                1 => format!("priority {number}"),
                _ => format!("priority {number} of {:?}", owner.name()),
            });
        }
    }
    names
}

/// Finds priorities that no retry reaches.
fn unreached(context: &Context<'_>, sink: &mut Sink) {
    for way in &context.ways {
        let (Some(frequency), Some(retries)) =
            (way.forward.retry.previous_priorities, &way.route.retries)
        else {
            continue;
        };
        let Some(routed) = way.cluster else { continue };
        let owners = context.owners(routed);
        let priorities = priorities(&owners);
        let frequency = u64::from(frequency.max(1));
        let reached = usize::try_from(retries.count / frequency).unwrap_or(usize::MAX);
        let Some(first) = priorities.get(reached.saturating_add(1)) else {
            continue;
        };
        if sink.has(&retries.place.field("num_retries").path) {
            continue;
        }
        let needed = frequency * (priorities.len() as u64 - 1);
        let further = priorities.len() - reached - 2;
        let also = match further {
            0 => String::new(),
            _ => format!(" and {further} more"),
        };
        let cause = format!(
            "num_retries is {}, and previous_priorities leaves the tried priorities after every {} attempts",
            retries.count, frequency
        );
        let signal = owners.iter().all(Plain::has_health_signal);
        let effect = match signal {
            true => format!(
                "retries never reach {first}{also} of cluster {routed:?}; only failover by health does"
            ),
            false => format!("no request reaches {first}{also} of cluster {routed:?}"),
        };
        let fix = format!("set num_retries to {needed}, or update_frequency to 1");
        let place = retries.place.field("num_retries");
        let finding = sink.add(&place, cause, effect, fix);
        finding.set(&place.path, format!("{needed}"));
        if signal {
            finding.severity = Severity::Info;
        }
    }
}
