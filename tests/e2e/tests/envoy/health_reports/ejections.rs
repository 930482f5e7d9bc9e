//! Reports that an ejection ends too soon, or takes effect too late.

use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use spillgate_e2e::health_time::{HealthTrial, HostPhase};
use spillgate_health::check::{CheckLogEvent, HealthCheckKind, HttpStatuses};
use spillgate_health::merge_window::{MergedUpdates, PriorityChange, UpdateDelivery};
use spillgate_health::outlier::OutlierDetection;

use super::{check, fails, ms, outlier_detection, record, report, sent, times};

pub(super) fn ended_by_a_check() -> HealthTrial {
    let mut cluster = report(2);
    let kind = HealthCheckKind::Http(HttpStatuses::default());
    cluster.checks = vec![check(kind, ms(200), 3)];
    cluster.outlier = Some(outlier_detection());
    cluster.hosts[0] = fails(ms(500), 503, 200);
    cluster
}

pub(super) fn not_ended_by_a_check() -> HealthTrial {
    let outlier = OutlierDetection {
        successful_active_health_check_uneject_host: false,
        ..outlier_detection()
    };
    HealthTrial {
        outlier: Some(outlier),
        ..ended_by_a_check()
    }
}

/// envoyproxy/envoy#28303: requests to a host fail, its health checks pass. Each passing check ends its ejection,
/// whatever `base_ejection_time` is, unless `successful_active_health_check_uneject_host` is false.
pub(super) fn a_passing_check_ends_an_ejection() -> Result<()> {
    let ended = record("ended by a check")?;
    let changes = ["EJECT", "UNEJECT"].map(|action| times(ended, action, 0).len());
    ensure!(
        changes.iter().all(|count| *count > 1),
        "{:?}",
        ended.outliers
    );
    let not_ended = record("not ended by a check")?;
    let changes = ["EJECT", "UNEJECT"].map(|action| times(not_ended, action, 0).len());
    ensure!(changes == [1, 0], "{:?}", not_ended.outliers);
    Ok(())
}

/// Checks fail after the ejection, and until long after its end.
pub(super) fn ejected_and_unhealthy() -> HealthTrial {
    let mut cluster = not_ended_by_a_check();
    if let Some(outlier) = &mut cluster.outlier {
        outlier.base_ejection_time = ms(2_000);
    }
    let phases = &mut cluster.hosts[0].0;
    phases.extend(fails(ms(1_800), 503, 503).0.pop());
    phases.push(HostPhase::fine(ms(4_300)));
    cluster
}

/// envoyproxy/envoy#31037: neither of both has priority. A host whose ejection ended gets no requests while its checks fail.
pub(super) fn a_host_returns_when_its_ejection_ended_and_its_checks_pass() -> Result<()> {
    let record = record("ejected and unhealthy")?;
    let entries = record.checks.iter().flatten();
    let mut entries = entries.filter(|entry| Some(&entry.host) == record.addresses.first());
    let failed = entries.find(|entry| matches!(entry.event, CheckLogEvent::EjectUnhealthy { .. }));
    let failed = failed.context("no check failed")?.at;
    let passed = entries.find(|entry| matches!(entry.event, CheckLogEvent::AddHealthy { .. }));
    let passed = passed.context("the host stays unhealthy")?.at;
    let ended = times(record, "UNEJECT", 0);
    let ended = ended
        .first()
        .with_context(|| format!("{:?}", record.outliers));
    let ended = *ended?;
    ensure!(ended < passed, "{:?}", record.outliers);
    let sent = sent(record, 0);
    let old_lists = failed + 2 * MergedUpdates::DEFAULT_WINDOW;
    let since = ended.max(old_lists);
    let early = sent.iter().filter(|at| (since..passed).contains(*at));
    let early = early.count();
    ensure!(early == 0, "{early} requests to the unhealthy host");
    ensure!(sent.iter().any(|at| *at > passed), "no requests afterwards");
    Ok(())
}

/// Two hundred times the pause between requests, so that half of it is enough to see a difference.
const WINDOW: Duration = ms(2_000);

pub(super) fn soon_after_a_return() -> HealthTrial {
    let mut cluster = report(1);
    cluster.outlier = Some(OutlierDetection {
        consecutive_5xx: 0,
        consecutive_gateway_failure: 3,
        enforcing_consecutive_gateway_failure: 100,
        interval: ms(100),
        // Longer than the window: the return reaches the workers at once.
        base_ejection_time: WINDOW + ms(100),
        ..outlier_detection()
    });
    cluster.hosts[0] = fails(ms(0), 504, 200);
    cluster.panic_threshold = 0;
    cluster.merge_window = Some(WINDOW);
    cluster
}

/// envoyproxy/envoy#40697, istio/istio#57343: the first ejection of the only host stops its requests at once, the
/// second one only after more failures: it follows the return, so `update_merge_window` delays the host lists of the
/// workers. envoyproxy/envoy#28304 is the same with hosts that fail one after the other.
pub(super) fn an_ejection_soon_after_a_return_reaches_the_workers_later() -> Result<()> {
    let record = record("soon after a return")?;
    let [first, second, ..] = times(record, "EJECT", 0)[..] else {
        bail!("{:?}", record.outliers);
    };
    let returned = times(record, "UNEJECT", 0);
    let returned = *returned.first().context("no return")?;
    let mut updates = MergedUpdates::new(WINDOW);
    for change in [first, returned] {
        let delivery = updates.on_change(change, PriorityChange::State);
        ensure!(delivery == UpdateDelivery::Now, "{delivery:?}");
    }
    let delivery = updates.on_change(second, PriorityChange::State);
    ensure!(
        delivery == UpdateDelivery::At(second + WINDOW),
        "{delivery:?}"
    );

    let sent = sent(record, 0);
    let count = |from, to| sent.iter().filter(|at| (from..to).contains(*at)).count();
    let early = count(first + WINDOW / 2, returned);
    ensure!(early == 0, "{early} requests to the ejected host");
    let late = count(second + WINDOW / 2, second + WINDOW);
    ensure!(late > 0, "no requests until the end of the window");
    Ok(())
}
