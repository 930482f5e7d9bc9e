//! Routes with criteria that no host has.

use alloc::format;
use spillgate_core::visible::quoted;

use spillgate_config::secret_metadata::without_secrets;
use spillgate_core::model::{Metadata, Value};

use super::{criteria::selectable, values::other_type};
use crate::{
    context::{Context, Plain},
    finding::Severity,
    rule::Rule,
    sink::Sink,
    ways::Way,
};

/// No host of the cluster has the metadata in a route's `metadata_match`, a selector has its keys, and
/// the fallback policy has no hosts.
///
/// Every request of the route gets 503.
pub(crate) static OF_ROUTE: Rule = Rule {
    id: "subset-route-no-host",
    severity: Severity::Error,
    summary: "no host has the metadata of the route, and there is no fallback: 503",
    check,
};

fn check(context: &Context<'_>, sink: &mut Sink) {
    for way in &context.ways {
        let Some(routed) = way.cluster.filter(|_| !way.criteria.is_empty()) else {
            continue;
        };
        let of_request = way.has_unseen_criteria()
            || !way.added_keys().is_empty()
            || way.criteria.get("fallback_list").is_some();
        let owners = context.owners(routed);
        let lacks = |cluster: &Plain<'_>| has_no_host(cluster, way);
        if of_request || owners.is_empty() || !owners.iter().all(lacks) {
            continue;
        }
        if context.distribution(routed, way.criteria).shares.is_empty() {
            let cause = format!(
                "{} requires {}, which no host of cluster {} has",
                way.route_name(),
                without_secrets(way.criteria),
                quoted(routed)
            );
            let effect = "no subset and no fallback: every request of the route gets 503";
            let fix = "require the metadata of a host, add it to hosts, or set fallback_policy: \
                       ANY_ENDPOINT";
            sink.add(way.criteria_place(), cause, effect, fix);
        }
    }
}

/// Whether the cluster serves requests, has a selector with the keys of the criteria, and has no host
/// with their values.
fn has_no_host(cluster: &Plain<'_>, way: &Way<'_>) -> bool {
    let subsets = cluster
        .plain
        .subsets
        .as_ref()
        .filter(|_| cluster.selects_subsets() && cluster.knows_hosts());
    let Some(subsets) = subsets.filter(|subsets| selectable(subsets, way)) else {
        return false;
    };
    let fields = way.criteria.fields();
    let has_all = |metadata: &Metadata| {
        fields.iter().all(|field| {
            let value = metadata.get(&field.key);
            value.is_some_and(|value| is_in(&field.value, value, subsets.list_as_any))
        })
    };
    // Another rule is about values of another type.
    let mismatch = |cluster: &Plain<'_>| {
        let mut fields = fields.iter();
        fields.any(|field| other_type(cluster, &field.key, &field.value).is_some())
    };
    cluster.hosts() > 0
        && !cluster.metadata().any(has_all)
        && !mismatch(cluster)
        && !cluster.shares().shares.is_empty()
}

/// Whether a host with the value `own` is in the subset of the value `asked`.
fn is_in(asked: &Value, own: &Value, list_as_any: bool) -> bool {
    match own {
        Value::List(values) if list_as_any => values.iter().any(|value| value == asked),
        own => own == asked,
    }
}
