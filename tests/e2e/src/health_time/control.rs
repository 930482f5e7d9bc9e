//! The control: a cluster whose checks have one interval and always pass. Its deviations from this interval are those
//! of timers, scheduling and logs in the same Envoy at the same time, without any prediction.

use std::time::Duration;

use spillgate_health::check::{ActiveCheck, HealthCheckKind, HttpStatuses};

use super::lateness::Lateness;
use super::trial::HealthTrial;
use super::trial_record::TrialRecord;
use crate::scripted::{HostPhase, HostScript};

/// Its number is this one plus that of the first trial of the batch.
const NUMBER: u64 = 1_000_000;
const INTERVAL: Duration = Duration::from_millis(50);
const HOSTS: usize = 6;

/// The control of a batch.
pub(super) fn control(first: u64) -> HealthTrial {
    let kind = HealthCheckKind::Http(HttpStatuses::default());
    let check = ActiveCheck {
        no_traffic_interval: INTERVAL,
        always_log_health_check_failures: true,
        always_log_health_check_success: true,
        ..ActiveCheck::new(kind, Duration::from_secs(30), INTERVAL)
    };
    HealthTrial {
        number: NUMBER + first,
        checks: vec![check],
        outlier: None,
        hosts: vec![HostScript(vec![HostPhase::fine(Duration::ZERO)]); HOSTS],
        panic_threshold: 50,
        merge_window: None,
        load: None,
    }
}

/// From each logged result to the next check that the host received, compared with the interval.
pub(super) fn deviations(record: &TrialRecord) -> Vec<Lateness> {
    let mut found = Vec::new();
    for (address, calls) in record.addresses.iter().zip(&record.calls) {
        let results = record.checks.iter().flatten();
        let results = results.filter(|entry| entry.host == *address);
        for result in results {
            let next = calls.iter().find(|call| call.at > result.at + INTERVAL / 2);
            found
                .extend(next.map(|next| Lateness::of(INTERVAL, next.at.saturating_sub(result.at))));
        }
    }
    found
}
