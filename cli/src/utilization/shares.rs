//! From utilizations to locality weights, as Envoy 1.40 computes them.

use std::collections::BTreeMap;

use spillgate_config::envoy::LoadAware;
use spillgate_core::{
    inspect::priorities,
    load::LocalityHealth,
    model::{CoarseHealth, Endpoint, Locality, Metadata, Model, PlainCluster, Priority},
    snapshot::Snapshot,
};

/// The reported utilization of hosts, by address.
pub(super) type Reported<'h> = BTreeMap<&'h str, f64>;

/// The weights of the localities of each priority: Envoy picks a locality by the number of its healthy
/// hosts times the part of them that is idle.
///
/// # Errors
/// Why the weights do not express the shares: localities also share requests in panic mode and between
/// degraded hosts, where Envoy counts other hosts.
pub(super) fn locality_weights(
    name: &str,
    plain: &PlainCluster,
    local: Option<&Locality>,
    settings: LoadAware,
    reported: &Reported<'_>,
) -> Result<Vec<Vec<Option<u32>>>, &'static str> {
    let snapshot = Snapshot::build(&Model::single(name, plain.clone()));
    let loads = snapshot
        .cluster_id(name)
        .and_then(|id| snapshot.plain(id))
        .map(|of| priorities(of, &Metadata::EMPTY).load)
        .unwrap_or_default();
    let all = plain.priorities.iter().enumerate();
    let weights = all.map(|(number, priority)| {
        let degraded = loads.degraded.get(number).is_some_and(|load| *load > 0);
        if loads.panics(number) && loads.of_priority(number) > 0 {
            Err("panic mode")
        } else {
            of_priority(plain, priority, local, settings, reported, degraded)
        }
    });
    weights.collect()
}

/// The hosts of one locality.
#[derive(Debug, Clone, Copy, Default)]
struct Hosts {
    healthy: u32,
    degraded: u32,
    total: u32,
    excluded: u32,
    /// The mean utilization of the healthy hosts with a report; 0 without one.
    utilization: f64,
}

impl Hosts {
    fn count<'e>(hosts: impl Iterator<Item = &'e Endpoint>, reported: &Reported<'_>) -> Self {
        let mut found = Self::default();
        let (mut sum, mut reports) = (0.0, 0_u32);
        for host in hosts {
            found.total += 1;
            found.excluded += u32::from(host.health.excluded());
            match host.health.coarse() {
                CoarseHealth::Healthy => found.healthy += 1,
                CoarseHealth::Degraded => found.degraded += 1,
                CoarseHealth::Unhealthy => {}
            }
            let is_healthy = host.health.coarse() == CoarseHealth::Healthy;
            // A report of 0 counts as none.
            if let Some(of) = reported.get(host.address.as_str()).filter(|of| **of > 0.0)
                && is_healthy
            {
                sum += of;
                reports += 1;
            }
        }
        if reports > 0 {
            found.utilization = sum / f64::from(reports);
        }
        found
    }
}

fn of_priority(
    plain: &PlainCluster,
    priority: &Priority,
    local: Option<&Locality>,
    settings: LoadAware,
    reported: &Reported<'_>,
    serves_degraded: bool,
) -> Result<Vec<Option<u32>>, &'static str> {
    let localities = priority.localities.iter().enumerate();
    let hosts: Vec<Hosts> = localities
        .map(|(at, _)| {
            let own = priority.endpoints.iter().filter(|host| host.locality == at);
            Hosts::count(own, reported)
        })
        .collect();
    let is_local = priority
        .localities
        .iter()
        .map(|of| Some(&of.locality) == local);
    let is_local: Vec<bool> = is_local.collect();
    let weights = weights(&hosts, &is_local, settings)?;
    // The engine reduces the weight of a locality with unhealthy hosts, which Envoy does not here.
    let weights = weights.iter().zip(&hosts).map(|(weight, of)| {
        let part = LocalityHealth {
            weight: 1,
            eligible: of.healthy,
            total: of.total,
            excluded: of.excluded,
        };
        let part = part.effective_weight(plain.overprovisioning_factor);
        if part > 0.0 { weight / part } else { 0.0 }
    });
    let mut weights = integers(&weights.collect::<Vec<_>>());
    if serves_degraded {
        let mut with = weights
            .iter_mut()
            .zip(&hosts)
            .filter(|(_, of)| of.degraded > 0);
        match (with.next(), with.next()) {
            // The only locality with degraded hosts gets all of their requests, if it has a weight.
            (Some((weight, _)), None) if weight.is_some() => {}
            (Some((weight, of)), None) if of.healthy == 0 => *weight = Some(1),
            _ => return Err("degraded hosts"),
        }
    }
    Ok(weights)
}

