//! Several checkers of one host.

use spillgate_health::check::{
    ActiveCheck, HealthCheckKind, HealthCheckOutcome, HostAtStart, HostCheckDue, HostChecks,
};

use crate::common::{NoDraw, http, ms, s};

const PASS: HealthCheckOutcome = HealthCheckOutcome::Success;

fn two() -> [ActiveCheck; 2] {
    let tcp = ActiveCheck::new(HealthCheckKind::Tcp, ms(500), s(3));
    [http(), tcp]
}

fn checks(of: &[ActiveCheck]) -> HostChecks {
    HostChecks::new(of, s(0), HostAtStart::default(), &mut NoDraw)
}

#[test]
fn all_checkers_must_pass() {
    let settings = two();
    let mut host = checks(&settings);
    let draw = &mut NoDraw;
    assert_eq!(
        host.on_due(&settings, s(0), true, draw),
        HostCheckDue::Send(0)
    );
    assert_eq!(
        host.on_due(&settings, s(0), true, draw),
        HostCheckDue::Send(1)
    );
    assert_eq!(
        host.on_due(&settings, s(0), true, draw),
        HostCheckDue::Early
    );

    // The cluster hears of the host when the last checker has its first result.
    let first = host
        .on_result((0, &settings[0]), ms(1), &PASS, true, draw)
        .unwrap();
    assert!(!first.changed && !first.passed);
    assert!(host.flags().failed_active_hc && host.flags().pending_active_hc);
    let second = host
        .on_result((1, &settings[1]), ms(2), &PASS, true, draw)
        .unwrap();
    assert!(second.changed && second.passed && host.are_complete());
    assert!(!host.flags().failed_active_hc && !host.flags().pending_active_hc);

    // One that fails makes the host unhealthy, whatever the other finds.
    assert_eq!(host.next_at(), Some(s(3) + ms(2)));
    assert_eq!(
        host.on_due(&settings, s(4), true, draw),
        HostCheckDue::Send(1)
    );
    let failed = HealthCheckOutcome::NetworkFailure;
    let failed = host
        .on_result((1, &settings[1]), s(4), &failed, true, draw)
        .unwrap();
    assert!(failed.changed && !failed.passed && host.flags().failed_active_hc);
    host.on_due(&settings, s(11), true, draw);
    host.on_due(&settings, s(11), true, draw);
    let passed = host
        .on_result((0, &settings[0]), s(11), &PASS, true, draw)
        .unwrap();
    assert!(!passed.changed && !passed.passed);
}

#[test]
fn a_silent_checker_times_out() {
    let settings = two();
    let mut host = checks(&settings);
    let draw = &mut NoDraw;
    host.on_due(&settings, s(0), true, draw);
    host.on_due(&settings, s(0), true, draw);
    assert_eq!(host.next_at(), Some(ms(500)));
    let due = host.on_due(&settings, ms(500), true, draw);
    assert!(matches!(due, HostCheckDue::TimedOut(finished) if finished.checker == 1));
}

#[test]
fn a_single_checker_reports_what_it_finds() {
    let settings = [http()];
    let mut host = checks(&settings);
    let draw = &mut NoDraw;
    host.on_due(&settings, s(0), true, draw);
    let first = host
        .on_result((0, &settings[0]), s(0), &PASS, true, draw)
        .unwrap();
    assert!(first.changed && first.passed);
    assert!(!host.flags().failed_active_hc);
    host.on_due(&settings, s(10), true, draw);
    let refused = HealthCheckOutcome::NetworkFailure;
    let counted = host
        .on_result((0, &settings[0]), s(10), &refused, true, draw)
        .unwrap();
    // The host is still healthy, but this check did not pass: it ends no ejection.
    assert!(!counted.changed && !counted.passed && !host.flags().failed_active_hc);
}

#[test]
fn a_host_without_checkers_is_healthy() {
    let host = checks(&[]);
    assert_eq!(host.next_at(), None);
    assert!(!host.flags().failed_active_hc);
}
