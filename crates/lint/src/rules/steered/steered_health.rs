//! Filters that do not learn of failed hosts.

use alloc::{format, string::String, vec::Vec};
use spillgate_core::visible::quoted;

use spillgate_config::envoy::facts::{Discovery, HealthOrigin};

use crate::{
    context::{Context, Plain},
    finding::Severity,
    rule::Rule,
    rules::affinity::host_list::chosen_clusters,
    sink::Sink,
    ways::Steering,
};

/// The Wasm filter takes the health of hosts from its own configuration (`health.source: static`), although
/// Envoy learns of failures: by health checks, outlier detection, EDS or DNS.
///
/// `override_host` ignores health, so hosts that fail stay chosen.
pub(crate) static CONFIGURED: Rule = Rule {
    id: "steered-health-static",
    severity: Severity::Warning,
    summary: "Spillgate filter does not learn of failed hosts, although Envoy does",
    check,
};

fn check(context: &Context<'_>, sink: &mut Sink) {
    for way in &context.ways {
        let Some(Steering { place, ours, .. }) = way.steering() else {
            continue;
        };
        if ours.steering.health != HealthOrigin::Configured || sink.has(&place.path) {
            continue;
        }
        let clusters = chosen_clusters(context, way, ours);
        // Envoy chooses the hosts of a cluster without an override host list.
        let clusters = clusters.filter(|cluster| !cluster.plain.override_hosts.is_empty());
        let signals: Vec<_> = clusters
            .filter_map(|cluster| Some((cluster, signal(&cluster, ours.steering.discovered)?)))
            .collect();
        let Some((first, signal)) = signals.first() else {
            continue;
        };
        let others = match signals.len() - 1 {
            0 => String::new(),
            others => format!(" and {others} more"),
        };
        let cause = format!(
            "the Spillgate filter takes the health of hosts from its own configuration, but Envoy learns of \
             changes in cluster {}{others} by {signal}",
            quoted(first.name())
        );
        let effect = "hosts that fail stay chosen, because override_host ignores their health";
        let fix = "set health to source: admin, with a cluster that reaches the admin interface \
                   (spillgate explain-code steered-health-static)";
        sink.add(place, cause, effect, fix);
    }
}

/// How Envoy learns of changes. A control plane that delivers the filter (ECDS) can tell it, too, what EDS and
/// DNS tell.
fn signal(cluster: &Plain<'_>, discovered: bool) -> Option<&'static str> {
    let facts = cluster.facts;
    if facts.signals.health_checks.is_some() {
        return Some("health checks");
    }
    if let Some(outlier) = &facts.signals.outlier_detection
        && outlier.enforced
    {
        return Some("outlier detection");
    }
    match facts.discovery {
        _ if discovered => None,
        Discovery::Eds => Some("EDS"),
        _ if facts.strict_dns => Some("DNS"),
        _ => None,
    }
}
