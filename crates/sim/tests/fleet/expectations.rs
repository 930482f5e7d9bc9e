//! Expectations and capacities.

use spillgate_sim::fleet::{CapacityRule, Fleet, FleetExpectation};

use crate::{near, shop::shop};

#[test]
fn expectations_are_about_the_worst_case_of_their_scope() {
    let report = shop().report(2).unwrap();
    for (text, ok, value) in [
        ("utilization <= 80%", true, 62.5),
        ("utilization n-1 <= 100%", false, 125.0),
        ("utilization(zone=b) n-1 <= 124", false, 125.0),
        ("load(zone=a) >= 250", true, 250.0),
        ("load(zone=a) n-1 > 0", false, 0.0),
        ("imbalance <= 1", true, 1.0),
        ("cross_zone < 540", false, 540.0),
        ("cost <= 5.4", true, 5.4),
        ("no overload", true, 0.0),
        ("no overload n-1", false, 1.0),
        ("no 503 n-1", true, 0.0),
        ("no panic", true, 0.0),
        // The loss of both zones leaves no usable host, and panic mode spreads the requests over all.
        ("no 503 n-2", true, 0.0),
        ("no panic n-2", false, 1.0),
        ("survives n-1", false, 2.0),
        ("survives n-2", false, 1.0),
    ] {
        let checked = FleetExpectation::parse(text)
            .unwrap()
            .check(&report)
            .unwrap();
        assert_eq!(checked.checked.ok, ok, "{text}");
        assert!(
            near(checked.checked.value.unwrap(), value),
            "{text}: {checked:?}"
        );
    }
    let unpriced = Fleet {
        capacities: Vec::new(),
        prices: Vec::new(),
        ..shop()
    };
    let report = unpriced.report(0).unwrap();
    for (text, code) in [
        ("utilization <= 80%", "fleet/no-capacity"),
        ("no overload", "fleet/no-capacity"),
        ("cost <= 1", "fleet/no-price"),
        ("load(zone=x) <= 1", "fleet/unknown-zone"),
        ("utilization(zone=a) <= 1", "fleet/no-capacity"),
        ("survives n-1", "fleet/no-zones"),
    ] {
        let fault = FleetExpectation::parse(text)
            .unwrap()
            .check(&report)
            .unwrap_err();
        assert_eq!(fault.code, code, "{text}");
    }
}

#[test]
fn capacities_that_select_no_host_are_faults() {
    let rules = [
        "200rps,z=100rps",
        "zone=a,host=10.0.0.0:80:50rps",
        "subset.stage=no:1rps",
    ];
    let rules = rules
        .iter()
        .flat_map(|text| CapacityRule::parse(text).unwrap());
    let fleet = Fleet {
        capacities: rules.collect(),
        ..shop()
    };
    let faults = fleet.report(0).unwrap_err();
    let found: Vec<(usize, &str)> = faults
        .iter()
        .map(|(at, of)| (*at, of.found.as_str()))
        .collect();
    assert_eq!(found, [(1, "\"z\""), (3, "\"no\"")]);
}
