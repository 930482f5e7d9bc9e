//! Selectors that make no subset, or the same ones twice.

use alloc::{format, string::String, vec::Vec};

use spillgate_config::{envoy::facts::SelectorFacts, nearest};
use spillgate_core::model::{Metadata, Value};

use crate::{
    context::{Context, Plain},
    figures::fate,
    finding::Severity,
    json,
    rule::{Rule, Sink},
};

/// A selector of `lb_subset_config` (or of the typed `Subset` policy) has a key that no host has
/// under `envoy.lb`, or no host has all of its keys at once. Most often the key is misspelt.
///
/// The selector makes no subset. What asks for its keys goes the way of the fallback policy: 503
/// under `NO_FALLBACK`.
pub(crate) static NO_HOST: Rule = Rule {
    id: "subset-selector-no-host",
    severity: Severity::Error,
    summary: "no host carries all keys of a selector",
    check: no_host,
};

/// Two selectors have the same keys; their order does not count.
///
/// Envoy makes one set of subsets of both, and only one of their fallback policies counts.
pub(crate) static DUPLICATE: Rule = Rule {
    id: "subset-selector-duplicate",
    severity: Severity::Info,
    summary: "two selectors have the same keys",
    check: duplicate,
};

/// Looks for selectors that no host has all keys of.
fn no_host(context: &Context<'_>, sink: &mut Sink<'_>) {
    for cluster in context
        .plains()
        .filter(|c| c.plain.subsets.is_some() && c.hosts() > 0)
    {
        for selector in selectors(&cluster) {
            let carried =
                |metadata: &Metadata| selector.keys.iter().all(|key| metadata.get(key).is_some());
            if selector.keys.is_empty() || cluster.metadata().any(carried) {
                continue;
            }
            report_no_host(context, &cluster, selector, sink);
        }
    }
}

/// Reports a selector, with the keys that hosts lack.
fn report_no_host(
    context: &Context<'_>,
    cluster: &Plain<'_>,
    selector: &SelectorFacts,
    sink: &mut Sink<'_>,
) {
    let known = || {
        cluster
            .metadata()
            .flat_map(Metadata::fields)
            .map(|field| &*field.key)
    };
    let missing = selector
        .keys
        .iter()
        .find(|key| known().all(|k| k != key.as_str()));
    let meant = missing.and_then(|key| nearest(key, known()));
    let keys = selector.keys.join(", ");
    let cause = match missing {
        Some(key) => format!(
            "no host of cluster {:?} has the metadata key {key:?}",
            cluster.name()
        ),
        None => format!(
            "no host of cluster {:?} has all of the keys {keys} at once",
            cluster.name()
        ),
    };
    let asking = selector
        .keys
        .iter()
        .map(|key| (key.as_str(), Value::Text("any".into())));
    let found = context.distribution(cluster.name(), &Metadata::new(asking));
    let effect = format!(
        "the selector makes no subset, and what asks for {keys} gets {}",
        fate(&found, cluster.hosts())
    );
    let fix = match meant {
        Some(meant) => format!("select by {meant:?}, or give the hosts these keys"),
        None => String::from("give hosts these keys under envoy.lb, or drop the selector"),
    };
    let finding = sink.add(&selector.place, cause, effect, fix);
    match (missing, meant) {
        (Some(missing), Some(meant)) => {
            let keys = selector.keys.iter();
            let keys = keys.map(|key| if key == missing { meant } else { key.as_str() });
            finding.set(selector.place.field("keys").path, json::texts(keys));
        }
        _ => {
            finding.remove(&selector.place.path);
        }
    }
}

/// Looks for selectors with the same keys.
fn duplicate(context: &Context<'_>, sink: &mut Sink<'_>) {
    for cluster in &context.facts.clusters {
        let subsets = [
            &cluster.policy.classic_subsets,
            &cluster.policy.typed_subsets,
        ];
        for subsets in subsets.into_iter().flatten() {
            let mut seen: Vec<(Vec<&str>, &SelectorFacts)> = Vec::new();
            for selector in &subsets.selectors {
                let mut keys: Vec<&str> = selector.keys.iter().map(String::as_str).collect();
                keys.sort_unstable();
                keys.dedup();
                let first = seen.iter().find(|(known, _)| *known == keys);
                if let Some((_, first)) = first.filter(|_| !keys.is_empty()) {
                    let line = first.place.position.line;
                    let cause = format!("the selector at line {line} has the same keys");
                    let effect = "Envoy makes one set of subsets of both, and only one of their \
                                  fallback policies counts";
                    let fix = "keep one of the two";
                    sink.add(&selector.place, cause, effect, fix)
                        .remove(&selector.place.path);
                } else {
                    seen.push((keys, selector));
                }
            }
        }
    }
}

/// The selectors that are in force.
pub(super) fn selectors<'c>(cluster: &Plain<'c>) -> &'c [SelectorFacts] {
    let subsets = cluster.facts.policy.subsets();
    subsets
        .map(|subsets| subsets.selectors.as_slice())
        .unwrap_or_default()
}
