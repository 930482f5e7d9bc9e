//! Retries that end before Envoy notices a failed host, and go to that host.

use alloc::{format, string::String};
use spillgate_core::{duration::DurationText, visible::quoted};

use spillgate_config::envoy::facts::{Discovery, RetryFacts};
use spillgate_core::model::Policy;
use spillgate_health::times::{HostFailure, TimeSum, detection_time};

use crate::{
    context::{Context, Plain},
    finding::Severity,
    reached::reached_hosts,
    rule::Rule,
    sink::Sink,
    ways::Way,
};

/// A route to a RING_HASH or MAGLEV cluster retries failed connections, with a hash policy and without a
/// `retry_host_predicate`. All retries of a request have its hash, and so its host. They end before health checks can
/// notice that the host refuses connections. Not reported with outlier detection, which failed requests trigger.
///
/// Until Envoy notices, no retry of a request reaches another host.
pub(crate) static REPEATED: Rule = Rule {
    id: "retries-repeat-failed-host",
    severity: Severity::Info,
    summary: "retries with a hash policy go to the same host, and end before Envoy notices that it failed",
    check: repeated,
};

/// The way's retries, if each one goes to the host of the first try.
fn same_host<'c>(
    context: &Context<'_>,
    way: &Way<'c>,
    cluster: &Plain<'_>,
) -> Option<&'c RetryFacts> {
    let (retry, plain) = (&way.forward.retry, cluster.plain);
    let facts = way.route.retries.as_ref().filter(|of| of.count > 0)?;
    let hashes = matches!(plain.policy, Policy::RingHash(_) | Policy::Maglev(_))
        && (way.route.hash_policy.is_some() || !plain.hash_policies.is_empty());
    let moves = !retry.predicates.is_empty()
        || retry.previous_priorities.is_some()
        || retry.refreshes_cluster
        || plain.hash_balance_factor.is_some();
    if !hashes || moves || !retry.retries_failed_connections() {
        return None;
    }
    // What a filter, a session or an extension chooses can be another host.
    let mut limits = context.config.limits();
    let unknown = way.route.session.is_some()
        || way.steering().is_some()
        || !cluster.facts.policy.overrides.is_empty()
        || limits.any(|limit| limit.path.starts_with(&facts.place.path));
    (!unknown).then_some(facts)
}

/// The number of hosts among which the route's requests choose.
fn hosts_of(context: &Context<'_>, way: &Way<'_>, cluster: &Plain<'_>) -> usize {
    if cluster.selects_subsets() {
        reached_hosts(context, cluster, way.criteria)
    } else {
        cluster.hosts()
    }
}

/// Finds retries of one host.
fn repeated(context: &Context<'_>, sink: &mut Sink) {
    for way in &context.ways {
        let Some(cluster) = way.cluster.and_then(|name| context.plain(name)) else {
            continue;
        };
        let Some(retries) = same_host(context, way, &cluster) else {
            continue;
        };
        let Some(health) = cluster.health().filter(|of| of.outlier_detection.is_none()) else {
            continue;
        };
        let times = health.checks.iter().filter_map(|check| {
            Some(detection_time(&check.settings, HostFailure::Refused, true)?.most)
        });
        let until = match times.min_by_key(TimeSum::total) {
            Some(time) if time.total() <= way.retry_waits => continue,
            Some(time) => {
                let most = DurationText(time.total());
                format!("health checks notice that after up to {most} ({time})")
            }
            // A control plane can remove a failed host.
            None if cluster.facts.discovery != Discovery::Stated => continue,
            None => String::from("nothing notices that"),
        };
        if sink.has(&retries.place.path) || hosts_of(context, way, &cluster) < 2 {
            continue;
        }
        let cause = format!(
            "{} has a hash policy, and its retries have no retry_host_predicate",
            way.route_name()
        );
        let effect = format!(
            "if a host of cluster {} refuses connections, all tries of a request go to it, within {}; {until}",
            quoted(cluster.name()),
            DurationText(way.retry_waits)
        );
        let fix =
            "add the retry_host_predicate previous_hosts, with host_selection_retry_max_attempts";
        let place = &retries.place;
        sink.add(place, cause, effect, fix)
            .set(
                place.field("retry_host_predicate"),
                "[{\"name\":\"envoy.retry_host_predicates.previous_hosts\",\"typed_config\":{\"@type\":\
                 \"type.googleapis.com/envoy.extensions.retry.host.previous_hosts.v3.PreviousHostsPredicate\"}}]",
            )
            .set(place.field("host_selection_retry_max_attempts"), "5");
    }
}
