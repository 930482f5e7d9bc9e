//! Hosts that stay after their removal.

use alloc::format;
use spillgate_core::visible::quoted;

use spillgate_config::envoy::facts::Discovery;

use crate::{context::Context, finding::Severity, rule::Rule, sink::Sink};

/// A cluster with hosts from EDS or `STRICT_DNS` has health checks, and not
/// `ignore_health_on_host_removal`.
///
/// A removed host that still passes its health checks stays and gets its share of the requests.
pub(crate) static KEPT: Rule = Rule {
    id: "health-checks-keep-removed-hosts",
    severity: Severity::Info,
    summary: "health checks keep hosts that EDS or DNS removed",
    check: kept,
};

/// Finds health checks that keep removed hosts.
fn kept(context: &Context<'_>, sink: &mut Sink) {
    let clusters = context
        .facts
        .clusters
        .iter()
        .filter(|cluster| !cluster.endpoints_only);
    for cluster in clusters {
        let source = match cluster.discovery {
            Discovery::Eds => "EDS",
            Discovery::Stated if cluster.strict_dns => "DNS",
            _ => continue,
        };
        let signals = &cluster.signals;
        let Some(place) = signals.health_checks.as_ref() else {
            continue;
        };
        if signals.ignores_health_on_removal {
            continue;
        }
        let cause = format!(
            "cluster {} has health_checks and {source} hosts, but no ignore_health_on_host_removal",
            quoted(&cluster.name)
        );
        let effect =
            "a host that is removed keeps its share of requests until its health check fails";
        let fix = "set ignore_health_on_host_removal: true if removed hosts must leave at once";
        let field = cluster.place.field("ignore_health_on_host_removal");
        sink.add(place, cause, effect, fix).set(field, "true");
    }
}
