//! Compares fleets with a naive sum over every single proxy: each has a model of its own, compiled from
//! scratch in each case.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "../common/mod.rs"]
mod common;
mod expectations;
mod shop;
mod zones;

use std::collections::{BTreeMap, BTreeSet};

use common::{aggregate, plain, priority};
use proptest::prelude::*;
use spillgate_core::{
    model::{
        Cluster, ClusterKind, Endpoint, LocalInfo, Locality, LocalityBasis, LocalityLb,
        MaglevConfig, Metadata, Model, PlainCluster, Policy, Priority, PriorityLocality, ZoneAware,
    },
    snapshot::Snapshot,
};
use spillgate_sim::fleet::{
    CallerClass, CallerConfig, CallerTarget, CapacityRule, Fleet, FleetReport, LocalClusterHosts,
    LostCallers, fleet_verdict,
};

const ZONES: [&str; 3] = ["a", "b", "c"];

/// Half of the requests go to the last of several clusters.
fn targets(clusters: &[&str]) -> Vec<CallerTarget> {
    let mut targets: Vec<CallerTarget> = clusters.iter().map(|of| CallerTarget::all(of)).collect();
    if let [_, .., last] = targets.as_mut_slice() {
        last.part = 0.5;
    }
    targets
}

fn locality(zone: &str) -> Locality {
    Locality {
        region: "eu".into(),
        zone: zone.into(),
        sub_zone: String::new(),
    }
}

fn hosts() -> impl Strategy<Value = String> {
    let zone = prop::sample::select(ZONES.to_vec());
    let health = prop::sample::select(vec!["+", "+", "+", "+", "~", "-", "x"]);
    let host = (zone, health).prop_map(|(zone, health)| format!("{zone}{health}"));
    prop::collection::vec(host, 0..12).prop_map(|hosts| hosts.join(" "))
}

fn locality_lb() -> impl Strategy<Value = LocalityLb> {
    let basis = prop::sample::select(vec![
        LocalityBasis::HealthyHostsNum,
        LocalityBasis::HealthyHostsWeight,
    ]);
    let forced = prop::sample::select(vec![None, None, Some(1), Some(3)]);
    let enabled = prop::sample::select(vec![100, 100, 60]);
    let aware = (basis, forced, enabled, 1..7_u64, any::<bool>());
    prop_oneof![
        1 => Just(LocalityLb::Weighted),
        4 => aware.prop_map(|(locality_basis, force_local_zone, routing_enabled, size, fail)| {
            LocalityLb::ZoneAware(ZoneAware {
                routing_enabled,
                min_cluster_size: size,
                fail_traffic_on_panic: fail,
                force_local_zone,
                locality_basis,
            })
        }),
    ]
}

fn cluster(number: u8) -> impl Strategy<Value = Cluster> {
    let policy = prop::sample::select(vec![
        Policy::RoundRobin,
        Policy::RoundRobin,
        Policy::Random,
        Policy::Maglev(MaglevConfig::new(251).unwrap()),
    ]);
    let threshold = prop::sample::select(vec![0, 30, 50]);
    let priorities = prop::collection::vec(hosts(), 1..3);
    let weights = prop::collection::vec(1..4_u32, 3);
    (policy, threshold, priorities, locality_lb(), weights).prop_map(
        move |(policy, threshold, texts, locality_lb, weights)| {
            let priorities = texts.iter().enumerate().map(|(at, text)| {
                let mut priority = priority(usize::from(number) * 10 + at, text);
                let localities = priority.localities.iter_mut().zip(&weights);
                localities.for_each(|(of, weight)| of.weight = Some(*weight));
                priority
            });
            let mut cluster = plain(
                ["one", "two", "proxies"][usize::from(number)],
                policy,
                threshold,
                priorities.collect(),
            );
            if let ClusterKind::Plain(plain) = &mut cluster.kind {
                plain.locality_lb = locality_lb;
            }
            cluster
        },
    )
}

fn local_cluster() -> impl Strategy<Value = Option<Cluster>> {
    let some = hosts().prop_map(|text| {
        Some(plain(
            "proxies",
            Policy::RoundRobin,
            50,
            vec![priority(20, &text)],
        ))
    });
    prop_oneof![1 => Just(None), 5 => some]
}

