//! Routes with criteria that no selector selects.

use alloc::{format, string::String, vec::Vec};
use spillgate_core::visible::quoted;

use spillgate_config::secret_metadata::without_secrets;
use spillgate_core::model::{Metadata, SubsetConfig};

use super::selectors::selectors;
use crate::{
    context::{Context, Plain},
    figures::fate,
    finding::Severity,
    json,
    rule::Rule,
    sink::Sink,
    ways::Way,
};

/// No selector has exactly the keys of a route's `metadata_match`, including keys that
/// `header_to_metadata` or `set_metadata` may add. Envoy requires the exact set unless
/// `allow_redundant_keys` is on.
///
/// No request of the route finds a subset; all use the fallback policy.
pub(crate) static NOT_SELECTABLE: Rule = Rule {
    id: "subset-route-keys-not-selectable",
    severity: Severity::Error,
    summary: "no selector has exactly the keys of the route",
    check: not_selectable,
};

/// Finds routes whose criteria match no selector.
fn not_selectable(context: &Context<'_>, sink: &mut Sink) {
    for way in &context.ways {
        let Some(routed) = way.cluster.filter(|_| !way.criteria.is_empty()) else {
            continue;
        };
        // With a list of fallbacks, each request has its own key sets.
        if way.has_unseen_criteria() || way.criteria.get("fallback_list").is_some() {
            continue;
        }
        for cluster in context.owners(routed) {
            let subsets = cluster
                .plain
                .subsets
                .as_ref()
                .filter(|_| cluster.selects_subsets());
            if subsets.is_some_and(|subsets| !selectable(subsets, way)) {
                report(context, way, routed, &cluster, sink);
            }
        }
    }
}

/// Whether the criteria, with any part of what filters add, are the keys of a selector.
pub(super) fn selectable(subsets: &SubsetConfig, way: &Way<'_>) -> bool {
    let added = way.added_keys();
    let asked = |key: &str| way.criteria.get(key).is_some();
    subsets.selectors.iter().any(|selector| {
        let keys = selector.keys();
        let possible = keys.iter().all(|key| asked(key) || added.contains(&&**key));
        let all = way
            .criteria
            .fields()
            .iter()
            .all(|field| keys.contains(&field.key));
        possible && (all || subsets.allow_redundant_keys)
    })
}

/// Reports the criteria, with the result of such requests.
fn report(
    context: &Context<'_>,
    way: &Way<'_>,
    routed: &str,
    cluster: &Plain<'_>,
    sink: &mut Sink,
) {
    let keys: Vec<&str> = way
        .criteria
        .fields()
        .iter()
        .map(|field| &*field.key)
        .collect();
    let cause = format!(
        "{} requires the keys {}, but no selector of cluster {} has exactly these",
        way.route_name(),
        keys.join(", "),
        quoted(cluster.name())
    );
    let hosts = context.owners(routed).iter().map(Plain::hosts).sum();
    let found = context.distribution(routed, way.criteria);
    let effect = format!(
        "requests with {} get {}",
        without_secrets(way.criteria),
        fate(&found, hosts)
    );
    let carried = |metadata: &Metadata| {
        way.criteria
            .fields()
            .iter()
            .all(|f| metadata.get(&f.key).is_some())
    };
    let place = way.criteria_place();
    if cluster.metadata().any(carried) {
        let fix = format!("add a selector with the keys {}", keys.join(", "));
        let finding = sink.add(place, cause, effect, fix);
        if let Some(subsets) = cluster.facts.policy.subsets() {
            let next = subsets
                .place
                .field("subset_selectors")
                .index(subsets.selectors.len());
            finding.set(next, format!("{{\"keys\":{}}}", json::texts(keys)));
        }
        return;
    }
    let asked = |keys: &[String]| keys.iter().all(|key| way.criteria.get(key).is_some());
    let usable = selectors(cluster)
        .iter()
        .filter(|selector| asked(&selector.keys));
    let best = usable.max_by_key(|selector| selector.keys.len());
    let fix = match best {
        Some(best) => format!(
            "require only {}, or add a selector with all keys",
            best.keys.join(", ")
        ),
        None => String::from("add these keys to a selector and to the hosts"),
    };
    let finding = sink.add(place, cause, effect, fix);
    if let (Some(best), true) = (best, place.path.ends_with("metadata_match")) {
        let kept = way
            .criteria
            .fields()
            .iter()
            .filter(|field| best.keys.iter().any(|key| **key == *field.key));
        let kept = Metadata::new(kept.map(|field| (field.key.clone(), field.value.clone())));
        finding.set(&place.path, json::envoy_lb(&kept));
    }
}
