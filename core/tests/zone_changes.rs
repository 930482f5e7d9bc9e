//! The health of the proxies changes the routing of the clusters that prefer their zone.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use common::{
    endpoint, labels, model, partly, plain,
    zones::{zoned, zones_model},
};
use spillgate_core::{
    decide::{BalancerState, Request, decide},
    draw::SplitMix64,
    model::{
        Cluster, ClusterKind, Health, HealthStatus, LocalInfo, Locality, LocalityLb, MaglevConfig,
        PlainCluster, Policy, Priority, PriorityLocality, RingHashConfig, SelectorFallback,
        SubsetConfig, SubsetSelector,
    },
    route::HeaderList,
    snapshot::{HostRef, Snapshot},
    trace::{LocalityRule, Step, StepData, StepKind},
};

/// The shares of the hosts of the shop, rounded.
fn shares(snapshot: &Snapshot, criteria: &str) -> Vec<f64> {
    let shop = snapshot.cluster_id("shop").unwrap();
    let all = snapshot.distribution_for(shop, &labels(criteria), None);
    let mut shares: Vec<_> = all
        .shares
        .iter()
        .map(|of| (of.host, of.share.round()))
        .collect();
    shares.sort_by_key(|(host, _)| *host);
    shares.into_iter().map(|(_, share)| share).collect()
}

#[test]
fn a_lost_proxy_changes_how_much_stays_in_the_zone() {
    let snapshot = zoned([1, 1, 1], [1, 1, 1], 100);
    assert_eq!(shares(&snapshot, ""), [100.0]);
    let proxies = snapshot.cluster_id("proxies").unwrap();
    let lost = [1, 2].map(|host| {
        let host = HostRef {
            cluster: proxies,
            priority: 0,
            host,
        };
        (host, Health::from_status(HealthStatus::Unhealthy))
    });
    // All proxies that are left are in the zone, which has a third of the hosts.
    assert_eq!(shares(&snapshot.with_health(&lost), ""), [33.0, 33.0, 33.0]);
}

#[test]
fn a_cluster_of_one_locality_chooses_none() {
    let cluster = |name, number| plain(name, Policy::RoundRobin, 0.0, vec![partly(number, 2, 2)]);
    let local = LocalInfo {
        locality: Some(Locality::default()),
        cluster: Some("proxies".into()),
    };
    let model = model(vec![cluster("shop", 0), cluster("proxies", 1)]).with_local(local);
    let snapshot = Snapshot::build(&model);
    let headers: HeaderList<'_, &str, &str> = HeaderList(&[]);
    let request = Request::new(snapshot.cluster_id("shop").unwrap(), &headers);
    let mut draw = SplitMix64::new(1);
    let mut state = BalancerState::new(&snapshot, &mut draw);
    let mut steps = Vec::new();
    decide(&snapshot, &mut state, &request, &mut draw, &mut steps);
    let kinds: Vec<StepKind> = steps.iter().map(Step::kind).collect();
    assert_eq!(kinds, [StepKind::Route, StepKind::Priority, StepKind::Host]);
}

#[test]
fn a_subset_has_the_part_of_a_weight_that_its_hosts_are_of_the_locality() {
    let locality = |zone: &str, weight| PriorityLocality {
        locality: Locality {
            zone: zone.into(),
            ..Locality::default()
        },
        weight: Some(weight),
    };
    let host = |address, locality, version| {
        let mut host = endpoint(address, HealthStatus::Healthy, labels(version));
        host.locality = locality;
        host
    };
    let selector = SubsetSelector::new(["v"], SelectorFallback::NoFallback, false).unwrap();
    let shop = |locality_weight_aware, scale_locality_weight| {
        let cluster = PlainCluster {
            policy: Policy::RoundRobin,
            locality_lb: LocalityLb::Weighted,
            subsets: Some(SubsetConfig {
                selectors: vec![selector.clone()],
                locality_weight_aware,
                scale_locality_weight,
                ..SubsetConfig::default()
            }),
            priorities: vec![Priority {
                localities: vec![locality("a", 2), locality("b", 8), locality("c", 4)],
                endpoints: vec![
                    host("a1:80", 0, "v=1"),
                    host("a2:80", 0, "v=1"),
                    host("b1:80", 1, "v=1"),
                    host("b2:80", 1, "v=2"),
                    host("c1:80", 2, "v=1"),
                ],
            }],
            ..PlainCluster::default()
        };
        Snapshot::build(&model(vec![Cluster::plain("shop", cluster)]))
    };
    // Half of the hosts of b: 8 / 2 = 4, twice the weight of a.
    assert_eq!(shares(&shop(true, true), "v=1"), [10.0, 10.0, 40.0, 40.0]);
    assert_eq!(shares(&shop(true, true), "v=2"), [100.0]);
    // Without scaling: 2, 8 and 4 of 14.
    assert_eq!(shares(&shop(true, false), "v=1"), [7.0, 7.0, 57.0, 29.0]);
    // A subset that is not aware of the weights ignores them.
    assert_eq!(shares(&shop(false, true), "v=1"), [25.0; 4]);
}