fn fleets() -> impl Strategy<Value = (Fleet, u8)> {
    let model = (cluster(0), cluster(1), local_cluster());
    let callers = prop::collection::vec((0..6_u64, 0..9_u32, any::<bool>()), 3);
    let local = prop::sample::select(vec![
        LocalClusterHosts::AsConfigured,
        LocalClusterHosts::Callers,
    ]);
    let lost = prop::sample::select(vec![
        LostCallers::Stay,
        LostCallers::Fail,
        LostCallers::Move,
    ]);
    let chosen = prop::sample::select(vec![vec!["one"], vec!["both"], vec!["one", "two", "both"]]);
    (model, callers, local, lost, chosen, 0..3_u8).prop_map(
        |((one, two, own), callers, local, lost_callers, chosen, n_minus)| {
            let name = own.as_ref().map(|own| own.name.clone());
            let both = aggregate("both", 50, &["one", "two"]);
            let clusters = [one, two, both].into_iter().chain(own);
            let model = Model::new(clusters.collect()).unwrap();
            let classes = ZONES
                .iter()
                .zip(callers)
                .map(|(zone, (callers, rps, sized))| CallerClass {
                    config: 0,
                    locality: locality(zone),
                    callers,
                    rps: f64::from(rps),
                    bytes: sized.then_some(1e6),
                });
            let fleet = Fleet {
                configs: vec![CallerConfig {
                    model: model.with_local(LocalInfo {
                        locality: None,
                        cluster: name,
                    }),
                    targets: targets(&chosen),
                }],
                classes: classes.collect(),
                criteria: Metadata::EMPTY,
                local,
                lost_callers,
                capacities: vec![CapacityRule {
                    selector: None,
                    rps: 10.0,
                }],
                prices: Vec::new(),
                zones: BTreeMap::new(),
                relays: BTreeSet::new(),
            };
            (fleet, n_minus)
        },
    )
}

/// The sums of one case.
#[derive(Debug, Default)]
struct Naive {
    hosts: BTreeMap<String, f64>,
    flows: BTreeMap<(String, String), f64>,
    no_host: f64,
    requests: f64,
}

/// One proxy's model: the lost hosts fail their health checks.
fn model_of(fleet: &Fleet, zone: &str, lost: &[&str], fails: bool) -> Model {
    let configured = &fleet.configs[0].model;
    let mut clusters = configured.clone().into_clusters();
    let mut own = configured.local().cluster.clone();
    for cluster in &mut clusters {
        let is_own = own.as_ref() == Some(&cluster.name);
        if let ClusterKind::Plain(plain) = &mut cluster.kind
            && (!is_own || fails)
        {
            lose(plain, lost);
        }
    }
    if own.is_some() && fleet.local == LocalClusterHosts::Callers {
        let mut proxies = PlainCluster::default();
        let mut priority = Priority::default();
        for class in &fleet.classes {
            for number in 0..class.callers {
                let of_zone = |of: &PriorityLocality| of.locality == class.locality;
                let at = priority
                    .localities
                    .iter()
                    .position(of_zone)
                    .unwrap_or_else(|| {
                        priority.localities.push(PriorityLocality {
                            locality: class.locality.clone(),
                            weight: None,
                        });
                        priority.localities.len() - 1
                    });
                priority.endpoints.push(Endpoint {
                    locality: at,
                    ..Endpoint::new(format!("{}-{number}", class.locality.zone))
                });
            }
        }
        proxies.priorities = vec![priority];
        if fails {
            lose(&mut proxies, lost);
        }
        clusters.push(Cluster::plain("every proxy", proxies));
        own = Some("every proxy".into());
    }
    let local = LocalInfo {
        locality: Some(locality(zone)),
        cluster: own,
    };
    Model::new(clusters).unwrap().with_local(local)
}

fn lose(plain: &mut PlainCluster, lost: &[&str]) {
    for priority in &mut plain.priorities {
        for endpoint in &mut priority.endpoints {
            let zone = priority.localities[endpoint.locality]
                .locality
                .zone
                .as_str();
            endpoint.health.flags.failed_active_hc |= lost.contains(&zone);
        }
    }
}

