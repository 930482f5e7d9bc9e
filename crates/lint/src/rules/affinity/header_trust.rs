//! Destinations that clients can choose.

use alloc::{format, string::String};
use spillgate_core::visible::quoted;

use spillgate_config::envoy::facts::{ClusterFacts, FieldPlace, FilterKind};
use spillgate_core::model::OverrideHostSource;

use super::fronts::Fronts;
use crate::{context::Context, finding::Severity, rule::Rule, sink::Sink, ways::Way};

/// `override_host` reads a request header, or metadata that `header_to_metadata` sets from one, and
/// nothing before it removes or overwrites the client's header. These count as removing it: a
/// `header_mutation` filter, the Spillgate filter, a filter with unknown effect (`ext_proc`,
/// `ext_authz`, ECDS), `request_headers_to_remove`, and a listener in front that removes it on all
/// routes.
///
/// Any client can choose its host, regardless of health and subsets.
pub(crate) static OVERRIDE_HOST: Rule = Rule {
    id: "override-host-untrusted-header",
    severity: Severity::Error,
    summary: "override_host reads a header that clients can set",
    check: override_host,
};

/// An `ORIGINAL_DST` cluster takes the destination from a request header, and nothing removes or
/// overwrites the client's header.
///
/// Any client can reach any address that the proxy can reach, including its admin interface.
pub(crate) static ORIGINAL_DST: Rule = Rule {
    id: "original-dst-untrusted-header",
    severity: Severity::Error,
    summary: "ORIGINAL_DST reads a header that clients can set",
    check: original_dst,
};

/// Finds override host sources that clients can set.
fn override_host(context: &Context<'_>, sink: &mut Sink) {
    let mut fronts = Fronts::default();
    for cluster in &context.facts.clusters {
        for source in &cluster.policy.overrides {
            // Aggregates do not pass override hosts to their members.
            for way in context.ways_perhaps_to(&cluster.name) {
                let fronts = fronts.of(context, way.listener);
                let header = match &source.value {
                    OverrideHostSource::Header(header) => {
                        untouched(fronts, way, header, usize::MAX)
                    }
                    OverrideHostSource::Metadata { namespace, path } => {
                        moved(fronts, way, namespace, path)
                    }
                };
                let Some(header) = header else { continue };
                let cause = format!(
                    "cluster {} uses the host in {header}, and {} does not remove this header from \
                     client requests",
                    quoted(&cluster.name),
                    way.route_name()
                );
                let effect = format!(
                    "clients can choose any host: {}",
                    consequence(context, cluster)
                );
                report(sink, way, &source.place, &header, cause, effect);
                break;
            }
        }
    }
}

/// The result for such a client.
fn consequence(context: &Context<'_>, cluster: &ClusterFacts) -> String {
    match context.plain(&cluster.name).map(|plain| plain.hosts()) {
        Some(hosts) if hosts > 0 => format!(
            "100 % of their requests to one of {}, even if unhealthy or draining",
            crate::figures::counted(hosts, "host")
        ),
        _ => String::from("even if unhealthy or draining"),
    }
}

/// Finds destinations that clients can set.
fn original_dst(context: &Context<'_>, sink: &mut Sink) {
    let mut fronts = Fronts::default();
    for cluster in &context.facts.clusters {
        let Some((header, place)) = &cluster.original_dst_header else {
            continue;
        };
        let mut ways = context.ways_perhaps_to(&cluster.name);
        let way = ways.find(|way| {
            let fronts = fronts.of(context, way.listener);
            untouched(fronts, way, header, usize::MAX).is_some()
        });
        let Some(way) = way else { continue };
        let cause = format!(
            "cluster {} connects to the address in {header}, and {} does not remove this header from \
             client requests",
            quoted(&cluster.name),
            way.route_name()
        );
        let effect =
            "clients can reach any address that the proxy can reach, including its admin interface";
        report(sink, way, place, header, cause, effect);
    }
}

/// Reports the header, with a filter that removes it.
fn report(
    sink: &mut Sink,
    way: &Way<'_>,
    place: &FieldPlace,
    header: &str,
    cause: String,
    effect: impl Into<String>,
) {
    let fix = format!("remove {header} with a header_mutation filter, first in the chain");
    let finding = sink.add(place, cause, effect, fix);
    // Filters run in list order, so the new first filter runs before all others.
    if let Some(first) = way.listener.filters.first()
        && let Some(list) = first.place.path.strip_suffix("[0]")
    {
        let added = FieldPlace {
            path: format!("{list}[+0]"),
            position: first.place.position,
        };
        finding.set(
            added,
            format!(
                "{{\"name\":\"envoy.filters.http.header_mutation\",\"typed_config\":{{\
                 \"@type\":\"type.googleapis.com/envoy.extensions.filters.http.header_mutation.v3.HeaderMutation\",\
                 \"mutations\":{{\"request_mutations\":[{{\"remove\":{}}}]}}}}}}",
                crate::json::text(header)
            ),
        );
    }
}

/// The header, if the client's value reaches the filter with that index, or the router.
fn untouched(fronts: &[&Way<'_>], way: &Way<'_>, header: &str, before: usize) -> Option<String> {
    let at_router = before == usize::MAX;
    let has = |names: &[String]| names.iter().any(|name| name == header);
    let taken = has(&way.listener.stripped)
        || (at_router && (has(&way.route.removed) || way.replaces(header)))
        || way
            .active_filters()
            .take_while(|(at, _)| *at < before)
            .any(|(_, kind)| match kind {
                FilterKind::Spillgate(ours) => has(&ours.dropped),
                FilterKind::HeaderMutation(names) => has(names) || has(&way.route.removed),
                FilterKind::HeaderToMetadata(moves) => {
                    moves.iter().any(|m| m.remove && m.header == header)
                }
                FilterKind::Other { opaque, words } => *opaque || words.contains(header),
                FilterKind::Session(_) => false,
            })
        || taken_outside(fronts, header);
    (!taken).then(|| String::from(header))
}

/// Whether the listener is behind others whose routes to it all remove the header.
fn taken_outside(fronts: &[&Way<'_>], header: &str) -> bool {
    let removes = |way: &&Way<'_>| way.route.removed.iter().any(|name| name == header);
    !fronts.is_empty() && fronts.iter().all(removes)
}

/// The client header that sets this dynamic metadata.
fn moved(fronts: &[&Way<'_>], way: &Way<'_>, namespace: &str, keys: &[String]) -> Option<String> {
    way.active_filters().find_map(|(at, kind)| {
        let FilterKind::HeaderToMetadata(moves) = kind else {
            return None;
        };
        let mut moves = moves
            .iter()
            .filter(|m| m.namespace == namespace && keys.first().is_some_and(|key| *key == m.key));
        moves.find_map(|m| untouched(fronts, way, &m.header, at))
    })
}
