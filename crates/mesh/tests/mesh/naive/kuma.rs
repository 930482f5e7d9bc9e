//! Kuma's rules, for one endpoint at a time.

use super::{NaiveAssignment, NaivePlace};
use crate::random::{KumaCase, RandomRule};

pub(crate) fn assign(case: &KumaCase, record: bool) -> NaiveAssignment {
    let weighted = case.local_zone && !case.tags.is_empty();
    let plain = |other: u32| NaiveAssignment {
        places: case
            .endpoints
            .iter()
            .map(|endpoint| {
                let home = endpoint.zone == case.zone || endpoint.zone.is_empty();
                Some(NaivePlace {
                    priority: if home { 0 } else { other },
                    locality: endpoint.zone.clone(),
                    weight: 0,
                })
            })
            .collect(),
        factor: 140,
        weighted: false,
        panic_threshold: 50,
    };
    if !case.present {
        return plain(1);
    }
    if case.disabled && (record || !(case.local_zone || case.cross_zone)) {
        return plain(0);
    }
    if !record && !case.local_zone && !case.cross_zone {
        return plain(1);
    }
    NaiveAssignment {
        places: (0..case.endpoints.len())
            .map(|at| place(case, at, record))
            .collect(),
        factor: factor(case, record),
        weighted,
        panic_threshold: 50,
    }
}

fn factor(case: &KumaCase, record: bool) -> u64 {
    let Some(tenths) = case.threshold_tenths.filter(|_| case.cross_zone) else {
        return 200;
    };
    if !record {
        return 1000 / tenths * 100;
    }
    // The smallest factor that gives full availability at the threshold itself.
    (100..).find(|factor| factor * tenths >= 100_000).unwrap()
}

fn place(case: &KumaCase, at: usize, record: bool) -> Option<NaivePlace> {
    let endpoint = &case.endpoints[at];
    if endpoint.zone == case.zone {
        return Some(local(case, at, record));
    }
    let rules = rules(case, record);
    let empty = rules.iter().all(|(_, rule)| rule.kind == "None");
    let remote = |priority, locality: &str| {
        Some(NaivePlace {
            priority,
            locality: locality.into(),
            weight: 0,
        })
    };
    if case.egress {
        return if record && empty {
            None
        } else {
            remote(1, "egress")
        };
    }
    for (priority, rule) in rules {
        let listed = rule.zones.contains(&endpoint.zone);
        let taken = match rule.kind {
            "Any" => true,
            "Only" => listed,
            "AnyExcept" => !listed,
            _ if record => return None,
            _ => false,
        };
        if taken {
            return remote(priority, &endpoint.zone);
        }
    }
    None
}

/// The rules for the zone of the proxy, each with its priority.
fn rules(case: &KumaCase, record: bool) -> Vec<(u32, &RandomRule)> {
    let mut rules = Vec::new();
    if !case.cross_zone {
        return rules;
    }
    let mut priority = 0;
    for rule in &case.rules {
        let applies = rule.from.is_empty() || rule.from.contains(&case.zone);
        let named = rule.kind == "AnyExcept" && rule.zones.contains(&case.zone);
        let applies = applies && !(record && named);
        if applies || !record {
            priority += 1;
        }
        if applies {
            rules.push((priority, rule));
        }
    }
    rules
}

fn local(case: &KumaCase, at: usize, record: bool) -> NaivePlace {
    let endpoint = &case.endpoints[at];
    let mut found: Option<(u32, String)> = None;
    for (index, (key, weight)) in case.tags.iter().enumerate().filter(|_| case.local_zone) {
        let weight = weight.unwrap_or_else(|| {
            let zeros = case.tags.len() - 1 - index;
            format!("9{}", "0".repeat(zeros)).parse().unwrap()
        });
        let mut values: Vec<&String> = case.proxy_tags.get(key).into_iter().flatten().collect();
        values.sort();
        let label = case.proxy_labels.get(key).filter(|_| !record);
        let Some(value) = values.first().copied().or(label) else {
            continue;
        };
        let better = found
            .as_ref()
            .is_none_or(|(best, _)| record && weight > *best);
        if endpoint.tags.get(key) == Some(value) && better {
            found = Some((weight, format!("{key}={value}")));
        }
    }
    let (weight, tag) = found.unwrap_or((1, String::new()));
    NaivePlace {
        priority: 0,
        locality: format!("{} {tag}", case.zone),
        weight,
    }
}
