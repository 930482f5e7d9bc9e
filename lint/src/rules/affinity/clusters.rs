//! Sessions that a choice between clusters breaks.

use alloc::{format, string::String, vec::Vec};

use spillgate_config::envoy::facts::Discovery;

use crate::{
    context::Context,
    figures::percent,
    finding::Severity,
    rule::{Rule, Sink},
};

/// A route keeps sessions (`stateful_session`) and goes to an aggregate cluster. Envoy does not
/// hand the session's host down to the members.
///
/// Sessions are never kept; in strict mode every request that brings a session gets 503.
pub(crate) static AGGREGATE_IGNORED: Rule = Rule {
    id: "affinity-aggregate-ignored",
    severity: Severity::Error,
    summary: "a stateful session is routed to an aggregate cluster, which ignores it",
    check: aggregate_ignored,
};

/// A route keeps sessions and draws one of several clusters for each request.
///
/// A session counts in the cluster that it was made in only. It is lost whenever another one is
/// drawn: at 50 : 50 with every second request.
pub(crate) static WEIGHTED_CLUSTERS: Rule = Rule {
    id: "affinity-weighted-clusters",
    severity: Severity::Warning,
    summary: "a stateful session over weighted clusters is lost when another cluster is drawn",
    check: weighted_clusters,
};

/// Looks for sessions on routes to aggregates.
fn aggregate_ignored(context: &Context<'_>, sink: &mut Sink<'_>) {
    for way in &context.ways {
        let (Some(session), Some(routed)) = (&way.route.session, way.cluster) else {
            continue;
        };
        let facts = context.stated(routed);
        if facts.is_none_or(|facts| facts.discovery != Discovery::Aggregate) {
            continue;
        }
        let cause = format!(
            "{} keeps sessions and goes to the aggregate {routed:?}, where Envoy ignores them",
            way.route_name()
        );
        let found = context.distribution(routed, way.criteria);
        let effect = match session.strict {
            true => String::from("503 for 100 % of the requests that bring a session (strict)"),
            false => format!(
                "every request is balanced anew over {} hosts, session or not",
                found.shares.len()
            ),
        };
        let fix = "route to one member cluster (cluster_header can choose it), or let the \
                   Spillgate filter choose cluster and host";
        sink.add(&way.route.action, cause, effect, fix);
    }
}

/// Looks for sessions on routes that draw between clusters.
fn weighted_clusters(context: &Context<'_>, sink: &mut Sink<'_>) {
    let mut last = None;
    for way in context
        .ways
        .iter()
        .filter(|way| way.draws() && way.route.session.is_some())
    {
        // The ways of a route stand side by side.
        if last.replace(&way.route.place) == Some(&way.route.place) {
            continue;
        }
        let ways = context
            .ways
            .iter()
            .filter(|other| core::ptr::eq(other.route, way.route));
        let lost: Vec<_> = ways
            .map(|other| {
                let name = other.cluster.unwrap_or("one that a header names");
                format!("{} of those on {name:?}", percent(100.0 - other.share))
            })
            .collect();
        let cause = format!(
            "{} keeps sessions and draws one of several clusters for each request",
            way.route_name()
        );
        let effect = format!("sessions leave their host with {}", lost.join(", "));
        let fix =
            "split by header_name or use_hash_policy, so that a client stays with its cluster";
        sink.add(
            &way.route.action.field("weighted_clusters"),
            cause,
            effect,
            fix,
        );
    }
}
