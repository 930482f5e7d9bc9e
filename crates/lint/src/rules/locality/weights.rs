//! Locality weights that are missing or unused.

use alloc::{format, string::String, vec::Vec};
use spillgate_core::visible::quoted;

use spillgate_config::envoy::facts::{FieldPlace, LocalityFacts};
use spillgate_core::model::{LocalityLb, PlainCluster, Priority};

use crate::{
    context::{Context, Plain},
    figures::{alone, counted, locality_shares, percent, shares},
    finding::Severity,
    rule::Rule,
    sink::Sink,
};

/// A hash policy with locality weights has a priority without any locality weight.
///
/// The priority's ring or table is empty: its requests get 503, possibly only after a failover.
pub(crate) static WEIGHTLESS: Rule = Rule {
    id: "hash-locality-weightless",
    severity: Severity::Error,
    summary: "hash policy with locality weights, and a priority without any: 503",
    check: weightless,
};

/// Localities have weights, and neither `locality_weighted_lb_config` nor `wrr_locality` enables
/// them.
///
/// Traffic is spread over hosts, regardless of the weights.
pub(crate) static UNUSED: Rule = Rule {
    id: "locality-weights-unused",
    severity: Severity::Warning,
    summary: "locality weights that are not enabled",
    check: unused,
};

/// Locality weights are enabled, and only some localities of a priority have one.
///
/// A locality without a weight gets no requests. Envoy ignores the weight of an entry without
/// `locality`, so such an entry has none.
pub(crate) static MISSING: Rule = Rule {
    id: "locality-weight-missing",
    severity: Severity::Error,
    summary: "locality weights are enabled, and a locality has none: no requests",
    check: missing,
};

/// The non-empty priorities with their numbers.
pub(super) fn priorities<'c>(
    cluster: &Plain<'c>,
) -> impl Iterator<Item = (usize, &'c Priority)> + use<'c> {
    let priorities = cluster.plain.priorities.iter().enumerate();
    priorities.filter(|(_, priority)| !priority.endpoints.is_empty())
}

/// The entries of a priority with endpoints.
pub(super) fn entries<'c>(
    cluster: &Plain<'c>,
    number: usize,
) -> impl Iterator<Item = &'c LocalityFacts> + use<'c> {
    let localities = cluster.facts.localities.iter();
    localities.filter(move |entry| entry.priority == number && !entry.endpoints.is_empty())
}

/// Whether any locality of the priority has a weight.
pub(super) fn has_weight(priority: &Priority) -> bool {
    priority
        .localities
        .iter()
        .any(|l| l.weight.is_some_and(|weight| weight > 0))
}

/// Finds priorities without locality weights under a hash policy.
fn weightless(context: &Context<'_>, sink: &mut Sink) {
    for cluster in context.plains() {
        let policy = &cluster.plain.policy;
        if !policy.hashes() || !cluster.plain.locality_lb.is_weighted() {
            continue;
        }
        for (number, priority) in priorities(&cluster).filter(|(_, priority)| !has_weight(priority))
        {
            let by_itself = PlainCluster {
                priorities: [priority.clone()].into(),
                subsets: None,
                ..cluster.plain.clone()
            };
            let found = shares(&alone(cluster.name(), by_itself));
            if found.no_host < 100.0 {
                continue;
            }
            let places: Vec<FieldPlace> =
                entries(&cluster, number).map(|e| e.place.clone()).collect();
            let dropped = entries(&cluster, number)
                .find(|entry| !entry.has_locality && entry.weight.is_some());
            let place = match dropped {
                Some(entry) => Some(entry.place.field("locality")),
                None => places.first().cloned(),
            };
            let Some(place) = place else { continue };
            let cause = format!(
                "{} uses locality weights, and priority {number} of cluster {} has none",
                policy.name(),
                quoted(cluster.name())
            );
            let effect = format!(
                "{} of the priority's requests get 503",
                percent(found.no_host)
            );
            let fix = match dropped {
                Some(_) => "set locality: Envoy ignores the weight of an entry without it",
                None => "set locality and load_balancing_weight",
            };
            let finding = sink.add(&place, cause, effect, fix);
            // Only the author knows the locality of an entry.
            if entries(&cluster, number).all(|entry| entry.has_locality) {
                for place in &places {
                    finding.set(place.field("load_balancing_weight"), "1");
                }
            }
        }
    }
}

