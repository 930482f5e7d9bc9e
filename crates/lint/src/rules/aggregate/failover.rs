//! Failover between the members of an aggregate.

use alloc::{format, string::String};
use spillgate_core::visible::quoted;

use spillgate_core::model::{ClusterKind, CoarseHealth};

use crate::{
    context::{Context, Plain},
    figures::percent,
    finding::Severity,
    rule::Rule,
    sink::Sink,
};

/// A member of an aggregate, with members after it, has nothing that could detect a failed host: no
/// health checks, no outlier detection, no EDS. Not reported if retries of the aggregate's requests go
/// to other priorities (`previous_priorities`), or if the members after it have no host.
///
/// The member keeps its requests when its hosts fail, and the members after it get none.
pub(crate) static NO_SIGNAL: Rule = Rule {
    id: "aggregate-no-health-signal",
    severity: Severity::Warning,
    summary: "member of an aggregate without a health signal: the members after it get no requests",
    check: no_signal,
};

/// Whether Envoy uses the hosts of the cluster.
fn serves(cluster: &Plain<'_>) -> bool {
    let priorities = cluster.plain.priorities.iter();
    let mut endpoints = priorities.flat_map(|priority| &priority.endpoints);
    endpoints.any(|endpoint| endpoint.health.coarse() != CoarseHealth::Unhealthy)
}

/// Finds members that never hand over their requests.
fn no_signal(context: &Context<'_>, sink: &mut Sink) {
    for aggregate in context.config.model.clusters() {
        let ClusterKind::Aggregate(kind) = &aggregate.kind else {
            continue;
        };
        let Some(stated) = context.stated(&aggregate.name) else {
            continue;
        };
        if context.retries_elsewhere(&aggregate.name) {
            continue;
        }
        let plain = |name: &str| context.plain(name).filter(serves);
        let mut members = kind.members.iter().filter_map(|name| plain(name));
        // A member before it that hands over its requests may have a signal.
        let Some(member) = members.find(|member| !member.has_health_signal()) else {
            continue;
        };
        let after = kind
            .members
            .iter()
            .skip_while(|name| **name != member.name());
        let Some(next) = after
            .filter(|name| **name != member.name())
            .find_map(|name| plain(name))
        else {
            continue;
        };
        let place = stated
            .members
            .iter()
            .find(|facts| facts.name == member.name());
        let place = place.map_or(&stated.place, |facts| &facts.place);
        let cause = format!(
            "member {} of aggregate {} has no health checks, outlier detection or EDS",
            quoted(member.name()),
            quoted(&aggregate.name)
        );
        let kept = match context.share_of_member(&aggregate.name, member.name()) {
            share if share > 0.0 => format!("{} of requests", percent(share)),
            _ => String::from("requests"),
        };
        let effect = format!(
            "it keeps its {kept} even if all its hosts fail; {} gets none of them",
            quoted(next.name())
        );
        let fix = format!(
            "add health_checks or outlier_detection to {}",
            quoted(member.name())
        );
        sink.add(place, cause, effect, fix).set(
            member.facts.place.field("health_checks"),
            "[{\"timeout\":\"1s\",\"interval\":\"5s\",\"unhealthy_threshold\":2,\
             \"healthy_threshold\":1,\"tcp_health_check\":{}}]",
        );
    }
}
