//! Lower priorities that traffic does not reach.

use alloc::format;
use spillgate_core::visible::quoted;

use spillgate_config::envoy::facts::{Discovery, OutlierFacts};

use crate::{
    context::{Context, Plain},
    ejection::{EjectionCap, first_of_several},
    figures::counted,
    finding::Severity,
    losing::Losing,
    rule::Rule,
    sink::Sink,
};

/// A cluster has lower priorities, but nothing that could detect a failed host of the first: no
/// health checks, no outlier detection, no EDS, no `previous_priorities`.
///
/// Failed hosts cause no failover to the lower priorities.
pub(crate) static NO_SIGNAL: Rule = Rule {
    id: "failover-no-health-signal",
    severity: Severity::Warning,
    summary: "lower priorities without a health signal that could move traffic there",
    check: no_signal,
};

/// Outlier detection is the only health signal, and `max_ejection_percent` (default 10, of all
/// hosts of the cluster, rounded down) is less than the first priority.
///
/// If all its hosts fail, the first priority keeps all requests, or those of the hosts that are not
/// ejected.
pub(crate) static OUTLIER_CAP: Rule = Rule {
    id: "outlier-cap-prevents-failover",
    severity: Severity::Warning,
    summary: "max_ejection_percent prevents failover to the next priority, or a part of it",
    check: outlier_cap,
};

/// Whether several priorities have hosts.
pub(super) fn several_priorities(cluster: &Plain<'_>) -> bool {
    first_of_several(cluster.plain).is_some()
}

/// The number of hosts of a priority.
fn hosts_of(cluster: &Plain<'_>, priority: usize) -> usize {
    let priority = cluster.plain.priorities.get(priority);
    priority.map_or(0, |priority| priority.endpoints.len())
}

/// Finds lower priorities that no health signal can activate.
fn no_signal(context: &Context<'_>, sink: &mut Sink) {
    for cluster in context.plains() {
        let signals = &cluster.facts.signals;
        let known = signals.health_checks.is_some()
            || signals.outlier_detection.is_some()
            || cluster.facts.discovery != Discovery::Stated;
        let Some(priority) = first_of_several(cluster.plain).filter(|_| !known) else {
            continue;
        };
        if context.retries_elsewhere(cluster.name()) {
            continue;
        }
        let mut lower = cluster.facts.localities.iter();
        let Some(lower) = lower.find(|e| e.priority > priority && !e.endpoints.is_empty()) else {
            continue;
        };
        let hosts = hosts_of(&cluster, priority);
        let losing = Losing::new(cluster.plain);
        let load = losing.after(priority, 0).load(priority);
        let cause = format!(
            "cluster {} has priorities below {priority}, but no health checks, outlier detection or EDS",
            quoted(cluster.name())
        );
        let effect = format!(
            "priority {priority} keeps {load} % of requests even if all its hosts fail; with a health signal, \
             spillover would start with {} of {} failed",
            losing.spill_point(priority).unwrap_or(hosts),
            counted(hosts, "host")
        );
        let fix = "add health_checks or outlier_detection to the cluster";
        sink.add(&lower.place, cause, effect, fix).set(
            cluster.facts.place.field("health_checks"),
            "[{\"timeout\":\"1s\",\"interval\":\"5s\",\"unhealthy_threshold\":2,\
             \"healthy_threshold\":1,\"tcp_health_check\":{}}]",
        );
    }
}

/// Finds ejection limits that keep requests on the first priority.
fn outlier_cap(context: &Context<'_>, sink: &mut Sink) {
    for cluster in context.plains() {
        let signals = &cluster.facts.signals;
        let Some(outliers) = &signals.outlier_detection else {
            continue;
        };
        let other = signals.health_checks.is_some() || cluster.facts.discovery != Discovery::Stated;
        let cap = cap_of(outliers);
        let Some(failure) = cap.keeps(cluster.plain).filter(|_| !other) else {
            continue;
        };
        if failure.spills() && !(outliers.enforced && cluster.knows_hosts()) {
            continue;
        }
        let cause = format!(
            "outlier detection of cluster {} ejects {}",
            quoted(cluster.name()),
            failure.limit(cap)
        );
        let effect = failure.effect("");
        let fix =
            "raise max_ejection_percent (100 allows the whole priority), or add health_checks";
        sink.add(&outliers.place, cause, effect, fix)
            .set(outliers.place.field("max_ejection_percent").path, "100");
    }
}

/// The limit on ejections.
const fn cap_of(outliers: &OutlierFacts) -> EjectionCap {
    EjectionCap {
        percent: outliers.max_ejection_percent,
        always_one: outliers.always_eject_one_host,
    }
}
