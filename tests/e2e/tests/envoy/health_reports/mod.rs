//! Public reports of surprising health checks and outlier detection, with the real Envoy and shorter times.
//!
//! Each report is one or two clusters with the reported settings, and hosts that fail as reported. All of them run in one
//! Envoy, in a test that runs alone. A statement is what Envoy does, and the replay demands that `spillgate-health` predicts the event logs exactly.

mod detection;
mod ejections;
mod limit;

use std::sync::OnceLock;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, ensure};
use spillgate_e2e::Workdir;
use spillgate_e2e::health_time::{
    HealthTrial, HostPhase, HostScript, LoggedOutlier, ScriptedAnswer, TrialLoad, TrialRecord,
    replay_checks, replay_outliers, run_batch,
};
use spillgate_health::check::{ActiveCheck, HealthCheckKind};
use spillgate_health::outlier::OutlierDetection;

/// Checks, requests and sweeps that are closer can have happened in any order.
const NEAR: Duration = Duration::from_millis(100);
/// How often a run is repeated that the model does not explain, or that had too few requests.
const AGAIN: usize = 4;
/// A third of the requests that there are on an idle machine.
const FEWEST: usize = 150;
/// Longer than any answer takes on a busy machine.
const PATIENT: Duration = Duration::from_secs(30);

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// A cluster of hosts without faults that gets requests.
fn report(hosts: usize) -> HealthTrial {
    HealthTrial {
        number: 0,
        checks: Vec::new(),
        outlier: None,
        hosts: vec![HostScript(vec![HostPhase::fine(Duration::ZERO)]); hosts],
        panic_threshold: 50,
        merge_window: None,
        load: Some(TrialLoad {
            pause: ms(10),
            timeout: PATIENT,
            retries: 0,
        }),
    }
}

/// The reported thresholds, with an entry in the log for each check.
fn check(kind: HealthCheckKind, interval: Duration, unhealthy: u32) -> ActiveCheck {
    ActiveCheck {
        no_traffic_interval: interval,
        always_log_health_check_failures: true,
        always_log_health_check_success: true,
        ..ActiveCheck::new(kind, PATIENT, interval)
    }
    .with_thresholds(unhealthy, 3)
}

/// Three 5xx responses in a row eject a host, for longer than the test takes.
fn outlier_detection() -> OutlierDetection {
    OutlierDetection {
        consecutive_5xx: 3,
        interval: ms(300),
        base_ejection_time: ms(30_000),
        max_ejection_percent: 100,
        ..OutlierDetection::default()
    }
}

/// Works at first, and then answers requests and checks with these statuses.
fn fails(from: Duration, requests: u16, checks: u16) -> HostScript {
    let phase = HostPhase {
        requests: ScriptedAnswer::Status(requests),
        checks: [ScriptedAnswer::Status(checks); 2],
        ..HostPhase::fine(from)
    };
    HostScript(vec![HostPhase::fine(Duration::ZERO), phase])
}

/// A cluster of a report.
type Report = fn() -> HealthTrial;

/// All clusters by name.
const REPORTS: [(&str, Report); 11] = [
    ("stopped host", detection::stopped_host),
    ("no traffic", detection::no_traffic),
    ("panic mode", detection::panic_mode),
    ("no panic mode", detection::no_panic_mode),
    ("ended by a check", ejections::ended_by_a_check),
    ("not ended by a check", ejections::not_ended_by_a_check),
    ("ejected and unhealthy", ejections::ejected_and_unhealthy),
    ("soon after a return", ejections::soon_after_a_return),
    ("default limit", limit::default_limit),
    ("two of three", limit::two_of_three),
    ("only host", limit::only_host),
];

/// A statement about what Envoy does.
type Statement = fn() -> Result<()>;

