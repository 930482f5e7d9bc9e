//! One checker of one host.

use spillgate_health::check::{
    ActiveCheck, CheckDue, CheckFailureType, CheckLogEvent, CheckTransition, Checker,
    HealthCheckKind, HealthCheckOutcome, HostAtStart, HttpStatuses, stays_after_removal,
};

use crate::common::{NoDraw, Numbers, Run, http, ms, s};

const PASS: HealthCheckOutcome = HealthCheckOutcome::Success;
const REFUSED: HealthCheckOutcome = HealthCheckOutcome::NetworkFailure;

fn events(finished: &spillgate_health::check::CheckFinished) -> Vec<CheckLogEvent> {
    finished.events.iter().collect()
}

#[test]
fn the_first_success_makes_a_new_host_healthy() {
    let mut run = Run::new(http());
    assert!(run.is_unhealthy());
    let first = run.next(PASS);
    assert!(!run.is_unhealthy());
    assert_eq!(first.transition, CheckTransition::Changed);
    assert_eq!(
        events(&first),
        [CheckLogEvent::AddHealthy { first_check: true }]
    );
    assert_eq!(run.checker.next_at(), s(10));
}

#[test]
fn a_failed_first_check_needs_the_threshold_of_successes() {
    let mut run = Run::new(http());
    let first = run.next(REFUSED);
    assert_eq!(first.transition, CheckTransition::Unchanged);
    let failure = CheckFailureType::Network;
    let logged = CheckLogEvent::Failure {
        failure,
        first_check: true,
        status: 0,
    };
    assert_eq!(events(&first), [logged]);
    assert_eq!(run.next(PASS).transition, CheckTransition::ChangePending);
    assert!(run.is_unhealthy());
    let added = run.next(PASS);
    assert_eq!(
        events(&added),
        [CheckLogEvent::AddHealthy { first_check: false }]
    );
    assert!(!run.is_unhealthy());
}

#[test]
fn network_failures_count_towards_the_threshold_and_a_success_starts_again() {
    let mut run = Run::new(http());
    run.next(PASS);
    for _ in 0..2 {
        assert_eq!(run.next(REFUSED).transition, CheckTransition::ChangePending);
    }
    run.next(PASS);
    for _ in 0..2 {
        run.next(REFUSED);
    }
    assert!(!run.is_unhealthy());
    let last = run.next(REFUSED);
    let failure = CheckFailureType::Network;
    assert_eq!(
        events(&last),
        [CheckLogEvent::EjectUnhealthy { failure, status: 0 }]
    );
    assert!(run.is_unhealthy());
}

#[test]
fn an_unexpected_status_fails_at_once() {
    let mut run = Run::new(http());
    run.next(PASS);
    let failed = run.next(HealthCheckOutcome::status(503));
    let failure = CheckFailureType::Active;
    assert_eq!(
        events(&failed),
        [CheckLogEvent::EjectUnhealthy {
            failure,
            status: 503
        }]
    );
}

#[test]
fn a_retriable_status_counts_and_an_expected_one_passes_in_any_case() {
    let statuses = HttpStatuses {
        expected: vec![200..201, 429..430],
        retriable: std::iter::once(400..600).collect(),
    };
    let check = ActiveCheck::new(HealthCheckKind::Http(statuses), s(1), s(10));
    let mut run = Run::new(check.with_thresholds(2, 1));
    run.next(HealthCheckOutcome::status(429));
    assert!(!run.is_unhealthy());
    run.next(HealthCheckOutcome::status(599));
    assert!(!run.is_unhealthy());
    run.next(HealthCheckOutcome::status(400));
    assert!(run.is_unhealthy());
}

#[test]
fn a_grpc_answer_that_is_not_serving_fails_at_once() {
    let check = ActiveCheck::new(HealthCheckKind::Grpc, s(1), s(10)).with_thresholds(3, 1);
    let mut run = Run::new(check);
    run.next(PASS);
    run.next(HealthCheckOutcome::Failure);
    assert!(run.is_unhealthy());
}

