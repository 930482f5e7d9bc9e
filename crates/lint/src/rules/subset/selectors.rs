//! Selectors without subsets, and duplicate selectors.

use alloc::{format, string::String, sync::Arc, vec::Vec};
use spillgate_core::visible::quoted;

use spillgate_config::{envoy::facts::SelectorFacts, nearest};
use spillgate_core::{
    model::{Metadata, SelectorFallback, Value},
    order::sorted,
};

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
/// The selector creates no subset. Requests that select its keys use the fallback policy of the selector,
/// or else of the cluster: 503 with `NO_FALLBACK`. Only a hint if the fallback policy has hosts and no key
/// looks misspelled.
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
            "no host of cluster {} has the metadata key {}",
            quoted(cluster.name()),
            quoted(key)
        ),
        None => format!(
            "no host of cluster {} has all of the keys {keys}",
            quoted(cluster.name())
        ),
    };
    let found = context.distribution(cluster.name(), &criteria(cluster, selector));
    let fate = fate(&found, cluster.hosts());
    let effect = match fallback_keys(cluster, selector) {
        [] => format!("the selector creates no subset; requests with {keys} get {fate}"),
        kept if has_all(cluster, kept) => format!(
            "the selector creates no subset; requests with {keys} get the subset of their {} (KEYS_SUBSET): \
             {fate}",
            kept.join(", ")
        ),
        kept => format!(
            "the selector creates no subset, and no host has {} (KEYS_SUBSET) either; requests with {keys} \
             get {fate}",
            kept.join(", ")
        ),
    };
    let fix = match meant {
        Some(meant) => format!("select by {}, or add these keys to hosts", quoted(meant)),
        None => String::from("add these keys to hosts under envoy.lb, or remove the selector"),
    };
    let finding = sink.add(&selector.place, cause, effect, fix);
    if meant.is_none() && found.no_host < 100.0 {
        // A selector for hosts that may come later, such as a canary.
        finding.severity = Severity::Info;
        return;
    }
    match (missing, meant) {
        (Some(missing), Some(meant)) => {
            let keys = selector
                .keys
                .iter()
                .map(|key| if key == missing { meant } else { key.as_str() });
            finding.set(selector.place.field("keys").path, json::texts(keys));
        }
        _ => {
            finding.remove(&selector.place.path);
        }
    }
}

/// The keys that `KEYS_SUBSET` keeps; empty for another fallback policy.
fn fallback_keys<'c>(cluster: &Plain<'c>, selector: &SelectorFacts) -> &'c [Arc<str>] {
    let subsets = cluster.plain.subsets.as_ref();
    let mut selectors = subsets.into_iter().flat_map(|subsets| &subsets.selectors);
    let same = |keys: &[Arc<str>]| {
        let listed = |key: &Arc<str>| selector.keys.iter().any(|own| **own == **key);
        let held = |own: &String| keys.iter().any(|key| **own == **key);
        keys.iter().all(listed) && selector.keys.iter().all(held)
    };
    match selectors
        .find(|known| same(known.keys()))
        .map(|known| known.fallback())
    {
        Some(SelectorFallback::KeysSubset(keys)) => keys,
        _ => &[],
    }
}

/// Whether a host has all these keys.
fn has_all(cluster: &Plain<'_>, keys: &[Arc<str>]) -> bool {
    let mut hosts = cluster.metadata();
    hosts.any(|metadata| keys.iter().all(|key| metadata.get(key).is_some()))
}

/// Criteria with the keys of a selector. The keys that `KEYS_SUBSET` keeps have the values of a host.
fn criteria(cluster: &Plain<'_>, selector: &SelectorFacts) -> Metadata {
    let kept = fallback_keys(cluster, selector);
    let of_host = cluster
        .metadata()
        .find(|metadata| kept.iter().all(|key| metadata.get(key).is_some()));
    let value = |key: &str| {
        let value = of_host
            .filter(|_| kept.iter().any(|kept| **kept == *key))?
            .get(key)?;
        Some(match value {
            Value::List(values) => values.first()?.clone(),
            value => value.clone(),
        })
    };
    let any = || Value::Text("any".into());
    let keys = selector.keys.iter();
    Metadata::new(keys.map(|key| (key.as_str(), value(key).unwrap_or_else(any))))
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
                let keys = selector.keys.iter().map(String::as_str);
                let mut keys = sorted(keys.collect(), Ord::cmp);
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