fn naive(fleet: &Fleet, lost: &[&str]) -> Naive {
    let mut sums = Naive::default();
    let stays = fleet.lost_callers == LostCallers::Stay;
    let is_lost = |class: &CallerClass| !stays && lost.contains(&class.locality.zone.as_str());
    let total: f64 = fleet
        .classes
        .iter()
        .map(|of| of.callers as f64 * of.rps)
        .sum();
    let left = fleet.classes.iter().filter(|class| !is_lost(class));
    let left: f64 = left.map(|of| of.callers as f64 * of.rps).sum();
    for class in fleet.classes.iter().filter(|class| !is_lost(class)) {
        for _proxy in 0..class.callers {
            let zone = &class.locality.zone;
            let model = model_of(fleet, zone, lost, !stays);
            let snapshot = Snapshot::build(&model);
            let rps = match fleet.lost_callers {
                LostCallers::Move if class.rps > 0.0 => class.rps * total / left,
                _ => class.rps,
            };
            for target in &fleet.configs[0].targets {
                let cluster = snapshot.cluster_id(&target.cluster).unwrap();
                let shares = snapshot.distribution(cluster, None);
                let rps = rps * target.part;
                sums.requests += rps;
                sums.no_host += rps * shares.no_host / 100.0;
                for share in &shares.shares {
                    let hosts = &snapshot.plain(share.owner).unwrap().priorities[share.priority];
                    let host = hosts.endpoint(share.host).unwrap();
                    let to = &hosts.configured.localities[host.locality].locality.zone;
                    let rps = rps * share.share / 100.0;
                    *sums.hosts.entry(host.address.clone()).or_default() += rps;
                    *sums.flows.entry((zone.clone(), to.clone())).or_default() += rps;
                }
            }
        }
    }
    sums
}

fn near(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-6
}

/// The names of the zones with hosts of the clusters in question.
fn zones_of(report: &FleetReport) -> Vec<&str> {
    let zones = report.zones.iter().enumerate();
    let used = zones.filter(|(at, _)| report.hosts.iter().any(|host| host.zone == *at));
    used.map(|(_, zone)| zone.zone.as_str()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

    #[test]
    fn classes_give_the_sum_over_every_proxy((fleet, n_minus) in fleets()) {
        let report = fleet.report(n_minus).unwrap();
        let count = zones_of(&report).len();
        let cases = match n_minus {
            0 => 1,
            1 => 1 + count,
            _ => 1 + count + count * count.saturating_sub(1) / 2,
        };
        prop_assert_eq!(report.cases.len(), cases);
        let mut highest = vec![0.0_f64; report.hosts.len()];
        for (at, case) in report.cases.iter().enumerate() {
            let lost: Vec<&str> =
                case.lost.iter().map(|zone| report.zones[*zone].zone.as_str()).collect();
            let sums = naive(&fleet, &lost);
            prop_assert!(near(case.requests, sums.requests), "{} {}", case.requests, sums.requests);
            prop_assert!(near(case.no_host, sums.no_host));
            for (at, zone) in report.zones.iter().enumerate() {
                let to = sums.flows.iter().filter(|((_, to), _)| *to == zone.zone);
                let rps: f64 = to.map(|(_, rps)| rps).sum();
                prop_assert!(near(case.zones[at].rps, rps), "{} {}", case.zones[at].rps, rps);
            }
            for flow in &case.flows {
                let name = |at: usize| report.zones[at].zone.clone();
                let key = (name(flow.from), name(flow.to));
                prop_assert!(near(flow.rps, sums.flows[&key]));
            }
            let of = |address: &String| sums.hosts.get(address).copied().unwrap_or(0.0);
            for (host, highest) in report.hosts.iter().zip(&mut highest) {
                *highest = highest.max(of(&host.address));
            }
            let served: f64 = sums.hosts.values().sum();
            let by_priority: f64 = case.priorities.iter().map(|of| of.rps).sum();
            let by_class: f64 = case.classes.iter().map(|of| of.rps).sum();
            prop_assert!(near(by_priority, served), "{} {}", by_priority, served);
            prop_assert!(near(by_class, served));
            let utilization = case.highest().unwrap_or(0.0);
            let usable = report.hosts.iter().filter(|host| {
                host.health != spillgate_core::model::CoarseHealth::Unhealthy
                    && !case.lost.contains(&host.zone)
            });
            let most = usable.map(|host| of(&host.address)).fold(0.0, f64::max);
            prop_assert!(near(utilization * 10.0, most), "{} {}", utilization, most);
            if at == 0 {
                for (host, load) in report.hosts.iter().zip(&report.loads) {
                    prop_assert!(near(*load, of(&host.address)), "{} {}", host.address, load);
                }
            }
        }
        for ((load, case), highest) in report.worst.iter().zip(&highest) {
            prop_assert!(near(*load, *highest), "{} {}", load, highest);
            prop_assert!(*case < report.cases.len());
        }
        for need in &report.needs {
            let loads = report.cases.iter().flat_map(|case| &case.priorities);
            let own = loads.filter(|of| of.place == need.place).map(|of| of.rps);
            prop_assert!(near(need.demand.rps, own.fold(0.0, f64::max)));
        }
        prop_assert!(!fleet_verdict(&report).is_empty());
    }
}
