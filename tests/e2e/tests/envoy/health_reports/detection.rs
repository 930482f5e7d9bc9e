//! Reports that active health checks notice a failed host late, or never.

use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use spillgate_e2e::health_time::{HealthTrial, HostPhase, HostScript, TrialRecord};
use spillgate_health::check::{ActiveCheck, CheckLogEvent, HealthCheckKind, HttpStatuses};
use spillgate_health::outlier::RequestResult;
use spillgate_health::times::{HostFailure, detection_time};

use super::{check, fails, ms, record, report, sent};

const INTERVAL: Duration = ms(100);
/// Long enough to tell them apart: on a busy machine, timers are some milliseconds early.
const NO_TRAFFIC: Duration = ms(2_500);

fn http() -> HealthCheckKind {
    HealthCheckKind::Http(HttpStatuses::default())
}

fn events(record: &TrialRecord, host: usize) -> Vec<(Duration, CheckLogEvent)> {
    let address = record.addresses.get(host);
    let entries = record.checks.iter().flatten();
    let entries = entries.filter(|entry| Some(&entry.host) == address);
    entries.map(|entry| (entry.at, entry.event)).collect()
}

pub(super) fn stopped_host() -> HealthTrial {
    let stopped = HostPhase {
        refuses: true,
        ..HostPhase::fine(ms(1_500))
    };
    let mut cluster = report(3);
    cluster.checks = vec![check(HealthCheckKind::Tcp, INTERVAL, 5)];
    cluster.hosts[0] = HostScript(vec![HostPhase::fine(Duration::ZERO), stopped]);
    cluster
}

/// k0sproject/k0s#7743: a controller that stopped gets connections for up to 25 s, with `interval: 5s` and
/// `unhealthy_threshold: 5`. Here 50 times faster.
pub(super) fn a_stopped_host_is_noticed_after_threshold_intervals() -> Result<()> {
    let events = events(record("stopped host")?, 0);
    let failed = |(_, event): &&(_, CheckLogEvent)| matches!(event, CheckLogEvent::Failure { .. });
    let is_ejection = |event: &CheckLogEvent| matches!(event, CheckLogEvent::EjectUnhealthy { .. });
    let noticed = events.iter().position(|(_, event)| is_ejection(event));
    let noticed = noticed.context("never noticed")?;
    let before = events.iter().take(noticed).filter(failed).count();
    ensure!(before == 4, "{before} failed checks before the last one");
    let reported = ActiveCheck::new(HealthCheckKind::Tcp, ms(1_000), ms(5_000));
    let time = |threshold| {
        let check = reported.clone().with_thresholds(threshold, 3);
        let time = detection_time(&check, HostFailure::Refused, true);
        time.map(|time| (time.least.total(), time.most.total()))
    };
    ensure!(time(5) == Some((ms(20_000), ms(25_000))));
    // The change that the report proposes.
    ensure!(time(2) == Some((ms(5_000), ms(10_000))));
    Ok(())
}

pub(super) fn no_traffic() -> HealthTrial {
    let mut cluster = report(1);
    cluster.checks = vec![ActiveCheck {
        no_traffic_interval: NO_TRAFFIC,
        ..check(http(), INTERVAL, 3)
    }];
    cluster.hosts[0] = fails(ms(500), 504, 500);
    cluster
}

/// envoyproxy/envoy#16724: the first check passes before the first request, so the second one is sent only after
/// `no_traffic_interval`, however many requests there are until then.
pub(super) fn a_first_request_does_not_shorten_the_interval() -> Result<()> {
    let record = record("no traffic")?;
    let events = events(record, 0);
    let [(first, passed), (second, noticed), ..] = events[..] else {
        bail!("too few checks: {events:?}");
    };
    ensure!(passed == CheckLogEvent::AddHealthy { first_check: true });
    let is_noticed = matches!(noticed, CheckLogEvent::EjectUnhealthy { .. });
    ensure!(is_noticed && second > first + NO_TRAFFIC / 2, "{events:?}");
    let failed = record
        .attempts
        .iter()
        .filter(|attempt| attempt.result == RequestResult::status(504) && attempt.end < second);
    ensure!(failed.count() > 1, "no request failed until then");
    Ok(())
}

pub(super) fn panic_mode() -> HealthTrial {
    let mut cluster = report(2);
    cluster.checks = vec![check(http(), INTERVAL, 3)];
    cluster.hosts = vec![fails(ms(0), 200, 404), fails(ms(0), 503, 404)];
    cluster
}

pub(super) fn no_panic_mode() -> HealthTrial {
    HealthTrial {
        panic_threshold: 0,
        ..panic_mode()
    }
}

/// envoyproxy/gateway#5664, #8564: the checks of all hosts fail, because their `host` is that of the route. So the
/// cluster is in panic mode, and a host that fails gets as many requests as the others.
pub(super) fn checks_that_fail_everywhere_remove_no_host() -> Result<()> {
    let (panicking, without) = (record("panic mode")?, record("no panic mode")?);
    for record in [panicking, without] {
        for host in [0, 1] {
            let first = events(record, host).first().copied();
            let (_, first) = first.context("no checks")?;
            let fails = matches!(
                first,
                CheckLogEvent::Failure {
                    first_check: true,
                    ..
                }
            );
            ensure!(fails, "{first:?}");
        }
    }
    let counts = [0, 1].map(|host| sent(panicking, host).len());
    ensure!(
        counts[0] > 1 && counts[0].abs_diff(counts[1]) <= 1,
        "{counts:?}"
    );
    ensure!(without.attempts.is_empty(), "{:?}", without.attempts);
    Ok(())
}
