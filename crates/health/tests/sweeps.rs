//! Success rate and failure percentage.

use spillgate_health::outlier::{
    Detector, EjectionAction, OutlierDetection, OutlierEjectionType as Type, OutlierEvent,
    RequestResult, SweepMode,
};

use crate::common::{NoDraw, Numbers, actions, s};

const ERROR: RequestResult = RequestResult::status(500);
const OK: RequestResult = RequestResult::status(200);

fn settings() -> OutlierDetection {
    OutlierDetection {
        consecutive_5xx: 0,
        consecutive_gateway_failure: 0,
        max_ejection_percent: 100,
        ..OutlierDetection::default()
    }
}

/// A cluster after an interval in which each host had this many successes and errors.
fn after(settings: OutlierDetection, hosts: &[(u64, u64)]) -> Detector {
    let mut detector = Detector::new(settings, s(0), hosts.len());
    count(&mut detector, hosts);
    detector
}

fn count(detector: &mut Detector, hosts: &[(u64, u64)]) {
    for (host, (good, bad)) in hosts.iter().enumerate() {
        detector.on_results(s(1), host, OK, *good, &mut NoDraw);
        detector.on_results(s(1), host, ERROR, *bad, &mut NoDraw);
    }
}

fn ejected(detector: &mut Detector) -> Vec<usize> {
    let now = detector.next_sweep();
    let events = detector.on_sweep(now, &mut NoDraw);
    let is_ejection = |action: &EjectionAction| matches!(action, EjectionAction::Eject { .. });
    let ejections = events.iter().filter(|event| is_ejection(&event.action));
    ejections.map(|event| event.host).collect()
}

#[test]
fn the_threshold_is_the_mean_minus_a_multiple_of_the_deviation() {
    let mut detector = after(
        settings(),
        &[(50, 50), (100, 0), (100, 0), (100, 0), (100, 0)],
    );
    assert_eq!(ejected(&mut detector), [0]);
    let rates = detector.response_rates().unwrap();
    assert!((rates.average - 90.0).abs() < 1e-9 && (rates.threshold - 52.0).abs() < 1e-9);
    assert_eq!(detector.local_origin_rates(), None);
}

#[test]
fn hosts_need_the_request_volume_and_clusters_enough_such_hosts() {
    let mut few = after(
        settings(),
        &[(0, 99), (100, 0), (100, 0), (100, 0), (100, 0)],
    );
    assert_eq!(ejected(&mut few), []);
    assert_eq!(few.response_rates(), None);
}

#[test]
fn an_interval_starts_with_empty_counters() {
    let hosts = [(50, 50), (100, 0), (100, 0), (100, 0), (100, 0)];
    let mut detector = after(settings(), &hosts);
    assert_eq!(ejected(&mut detector), [0]);
    assert_eq!(ejected(&mut detector), []);
}

#[test]
fn an_ejected_host_has_no_part_in_the_mean() {
    let mut hosts = vec![(100, 0); 18];
    hosts.extend([(97, 3), (50, 50)]);
    let mut detector = after(settings(), &hosts);
    assert_eq!(ejected(&mut detector), [19]);
    count(&mut detector, &hosts);
    assert_eq!(ejected(&mut detector), [18]);
}

#[test]
fn the_failure_percentage_is_reached_by_equality() {
    let settings = OutlierDetection {
        enforcing_success_rate: 0,
        enforcing_failure_percentage: 100,
        failure_percentage_threshold: 40,
        ..settings()
    };
    let hosts = [(61, 39), (60, 40), (100, 0), (30, 20), (29, 20)];
    let settings = OutlierDetection {
        failure_percentage_minimum_hosts: 4,
        ..settings
    };
    let mut detector = after(settings, &hosts);
    assert_eq!(ejected(&mut detector), [1, 3]);
}

#[test]
fn a_finding_without_enforcement_is_logged() {
    let hosts = [(50, 50), (100, 0), (100, 0), (100, 0), (100, 0)];
    let settings = OutlierDetection {
        failure_percentage_threshold: 50,
        enforcing_success_rate: 0,
        ..settings()
    };
    let mut detector = after(settings, &hosts);
    let events = detector.on_sweep(s(10), &mut NoDraw);
    let expected = [Type::SuccessRate, Type::FailurePercentage].map(EjectionAction::NotEnforced);
    assert_eq!(actions(&events), expected);
}

#[test]
fn connections_have_rates_of_their_own_with_a_split() {
    let settings = OutlierDetection {
        split_external_local_origin_errors: true,
        consecutive_local_origin_failure: 0,
        ..settings()
    };
    let mut detector = Detector::new(settings, s(0), 5);
    for host in 0..5 {
        let refused = if host == 2 { 60 } else { 0 };
        detector.on_results(s(1), host, OK, 100 - refused, &mut NoDraw);
        detector.on_results(
            s(1),
            host,
            RequestResult::ConnectFailure,
            refused,
            &mut NoDraw,
        );
    }
    let events = detector.on_sweep(s(10), &mut NoDraw);
    let kind = Type::SuccessRateLocalOrigin;
    assert!(matches!(events[0].action, EjectionAction::Eject { kind: found, .. } if found == kind));
    assert_eq!(events[0].host, 2);
}

