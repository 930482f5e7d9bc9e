//! Zones behind an ingress, lost zones in panic mode, and zones with the same name.

use std::collections::BTreeSet;

use spillgate_core::model::{
    ClusterKind, Endpoint, Locality, Model, PanicThreshold, Policy, Priority,
};
use spillgate_sim::fleet::{
    CallerClass, CallerConfig, CallerCounts, CapacityRule, Fleet, FleetExpectation, TrafficPrice,
    fleet_verdict,
};

use crate::{
    common::{plain, priority},
    locality, near,
    shop::shop,
    targets,
};

/// The proxies of zone a reach zone b through its ingress only, which is no host of the proxies of zone b.
#[test]
fn requests_through_an_ingress_count_for_its_zone() {
    let seen = |hosts: &str, number| {
        let hosts = vec![priority(number, hosts)];
        let model = Model::new(vec![plain("shop", Policy::RoundRobin, 50, hosts)]);
        CallerConfig {
            model: model.unwrap(),
            targets: targets(&["shop"]),
        }
    };
    let fleet = Fleet {
        // The hosts of zone a at 10.0.0.0 to 10.0.0.2, and the ingress of zone b at 10.0.0.3.
        configs: vec![seen("a+ a+ a+ b+", 0), seen("b+ b+", 1)],
        classes: vec![
            CallerClass {
                callers: 4,
                ..shop().classes[0].clone()
            },
            CallerClass {
                config: 1,
                callers: 4,
                ..shop().classes[1].clone()
            },
        ],
        relays: BTreeSet::from(["10.0.0.3:80".into()]),
        ..shop()
    };
    let report = fleet.report(1).unwrap();
    let case = &report.cases[0];
    let loads: Vec<(f64, Option<f64>)> =
        case.zones.iter().map(|of| (of.rps, of.capacity)).collect();
    assert_eq!(loads, [(30.0, Some(300.0)), (50.0, Some(200.0))]);
    assert_eq!(case.zones[1].utilization(), Some(0.25));
    // Which host of zone b gets the requests of the ingress is not known.
    assert_eq!((case.highest(), report.cases[1].highest()), (None, None));
    let utilization = FleetExpectation::parse("utilization <= 80%").unwrap();
    assert_eq!(
        utilization.check(&report).unwrap_err().code,
        "fleet/ingress"
    );
    // Zone a has no ingress, so its hosts are known.
    let of_zone = FleetExpectation::parse("utilization(zone=a) <= 80%").unwrap();
    assert!(of_zone.check(&report).unwrap().checked.ok);
    let capacity = |text: &str| {
        let rule = CapacityRule::parse(text).unwrap();
        let capacities = [fleet.capacities.clone(), rule].concat();
        let fleet = Fleet {
            capacities,
            ..fleet.clone()
        };
        fleet
            .report(0)
            .map(|_| ())
            .map_err(|faults| faults[0].1.code)
    };
    assert_eq!(capacity("host=10.0.0.3:80:50rps"), Err("fleet/ingress"));
    assert_eq!(capacity("b=50rps"), Ok(()));
    let lost = &report.cases[2];
    assert!((lost.zones[0].rps - 40.0).abs() < 1e-9, "{lost:?}");
    assert_eq!(lost.zones[1].usable, 0);
}

