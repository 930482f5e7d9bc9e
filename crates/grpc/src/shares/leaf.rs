//! The shares in a leaf cluster: the first priority with a usable host gets all requests.

use alloc::{collections::BTreeMap, string::String, vec, vec::Vec};

use spillgate_core::model::{Endpoint, Locality, Priority};

use super::{
    HostPicking, LeafPolicy, localities, reachable, ring::ring_parts, serves, usable::is_eligible,
};

/// The shares in a leaf cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct LeafShares {
    /// The priority that gets all requests (A56); `None` if no priority has a usable host, so that all
    /// requests fail. gRPC has no spillover and no panic mode.
    pub used: Option<usize>,
    /// The priorities, P0 first.
    pub priorities: Vec<PriorityShares>,
}

/// One priority.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PriorityShares {
    /// The number of its hosts that take requests.
    pub usable: usize,
    /// The part of each host, by its index, if the priority is used; 0 to 1.
    pub hosts: Vec<f64>,
}

impl LeafShares {
    /// The shares, for an assignment that gRPC accepts.
    ///
    /// # Errors
    /// Why they are not known.
    pub fn of(priorities: &[Priority], policy: &LeafPolicy) -> Result<Self, String> {
        Self::for_hash(priorities, policy, None)
    }

    /// As [`LeafShares::of`], for requests with this hash (A42); without one, the average over all hashes.
    ///
    /// # Errors
    /// Why they are not known.
    pub fn for_hash(
        priorities: &[Priority],
        policy: &LeafPolicy,
        hash: Option<u64>,
    ) -> Result<Self, String> {
        let mut used = None;
        let mut shares = Vec::new();
        for (number, priority) in priorities.iter().enumerate() {
            let usable = hosts(priority).count();
            let mut found = PriorityShares {
                usable,
                hosts: vec![0.0; priority.endpoints.len()],
            };
            if usable > 0 && used.is_none() {
                used = Some(number);
                found.hosts = parts(priority, policy, hash)?;
            }
            shares.push(found);
        }
        Ok(Self {
            used,
            priorities: shares,
        })
    }
}

/// A host that takes requests.
struct Usable<'p> {
    at: usize,
    endpoint: &'p Endpoint,
    locality_weight: u32,
}

/// Those of a priority, in configuration order.
fn hosts(priority: &Priority) -> impl Iterator<Item = Usable<'_>> {
    let weights: BTreeMap<usize, u32> = localities(priority).collect();
    let endpoints = priority.endpoints.iter().enumerate();
    endpoints.filter_map(move |(at, endpoint)| {
        let locality_weight = *weights.get(&endpoint.locality)?;
        serves(endpoint).then_some(Usable {
            at,
            endpoint,
            locality_weight,
        })
    })
}

/// The part of each host.
fn parts(priority: &Priority, policy: &LeafPolicy, hash: Option<u64>) -> Result<Vec<f64>, String> {
    let mut parts = vec![0.0; priority.endpoints.len()];
    if !policy.by_locality {
        let usable = in_order(priority, hosts(priority).collect());
        give(
            &mut parts,
            1.0,
            &usable,
            picked(priority, policy, &usable, hash)?,
        );
        return Ok(parts);
    }
    // A locality without a usable host is left out, and the others share all requests.
    let mut by_locality: BTreeMap<usize, Vec<Usable<'_>>> = BTreeMap::new();
    for host in hosts(priority) {
        by_locality
            .entry(host.endpoint.locality)
            .or_default()
            .push(host);
    }
    let weight = |of: &[Usable<'_>]| {
        of.first()
            .map_or(0.0, |host| f64::from(host.locality_weight))
    };
    let sum: f64 = by_locality.values().map(|of| weight(of)).sum();
    for of in by_locality.values() {
        give(
            &mut parts,
            weight(of) / sum,
            of,
            picked(priority, policy, of, hash)?,
        );
    }
    Ok(parts)
}

/// Adds the parts of hosts of a whole.
fn give(to: &mut [f64], whole: f64, hosts: &[Usable<'_>], parts: Vec<f64>) {
    for (host, part) in hosts.iter().zip(parts) {
        if let Some(sum) = to.get_mut(host.at) {
            *sum += whole * part;
        }
    }
}

/// The hosts of all localities in gRPC's order: that of the names of their localities.
fn in_order<'p>(priority: &Priority, hosts: Vec<Usable<'p>>) -> Vec<Usable<'p>> {
    let mut by_name: BTreeMap<(&str, &str, &str), Vec<Usable<'p>>> = BTreeMap::new();
    for host in hosts {
        let locality = priority.localities.get(host.endpoint.locality);
        let name = locality.map_or(("", "", ""), |of| name_of(&of.locality));
        by_name.entry(name).or_default().push(host);
    }
    by_name.into_values().flatten().collect()
}

fn name_of(locality: &Locality) -> (&str, &str, &str) {
    (&locality.region, &locality.zone, &locality.sub_zone)
}

/// The part of each of these hosts, at least one.
fn picked(
    priority: &Priority,
    policy: &LeafPolicy,
    hosts: &[Usable<'_>],
    hash: Option<u64>,
) -> Result<Vec<f64>, String> {
    match policy.picking {
        HostPicking::RoundRobin => Ok(by_weight(&vec![1.0; hosts.len()])),
        HostPicking::WeightedRoundRobin => Ok(by_weight(&reported(hosts))),
        HostPicking::PickFirst { shuffles: false } => {
            let first = |at| if at == 0 { 1.0 } else { 0.0 };
            Ok((0..hosts.len()).map(first).collect())
        }
        // Each client uses one random host: the average over clients.
        HostPicking::PickFirst { shuffles: true } => Ok(by_weight(&vec![1.0; hosts.len()])),
        HostPicking::RingHash(config) => {
            if policy.by_locality {
                return Err("ring_hash inside wrr_locality is not modeled".into());
            }
            let unreachable = |of: &Endpoint| is_eligible(of.health) && !reachable(of.health);
            if priority.endpoints.iter().any(unreachable) {
                return Err("ring_hash with hosts that fail health checks is not modeled: they stay on the ring".into());
            }
            let weighted = hosts.iter().map(|host| {
                let weight = u64::from(host.locality_weight);
                let weight = weight.saturating_mul(host.endpoint.weight.get().into());
                (host.endpoint.address.as_str(), weight)
            });
            let weighted: Vec<(&str, u64)> = weighted.collect();
            ring_parts(&config, &weighted, hash)
                .ok_or_else(|| "the weights on the ring exceed 32 bits".into())
        }
    }
}

/// The weights of `weighted_round_robin`: those that hosts report; without two reports, equal ones. A
/// host without a report has the mean (A58).
fn reported(hosts: &[Usable<'_>]) -> Vec<f64> {
    let reports = hosts
        .iter()
        .filter_map(|host| host.endpoint.reported_weight);
    let (count, sum) = reports.fold((0_u32, 0.0), |(count, sum), weight| {
        (count + 1, sum + f64::from(weight))
    });
    if count < 2 || sum <= 0.0 {
        return vec![1.0; hosts.len()];
    }
    let mean = sum / f64::from(count);
    let weight = |host: &Usable<'_>| host.endpoint.reported_weight.map_or(mean, f64::from);
    hosts.iter().map(weight).collect()
}

fn by_weight(weights: &[f64]) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}
