//! Weights of assignment entries that Envoy drops or merges.

use alloc::{format, string::String, vec::Vec};
use spillgate_core::visible::quoted;

use spillgate_config::envoy::facts::LocalityFacts;
use spillgate_core::model::{Locality, LocalityLb, Priority, PriorityLocality};

use super::weights::{entries, has_weight, name, priorities};
use crate::{
    context::{Context, Plain},
    figures::{alone, counted, percent, shares},
    finding::Severity,
    rule::Rule,
    sink::Sink,
};

/// Several entries of a priority have weights but no `locality`.
///
/// Envoy ignores the weight of an entry without `locality`: all hosts of these entries share the load.
/// Not reported if an entry of the priority has both while locality weights are enabled, or if the
/// policy hashes: then other rules report the entries that get no requests.
pub(crate) static DROPPED: Rule = Rule {
    id: "locality-weight-dropped",
    severity: Severity::Warning,
    summary: "weights of entries without locality, which Envoy ignores",
    check: dropped,
};

/// Several entries of a priority have the same `locality` and weights.
///
/// Envoy merges them into one locality with the last weight; the other weights are lost.
pub(crate) static MERGED: Rule = Rule {
    id: "locality-entries-merged",
    severity: Severity::Warning,
    summary: "entries with the same locality: Envoy merges them and keeps the last weight",
    check: merged,
};

/// The smallest difference of a share, in percentage points, that is worth a finding.
const DIFFERENCE: f64 = 0.5;

/// The shares of the entries of a priority, in percent of its requests.
struct EntryShares {
    now: Vec<f64>,
    /// If each entry were a locality with its weight.
    intended: Vec<f64>,
}

/// The shares of these entries, by the index of the entry in the facts.
fn entry_shares(cluster: &Plain<'_>, number: usize, priority: &Priority) -> EntryShares {
    let all = &cluster.facts.localities;
    let entry_of: Vec<Option<usize>> = (0..priority.endpoints.len())
        .map(|index| cluster.entry_of(number, index))
        .collect();
    let mut split = priority.clone();
    split.localities = all
        .iter()
        .enumerate()
        .map(|(index, entry)| PriorityLocality {
            locality: Locality {
                zone: format!("{index}"),
                ..Locality::default()
            },
            weight: Some(entry.weight_value).filter(|&weight| weight > 0),
        })
        .collect();
    for (endpoint, entry) in split.endpoints.iter_mut().zip(&entry_of) {
        endpoint.locality = entry.unwrap_or(0);
    }
    let now = cluster.by_itself(priority);
    let mut intended = cluster.by_itself(&split);
    intended.locality_lb = LocalityLb::Weighted;
    let sums = |plain| {
        let found = shares(&alone(cluster.name(), plain));
        let mut sums = alloc::vec![0.0; all.len()];
        for share in &found.shares {
            let entry = entry_of.get(share.host).copied().flatten();
            if let Some(sum) = entry.and_then(|entry| sums.get_mut(entry)) {
                *sum += share.share;
            }
        }
        sums
    };
    EntryShares {
        now: sums(now),
        intended: sums(intended),
    }
}

/// Of these entries, the one with the largest difference, and its shares as text.
fn largest_difference<'c>(
    cluster: &Plain<'c>,
    number: usize,
    priority: &Priority,
    of: impl Fn(&LocalityFacts) -> bool,
) -> Option<(&'c LocalityFacts, String)> {
    let shares = entry_shares(cluster, number, priority);
    let pairs = shares.now.iter().zip(&shares.intended);
    let entries = cluster.facts.localities.iter().zip(pairs);
    let own = entries
        .filter(|(entry, _)| entry.priority == number && !entry.endpoints.is_empty() && of(entry));
    let difference = |(now, intended): (&f64, &f64)| f64::abs(now - intended);
    // Of equal differences, the first.
    let (entry, (now, intended)) = own.reduce(|first, second| {
        if difference(second.1) > difference(first.1) + 1e-9 {
            second
        } else {
            first
        }
    })?;
    (difference((now, intended)) >= DIFFERENCE).then(|| {
        let text = format!("{} instead of {}", percent(*now), percent(*intended));
        (entry, text)
    })
}

/// Finds entries with weights but without a locality.
fn dropped(context: &Context<'_>, sink: &mut Sink) {
    for cluster in context.plains() {
        let weighted = cluster.plain.locality_lb.is_weighted();
        for (number, priority) in priorities(&cluster) {
            // Other rules report entries without requests.
            if weighted && (has_weight(priority) || cluster.plain.policy.hashes()) {
                continue;
            }
            let without = |entry: &LocalityFacts| !entry.has_locality && entry.weight.is_some();
            let count = entries(&cluster, number)
                .filter(|entry| without(entry))
                .count();
            if count == 0 || entries(&cluster, number).count() < 2 {
                continue;
            }
            let Some((entry, share)) = largest_difference(&cluster, number, priority, without)
            else {
                continue;
            };
            let cause = format!(
                "{} of priority {number} of cluster {} have a load_balancing_weight but no locality",
                counted(count, "entry").replace("entrys", "entries"),
                quoted(cluster.name())
            );
            let effect = format!(
                "Envoy ignores these weights: the {} of this entry {} {share} of the priority's requests",
                counted(entry.endpoints.len(), "host"),
                if entry.endpoints.len() == 1 {
                    "gets"
                } else {
                    "get"
                }
            );
            let fix = if weighted {
                "give each entry its own locality"
            } else {
                "give each entry its own locality and set locality_weighted_lb_config, or remove the \
                     weights"
            };
            sink.add(&entry.place.field("locality"), cause, effect, fix);
            break;
        }
    }
}

/// Finds entries of one locality with weights.
fn merged(context: &Context<'_>, sink: &mut Sink) {
    for cluster in context.plains() {
        for (number, priority) in priorities(&cluster) {
            // Weights of several localities that are not enabled have their own rule.
            if !cluster.plain.locality_lb.is_weighted() && priority.localities.len() > 1 {
                continue;
            }
            for locality in &priority.localities {
                let of = |entry: &LocalityFacts| {
                    entry.has_locality && entry.locality == locality.locality
                };
                let own: Vec<_> = entries(&cluster, number)
                    .filter(|entry| of(entry))
                    .collect();
                let weights = own.iter().filter(|entry| entry.weight.is_some()).count();
                if own.len() < 2 || weights == 0 {
                    continue;
                }
                // The entries whose weight is lost.
                let last = own.iter().rfind(|entry| entry.weight.is_some());
                let lost = |entry: &LocalityFacts| {
                    of(entry)
                        && entry.weight.is_some()
                        && last.is_none_or(|l| l.place != entry.place)
                };
                let lost = largest_difference(&cluster, number, priority, lost);
                let found = lost.or_else(|| largest_difference(&cluster, number, priority, of));
                let Some((entry, share)) = found else {
                    continue;
                };
                let cause = format!(
                    "{} entries of priority {number} of cluster {} have {}",
                    own.len(),
                    quoted(cluster.name()),
                    name(&locality.locality)
                );
                let weight = locality.weight.unwrap_or(0);
                let effect = format!(
                    "Envoy merges them, with the last weight {weight}: the {} of this entry {} {share} of \
                     the priority's requests",
                    counted(entry.endpoints.len(), "host"),
                    if entry.endpoints.len() == 1 {
                        "gets"
                    } else {
                        "get"
                    }
                );
                let fix =
                    "give each entry its own locality, or merge the entries and add their weights";
                let place = entry.weight.as_ref().unwrap_or(&entry.place);
                sink.add(place, cause, effect, fix);
            }
        }
    }
}
