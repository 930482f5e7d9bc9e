//! Envoy's arithmetic: from places and health to the share of each endpoint.

use std::collections::BTreeMap;

use super::NaiveAssignment;

/// One endpoint: its weight and whether it is healthy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NaiveHost {
    pub(crate) weight: u32,
    pub(crate) healthy: bool,
}

/// The share of each endpoint in percent.
pub(crate) fn shares(assignment: &NaiveAssignment, hosts: &[NaiveHost]) -> Vec<f64> {
    let mut shares = vec![0.0; hosts.len()];
    let last = assignment
        .places
        .iter()
        .flatten()
        .map(|place| place.priority)
        .max();
    let Some(last) = last else {
        return shares;
    };
    let members: Vec<Vec<usize>> = (0..=last)
        .map(|priority| {
            let all = 0..hosts.len();
            all.filter(|&at| {
                let place = assignment.places[at].as_ref();
                place.is_some_and(|place| place.priority == priority)
            })
            .collect()
        })
        .collect();
    let healthy =
        |members: &[usize]| members.iter().filter(|&&at| hosts[at].healthy).count() as u64;
    let availability: Vec<u64> = members
        .iter()
        .map(|of| match of.len() as u64 {
            0 => 0,
            all => (assignment.factor * healthy(of) / all).min(100),
        })
        .collect();
    let total = availability.iter().sum::<u64>().min(100);
    let panics: Vec<bool> = members
        .iter()
        .map(|of| {
            let few = 100 * healthy(of) < assignment.panic_threshold * of.len() as u64;
            let empty = of.is_empty() && assignment.panic_threshold > 0;
            total < 100 && (few || empty)
        })
        .collect();
    let loads = if panics.iter().all(|panic| *panic) {
        by_size(&members)
    } else {
        by_availability(&availability, total)
    };
    for (priority, of) in members.iter().enumerate() {
        let inside = inside(assignment, of, hosts, panics[priority]);
        for (&at, share) in of.iter().zip(inside) {
            shares[at] = loads[priority] as f64 * share;
        }
    }
    shares
}

fn by_availability(availability: &[u64], total: u64) -> Vec<u64> {
    let mut loads = vec![0; availability.len()];
    if total == 0 {
        return loads;
    }
    let mut left = 100;
    for (load, of) in loads.iter_mut().zip(availability) {
        *load = (of * 100 / total).min(left);
        left -= *load;
    }
    let first = availability.iter().position(|of| *of > 0).unwrap();
    loads[first] += left;
    loads
}

fn by_size(members: &[Vec<usize>]) -> Vec<u64> {
    let all: usize = members.iter().map(Vec::len).sum();
    let mut loads: Vec<u64> = members
        .iter()
        .map(|of| (100 * of.len() / all) as u64)
        .collect();
    let left = 100 - loads.iter().sum::<u64>();
    let first = members.iter().position(|of| !of.is_empty()).unwrap();
    loads[first] += left;
    loads
}

/// The share of each endpoint within its priority, 0 to 1.
fn inside(
    assignment: &NaiveAssignment,
    members: &[usize],
    hosts: &[NaiveHost],
    panics: bool,
) -> Vec<f64> {
    let usable = |at: usize| panics || hosts[at].healthy;
    let by_host = |at: usize| {
        if usable(at) {
            f64::from(hosts[at].weight)
        } else {
            0.0
        }
    };
    let mut localities: BTreeMap<&str, (f64, Vec<usize>)> = BTreeMap::new();
    for &at in members {
        let place = assignment.places[at].as_ref().unwrap();
        let entry = localities.entry(&place.locality).or_default();
        entry.0 = f64::from(place.weight);
        entry.1.push(at);
    }
    for (weight, of) in localities.values_mut() {
        let healthy = of.iter().filter(|&&at| hosts[at].healthy).count() as f64;
        let rate = assignment.factor as f64 / 100.0 * healthy / of.len() as f64;
        *weight *= rate.min(1.0);
    }
    let sum: f64 = localities.values().map(|(weight, _)| weight).sum();
    let weights: Vec<f64> = members
        .iter()
        .map(|&at| {
            if !assignment.weighted || panics || sum == 0.0 {
                return by_host(at);
            }
            let place = assignment.places[at].as_ref().unwrap();
            let (weight, of) = &localities[place.locality.as_str()];
            let all: f64 = of.iter().map(|&at| by_host(at)).sum();
            if all == 0.0 {
                0.0
            } else {
                weight * by_host(at) / all
            }
        })
        .collect();
    let all: f64 = weights.iter().sum();
    let share = |weight| if all == 0.0 { 0.0 } else { weight / all };
    weights.into_iter().map(share).collect()
}
