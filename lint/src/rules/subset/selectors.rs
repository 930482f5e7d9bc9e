//! Selectors without subsets, and duplicate selectors.

use alloc::{format, string::String, vec::Vec};

use spillgate_config::{envoy::facts::SelectorFacts, nearest};
use spillgate_core::model::{Metadata, Value};

use crate::{
    context::{Context, Plain},
    figures::fate,
    finding::Severity,
    json,
    rule::Rule,
    sink::Sink,
};

/// A selector of `lb_subset_config` (or of the typed `Subset` policy) has a key that no host has
/// under `envoy.lb`, or no host has all its keys together. Often the key is misspelled.
///
/// The selector creates no subset. Requests that select its keys use the fallback policy: 503 with
/// `NO_FALLBACK`.
pub(crate) static NO_HOST: Rule = Rule {
    id: "subset-selector-no-host",
    severity: Severity::Error,
    summary: "no host has all keys of a selector",
    check: no_host,
};

/// Two selectors have the same keys, possibly in another order.
///
/// Envoy merges them and uses only one of their fallback policies.
pub(crate) static DUPLICATE: Rule = Rule {
    id: "subset-selector-duplicate",
    severity: Severity::Info,
    summary: "two selectors have the same keys",
    check: duplicate,
};

/// Finds selectors of which no host has all keys.
fn no_host(context: &Context<'_>, sink: &mut Sink) {
    for cluster in context
        .plains()
        .filter(|c| c.selects_subsets() && c.hosts() > 0)
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

/// Reports a selector, with a key that hosts lack.
fn report_no_host(
    context: &Context<'_>,
    cluster: &Plain<'_>,
    selector: &SelectorFacts,
    sink: &mut Sink,
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
            "no host of cluster {:?} has all of the keys {keys}",
            cluster.name()
        ),
    };
    let asking = selector
        .keys
        .iter()
        .map(|key| (key.as_str(), Value::Text("any".into())));
    let found = context.distribution(cluster.name(), &Metadata::new(asking));
    let effect = format!(
        "the selector creates no subset; requests with {keys} get {}",
        fate(&found, cluster.hosts())
    );
    let fix = match meant {
        Some(meant) => format!("select by {meant:?}, or add these keys to hosts"),
        None => String::from("add these keys to hosts under envoy.lb, or remove the selector"),
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

/// Finds selectors with the same keys.
fn duplicate(context: &Context<'_>, sink: &mut Sink) {
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
                    let first = context.sources().refer(first.place.position);
                    let cause = format!("duplicate selector keys, first defined at {first}");
                    let effect = "Envoy merges them and uses only one of their fallback policies";
                    let fix = "remove one of them";
                    sink.add(&selector.place, cause, effect, fix)
                        .remove(&selector.place.path);
                } else {
                    seen.push((keys, selector));
                }
            }
        }
    }
}

/// The selectors in effect.
pub(super) fn selectors<'c>(cluster: &Plain<'c>) -> &'c [SelectorFacts] {
    let subsets = cluster.facts.policy.subsets();
    subsets
        .map(|subsets| subsets.selectors.as_slice())
        .unwrap_or_default()
}