#[test]
fn a_timeout_counts_and_the_interval_starts_after_it() {
    let mut run = Run::new(http());
    run.next(PASS);
    run.silence();
    assert_eq!(run.checker.next_at(), s(10 + 1 + 10));
    run.silence();
    assert!(!run.checker.has_timed_out());
    run.silence();
    assert!(run.is_unhealthy() && run.checker.has_timed_out());
    run.next(REFUSED);
    assert!(!run.checker.has_timed_out());
}

#[test]
fn a_late_result_is_ignored() {
    let mut run = Run::new(http());
    run.silence();
    let late = run
        .checker
        .on_result(&run.check, s(2), &PASS, true, &mut NoDraw);
    assert_eq!(late, None);
}

#[test]
fn nothing_happens_early() {
    let mut run = Run::new(http());
    run.next(PASS);
    let due = run.checker.on_due(&run.check, ms(9_999), true, &mut NoDraw);
    assert_eq!(due, CheckDue::Early);
}

#[test]
fn edge_intervals_follow_counted_results() {
    let check = ActiveCheck {
        unhealthy_interval: Some(s(20)),
        unhealthy_edge_interval: Some(s(3)),
        healthy_edge_interval: Some(s(4)),
        ..http()
    };
    let mut run = Run::new(check.with_thresholds(2, 2));
    let mut waits = Vec::new();
    for outcome in [PASS, REFUSED, REFUSED, REFUSED, PASS, PASS, PASS] {
        let before = run.checker.next_at();
        run.next(outcome);
        waits.push((run.checker.next_at() - before).as_secs());
    }
    assert_eq!(waits, [10, 3, 20, 20, 4, 10, 10]);
}

#[test]
fn without_traffic_the_no_traffic_intervals_apply() {
    let check = ActiveCheck {
        no_traffic_interval: s(60),
        no_traffic_healthy_interval: Some(s(90)),
        ..http()
    };
    let mut run = Run::new(check);
    let mut wait = |outcome| {
        let now = run.checker.next_at();
        run.checker.on_due(&run.check, now, false, &mut NoDraw);
        run.checker
            .on_result(&run.check, now, &outcome, false, &mut NoDraw);
        (run.checker.next_at() - now).as_secs()
    };
    // The third and fourth success: one is counted, one makes the host healthy.
    let outcomes = [PASS, HealthCheckOutcome::Failure, PASS, PASS];
    assert_eq!(outcomes.map(&mut wait), [90, 60, 60, 90]);
}

#[test]
fn jitter_is_added_below_its_limits() {
    let check = ActiveCheck {
        initial_jitter: ms(700),
        interval_jitter: ms(500),
        interval_jitter_percent: 20,
        ..http()
    };
    let mut draw = Numbers(vec![1_300, 2_001, 999]);
    let mut checker = Checker::new(&check, s(5), HostAtStart::default(), &mut draw);
    assert_eq!(checker.next_at(), s(5) + ms(600));
    let now = checker.next_at();
    checker.on_due(&check, now, true, &mut draw);
    checker.on_result(&check, now, &PASS, true, &mut draw);
    // 20 % of 10 s are 2000 ms.
    assert_eq!(checker.next_at() - now, s(10) + ms(1) + ms(499));
    assert_eq!(check.longest_jitter(s(10)), ms(1_999 + 499));
}

#[test]
fn an_initial_jitter_of_zero_waits_a_millisecond() {
    let check = ActiveCheck {
        initial_jitter: s(1),
        ..http()
    };
    let checker = Checker::new(
        &check,
        s(0),
        HostAtStart::default(),
        &mut Numbers::default(),
    );
    assert_eq!(checker.next_at(), ms(1));
}