/// Envoy's weights of the healthy hosts.
fn weights(
    hosts: &[Hosts],
    is_local: &[bool],
    settings: LoadAware,
) -> Result<Vec<f64>, &'static str> {
    let counts = hosts.iter().map(|of| f64::from(of.healthy));
    let mut weights: Vec<f64> = hosts
        .iter()
        .map(|of| f64::from(of.healthy) * (1.0 - of.utilization).max(0.0))
        .collect();
    if weights.iter().sum::<f64>() == 0.0 {
        return Ok(counts.collect());
    }
    let (mut own, mut remote, mut load) = (None, 0.0, 0.0);
    for (of, is_local) in hosts.iter().zip(is_local) {
        if *is_local {
            own = Some(*of).filter(|of| of.total > 0)
        } else {
            remote += f64::from(of.healthy);
            load += of.utilization * f64::from(of.healthy);
        }
    }
    let Some(own) = own.filter(|_| remote > 0.0) else {
        return Ok(weights);
    };
    let most = load / remote + settings.threshold;
    if own.healthy > 0 {
        // Envoy smooths reports, whose rounding decides there.
        if own.utilization > 0.0 && (own.utilization - most).abs() < 1e-9 {
            return Err("a utilization at the threshold");
        }
        if own.utilization <= most {
            let local_only = is_local
                .iter()
                .map(|is_local| f64::from(u8::from(*is_local)));
            weights = local_only.collect();
        }
    }
    let total: f64 = weights.iter().sum();
    let of_local: f64 = weights
        .iter()
        .zip(is_local)
        .filter(|(_, local)| **local)
        .map(|(w, _)| w)
        .sum();
    let missing = (total * settings.probe - (total - of_local)).min(of_local);
    if settings.probe > 0.0 && missing > 0.0 {
        for ((weight, is_local), of) in weights.iter_mut().zip(is_local).zip(hosts) {
            if *is_local {
                *weight -= missing
            } else {
                *weight += missing * f64::from(of.healthy) / remote
            }
        }
    }
    Ok(weights)
}

/// The weights as integers with the same ratios: decimal ones exactly, others up to 2^-31.
fn integers(weights: &[f64]) -> Vec<Option<u32>> {
    const DECIMALS: [f64; 7] = [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6];
    const TOTAL: f64 = 4e9;
    let total: f64 = weights.iter().sum();
    let near = |weight: &f64| (weight - weight.round()).abs() < 1e-9 * weight.max(1.0);
    let exact = DECIMALS.into_iter().find(|factor| {
        total * factor <= TOTAL && weights.iter().all(|weight| near(&(weight * factor)))
    });
    let factor = exact.unwrap_or(TOTAL / total.max(f64::MIN_POSITIVE));
    let integer = |weight: &f64| {
        let scaled = (weight * factor).round().max(1.0);
        // The sum, and so each one, is in range.
        (*weight > 0.0).then_some(scaled as u32)
    };
    weights.iter().map(integer).collect()
}

#[cfg(test)]
mod tests {
    use spillgate_core::model::{Health, HealthStatus, PriorityLocality};

    use super::*;

    const SETTINGS: LoadAware = LoadAware {
        threshold: 0.1,
        probe: 0.03,
    };

