//! A fleet by hand: what zone-aware routing does to it, and what its lost callers do.

use std::collections::{BTreeMap, BTreeSet};

use spillgate_core::model::{LocalInfo, Metadata, Model, Policy};
use spillgate_sim::fleet::{
    CallerClass, CallerConfig, CapacityRule, Fleet, LocalClusterHosts, LostCallers, TrafficPrice,
    fleet_verdict,
};

use crate::{
    common::{plain, priority},
    locality, near, targets,
};

/// 4 hosts in a, 4 in b; 40 callers in a, 10 in b; each sends 10 requests per second.
pub(crate) fn shop() -> Fleet {
    let model = Model::new(vec![
        plain(
            "shop",
            Policy::RoundRobin,
            50,
            vec![priority(0, "a+ a+ a+ a+ b+ b+ b+ b+")],
        ),
        plain(
            "proxies",
            Policy::RoundRobin,
            50,
            vec![priority(1, "a+ b+")],
        ),
    ]);
    let class = |zone: &str, callers| CallerClass {
        config: 0,
        locality: locality(zone),
        callers,
        rps: 10.0,
        bytes: Some(1e6),
    };
    Fleet {
        configs: vec![CallerConfig {
            model: model.unwrap().with_local(LocalInfo {
                locality: None,
                cluster: Some("proxies".into()),
            }),
            targets: targets(&["shop"]),
        }],
        classes: vec![class("a", 40), class("b", 10)],
        criteria: Metadata::EMPTY,
        local: LocalClusterHosts::Callers,
        lost_callers: LostCallers::Stay,
        capacities: CapacityRule::parse("100rps").unwrap(),
        prices: TrafficPrice::parse("cross-zone=0.01", &[]).unwrap(),
        zones: BTreeMap::new(),
        relays: BTreeSet::new(),
    }
}

/// Zone a has 80 % of the proxies and 50 % of the hosts: 62.5 % of its requests stay.
#[test]
fn zone_aware_routing_depends_on_the_callers_of_each_zone() {
    let report = shop().report(1).unwrap();
    let case = &report.cases[0];
    let loads: Vec<f64> = case.zones.iter().map(|of| of.rps).collect();
    assert_eq!(loads, [250.0, 250.0]);
    assert_eq!(case.crossing_rps(), 150.0);
    // 150 requests per second of 1 MB: 540 GB per hour.
    assert_eq!(case.crossing_gb(), Some(540.0));
    assert!(near(case.cost().unwrap(), 5.4));
    assert_eq!(case.imbalance, Some(1.0));
    assert_eq!(
        fleet_verdict(&report),
        "zone b gets 125 % of its capacity if a fails"
    );
    assert_eq!(report.cases[1].zones[1].utilization(), Some(1.25));
    assert_eq!(report.needs[0].demand.rps, 500.0);

    // With the two configured proxies, each zone keeps its requests.
    let as_configured = Fleet {
        local: LocalClusterHosts::AsConfigured,
        ..shop()
    };
    let report = as_configured.report(0).unwrap();
    let loads: Vec<f64> = report.cases[0].zones.iter().map(|of| of.rps).collect();
    assert_eq!(loads, [400.0, 100.0]);
    assert_eq!(report.cases[0].imbalance, Some(1.6));
}

#[test]
fn lost_callers_stay_fail_or_move() {
    let load = |lost_callers| {
        let report = Fleet {
            lost_callers,
            ..shop()
        }
        .report(1)
        .unwrap();
        report.cases[1].zones[1].rps
    };
    assert!(near(load(LostCallers::Stay), 500.0));
    assert!(near(load(LostCallers::Fail), 100.0));
    assert!(near(load(LostCallers::Move), 500.0));
}
