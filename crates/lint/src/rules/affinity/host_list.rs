//! Requests that leave the host list of the Spillgate filter.

use alloc::{format, string::String};
use spillgate_core::visible::quoted;

use spillgate_config::{
    envoy::facts::{HostDelivery, HostRestriction, SpillgateFacts},
    isolation::falls_back,
};

use crate::{
    attempts::most_attempts,
    context::{Context, Plain},
    figures::counted,
    finding::Severity,
    rule::Rule,
    sink::Sink,
    ways::Way,
};

/// The Spillgate filter restricts the hosts of a cluster by criteria, a subset fallback chain or
/// sessions, and the `fallback_policy` of the cluster's `override_host` has further hosts. In output
/// mode `stateful_session` the same applies to the cluster's own policy, and with the dynamic module to a
/// policy with `undecided: choose`.
///
/// A retry beyond the host list leaves its subset or session; so does a request without a list.
pub(crate) static FALLBACK: Rule = Rule {
    id: "steered-fallback-too-wide",
    severity: Severity::Warning,
    summary: "fallback policy has hosts that the Spillgate filter did not choose",
    check: fallback,
};

/// A route of the Spillgate filter has more retries than its host list has further hosts. The list
/// has `output.candidates` hosts, and one host in output mode `stateful_session` or for a session
/// that `on_lost` refuses to move.
///
/// Further retries get 503 if the cluster is isolated, and leave the host list otherwise.
pub(crate) static RETRIES: Rule = Rule {
    id: "steered-retries-exceed-list",
    severity: Severity::Warning,
    summary: "num_retries exceeds the host list of the Spillgate filter",
    check: retries,
};

/// The Spillgate filter that restricts the hosts of a route, if any does.
fn restricting<'c>(way: &Way<'c>) -> Option<(&'c SpillgateFacts, HostRestriction)> {
    let ours = way.steering()?.ours;
    (ours.delivery != HostDelivery::Subset).then_some((ours, ours.restriction?))
}

/// The clusters that the filter chooses hosts of, on a route.
pub(crate) fn chosen_clusters<'c>(
    context: &Context<'c>,
    way: &Way<'c>,
    ours: &'c SpillgateFacts,
) -> impl Iterator<Item = Plain<'c>> {
    let routed = way.cluster;
    let names = ours
        .clusters
        .iter()
        .filter(move |name| routed.is_none_or(|routed| routed == **name));
    names.filter_map(|name| context.plain(name))
}

/// Those to which Envoy gets a host list, or one host.
pub(crate) fn steered<'c>(
    context: &Context<'c>,
    way: &Way<'c>,
    ours: &'c SpillgateFacts,
) -> impl Iterator<Item = Plain<'c>> {
    let delivery = ours.delivery;
    chosen_clusters(context, way, ours).filter(move |cluster| {
        delivery == HostDelivery::Session || !cluster.plain.override_hosts.is_empty()
    })
}

/// Whether a request without a host of the list gets another host, in a cluster of which a request may use
/// only a part.
pub(crate) fn is_open(cluster: &Plain<'_>) -> bool {
    match cluster.undecided() {
        Some(undecided) => !undecided.refused(true),
        None => cluster.plain.subsets.as_ref().is_none_or(falls_back),
    }
}

