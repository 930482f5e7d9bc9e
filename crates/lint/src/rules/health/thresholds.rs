//! Thresholds of health checks that are never reached, or at once.

use alloc::format;
use spillgate_core::{duration::DurationText, visible::quoted};

use spillgate_config::envoy::LocatedSettings;
use spillgate_health::check::ActiveCheck;

use crate::{
    context::{Context, Plain},
    finding::Severity,
    rule::Rule,
    sink::Sink,
};

/// A threshold of a health check is 0. Envoy compares the number of results in a row, from 1, with it, so it is never
/// reached.
///
/// Hosts that refuse connections or do not answer stay healthy, or failed hosts never become healthy again.
pub(crate) static ZERO: Rule = Rule {
    id: "health-check-threshold-zero",
    severity: Severity::Warning,
    summary: "threshold 0 of a health check is never reached",
    check: zero,
};

/// Both thresholds of a health check are 1. Not reported for a single host.
///
/// One lost check moves the requests of a host, and one passed check moves them back.
pub(crate) static SINGLE: Rule = Rule {
    id: "health-check-single-result",
    severity: Severity::Info,
    summary: "one lost health check takes a host out, and one passed check returns it",
    check: single,
};

/// The health checks of all clusters.
fn checks<'c>(
    context: &Context<'c>,
) -> impl Iterator<Item = (Plain<'c>, &'c LocatedSettings<ActiveCheck>)> {
    context.plains().flat_map(|cluster| {
        let checks = cluster.health().map_or(&[][..], |health| &health.checks);
        checks.iter().map(move |check| (cluster, check))
    })
}

/// Finds thresholds of 0.
fn zero(context: &Context<'_>, sink: &mut Sink) {
    for (cluster, check) in checks(context) {
        let thresholds = [
            (
                "unhealthy_threshold",
                check.settings.unhealthy_threshold,
                "a host that refuses connections or does not answer stays healthy and keeps its requests",
                "2",
            ),
            (
                "healthy_threshold",
                check.settings.healthy_threshold,
                "a host whose check failed never becomes healthy again",
                "1",
            ),
        ];
        for (field, threshold, effect, value) in thresholds {
            let Some(place) = check.place_of(field).filter(|_| threshold == 0) else {
                continue;
            };
            let cause = format!(
                "{field} 0 of cluster {} is never reached",
                quoted(cluster.name())
            );
            let fix = format!("set {field} to 1 or more");
            sink.add(place, cause, effect, fix).set(place, value);
        }
    }
}

/// Finds checks of which one result decides.
fn single(context: &Context<'_>, sink: &mut Sink) {
    for (cluster, check) in checks(context) {
        let settings = &check.settings;
        let decides = (settings.unhealthy_threshold, settings.healthy_threshold) == (1, 1);
        let is_one = cluster.facts.one_host || cluster.hosts() == 1 && cluster.knows_hosts();
        let Some(place) = check
            .place_of("unhealthy_threshold")
            .filter(|_| decides && !is_one)
        else {
            continue;
        };
        let cause = format!(
            "unhealthy_threshold and healthy_threshold of cluster {} are 1",
            quoted(cluster.name())
        );
        let effect = format!(
            "one check without an answer within {} moves the requests of a host, and the next one can move them back",
            DurationText(settings.timeout)
        );
        let fix = "set unhealthy_threshold to 2 or more";
        sink.add(place, cause, effect, fix).set(place, "2");
    }
}