    /// The zones `z0` and `z1` with hosts of these statuses and utilizations.
    fn found(zones: [&[(HealthStatus, f64)]; 2], local: &str) -> Result<Vec<f64>, &'static str> {
        let mut priority = Priority::default();
        let mut reported = BTreeMap::new();
        let names: Vec<String> = (0..20).map(|host| format!("10.0.0.{host}:80")).collect();
        for (at, zone) in zones.iter().enumerate() {
            let locality = Locality {
                zone: format!("z{at}"),
                ..Locality::default()
            };
            let weight = None;
            priority
                .localities
                .push(PriorityLocality { locality, weight });
            for (status, utilization) in *zone {
                let address = &names[priority.endpoints.len()];
                reported.insert(address.as_str(), *utilization);
                priority.endpoints.push(Endpoint {
                    locality: at,
                    health: Health::from_status(*status),
                    ..Endpoint::new(address)
                });
            }
        }
        let plain = PlainCluster {
            priorities: vec![priority],
            ..PlainCluster::default()
        };
        let local = Locality {
            zone: local.to_owned(),
            ..Locality::default()
        };
        let weights = locality_weights("c", &plain, Some(&local), SETTINGS, &reported)?;
        let weights = weights[0].iter().map(|of| f64::from(of.unwrap_or(0)));
        Ok(weights.collect())
    }

    fn share(zones: [&[(HealthStatus, f64)]; 2], local: &str) -> f64 {
        let weights = found(zones, local).unwrap();
        let share = weights[0] / weights.iter().sum::<f64>();
        (share * 1e4).round() / 100.0
    }

    /// The shares that Envoy 1.40 gave are in brackets.
    #[test]
    fn idle_hosts_decide_the_share_of_a_locality() {
        let healthy = |of| (HealthStatus::Healthy, of);
        for (z0, z1, local, expected) in [
            (0.0, 0.0, "", 33.33),   // 33.4
            (0.5, 0.2, "", 23.81),   // 23.96
            (1.5, 0.2, "", 0.0),     // 0
            (1.5, 1.2, "", 33.33),   // 33.23
            (0.5, 0.2, "z0", 23.81), // 23.76
            (0.5, 0.45, "z0", 97.0), // 96.66
            (0.0, 0.0, "z0", 97.0),  // 96.89
            (0.2, 0.5, "z1", 44.44), // 44.45
            (0.1, 0.7, "z1", 60.0),  // 59.24
            (0.0, 0.0, "z9", 33.33), // 32.1
        ] {
            let found = share([&[healthy(z0)], &[healthy(z1), healthy(z1)]], local);
            assert_eq!(found, expected, "{z0} {z1} {local}");
        }
    }

    /// Of four hosts in z1, some unhealthy: 29.64, 39.72 in Envoy 1.40.
    #[test]
    fn unhealthy_hosts_neither_count_nor_reduce_a_weight_twice() {
        let host = |status, of| (status, of);
        let (up, down) = (HealthStatus::Healthy, HealthStatus::Unhealthy);
        let z0 = [host(up, 0.5), host(up, 0.5)];
        let one = [host(down, 0.9), host(up, 0.2), host(up, 0.2), host(up, 0.2)];
        assert_eq!(share([&z0, &one], ""), 29.41);
        // The engine reduces 2 of 4 to 70 %, so the weight is larger.
        let two = [
            host(down, 0.9),
            host(down, 0.9),
            host(up, 0.2),
            host(up, 0.2),
        ];
        let weights = found([&z0, &two], "").unwrap();
        let reduced = weights[1] * 0.7;
        assert!((weights[0] / (weights[0] + reduced) - 1.0 / 2.6).abs() < 1e-9);
    }

    #[test]
    fn panic_mode_and_degraded_hosts_of_several_localities_have_no_weights() {
        let of = |status| (status, 0.5);
        let (up, down, slow) = (
            HealthStatus::Healthy,
            HealthStatus::Unhealthy,
            HealthStatus::Degraded,
        );
        let panic = found([&[of(up)], &[of(down), of(down), of(down)]], "");
        assert_eq!(panic, Err("panic mode"));
        let degraded = found([&[of(slow), of(up)], &[of(slow)]], "");
        assert_eq!(degraded, Err("degraded hosts"));
        // All degraded hosts in one locality: it gets their part of the requests.
        assert_eq!(found([&[of(slow)], &[of(up)]], "").unwrap(), [1.0, 5.0]);
        let edge = [(up, 0.6)];
        let at = found([&edge, &[(up, 0.5)]], "z0");
        assert_eq!(at, Err("a utilization at the threshold"));
    }
}
