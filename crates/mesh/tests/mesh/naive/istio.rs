//! Istio's rules.

use std::collections::{BTreeMap, BTreeSet};

use super::{NaiveAssignment, NaivePlace};
use crate::random::{IstioCase, NETWORK, RandomSetting};

pub(crate) fn assign(case: &IstioCase) -> NaiveAssignment {
    let failover = case.min_health_percent.is_some() || case.of_service;
    let mut places: Vec<Option<NaivePlace>> = case
        .endpoints
        .iter()
        .map(|endpoint| {
            Some(NaivePlace {
                priority: 0,
                locality: endpoint.locality.clone(),
                weight: 0,
            })
        })
        .collect();
    match &case.setting {
        RandomSetting::Off => {}
        RandomSetting::Distribute(entries) => {
            let entry = entries
                .iter()
                .find(|(from, _)| matches(&case.locality, from));
            if let Some((_, to)) = entry {
                return NaiveAssignment {
                    places: distribute(case, to),
                    ..finished(case, places, true)
                };
            }
            return finished(case, places, true);
        }
        RandomSetting::Rules { rules, labels } => {
            let set = !rules.is_empty() || !labels.is_empty();
            if failover {
                for (at, place) in places.iter_mut().enumerate() {
                    let ignored = case.dns && (case.version < 30 || case.subset);
                    let by_label = if case.proxy_labels.is_empty() || ignored {
                        0
                    } else {
                        by_label(case, at, labels)
                    };
                    let distance = if labels.is_empty() || !rules.is_empty() {
                        distance(case, at, rules)
                    } else {
                        0
                    };
                    place.as_mut().unwrap().priority = by_label * 5 + distance;
                }
                squeeze(&mut places);
            }
            return finished(case, places, failover && set);
        }
    }
    finished(case, places, false)
}

/// Adds the weights of the localities: the sum of the weights of their endpoints in a priority.
fn finished(
    case: &IstioCase,
    mut places: Vec<Option<NaivePlace>>,
    weighted: bool,
) -> NaiveAssignment {
    let mut sums: BTreeMap<(u32, String), u32> = BTreeMap::new();
    for (place, endpoint) in places.iter().zip(&case.endpoints) {
        let place = place.as_ref().unwrap();
        *sums
            .entry((place.priority, place.locality.clone()))
            .or_default() += endpoint.weight;
    }
    for place in places.iter_mut().flatten() {
        place.weight = sums[&(place.priority, place.locality.clone())];
    }
    NaiveAssignment {
        places,
        factor: 140,
        weighted,
        panic_threshold: if case.sends_unready {
            0
        } else {
            case.min_health_percent.unwrap_or(50)
        },
    }
}

fn distribute(case: &IstioCase, to: &[(String, u32)]) -> Vec<Option<NaivePlace>> {
    let size = |locality: &str| -> u32 {
        let of = case
            .endpoints
            .iter()
            .filter(|endpoint| endpoint.locality == locality);
        of.map(|endpoint| endpoint.weight).sum()
    };
    let owner = |locality: &str| to.iter().find(|(rule, _)| matches(locality, rule));
    let localities: BTreeSet<&str> = case
        .endpoints
        .iter()
        .map(|endpoint| endpoint.locality.as_str())
        .collect();
    case.endpoints
        .iter()
        .map(|endpoint| {
            let rule = owner(&endpoint.locality)?;
            let mates = localities
                .iter()
                .filter(|locality| owner(locality) == Some(rule));
            let all: u32 = mates.map(|locality| size(locality)).sum();
            let share = f64::from(size(&endpoint.locality)) * f64::from(rule.1) / f64::from(all);
            Some(NaivePlace {
                priority: 0,
                locality: endpoint.locality.clone(),
                weight: share.ceil() as u32,
            })
        })
        .collect()
}

/// Whether a locality matches a rule, part by part.
fn matches(locality: &str, rule: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        let mut parts: Vec<String> = text.split('/').map(Into::into).collect();
        parts.resize(3, String::new());
        parts
    };
    let pairs = parts(locality).into_iter().zip(parts(rule));
    pairs
        .enumerate()
        .all(|(at, (found, rule))| rule == "*" || (at > 0 && rule.is_empty()) || rule == found)
}

fn by_label(case: &IstioCase, at: usize, labels: &[String]) -> u32 {
    let endpoint = &case.endpoints[at];
    // Since 1.31, endpoints of other networks keep the order of the other labels, after all others.
    if case.version >= 31 && labels.first().is_some_and(|label| label == NETWORK) {
        let network = |labels: &BTreeMap<String, String>| labels.get(NETWORK).cloned();
        if network(&endpoint.labels).unwrap_or_default()
            != network(&case.proxy_labels).unwrap_or_default()
        {
            return labels.len() as u32 + by_label(case, at, &labels[1..]);
        }
    }
    for (index, label) in labels.iter().enumerate() {
        let (key, wanted) = match label.split_once('=') {
            Some((key, value)) => (key, value.to_owned()),
            None => (
                label.as_str(),
                case.proxy_labels.get(label).cloned().unwrap_or_default(),
            ),
        };
        if endpoint.labels.get(key).cloned().unwrap_or_default() != wanted {
            return (labels.len() - index) as u32;
        }
    }
    0
}

fn distance(case: &IstioCase, at: usize, rules: &[(String, String)]) -> u32 {
    let part = |text: &str, at: usize| text.split('/').nth(at).unwrap_or("").to_owned();
    let same = |upto: usize, locality: &str| {
        (0..upto).all(|at| part(&case.locality, at) == part(locality, at))
    };
    let locality = &case.endpoints[at].locality;
    if let Some(rank) = (0..3).find(|rank| same(3 - rank, locality)) {
        return rank as u32;
    }
    let rule = rules
        .iter()
        .find(|(from, _)| *from == part(&case.locality, 0));
    match rule {
        Some((_, to)) if *to != part(locality, 0) => 4,
        _ => 3,
    }
}

fn squeeze(places: &mut [Option<NaivePlace>]) {
    let used: BTreeSet<u32> = places
        .iter()
        .flatten()
        .map(|place| place.priority)
        .collect();
    for place in places.iter_mut().flatten() {
        place.priority = used.iter().filter(|&&other| other < place.priority).count() as u32;
    }
}
