//! Retries that never reach a priority, or that a circuit breaker refuses.

use alloc::{format, string::String, vec::Vec};

use spillgate_core::{route::RetryCap, visible::quoted};

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
                _ => format!("priority {number} of {}", quoted(owner.name())),
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
        // A composite cluster gives each attempt another member.
        let Some(routed) = way.cluster.filter(|name| context.composite(name).is_none()) else {
            continue;
        };
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
        // In panic mode and with degraded hosts, first attempts reach other priorities.
        let first_attempt = context.distribution(routed, way.criteria).shares;
        let mut other = first_attempt.windows(2);
        if other
            .any(|pair| matches!(pair, [a, b] if (a.owner, a.priority) != (b.owner, b.priority)))
        {
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
        let effect = if signal {
            format!(
                "retries never reach {first}{also} of cluster {}; only failover by health does",
                quoted(routed)
            )
        } else {
            format!(
                "no request reaches {first}{also} of cluster {}",
                quoted(routed)
            )
        };
        let fix = match frequency {
            1 => format!("set num_retries to {needed}"),
            _ => format!("set num_retries to {needed}, or update_frequency to 1"),
        };
        let place = retries.place.field("num_retries");
        let finding = sink.add(&place, cause, effect, fix);
        finding.set(&place.path, format!("{needed}"));
        if signal {
            finding.severity = Severity::Info;
        }
    }
}

/// A route retries, and the circuit breaker of its cluster limits the retries: `max_retries` counts the
/// concurrent retries of the whole cluster, not those of a request.
///
/// A warning if it allows none, so that no request is retried. Info if it is below `num_retries`, or if
/// `circuit_breakers` leaves it at its default of 3: further concurrent requests are not retried. A
/// `retry_budget` replaces it.
pub(crate) static CAPPED: Rule = Rule {
    id: "retries-capped",
    severity: Severity::Warning,
    summary: "circuit breaker that allows no or few concurrent retries",
    check: capped,
};

/// Finds circuit breakers that limit the retries of routes.
fn capped(context: &Context<'_>, sink: &mut Sink) {
    for way in &context.ways {
        let (Some(retries), Some(cluster)) = (
            &way.route.retries,
            way.cluster.and_then(|name| context.plain(name)),
        ) else {
            continue;
        };
        let limit = cluster.retry_limit(way.route.high_priority);
        let most = match limit.cap {
            RetryCap::Most(most) => u64::from(most),
            RetryCap::Budget {
                percent: 0.0,
                least: 0,
            } => 0,
            RetryCap::Budget { .. } => continue,
        };
        let stated = limit.position.is_some();
        // Other limits of the circuit breaker show that the author thought of this load.
        let forgotten = !stated && cluster.facts.signals.circuit_breakers.is_some();
        if retries.count == 0 || (most > 0 && most >= retries.count && !forgotten) {
            continue;
        }
        let breakers = &cluster.facts.signals.circuit_breakers;
        let mut place = match breakers {
            Some(place) => place.clone(),
            None => cluster.facts.place.field("circuit_breakers"),
        };
        place.position = limit.position.unwrap_or(place.position);
        if sink.has(&place.path) {
            continue;
        }
        let cause = match most {
            0 => format!(
                "{} retries, but the circuit breaker of cluster {} allows no retries",
                way.route_name(),
                quoted(cluster.name())
            ),
            _ => format!(
                "{} retries, and the circuit breaker of cluster {} allows {most} concurrent retries{}",
                way.route_name(),
                quoted(cluster.name()),
                if stated { "" } else { " (default)" }
            ),
        };
        let hosts = cluster.hosts() as u64;
        let effect = match (most, hosts) {
            (0, _) => String::from("no request is retried"),
            (_, 2..) if cluster.knows_hosts() => format!(
                "with one of {hosts} hosts failed, requests fail without a retry once about {} are active",
                most.saturating_mul(hosts)
            ),
            _ => String::from("further requests fail without a retry"),
        };
        let fix = "set max_retries to the number of requests that may be retried at once, or use retry_budget";
        let finding = sink.add(&place, cause, effect, fix);
        if most > 0 {
            finding.severity = Severity::Info;
        }
    }
}
