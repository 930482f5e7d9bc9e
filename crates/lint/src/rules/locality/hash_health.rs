//! Hash policies that keep locality weights, whatever the health of the hosts.

use alloc::{format, string::String};
use spillgate_core::visible::quoted;

use spillgate_config::envoy::facts::LocalityFacts;
use spillgate_core::model::{
    CoarseHealth, Endpoint, Health, HealthStatus, PlainCluster, Policy, Priority,
};

use super::weights::{entries, name, priorities};
use crate::{
    context::{Context, Plain},
    figures::{alone, locality_shares, percent, shares},
    finding::Severity,
    rule::Rule,
    sink::Sink,
};

/// RING_HASH or MAGLEV with locality weights: a locality keeps its weight while any of its hosts is
/// healthy. Other policies reduce the weight of a locality with unhealthy hosts.
///
/// The healthy hosts of the locality get the requests of its unhealthy ones. A warning if hosts are
/// unhealthy in the input; info if a health signal can make them so.
pub(crate) static IGNORED: Rule = Rule {
    id: "hash-locality-health",
    severity: Severity::Warning,
    summary: "hash policy with locality weights: a locality keeps its weight when its hosts fail",
    check: ignored,
};

/// The smallest difference of a share, in percentage points, that is worth a finding.
const DIFFERENCE: f64 = 1.0;

/// The shares of a locality under the hash policy, and with adjusted weights.
struct LocalityEffect<'p> {
    index: usize,
    hashed: f64,
    adjusted: f64,
    priority: &'p Priority,
}

/// Finds localities that keep their weight.
fn ignored(context: &Context<'_>, sink: &mut Sink) {
    for cluster in context.plains() {
        let hashes = matches!(
            cluster.plain.policy,
            Policy::RingHash(_) | Policy::Maglev(_)
        );
        if !hashes || !cluster.plain.locality_lb.is_weighted() {
            continue;
        }
        let several = || priorities(&cluster).filter(|(_, priority)| is_weighted_several(priority));
        let now =
            several().find_map(|(number, priority)| Some((number, effect_of(&cluster, priority)?)));
        if let Some((number, effect)) = now {
            report(&cluster, number, &effect, Severity::Warning, sink);
        } else if cluster.has_health_signal() {
            for (number, priority) in several() {
                let Some(failing) = after_losses(&cluster, priority) else {
                    continue;
                };
                if let Some(effect) = effect_of(&cluster, &failing) {
                    report(&cluster, number, &effect, Severity::Info, sink);
                    break;
                }
            }
        }
    }
}

/// Whether several localities with hosts have a weight.
fn is_weighted_several(priority: &Priority) -> bool {
    let localities = priority.localities.iter().enumerate();
    let weighted = localities.filter(|(index, locality)| {
        locality.weight.is_some_and(|weight| weight > 0)
            && priority
                .endpoints
                .iter()
                .any(|endpoint| endpoint.locality == *index)
    });
    weighted.count() > 1
}

const fn is_usable(endpoint: &Endpoint) -> bool {
    !matches!(endpoint.health.coarse(), CoarseHealth::Unhealthy)
}

/// The locality that keeps the most, if the policy matters for these hosts.
fn effect_of<'p>(cluster: &Plain<'_>, priority: &'p Priority) -> Option<LocalityEffect<'p>> {
    if priority.endpoints.iter().all(is_usable) {
        return None;
    }
    let of = |policy: Policy| {
        let plain = PlainCluster {
            policy,
            ..cluster.by_itself(priority)
        };
        let found = shares(&alone(cluster.name(), plain.clone()));
        locality_shares(&plain, &found, 0)
    };
    let (hashed, adjusted) = (of(cluster.plain.policy), of(Policy::RoundRobin));
    let has_unhealthy = |index: usize| {
        let mut own = priority.endpoints.iter().filter(|e| e.locality == index);
        own.any(|endpoint| !is_usable(endpoint))
    };
    let pairs = hashed.iter().zip(&adjusted).enumerate();
    let kept = pairs.filter(|(index, (hashed, adjusted))| {
        has_unhealthy(*index) && *hashed - *adjusted >= DIFFERENCE
    });
    let (index, (&hashed, &adjusted)) =
        kept.max_by(|(_, a), (_, b)| f64::total_cmp(&(a.0 - a.1), &(b.0 - b.1)))?;
    Some(LocalityEffect {
        index,
        hashed,
        adjusted,
        priority,
    })
}

/// The priority after so many losses in a locality that other policies reduce its weight; `None` if
/// no locality has enough hosts.
fn after_losses(cluster: &Plain<'_>, priority: &Priority) -> Option<Priority> {
    let factor = u64::from(cluster.plain.overprovisioning_factor.0);
    (0..priority.localities.len()).find_map(|index| {
        let own = priority.endpoints.iter().filter(|e| e.locality == index);
        let hosts = own.count() as u64;
        let reacts = |lost: &u64| (hosts - lost).saturating_mul(factor) < hosts.saturating_mul(100);
        let lost = (1..hosts).find(reacts)? as usize;
        let mut failing = priority.clone();
        let hosts = failing.endpoints.iter_mut();
        for endpoint in hosts.filter(|e| e.locality == index).take(lost) {
            endpoint.health = Health::from_status(HealthStatus::Unhealthy);
        }
        Some(failing)
    })
}

/// Reports a locality with its shares.
fn report(
    cluster: &Plain<'_>,
    number: usize,
    effect: &LocalityEffect<'_>,
    severity: Severity,
    sink: &mut Sink,
) {
    let Some(locality) = effect.priority.localities.get(effect.index) else {
        return;
    };
    let own = effect
        .priority
        .endpoints
        .iter()
        .filter(|e| e.locality == effect.index);
    let (hosts, unhealthy) = (own.clone().count(), own.filter(|e| !is_usable(e)).count());
    let of = |entry: &&LocalityFacts| entry.locality == locality.locality;
    let Some(entry) = entries(cluster, number).find(of) else {
        return;
    };
    let policy = cluster.plain.policy.name();
    let cause = format!(
        "{policy} of cluster {} uses locality weights regardless of the health of the hosts",
        quoted(cluster.name())
    );
    let when = match severity {
        Severity::Info => String::from("after failures, "),
        _ => String::new(),
    };
    let text = format!(
        "{when}{} keeps {} of priority {number} with {unhealthy} of {hosts} hosts unhealthy; with ROUND_ROBIN \
         it would get {}",
        name(&locality.locality),
        percent(effect.hashed),
        percent(effect.adjusted)
    );
    let fix = "use ROUND_ROBIN or LEAST_REQUEST, or remove the locality weights, if health must move requests \
               to other localities";
    let place = entry.weight.as_ref().unwrap_or(&entry.place);
    sink.add(place, cause, text, fix).severity = severity;
}
