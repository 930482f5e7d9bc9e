//! Priorities close to panic mode after one lost host.

use alloc::format;
use spillgate_core::visible::quoted;

use spillgate_config::envoy::facts::Discovery;

use crate::{
    context::{Context, Plain},
    finding::Severity,
    losing::Losing,
    rule::Rule,
    sink::Sink,
};

/// A priority is so small that one lost host leaves it at or below `healthy_panic_threshold`.
///
/// It enters panic mode at the next loss, or at once, and sends requests to lost hosts too.
pub(crate) static SMALL_PRIORITY: Rule = Rule {
    id: "panic-small-priority",
    severity: Severity::Info,
    summary: "small priority: one lost host leads to the panic threshold",
    check: small_priority,
};

/// Finds priorities that enter panic mode after one or two losses.
fn small_priority(context: &Context<'_>, sink: &mut Sink) {
    for cluster in context.plains() {
        let priorities = cluster.plain.priorities.iter().enumerate();
        let threshold = cluster.plain.panic_threshold.percent();
        for (number, priority) in priorities.filter(|(_, priority)| priority.endpoints.len() > 1) {
            let hosts = priority.endpoints.len();
            if threshold == 0 || losable(&cluster) == 0 {
                continue;
            }
            let Some((left, panics)) = after_one(&cluster, number) else {
                continue;
            };
            let mut entries = cluster.facts.localities.iter();
            let entry = entries.find(|e| e.priority == number && !e.endpoints.is_empty());
            let Some(entry) = entry else { continue };
            let cause = format!(
                "priority {number} of cluster {} has {hosts} hosts and a panic threshold of {threshold} %",
                quoted(cluster.name())
            );
            let effect = if panics {
                format!(
                    "after one loss, {left} % are healthy: panic mode, in which the lost host gets requests too"
                )
            } else {
                format!(
                    "after one loss, {left} % are healthy; the next loss starts panic mode, in which lost \
                     hosts get requests too"
                )
            };
            let fix = "add hosts or a lower priority, or reduce healthy_panic_threshold";
            let common = cluster.facts.place.field("common_lb_config");
            let lower = left.saturating_sub(1);
            sink.add(&entry.place, cause, effect, fix).set(
                common.field("healthy_panic_threshold"),
                format!("{{\"value\":{lower}}}"),
            );
        }
    }
}

/// The maximum number of hosts that can fail at the same time.
fn losable(cluster: &Plain<'_>) -> usize {
    let signals = &cluster.facts.signals;
    if signals.health_checks.is_some() || cluster.facts.discovery == Discovery::Eds {
        return cluster.hosts();
    }
    let outliers = signals.outlier_detection.as_ref();
    outliers.map_or(0, |outliers| outliers.most_ejected(cluster.hosts()))
}

/// The usable percentage of a priority after one more loss, if it is at or below the panic
/// threshold, and whether panic mode starts with that loss.
fn after_one(cluster: &Plain<'_>, number: usize) -> Option<(u32, bool)> {
    let losing = Losing::new(cluster.plain);
    if losing.after(number, 0).panics(number) {
        return None;
    }
    let after = losing.after(number, 1);
    let health = after.priorities.get(number)?.health;
    let usable = health.healthy.saturating_add(health.degraded);
    let left = usable.saturating_mul(100).checked_div(health.counted())?;
    // With enough capacity elsewhere no priority enters panic mode, however few hosts are left.
    let rows = after.priorities.iter().map(|row| row.availability);
    let capacity: u32 = rows.map(|of| of.healthy.saturating_add(of.degraded)).sum();
    let edge = left <= cluster.plain.panic_threshold.percent();
    (capacity < 100 && edge).then(|| (left, after.panics(number)))
}
