//! Reports that hosts fail and `max_ejection_percent` keeps them, or that ejected hosts still get requests:
//! envoyproxy/envoy#17504, #3263, #27066, #12076 and istio/istio#13682.

use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use spillgate_e2e::health_time::{HealthTrial, TrialRecord};
use spillgate_health::check::{CheckLogEvent, HealthCheckKind, HttpStatuses};
use spillgate_health::merge_window::MergedUpdates;
use spillgate_health::outlier::OutlierDetection;

use super::{check, fails, ms, outlier_detection, record, report, sent, times};

/// The number of requests to a host so long after this time that no worker has an older host list.
fn sent_after(record: &TrialRecord, host: usize, time: Duration) -> usize {
    let sure = time + 2 * MergedUpdates::DEFAULT_WINDOW;
    let sent = sent(record, host).into_iter();
    sent.filter(|at| *at > sure).count()
}

/// A host fails its requests, and later also its checks.
pub(super) fn default_limit() -> HealthTrial {
    let mut cluster = report(3);
    let kind = HealthCheckKind::Http(HttpStatuses::default());
    cluster.checks = vec![check(kind, ms(100), 1)];
    cluster.outlier = Some(OutlierDetection {
        max_ejection_percent: OutlierDetection::default().max_ejection_percent,
        ..outlier_detection()
    });
    let mut failing = fails(ms(0), 500, 200);
    failing.0.extend(fails(ms(2_000), 500, 500).0.pop());
    cluster.hosts[0] = failing;
    cluster
}

/// 10 percent of three hosts is no host, so nothing is ejected or logged. Active health checks have no such limit.
pub(super) fn the_default_limit_ejects_no_host_of_three() -> Result<()> {
    let record = record("default limit")?;
    ensure!(record.outliers.is_empty(), "{:?}", record.outliers);
    let mut entries = record.checks.iter().flatten();
    let noticed = entries.find(|entry| matches!(entry.event, CheckLogEvent::EjectUnhealthy { .. }));
    let noticed = noticed.context("never noticed")?;
    ensure!(Some(&noticed.host) == record.addresses.first());
    let counts = [0, 1, 2].map(|host| {
        let sent = sent(record, host).into_iter();
        sent.filter(|at| *at < noticed.at).count()
    });
    ensure!(counts[0] > 3 && counts[0] + 1 >= counts[1], "{counts:?}");
    let late = sent_after(record, 0, noticed.at);
    ensure!(late == 0, "{late} requests to the unhealthy host");
    Ok(())
}

pub(super) fn two_of_three() -> HealthTrial {
    let mut cluster = report(3);
    cluster.outlier = Some(OutlierDetection {
        max_ejection_percent: 67,
        ..outlier_detection()
    });
    cluster.hosts = vec![fails(ms(0), 500, 200); 3];
    cluster
}

/// 67 percent of three hosts is two hosts. With one healthy host of three, the cluster is in panic mode, and all get
/// requests.
pub(super) fn ejections_up_to_the_limit_can_start_panic_mode() -> Result<()> {
    let record = record("two of three")?;
    let ejected = [0, 1, 2].map(|host| times(record, "EJECT", host));
    let ejected: Vec<_> = ejected.into_iter().flatten().collect();
    ensure!(ejected.len() == 2, "{:?}", record.outliers);
    let last = ejected.into_iter().max().context("no ejection")?;
    for host in [0, 1, 2] {
        let later = sent_after(record, host, last);
        ensure!(later > 0, "no requests to host {host}");
    }
    Ok(())
}

pub(super) fn only_host() -> HealthTrial {
    let mut cluster = report(1);
    cluster.outlier = Some(outlier_detection());
    cluster.hosts[0] = fails(ms(0), 500, 200);
    cluster
}

/// The only host is ejected, and gets all requests in panic mode.
pub(super) fn the_only_host_keeps_its_requests() -> Result<()> {
    let record = record("only host")?;
    let ejected = times(record, "EJECT", 0);
    ensure!(ejected.len() == 1, "{:?}", record.outliers);
    let later = sent_after(record, 0, ejected[0]);
    ensure!(later > 0, "no requests to the ejected host");
    Ok(())
}