#[test]
fn a_sweep_ejects_by_index_or_at_random_up_to_the_limit() {
    let hosts: Vec<(u64, u64)> = (0..20)
        .map(|host| if host < 3 { (0, 100) } else { (100, 0) })
        .collect();
    let settings = OutlierDetection {
        max_ejection_percent: 5,
        ..settings()
    };
    let mut detector = after(settings.clone(), &hosts);
    assert_eq!(ejected(&mut detector), [0]);
    let mut detector = after(settings, &hosts).with_mode(SweepMode::Random);
    // The last of three changes places with the first one, and the second one stays.
    detector.on_sweep(s(10), &mut Numbers(vec![0, 1]));
    assert!(detector.is_ejected(2));
}

#[test]
fn a_sweep_visits_hosts_in_the_given_order() {
    let settings = OutlierDetection {
        success_rate_minimum_hosts: 0,
        failure_percentage_minimum_hosts: 3,
        enforcing_failure_percentage: 100,
        max_ejection_percent: 67,
        interval: s(10),
        base_ejection_time: s(10),
        ..settings()
    };
    let mut detector = after(settings, &[(0, 100), (0, 100), (0, 100)]);
    let hosts = |events: Vec<OutlierEvent>| {
        let changes = events.iter();
        let changes = changes.filter(|event| !matches!(event.action, EjectionAction::Overflow(_)));
        changes.map(|event| event.host).collect::<Vec<_>>()
    };
    let events = detector.on_sweep_in(s(10), &[2, 0, 1], &mut NoDraw);
    assert_eq!(hosts(events), [2, 0]);
    let events = detector.on_sweep_in(s(20), &[2, 1, 0], &mut NoDraw);
    assert_eq!(hosts(events), [2, 0]);
}

#[test]
fn timers_decide_whether_a_time_between_sweeps_is_over() {
    let settings = OutlierDetection {
        success_rate_minimum_hosts: 0,
        failure_percentage_minimum_hosts: 3,
        enforcing_failure_percentage: 100,
        max_ejection_percent: 40,
        interval: s(10),
        base_ejection_time: s(20),
        ..settings()
    };
    let hosts = [(0, 100), (100, 0), (100, 0)];
    let ends = |mode, numbers: Vec<u64>| {
        let mut detector = after(settings.clone(), &hosts).with_mode(mode);
        let mut draw = Numbers(numbers);
        detector.on_sweep(s(10), &mut draw);
        assert!(detector.is_ejected(0));
        let mut sweeps = (2..).map(|sweep| s(sweep * 10));
        let end = sweeps.find(|&sweep| {
            detector.on_sweep(sweep, &mut draw);
            !detector.is_ejected(0)
        });
        // The multiplier decreases an interval after the return.
        let sweep = end.unwrap() + s(10);
        detector.on_sweep(sweep, &mut draw);
        (end.unwrap(), detector.host(0).unwrap().ejection.multiplier)
    };
    assert_eq!(ends(SweepMode::Exact, vec![]), (s(30), 0));
    // Above half of the numbers, the sweep comes late enough.
    assert_eq!(ends(SweepMode::Random, vec![50, 50]), (s(30), 0));
    assert_eq!(ends(SweepMode::Random, vec![50, 0]), (s(30), 1));
    assert_eq!(ends(SweepMode::Random, vec![49, 50]), (s(40), 0));
}

#[test]
fn a_sweep_without_requests_finds_nothing() {
    let settings = OutlierDetection {
        success_rate_minimum_hosts: 0,
        success_rate_request_volume: 0,
        ..settings()
    };
    let mut detector = Detector::new(settings, s(0), 5);
    assert_eq!(ejected(&mut detector), []);
    assert_eq!(detector.next_sweep(), s(20));
}

/// As in Envoy: its second finding of the sweep does not look at what the first one did.
#[test]
fn a_host_that_both_rules_of_a_sweep_find_counts_twice_and_returns_once() {
    let settings = OutlierDetection {
        enforcing_failure_percentage: 100,
        failure_percentage_threshold: 50,
        ..settings()
    };
    let hosts = [(50, 50), (100, 0), (100, 0), (100, 0), (100, 0)];
    let mut detector = after(settings, &hosts);
    assert_eq!(ejected(&mut detector), [0, 0]);
    assert_eq!(detector.ejections_active(), 2);
    detector.on_health_check(s(11), 0);
    assert!(!detector.is_ejected(0));
    assert_eq!(detector.ejections_active(), 1);
}