/// All statements.
const STATEMENTS: [Statement; 9] = [
    detection::a_stopped_host_is_noticed_after_threshold_intervals,
    detection::a_first_request_does_not_shorten_the_interval,
    detection::checks_that_fail_everywhere_remove_no_host,
    ejections::a_passing_check_ends_an_ejection,
    ejections::a_host_returns_when_its_ejection_ended_and_its_checks_pass,
    ejections::an_ejection_soon_after_a_return_reaches_the_workers_later,
    limit::the_default_limit_ejects_no_host_of_three,
    limit::ejections_up_to_the_limit_can_start_panic_mode,
    limit::the_only_host_keeps_its_requests,
];

#[test]
fn envoy_does_what_reports_state_and_the_model_predicts_it() -> Result<()> {
    let results = STATEMENTS.iter().map(|statement| statement());
    let faults = results.filter_map(|result| result.err().map(|fault| format!("{fault:#}")));
    let faults: Vec<String> = faults.collect();
    ensure!(faults.is_empty(), "{}", faults.join("\n"));
    Ok(())
}

/// What happened in a cluster, after the model predicted all of it.
fn record(name: &str) -> Result<&'static TrialRecord> {
    static RECORDS: OnceLock<Result<Vec<TrialRecord>, String>> = OnceLock::new();
    let records = RECORDS.get_or_init(|| run().map_err(|error| format!("{error:#}")));
    let records = records.as_ref().map_err(|error| anyhow!("{error}"))?;
    let mut all = REPORTS.iter().zip(records);
    let found = all.find(|((of, _), _)| *of == name);
    let (_, record) = found.context("no such report")?;
    predicted(record)?;
    Ok(record)
}

fn predicted(record: &TrialRecord) -> Result<()> {
    let checks = replay_checks(record);
    let outliers = replay_outliers(record, &checks.passed, NEAR);
    ensure!(checks.wrong.is_empty(), "{:?}", checks.wrong);
    ensure!(outliers.wrong.is_empty(), "{:?}", outliers.wrong);
    ensure!(outliers.undecided.is_none(), "{:?}", outliers.undecided);
    Ok(())
}

fn run() -> Result<Vec<TrialRecord>> {
    let numbered = REPORTS
        .iter()
        .zip(0..)
        .map(|((_, report), number)| HealthTrial { number, ..report() });
    let reports: Vec<HealthTrial> = numbered.collect();
    let workdir = Workdir::new("health_reports")?;
    let logs = workdir.path().join("logs");
    let mut records = run_batch(&workdir, &logs, &reports, 1, None)?;
    for _ in 0..AGAIN {
        // As in `spillgate_e2e::health_time::run`: rarely, no record shows the order of events.
        let is_clear = records.iter().all(|record| predicted(record).is_ok());
        if is_clear && records.iter().all(has_requests) {
            break;
        }
        records = run_batch(&workdir, &logs, &reports, 1, None)?;
    }
    ensure!(
        records.iter().all(has_requests),
        "this machine is too busy: clusters had fewer than {FEWEST} requests, expected about 500"
    );
    Ok(records)
}

/// Whether there were enough requests to reach the thresholds in time. Without panic mode, there can be none.
fn has_requests(record: &TrialRecord) -> bool {
    record.trial.panic_threshold == 0 || record.attempts.len() >= FEWEST
}

/// The times of entries with this action, for this host.
fn times(record: &TrialRecord, action: &str, host: usize) -> Vec<Duration> {
    let address = record.addresses.get(host);
    let of_host = |entry: &&LoggedOutlier| {
        Some(&entry.host) == address
            && entry.action == action
            && (action != "EJECT" || entry.enforced)
    };
    let entries = record.outliers.iter().filter(of_host);
    entries.map(|entry| entry.at).collect()
}

/// When requests were sent to a host.
fn sent(record: &TrialRecord, host: usize) -> Vec<Duration> {
    let address = record.addresses.get(host);
    let attempts = record.attempts.iter();
    let attempts = attempts.filter(|attempt| Some(&attempt.host) == address);
    attempts.map(|attempt| attempt.sent).collect()
}