/// Finds localities without a weight among weighted ones.
fn missing(context: &Context<'_>, sink: &mut Sink) {
    for cluster in context
        .plains()
        .filter(|c| c.plain.locality_lb.is_weighted())
    {
        let found = cluster.shares();
        for (number, priority) in priorities(&cluster).filter(|(_, priority)| has_weight(priority))
        {
            let shares = locality_shares(cluster.plain, &found, number);
            for (index, locality) in priority.localities.iter().enumerate() {
                let mut hosts = priority.endpoints.iter().filter(|e| e.locality == index);
                if locality.weight.is_some_and(|weight| weight > 0) || hosts.next().is_none() {
                    continue;
                }
                let mut entries = entries(&cluster, number);
                let Some(entry) = entries.find(|entry| entry.locality == locality.locality) else {
                    continue;
                };
                let share = shares.get(index).copied().unwrap_or(0.0);
                let effect = format!(
                    "{} of requests go to its {}",
                    percent(share),
                    counted(hosts.count() + 1, "host")
                );
                if !entry.has_locality {
                    report_without_locality(&cluster, entry, effect, sink);
                    continue;
                }
                let cause = format!(
                    "{} of priority {number} has no load_balancing_weight, and cluster {} uses locality \
                     weights",
                    name(&entry.locality),
                    quoted(cluster.name())
                );
                let smallest = priority
                    .localities
                    .iter()
                    .filter_map(|l| l.weight)
                    .filter(|w| *w > 0);
                let weight = smallest.min().unwrap_or(1);
                sink.add(&entry.place, cause, effect, "set a load_balancing_weight")
                    .set(
                        entry.place.field("load_balancing_weight").path,
                        format!("{weight}"),
                    );
            }
        }
    }
}

/// Reports an entry without `locality` among weighted localities: a weight alone does not help.
fn report_without_locality(
    cluster: &Plain<'_>,
    entry: &LocalityFacts,
    effect: String,
    sink: &mut Sink,
) {
    let weight = match entry.weight_value {
        0 => String::from("an entry"),
        weight => format!("the entry with load_balancing_weight {weight}"),
    };
    let cause = format!(
        "{weight} of priority {} has no locality, so Envoy ignores its weight, and cluster {} uses \
         locality weights",
        entry.priority,
        quoted(cluster.name())
    );
    let fix = match entry.weight_value {
        0 => "set locality and load_balancing_weight",
        _ => "set locality (an empty one is enough for a single entry)",
    };
    let place = entry.place.field("locality");
    let finding = sink.add(&place, cause, effect, fix);
    finding.set(&place.path, "{}");
    if entry.weight_value == 0 {
        finding.set(entry.place.field("load_balancing_weight").path, "1");
    }
}

/// Finds locality weights that are not enabled.
fn unused(context: &Context<'_>, sink: &mut Sink) {
    for cluster in context
        .plains()
        .filter(|c| !c.plain.locality_lb.is_weighted())
    {
        for (number, priority) in priorities(&cluster) {
            let weight =
                entries(&cluster, number).find_map(|entry| Some((entry, entry.weight.as_ref()?)));
            let Some((_, place)) = weight.filter(|_| priority.localities.len() > 1) else {
                continue;
            };
            let by_itself = PlainCluster {
                priorities: [priority.clone()].into(),
                subsets: None,
                ..cluster.plain.clone()
            };
            let weighted = PlainCluster {
                locality_lb: LocalityLb::Weighted,
                ..by_itself.clone()
            };
            let shares_of = |plain: PlainCluster| {
                let found = shares(&alone(cluster.name(), plain.clone()));
                locality_shares(&plain, &found, 0)
            };
            let found = shares_of(by_itself);
            let intended = shares_of(weighted);
            let differences = priority.localities.iter().zip(found.iter().zip(&intended));
            let furthest = differences.rev().max_by(|(_, one), (_, other)| {
                (one.0 - one.1).abs().total_cmp(&(other.0 - other.1).abs())
            });
            let Some((locality, (found, intended))) = furthest else {
                continue;
            };
            let (found, intended) = (percent(*found), percent(*intended));
            if found == intended {
                continue;
            }
            let cause = format!(
                "locality weights of cluster {} are not enabled",
                quoted(cluster.name())
            );
            let effect = format!(
                "{} gets {found} of priority {number} instead of {intended}",
                name(&locality.locality),
            );
            let fix = "set locality_weighted_lb_config, or remove the weights";
            let finding = sink.add(place, cause, effect, fix);
            if !cluster.facts.policy.typed && cluster.facts.policy.zone_aware.is_none() {
                let common = cluster.facts.place.field("common_lb_config");
                finding.set(common.field("locality_weighted_lb_config"), "{}");
            } else {
                for weight in cluster
                    .facts
                    .localities
                    .iter()
                    .filter_map(|e| e.weight.as_ref())
                {
                    finding.remove(weight);
                }
            }
            break;
        }
    }
}

/// The name of a locality in messages.
pub(super) fn name(locality: &spillgate_core::model::Locality) -> String {
    match format!("{locality}").as_str() {
        "" => String::from("the unnamed locality"),
        text => format!("locality {}", quoted(text)),
    }
}
