//! Ejections that end long before or after `base_ejection_time`.

use alloc::format;
use spillgate_core::{duration::DurationText, visible::quoted};

use spillgate_config::envoy::{HealthSettings, LocatedSettings};
use spillgate_health::{
    outlier::OutlierDetection,
    times::{HostFailure, detection_time, ejection_time},
};

use crate::{
    context::{Context, Plain},
    finding::Severity,
    rule::Rule,
    sink::Sink,
};

/// `base_ejection_time` is at least twice the time until the next health check passes, which ends an ejection unless
/// `successful_active_health_check_uneject_host` is false. Not reported for Envoy's default of 30 s, or if that field is
/// stated.
///
/// A host that fails requests, and whose health checks pass, returns after one interval of the checks.
pub(crate) static CUT_SHORT: Rule = Rule {
    id: "outlier-ejection-cut-short",
    severity: Severity::Warning,
    summary: "passing health checks end ejections long before base_ejection_time",
    check: cut_short,
};

/// `interval` of outlier detection is at least twice `base_ejection_time`, and no passing health check ends an ejection.
///
/// Only a sweep does, so an ejection can last three times the stated time.
pub(crate) static UNTIL_SWEEP: Rule = Rule {
    id: "outlier-ejection-until-sweep",
    severity: Severity::Info,
    summary: "sweeps of outlier detection so rare that ejections last much longer than base_ejection_time",
    check: until_sweep,
};

/// The clusters whose outlier detection can eject a host.
fn ejecting<'c>(
    context: &Context<'c>,
) -> impl Iterator<
    Item = (
        Plain<'c>,
        &'c HealthSettings,
        &'c LocatedSettings<OutlierDetection>,
    ),
> {
    context.plains().filter_map(|cluster| {
        let health = cluster.health()?;
        let outliers = cluster.facts.signals.outlier_detection.as_ref()?;
        let hosts = cluster.hosts();
        let fits = hosts == 0 || !cluster.knows_hosts() || outliers.most_ejected(hosts) > 0;
        let settings = health.outlier_detection.as_ref()?;
        (outliers.enforced && fits).then_some((cluster, health, settings))
    })
}

/// Finds ejections that end early.
fn cut_short(context: &Context<'_>, sink: &mut Sink) {
    const FIELD: &str = "successful_active_health_check_uneject_host";
    for (cluster, health, outlier) in ejecting(context) {
        let base = outlier.settings.base_ejection_time;
        let is_meant = base != OutlierDetection::default().base_ejection_time;
        let Some(place) = outlier
            .place_of("base_ejection_time")
            .filter(|_| is_meant && outlier.place_of(FIELD).is_none())
        else {
            continue;
        };
        // The wait after a passed check is the time in which one unexpected answer is noticed.
        let waits = health.checks.iter().filter_map(|check| {
            let wait = detection_time(&check.settings, HostFailure::Unexpected, true)?.most;
            Some((
                wait.total().saturating_add(check.settings.timeout),
                wait,
                check,
            ))
        });
        let Some((most, wait, check)) = waits.min_by_key(|(most, ..)| *most) else {
            continue;
        };
        if most.saturating_mul(2) > base {
            continue;
        }
        let cause = format!(
            "base_ejection_time of cluster {} is {}, but a passing health check ends an ejection",
            quoted(cluster.name()),
            DurationText(base)
        );
        let effect = format!(
            "a host whose checks pass gets requests again after at most {} ({wait} + timeout {})",
            DurationText(most),
            DurationText(check.settings.timeout)
        );
        let fix = format!("set {FIELD}: false, or remove base_ejection_time");
        sink.add(place, cause, effect, fix)
            .set(outlier.place.field(FIELD), "false");
    }
}

/// Finds ejections that end late.
fn until_sweep(context: &Context<'_>, sink: &mut Sink) {
    for (cluster, health, outlier) in ejecting(context) {
        let settings = &outlier.settings;
        let by_check = settings.successful_active_health_check_uneject_host;
        if settings.interval < settings.base_ejection_time.saturating_mul(2)
            || by_check && !health.checks.is_empty()
        {
            continue;
        }
        let stated = ["interval", "base_ejection_time"];
        let Some(place) = stated.iter().find_map(|field| outlier.place_of(field)) else {
            continue;
        };
        let cause = format!(
            "outlier detection of cluster {} has sweeps each {}, and only a sweep ends an ejection",
            quoted(cluster.name()),
            DurationText(settings.interval)
        );
        let effect = format!(
            "an ejection lasts up to {}; base_ejection_time is {}",
            DurationText(ejection_time(settings, 1).most),
            DurationText(settings.base_ejection_time)
        );
        let fix = "set interval to at most base_ejection_time";
        sink.add(place, cause, effect, fix);
    }
}
