//! How many hosts are ejected, for how long, and how the multiplier decreases.

use spillgate_health::outlier::{
    Detector, EjectionAction, OutlierDetection, OutlierEjectionType as Type, RequestResult,
};

use crate::common::{NoDraw, Numbers, actions, ms, s};

fn settings() -> OutlierDetection {
    OutlierDetection {
        consecutive_5xx: 1,
        ..OutlierDetection::default()
    }
}

const ERROR: RequestResult = RequestResult::status(500);

/// The number of hosts that are ejected if all fail.
fn ejected_of(settings: OutlierDetection, hosts: usize) -> usize {
    let mut detector = Detector::new(settings, s(0), hosts);
    for host in 0..hosts {
        detector.on_result(s(1), host, ERROR, &mut NoDraw);
    }
    (0..hosts).filter(|host| detector.is_ejected(*host)).count()
}

#[test]
fn the_limit_is_a_percentage_of_all_hosts_rounded_down() {
    for (percent, hosts, ejected) in [
        (10, 9, 0),
        (10, 10, 1),
        (10, 19, 1),
        (10, 20, 2),
        (34, 3, 1),
        (33, 3, 0),
        (100, 3, 3),
        (0, 100, 0),
    ] {
        let settings = OutlierDetection {
            max_ejection_percent: percent,
            ..settings()
        };
        assert_eq!(
            ejected_of(settings, hosts),
            ejected,
            "{percent} % of {hosts}"
        );
    }
}

#[test]
fn one_host_is_ejected_in_any_case_on_request() {
    let settings = OutlierDetection {
        always_eject_one_host: true,
        ..settings()
    };
    assert_eq!(ejected_of(settings, 3), 1);
}

#[test]
fn above_the_limit_a_finding_is_only_counted() {
    let mut detector = Detector::new(settings(), s(0), 3);
    let events = detector.on_result(s(1), 0, ERROR, &mut NoDraw);
    assert_eq!(
        actions(&events),
        [EjectionAction::Overflow(Type::Consecutive5xx)]
    );
}

#[test]
fn removed_hosts_leave_room_and_make_the_cluster_smaller() {
    let mut detector = Detector::new(settings(), s(0), 10);
    detector.on_result(s(1), 0, ERROR, &mut NoDraw);
    assert_eq!(detector.ejections_active(), 1);
    detector.remove_host(0);
    assert_eq!((detector.ejections_active(), detector.hosts()), (0, 9));
    assert_eq!(detector.on_result(s(1), 0, ERROR, &mut NoDraw), []);
    detector.on_result(s(1), 1, ERROR, &mut NoDraw);
    assert!(!detector.is_ejected(1));
    let added = detector.add_host();
    detector.on_result(s(1), added, ERROR, &mut NoDraw);
    assert!(detector.is_ejected(added));
}

#[test]
fn the_enforcing_percentage_is_random() {
    let settings = OutlierDetection {
        enforcing_consecutive_5xx: 40,
        ..settings()
    };
    let mut detector = Detector::new(settings, s(0), 10);
    let mut draw = Numbers(vec![140, 239]);
    detector.on_result(s(1), 0, ERROR, &mut draw);
    assert!(!detector.is_ejected(0));
    detector.on_result(s(1), 0, ERROR, &mut draw);
    assert!(detector.is_ejected(0));
}

/// The times at which a host with this many sweeps between ejection and the next error returns.
fn durations(settings: OutlierDetection, healthy_sweeps: &[usize]) -> Vec<u64> {
    let mut detector = Detector::new(settings, s(0), 10);
    let mut durations = Vec::new();
    let mut now = s(0);
    for healthy in healthy_sweeps {
        for _ in 0..*healthy {
            now = detector.next_sweep();
            detector.on_sweep(now, &mut NoDraw);
        }
        let start = now;
        let events = detector.on_result(start, 0, ERROR, &mut NoDraw);
        assert!(matches!(events[0].action, EjectionAction::Eject { .. }));
        while detector.is_ejected(0) {
            now = detector.next_sweep();
            detector.on_sweep(now, &mut NoDraw);
        }
        durations.push((now - start).as_secs());
    }
    durations
}

#[test]
fn each_ejection_in_a_row_is_longer_up_to_the_limit() {
    let settings = OutlierDetection {
        base_ejection_time: s(100),
        max_ejection_time: Some(s(250)),
        ..settings()
    };
    assert_eq!(durations(settings, &[0; 5]), [100, 200, 250, 250, 250]);
}

#[test]
fn each_interval_without_an_ejection_decreases_the_multiplier() {
    let settings = OutlierDetection {
        base_ejection_time: s(10),
        ..settings()
    };
    // The sweep that ends an ejection does not count.
    assert_eq!(durations(settings, &[0, 0, 0, 2, 9]), [10, 20, 30, 20, 10]);
}

#[test]
fn a_sweep_ends_an_ejection() {
    let settings = OutlierDetection {
        base_ejection_time: s(11),
        ..settings()
    };
    assert_eq!(durations(settings, &[0]), [20]);
}

#[test]
fn jitter_makes_an_ejection_longer() {
    let settings = OutlierDetection {
        max_ejection_time_jitter: s(10),
        ..settings()
    };
    let mut detector = Detector::new(settings, s(0), 10);
    let mut draw = Numbers(vec![10_001 + 4_000]);
    let events = detector.on_result(s(0), 0, ERROR, &mut draw);
    let EjectionAction::Eject { duration, .. } = events[0].action else {
        panic!("{events:?}");
    };
    assert_eq!(duration, s(34));
    assert_eq!(detector.host(0).unwrap().ejection.jitter, ms(4_000));
}

#[test]
fn a_passing_check_ends_an_ejection_unless_the_setting_says_otherwise() {
    for (enabled, ejected) in [(true, false), (false, true)] {
        let settings = OutlierDetection {
            successful_active_health_check_uneject_host: enabled,
            ..settings()
        };
        let mut detector = Detector::new(settings, s(0), 10);
        detector.on_result(s(1), 0, ERROR, &mut NoDraw);
        detector.on_health_check(s(2), 0);
        assert_eq!(detector.is_ejected(0), ejected);
        assert_eq!(detector.ejections_active(), usize::from(ejected));
    }
}