#[test]
fn the_runtime_limits_all_intervals() {
    let mut check = http();
    check.interval_limits.most = s(7);
    let mut run = Run::new(check);
    run.next(PASS);
    assert_eq!(run.checker.next_at(), s(7));
}

#[test]
fn a_degraded_host_stays_healthy_and_recovers_with_the_header() {
    let mut run = Run::new(http());
    let degraded = HealthCheckOutcome::Response {
        status: 200,
        degraded: true,
        immediate_failure: false,
    };
    let first = run.next(degraded);
    let added = CheckLogEvent::AddHealthy { first_check: true };
    assert_eq!(events(&first), [added, CheckLogEvent::Degraded]);
    assert!(run.checker.flags().degraded_active_hc);
    run.next(REFUSED);
    assert!(run.checker.flags().degraded_active_hc);
    let back = run.next(PASS);
    assert_eq!(back.transition, CheckTransition::Changed);
    assert_eq!(events(&back), [CheckLogEvent::NoLongerDegraded]);
}

#[test]
fn an_immediate_failure_excludes_the_host_until_it_is_healthy() {
    let mut run = Run::new(http());
    run.next(PASS);
    run.next(HealthCheckOutcome::Response {
        status: 503,
        degraded: false,
        immediate_failure: true,
    });
    assert!(run.is_unhealthy() && run.checker.flags().excluded_via_immediate_hc_fail);
    run.next(PASS);
    assert!(run.checker.flags().excluded_via_immediate_hc_fail);
    run.next(PASS);
    assert!(!run.checker.flags().excluded_via_immediate_hc_fail);
}

#[test]
fn a_passive_failure_leaves_the_timer() {
    let mut run = Run::new(http());
    run.next(PASS);
    let before = run.checker.next_at();
    let finished = run.checker.on_passive_failure(&run.check);
    let failure = CheckFailureType::Passive;
    assert_eq!(
        events(&finished),
        [CheckLogEvent::EjectUnhealthy { failure, status: 0 }]
    );
    assert_eq!(run.checker.next_at(), before);
}

#[test]
fn a_pending_host_changes_with_any_first_result() {
    let check = http();
    let host = HostAtStart { is_pending: true };
    let mut checker = Checker::new(&check, s(0), host, &mut NoDraw);
    assert!(checker.flags().pending_active_hc);
    checker.on_due(&check, s(0), true, &mut NoDraw);
    let finished = checker.on_result(&check, s(0), &REFUSED, true, &mut NoDraw);
    assert_eq!(finished.unwrap().transition, CheckTransition::Changed);
    assert!(!checker.flags().pending_active_hc && checker.flags().failed_active_hc);
}

#[test]
fn a_threshold_of_zero_is_never_reached() {
    let mut run = Run::new(http().with_thresholds(0, 0));
    run.next(PASS);
    for _ in 0..20 {
        run.next(REFUSED);
    }
    assert!(!run.is_unhealthy());
    run.next(HealthCheckOutcome::Failure);
    for _ in 0..20 {
        run.next(PASS);
    }
    assert!(run.is_unhealthy());
}

#[test]
fn further_results_are_logged_on_request() {
    let check = ActiveCheck {
        always_log_health_check_failures: true,
        always_log_health_check_success: true,
        ..http()
    };
    let mut run = Run::new(check);
    run.next(PASS);
    assert_eq!(events(&run.next(PASS)), [CheckLogEvent::Success]);
    let failed = run.next(HealthCheckOutcome::Failure);
    assert_eq!(failed.events.iter().count(), 2);
}

#[test]
fn a_removed_host_stays_while_its_checks_pass() {
    let mut run = Run::new(http());
    assert!(!stays_after_removal(Some(run.checker.flags()), false));
    run.next(PASS);
    assert!(stays_after_removal(Some(run.checker.flags()), false));
    assert!(!stays_after_removal(Some(run.checker.flags()), true));
    assert!(!stays_after_removal(None, false));
}
