//! Sessions that the choice of a cluster breaks.

use alloc::{format, string::String, vec::Vec};
use spillgate_core::visible::quoted;

use spillgate_config::envoy::facts::Discovery;

use crate::{context::Context, figures::percent, finding::Severity, rule::Rule, sink::Sink};

/// A route with stateful sessions goes to an aggregate cluster. Envoy does not pass the session's
/// host to the members.
///
/// Sessions have no effect; in strict mode every request with a session gets 503.
pub(crate) static AGGREGATE_IGNORED: Rule = Rule {
    id: "affinity-aggregate-ignored",
    severity: Severity::Error,
    summary: "stateful sessions on a route to an aggregate have no effect",
    check: aggregate_ignored,
};

/// A route with stateful sessions picks one of several clusters at random for each request.
///
/// A session is valid only in its own cluster. It is lost whenever another one is picked: with
/// weights 50 and 50, for every second request.
pub(crate) static WEIGHTED_CLUSTERS: Rule = Rule {
    id: "affinity-weighted-clusters",
    severity: Severity::Warning,
    summary: "stateful sessions over weighted clusters are lost when another cluster is picked",
    check: weighted_clusters,
};

/// Looks for sessions on routes to aggregates.
fn aggregate_ignored(context: &Context<'_>, sink: &mut Sink) {
    for way in &context.ways {
        let (Some(session), Some(routed)) = (&way.route.session, way.cluster) else {
            continue;
        };
        let facts = context.stated(routed);
        if facts.is_none_or(|facts| facts.discovery != Discovery::Aggregate) {
            continue;
        }
        let cause = format!(
            "{} has stateful sessions, which aggregate {} ignores",
            way.route_name(),
            quoted(routed)
        );
        let found = context.distribution(routed, way.criteria);
        let effect = if session.strict {
            String::from("100 % of requests with a session get 503 (strict)")
        } else {
            format!(
                "requests with a session are spread over {} hosts",
                found.shares.len()
            )
        };
        let fix = "route to a member cluster, or use the Spillgate filter";
        sink.add(&way.route.action, cause, effect, fix);
    }
}

/// Looks for sessions on routes that draw between clusters.
fn weighted_clusters(context: &Context<'_>, sink: &mut Sink) {
    for ways in context.by_route() {
        let way = ways.first();
        let Some(way) = way.filter(|way| way.draws() && way.route.session.is_some()) else {
            continue;
        };
        let lost: Vec<_> = ways
            .iter()
            .map(|other| {
                let name = other.cluster.unwrap_or("(from a header)");
                format!(
                    "{} of those in {}",
                    percent(100.0 - other.share),
                    quoted(name)
                )
            })
            .collect();
        let cause = format!(
            "{} has stateful sessions, but picks a cluster at random for each request",
            way.route_name()
        );
        let effect = format!("requests lose their session: {}", lost.join(", "));
        let fix = "set header_name or use_hash_policy to keep clients in one cluster";
        sink.add(
            &way.route.action.field("weighted_clusters"),
            cause,
            effect,
            fix,
        );
    }
}