/// Finds clusters whose fallback has further hosts.
fn fallback(context: &Context<'_>, sink: &mut Sink) {
    for cluster in context.plains().filter(is_open) {
        let mut found = context.ways_perhaps_to(cluster.name()).filter_map(|way| {
            let (ours, by) = restricting(way)?;
            let mut clusters = steered(context, way, ours);
            clusters
                .any(|one| one.name() == cluster.name())
                .then_some((ours, by))
        });
        let Some((ours, by)) = found.next() else {
            continue;
        };
        let policy = &cluster.facts.policy;
        let (what, place) = match (ours.delivery, &policy.fallback) {
            _ if cluster.undecided().is_some() => (MODULE, policy.place.field("lb_policy_config")),
            (HostDelivery::List(_), Some(place)) => ("fallback_policy", place.clone()),
            (HostDelivery::List(_), None) => continue,
            _ if policy.typed => ("load_balancing_policy", cluster.policy_place()),
            _ => ("own policy", cluster.policy_place()),
        };
        let cause = format!(
            "the Spillgate filter restricts the hosts of cluster {} by {}, but its {what} has other \
             hosts too",
            quoted(cluster.name()),
            name(by)
        );
        let hosts = match cluster.hosts() {
            0 => String::from("host of the cluster"),
            hosts => format!("of {}", counted(hosts, "host")),
        };
        let effect =
            format!("retries beyond the host list, and requests without one, reach any {hosts}");
        let fix = match what {
            MODULE => {
                "set undecided to refuse, or keep it if availability is more important than isolation"
            }
            _ => {
                "use a subset policy without hosts (spillgate explain-code steered-fallback-too-wide), or keep it if availability \
                 is more important than isolation"
            }
        };
        let path = place.path.clone();
        let finding = sink.add(&place, cause, effect, fix);
        if what != "own policy" {
            finding.set(path, if what == MODULE { REFUSING } else { ISOLATION });
        }
    }
}

/// A name for messages.
const fn name(by: HostRestriction) -> &'static str {
    match by {
        HostRestriction::Chain => "a subset fallback chain",
        HostRestriction::Criteria => "criteria",
        HostRestriction::Sessions => "sessions",
    }
}

/// Finds routes with more retries than further hosts.
fn retries(context: &Context<'_>, sink: &mut Sink) {
    let mut reported = None;
    for way in &context.ways {
        let Some((ours, _)) = restricting(way) else {
            continue;
        };
        let Some(retries) = &way.route.retries else {
            continue;
        };
        let (hosts, why) = match ours.delivery {
            HostDelivery::List(_) if ours.refuses_lost => (1, " for a session (on_lost)"),
            HostDelivery::List(hosts) => match most_attempts(context, way, ours, hosts) {
                both if both != hosts => (both, " in both clusters (attempts_per_cluster)"),
                _ => (hosts, ""),
            },
            HostDelivery::Session | HostDelivery::Subset => (1, " (stateful_session)"),
        };
        let further = hosts.saturating_sub(1);
        let Some(first) = steered(context, way, ours).next() else {
            continue;
        };
        // A weighted route has one way for each cluster.
        if retries.count <= further || reported == Some(&retries.place) {
            continue;
        }
        reported = Some(&retries.place);
        let cause = format!(
            "{} has up to {} retries, but the host list has at most {}{why}",
            way.route_name(),
            retries.count,
            counted(usize::try_from(hosts).unwrap_or(usize::MAX), "host")
        );
        let open = is_open(&first) || steered(context, way, ours).any(|one| is_open(&one));
        let effect = if open {
            "further retries reach hosts that the filter did not choose"
        } else {
            "further retries get 503 without another attempt"
        };
        let fix = match hosts {
            1 => String::from("set num_retries to 0"),
            _ if !why.is_empty() => format!(
                "set num_retries to {further}, or raise output.candidates and add members to the composite clusters"
            ),
            _ => format!("set num_retries to {further}, or raise output.candidates"),
        };
        let place = retries.place.field("num_retries");
        sink.add(&retries.place, cause, effect, fix)
            .set(place.path, format!("{further}"));
    }
}

/// The policy of the dynamic module in messages.
const MODULE: &str = "dynamic module's policy";

/// The configuration of a dynamic module's policy that refuses what the filter has not decided.
const REFUSING: &str =
    r#"{"@type":"type.googleapis.com/google.protobuf.Struct","value":{"undecided":"refuse"}}"#;

/// A policy without hosts.
const ISOLATION: &str = r#"{"policies":[{"typed_extension_config":{"name":"envoy.load_balancing_policies.subset","typed_config":{"@type":"type.googleapis.com/envoy.extensions.load_balancing_policies.subset.v3.Subset","fallback_policy":"NO_FALLBACK","subset_selectors":[{"keys":["spillgate-none"]}],"subset_lb_policy":{"policies":[{"typed_extension_config":{"name":"envoy.load_balancing_policies.round_robin","typed_config":{"@type":"type.googleapis.com/envoy.extensions.load_balancing_policies.round_robin.v3.RoundRobin"}}}]}}}}]}"#;
