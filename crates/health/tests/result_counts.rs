//! What results of requests count for.

use spillgate_health::outlier::{
    Detector, EjectionAction, OutlierDetection, OutlierEjectionType as Type, RequestResult,
};

use crate::common::{NoDraw, actions, s};

fn all() -> OutlierDetection {
    OutlierDetection {
        max_ejection_percent: 100,
        enforcing_consecutive_gateway_failure: 100,
        consecutive_5xx: 3,
        consecutive_gateway_failure: 2,
        consecutive_local_origin_failure: 2,
        ..OutlierDetection::default()
    }
}

fn split() -> OutlierDetection {
    OutlierDetection {
        split_external_local_origin_errors: true,
        ..all()
    }
}

/// The types of the ejections by these results of one host.
fn ejected_by(settings: OutlierDetection, results: &[RequestResult]) -> Vec<Type> {
    let mut detector = Detector::new(settings, s(0), 1);
    let mut types = Vec::new();
    for result in results {
        for action in actions(&detector.on_result(s(1), 0, *result, &mut NoDraw)) {
            if let EjectionAction::Eject { kind, .. } = action {
                types.push(kind);
            }
        }
    }
    types
}

const fn status(status: u16) -> RequestResult {
    RequestResult::status(status)
}

#[test]
fn a_row_of_5xx_ejects() {
    assert_eq!(ejected_by(all(), &[status(500); 3]), [Type::Consecutive5xx]);
    assert_eq!(
        ejected_by(all(), &[status(500), status(500), status(404), status(500)]),
        []
    );
}

#[test]
fn a_gateway_failure_counts_for_both_rows() {
    let gateway = [Type::ConsecutiveGatewayFailure];
    for code in [502, 503, 504] {
        assert_eq!(ejected_by(all(), &[status(code); 3]), gateway);
    }
    // A 500 ends the row of gateway failures, but not that of 5xx.
    let mixed = [status(503), status(500), status(503)];
    assert_eq!(ejected_by(all(), &mixed), [Type::Consecutive5xx]);
}

#[test]
fn failures_without_a_response_are_gateway_failures() {
    for failure in [
        RequestResult::ConnectFailure,
        RequestResult::Reset,
        RequestResult::Timeout,
    ] {
        assert_eq!(
            ejected_by(all(), &[failure; 2]),
            [Type::ConsecutiveGatewayFailure]
        );
    }
}

#[test]
fn split_failures_have_a_row_of_their_own() {
    let refused = RequestResult::ConnectFailure;
    let local = [Type::ConsecutiveLocalOriginFailure];
    assert_eq!(ejected_by(split(), &[refused; 2]), local);
    // A response is a connection that opened, whatever its status.
    assert_eq!(ejected_by(split(), &[refused, status(500), refused]), []);
}

#[test]
fn timeouts_on_open_connections_make_no_row_with_a_split() {
    assert_eq!(ejected_by(split(), &[RequestResult::Timeout; 20]), []);
    let mut first = split();
    first.consecutive_local_origin_failure = 1;
    assert_eq!(
        ejected_by(first, &[RequestResult::Timeout]),
        [Type::ConsecutiveLocalOriginFailure]
    );
}

#[test]
fn a_threshold_of_zero_never_ejects() {
    let mut settings = all();
    settings.consecutive_5xx = 0;
    assert_eq!(ejected_by(settings, &[status(500); 50]), []);
}

#[test]
fn a_finding_that_is_not_enforced_starts_the_row_again() {
    let mut settings = all();
    settings.enforcing_consecutive_5xx = 0;
    let mut detector = Detector::new(settings, s(0), 1);
    let events = detector.on_results(s(1), 0, status(500), 7, &mut NoDraw);
    let kind = Type::Consecutive5xx;
    assert_eq!(actions(&events), [EjectionAction::NotEnforced(kind); 2]);
    assert_eq!(detector.host(0).unwrap().consecutive_5xx, 1);
}

#[test]
fn results_of_an_ejected_host_count_for_rates_only() {
    let mut detector = Detector::new(all(), s(0), 1);
    detector.on_results(s(1), 0, status(500), 30, &mut NoDraw);
    let host = detector.host(0).unwrap();
    assert_eq!((host.num_ejections, host.responses.total), (1, 30));
    let back = detector.on_health_check(s(2), 0);
    assert_eq!(back.unwrap().action, EjectionAction::Uneject);
    assert_eq!(detector.host(0).unwrap().consecutive_5xx, 0);
}

#[test]
fn a_degraded_response_makes_the_host_degraded_on_request() {
    let degraded = RequestResult::Response {
        status: 200,
        degraded: true,
    };
    let mut detector = Detector::new(all(), s(0), 1);
    assert_eq!(detector.on_result(s(1), 0, degraded, &mut NoDraw), []);
    let mut settings = all();
    settings.detect_degraded_hosts = true;
    let mut detector = Detector::new(settings, s(0), 1);
    let events = detector.on_results(s(1), 0, degraded, 4, &mut NoDraw);
    assert_eq!(
        actions(&events),
        [EjectionAction::Degrade { duration: s(30) }]
    );
    assert!(detector.is_degraded(0));
    let mut now = s(0);
    while detector.is_degraded(0) {
        now = detector.next_sweep();
        detector.on_sweep(now, &mut NoDraw);
    }
    assert_eq!(now, s(40));
}

/// In panic mode, an ejected host gets requests.
#[test]
fn an_ejected_host_can_become_degraded() {
    let degraded = RequestResult::Response {
        status: 200,
        degraded: true,
    };
    let mut settings = all();
    settings.detect_degraded_hosts = true;
    let mut detector = Detector::new(settings, s(0), 1);
    detector.on_results(s(1), 0, status(500), 5, &mut NoDraw);
    assert!(detector.is_ejected(0));
    let events = detector.on_result(s(12), 0, degraded, &mut NoDraw);
    assert_eq!(
        actions(&events),
        [EjectionAction::Degrade { duration: s(30) }]
    );
    // Each has its own time.
    let events = detector.on_sweep(s(40), &mut NoDraw);
    assert_eq!(actions(&events), [EjectionAction::Uneject]);
    let events = detector.on_sweep(s(50), &mut NoDraw);
    assert_eq!(actions(&events), [EjectionAction::Undegrade]);
}