/// Zone a fails, so half of the hosts are left, fewer than the panic threshold: requests go to failed hosts, too.
#[test]
fn a_lost_zone_gets_requests_in_panic_mode() {
    let mut fleet = shop();
    let config = &mut fleet.configs[0];
    let mut clusters = config.model.clone().into_clusters();
    if let ClusterKind::Plain(plain) = &mut clusters[0].kind {
        plain.panic_threshold = PanicThreshold::from_percent(60.0);
    }
    let local = config.model.local().clone();
    config.model = Model::new(clusters).unwrap().with_local(local);
    let report = fleet.report(1).unwrap();
    let case = &report.cases[1];
    let lost = &case.zones[0];
    assert!(case.priorities[0].panic && !report.cases[0].priorities[0].panic);
    assert!(
        near(lost.rps, 250.0) && near(case.failing, 250.0),
        "{case:?}"
    );
    assert_eq!((case.no_host, lost.usable), (0.0, 0));
    // The hosts that are left are not overloaded, and a zone without a usable host has no utilization.
    assert_eq!((lost.utilization(), report.measure(lost)), (None, 0.0));
    assert!(near(report.measure(&case.zones[1]), 0.625));
    assert!(!case.is_overloaded() && !case.survives());
    assert_eq!(
        fleet_verdict(&report),
        "50 % of the requests go to failed hosts if a fails"
    );
    let ok = |text: &str| {
        let expectation = FleetExpectation::parse(text).unwrap();
        expectation.check(&report).unwrap().checked.ok
    };
    assert!(ok("no overload n-1") && ok("no 503 n-1") && ok("no panic"));
    assert!(!ok("no panic n-1") && !ok("survives n-1"));

    let uncapped = Fleet {
        capacities: Vec::new(),
        ..fleet
    };
    let report = uncapped.report(1).unwrap();
    assert!(near(report.measure(&report.cases[1].zones[0]), 250.0));
}

/// eu/a has 3 hosts, us/a has 1.
#[test]
fn zones_of_two_regions_with_the_same_name_are_two_zones() {
    let in_region = |region: &str| Locality {
        region: region.into(),
        ..locality("a")
    };
    let mut hosts = Priority::default();
    for (at, region) in ["eu", "eu", "eu", "us"].into_iter().enumerate() {
        let locality = hosts.locality_index(in_region(region));
        hosts.endpoints.push(Endpoint {
            locality,
            ..Endpoint::new(format!("10.0.0.{at}:80"))
        });
    }
    let model = Model::new(vec![plain("shop", Policy::RoundRobin, 0, vec![hosts])]);
    let class = |region: &str| CallerClass {
        locality: in_region(region),
        callers: 10,
        ..shop().classes[0].clone()
    };
    let fleet = Fleet {
        configs: vec![CallerConfig {
            model: model.unwrap(),
            targets: targets(&["shop"]),
        }],
        classes: vec![class("us"), class("eu")],
        capacities: CapacityRule::parse("100rps,eu/a=200rps").unwrap(),
        prices: TrafficPrice::parse("cross-region=2", &[]).unwrap(),
        ..shop()
    };
    let report = fleet.report(1).unwrap();
    let names = [0, 1].map(|at| report.zone_name(at));
    assert_eq!(names, ["us/a", "eu/a"]);
    assert_eq!(report.condition(2), "if eu/a fails");
    let zones: Vec<_> = report.cases[0]
        .zones
        .iter()
        .map(|of| (of.rps, of.utilization()))
        .collect();
    assert_eq!(zones, [(50.0, Some(0.5)), (150.0, Some(0.25))]);
    // A quarter of the requests of eu and three quarters of those of us cross.
    assert_eq!(report.cases[0].crossing_rps(), 100.0);
    assert!(near(report.cases[0].cost().unwrap(), 720.0));
    let faults = CapacityRule::ambiguous("eu/a=1rps, a=2rps,b=3", &report.zones);
    let places: Vec<_> = faults.iter().map(|of| (of.code, of.column)).collect();
    assert_eq!(places, [("fleet/unknown-zone", 12)]);
    assert_eq!(faults[0].choices, ["us/a", "eu/a"]);
    assert!(CapacityRule::ambiguous("zone=a:2rps", &report.zones).is_empty());
    let check = |text: &str| FleetExpectation::parse(text).unwrap().check(&report);
    assert!(check("load(zone=us/a) <= 50").unwrap().checked.ok);
    let fault = check("load(zone= a) <= 50").unwrap_err();
    assert_eq!((fault.code, fault.column), ("fleet/unknown-zone", 12));
    assert_eq!(fault.choices, ["us/a", "eu/a"]);
    let fault = CallerCounts::parse("a=1", &[in_region("eu"), in_region("us")]).unwrap_err();
    assert_eq!(fault[0].choices, ["eu/a/", "us/a/"]);
}