#[test]
fn proxies_with_other_zones_change_how_much_stays_in_the_zone() {
    let before = zoned([1, 1, 1], [1, 1, 1], 100);
    let after = zoned([1, 1, 1], [8, 1, 1], 100);
    let proxies = before.cluster_id("proxies").unwrap();
    let hosts = after.plain(proxies).unwrap().priorities.iter();
    let hosts = hosts
        .map(|priority| (*priority.configured).clone())
        .collect();
    let mut model = zones_model([1, 1, 1], [1, 1, 1], 100);
    model.set_priorities(proxies.index(), hosts).unwrap();
    let changed = before.with_hosts(&model, &[proxies]);
    assert_ne!(shares(&before, ""), shares(&after, ""));
    assert_eq!(shares(&changed, ""), shares(&after, ""));
}

/// The rule of the locality of a request.
fn rule(snapshot: &Snapshot) -> Option<(LocalityRule, usize, usize)> {
    let headers: HeaderList<'_, &str, &str> = HeaderList(&[]);
    let request = Request::new(snapshot.cluster_id("shop").unwrap(), &headers);
    let mut draw = SplitMix64::new(1);
    let mut state = BalancerState::new(snapshot, &mut draw);
    let mut steps = Vec::new();
    decide(snapshot, &mut state, &request, &mut draw, &mut steps);
    steps.iter().find_map(|step| match &step.data {
        StepData::Locality(choice) => Some((choice.rule, choice.localities, choice.hosts)),
        _ => None,
    })
}

#[test]
fn a_trace_names_the_rule_of_the_zone() {
    let all = zoned([1, 1, 1], [1, 1, 1], 100);
    assert_eq!(rule(&all), Some((LocalityRule::AllLocal, 3, 1)));
    let none = zoned([1, 1, 1], [1, 1, 1], 0);
    assert_eq!(rule(&none), Some((LocalityRule::NotEnabled, 3, 3)));
    let cluster = all.cluster_id("proxies").unwrap();
    let lost = |hosts: &[usize]| {
        let lost = hosts.iter().map(|&host| {
            let host = HostRef {
                cluster,
                priority: 0,
                host,
            };
            (host, Health::from_status(HealthStatus::Unhealthy))
        });
        all.with_health(&lost.collect::<Vec<_>>())
    };
    // Less than half of the proxies are healthy.
    assert_eq!(rule(&lost(&[1, 2])), Some((LocalityRule::LocalPanic, 3, 3)));
    assert_eq!(rule(&lost(&[1])), Some((LocalityRule::PartlyLocal, 3, 1)));
}

#[test]
fn a_table_has_the_localities_with_weights() {
    let locality = |zone: &str, weight| PriorityLocality {
        locality: Locality {
            zone: zone.into(),
            ..Locality::default()
        },
        weight,
    };
    let host = |address, locality| {
        let mut host = endpoint(address, HealthStatus::Healthy, labels(""));
        host.locality = locality;
        host
    };
    let of = |policy, weights: [Option<u32>; 3]| {
        Snapshot::build(&model(vec![Cluster {
            name: "shop".into(),
            kind: ClusterKind::Plain(PlainCluster {
                policy,
                locality_lb: LocalityLb::Weighted,
                priorities: vec![Priority {
                    localities: vec![
                        locality("a", weights[0]),
                        locality("b", weights[1]),
                        locality("c", weights[2]),
                    ],
                    endpoints: vec![
                        host("a1:80", 0),
                        host("a2:80", 0),
                        host("b1:80", 1),
                        host("c1:80", 2),
                    ],
                }],
                ..PlainCluster::default()
            }),
        }]))
    };
    let ring = Policy::RingHash(RingHashConfig::default());
    let table = of(ring, [Some(1), None, None]);
    assert_eq!(rule(&table), Some((LocalityRule::TableWeights, 1, 2)));
    // The hosts of a locality share its weight.
    let weighted = of(Policy::RoundRobin, [Some(1), Some(1), Some(2)]);
    assert_eq!(shares(&weighted, ""), [13.0, 13.0, 25.0, 50.0]);
    let maglev = Policy::Maglev(MaglevConfig::default());
    assert_eq!(
        shares(&of(maglev, [Some(1), Some(1), Some(2)]), ""),
        [13.0, 13.0, 25.0, 50.0]
    );
}
