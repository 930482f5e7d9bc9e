//! Formulas of times, compared with runs of checkers.

use std::time::Duration;

use proptest::prelude::*;
use spillgate_core::draw::SplitMix64;
use spillgate_health::check::{
    ActiveCheck, CheckDue, Checker, HealthCheckKind, HealthCheckOutcome, HostAtStart, HttpStatuses,
};
use spillgate_health::outlier::OutlierDetection;
use spillgate_health::times::{
    HostFailure, consecutive_requests, detection_time, ejection_time, recovery_time,
};

use crate::common::{http, ms, s};

#[test]
fn a_failure_is_noticed_at_once_only_if_the_threshold_does_not_count() {
    let check = http();
    let unexpected = detection_time(&check, HostFailure::Unexpected, true).unwrap();
    assert_eq!(
        (unexpected.least.total(), unexpected.most.total()),
        (s(0), s(10))
    );
    assert_eq!(unexpected.least.to_string(), "0s");
    let refused = detection_time(&check, HostFailure::Refused, true).unwrap();
    assert_eq!(
        (refused.least.total(), refused.most.total()),
        (s(20), s(30))
    );
}

#[test]
fn without_traffic_detection_takes_minutes() {
    let time = detection_time(&http(), HostFailure::Refused, false).unwrap();
    assert_eq!(time.most.total(), s(180));
    assert_eq!(time.least.to_string(), "2 x no_traffic_interval 60s");
}

#[test]
fn a_threshold_of_zero_has_no_time() {
    let check = http().with_thresholds(0, 0);
    assert_eq!(detection_time(&check, HostFailure::Refused, true), None);
    assert!(detection_time(&check, HostFailure::Unexpected, true).is_some());
    assert_eq!(recovery_time(&check, HostFailure::Refused, true), None);
}

#[test]
fn the_ejection_time_grows_to_its_limit() {
    let settings = OutlierDetection {
        max_ejection_time: Some(s(70)),
        max_ejection_time_jitter: s(2),
        ..OutlierDetection::default()
    };
    let times = [1, 2, 3].map(|number| ejection_time(&settings, number));
    assert_eq!(times.map(|time| time.nominal.as_secs()), [30, 60, 70]);
    assert_eq!(times.map(|time| time.most.as_secs()), [42, 72, 82]);
    assert_eq!(times.map(|time| time.is_limited), [false, false, true]);
}

#[test]
fn the_shortest_enforced_row_ejects() {
    let mut settings = OutlierDetection::default();
    assert_eq!(
        consecutive_requests(&settings, true),
        Some(("consecutive_5xx", 5))
    );
    settings.enforcing_consecutive_gateway_failure = 100;
    settings.consecutive_gateway_failure = 2;
    let gateway = Some(("consecutive_gateway_failure", 2));
    assert_eq!(consecutive_requests(&settings, true), gateway);
    assert_eq!(
        consecutive_requests(&settings, false),
        Some(("consecutive_5xx", 5))
    );
    settings.enforcing_consecutive_5xx = 0;
    assert_eq!(consecutive_requests(&settings, false), None);
}

fn settings() -> impl Strategy<Value = ActiveCheck> {
    let time = || (1_u64..80).prop_map(ms);
    let some = || prop::option::of((1_u64..80).prop_map(ms));
    let thresholds = (1_u32..5, 1_u32..5);
    (
        time(),
        time(),
        thresholds,
        [some(), some(), some()],
        0_u64..30,
        0_u32..60,
    )
        .prop_map(
            |(timeout, interval, (unhealthy, healthy), others, jitter, percent)| {
                let [
                    unhealthy_interval,
                    unhealthy_edge_interval,
                    healthy_edge_interval,
                ] = others;
                let statuses = HttpStatuses {
                    retriable: std::iter::once(503..504).collect(),
                    ..HttpStatuses::default()
                };
                ActiveCheck {
                    unhealthy_interval,
                    unhealthy_edge_interval,
                    healthy_edge_interval,
                    interval_jitter: ms(jitter),
                    interval_jitter_percent: percent,
                    ..ActiveCheck::new(HealthCheckKind::Http(statuses), timeout, interval)
                        .with_thresholds(unhealthy, healthy)
                }
            },
        )
}

/// Runs checks of a host that fails at one time and recovers at a later one. Returns when it became unhealthy, and
/// when healthy again.
fn run(
    check: &ActiveCheck,
    failure: HostFailure,
    [fails, recovers]: [Duration; 2],
    seed: u64,
) -> [Option<Duration>; 2] {
    let draw = &mut SplitMix64::new(seed);
    let mut checker = Checker::new(check, s(0), HostAtStart::default(), draw);
    let mut changes = [None; 2];
    while checker.next_at() < recovers + s(10) {
        let now = checker.next_at();
        let due = checker.on_due(check, now, true, draw);
        let broken = (fails..recovers).contains(&now);
        if due == CheckDue::Send && !(broken && failure == HostFailure::Silent) {
            let outcome = match failure {
                _ if !broken => HealthCheckOutcome::Success,
                HostFailure::Unexpected => HealthCheckOutcome::status(500),
                HostFailure::Retriable => HealthCheckOutcome::status(503),
                _ => HealthCheckOutcome::NetworkFailure,
            };
            checker.on_result(check, now, &outcome, true, draw);
        }
        let failed = checker.flags().failed_active_hc;
        let at = if now >= recovers { 1 } else { 0 };
        if changes[at].is_none() && failed == (at == 0) && (now >= fails) {
            changes[at] = Some(now);
        }
    }
    changes
}

proptest! {
    #[test]
    fn a_run_takes_a_time_of_the_range(
        check in settings(),
        failure in prop::sample::select(vec![
            HostFailure::Unexpected,
            HostFailure::Retriable,
            HostFailure::Refused,
            HostFailure::Silent,
        ]),
        fails in 200_u64..400,
        seed in any::<u64>(),
    ) {
        let (fails, recovers) = (ms(fails), s(20));
        let [unhealthy, healthy] = run(&check, failure, [fails, recovers], seed);
        let detected = unhealthy.unwrap() - fails;
        let range = detection_time(&check, failure, true).unwrap();
        prop_assert!(detected >= range.least.total() && detected <= range.most.total(), "{detected:?}: {range:?}");
        let recovered = healthy.unwrap() - recovers;
        let range = recovery_time(&check, failure, true).unwrap();
        prop_assert!(recovered >= range.least.total() && recovered <= range.most.total(), "{recovered:?}: {range:?}");
    }
}
