//! Subsets of hosts: `lb_subset_config` and the typed `Subset` policy.

use alloc::{format, sync::Arc, vec::Vec};

use spillgate_core::{
    model::{SelectorFallback, SubsetConfig, SubsetFallback, SubsetSelector, SubsetSelectorError},
    names::Names,
    order,
};

use super::read_policy::LbPolicy;
use crate::{
    Diagnostic, Position,
    envoy::{
        common::read_struct,
        discovery::Discovery,
        facts::SubsetFacts,
        marks::ClusterMarks,
        schema::{LEGACY_SUBSET, SUBSET_SELECTOR},
    },
    node::{Node, NodeValue, quote},
    proto::{Message, Path, Report},
};

/// Maximum number of selectors. Envoy has no limit; every request and host is compared with each
/// one.
const MAXIMUM_SELECTORS: usize = 65_536;

/// `LbSubsetFallbackPolicy`: used for a request without a matching subset.
pub(crate) const SUBSET_FALLBACK: [(&str, i64, SubsetFallback); 3] = [
    ("NO_FALLBACK", 0, SubsetFallback::NoFallback),
    ("ANY_ENDPOINT", 1, SubsetFallback::AnyEndpoint),
    ("DEFAULT_SUBSET", 2, SubsetFallback::DefaultSubset),
];

/// `LbSubsetMetadataFallbackPolicy`: whether a request provides a list of criteria to try.
pub(crate) const METADATA_FALLBACK: [(&str, i64, bool); 2] = [
    ("METADATA_NO_FALLBACK", 0, false),
    ("FALLBACK_LIST", 1, true),
];

/// The values of `LbSubsetSelectorFallbackPolicy`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OwnFallback {
    NotDefined,
    NoFallback,
    AnyEndpoint,
    DefaultSubset,
    KeysSubset,
}

/// `LbSubsetSelectorFallbackPolicy`: the fallback of one selector.
pub(crate) const OWN_FALLBACK: [(&str, i64, OwnFallback); 5] = [
    ("NOT_DEFINED", 0, OwnFallback::NotDefined),
    ("NO_FALLBACK", 1, OwnFallback::NoFallback),
    ("ANY_ENDPOINT", 2, OwnFallback::AnyEndpoint),
    ("DEFAULT_SUBSET", 3, OwnFallback::DefaultSubset),
    ("KEYS_SUBSET", 4, OwnFallback::KeysSubset),
];

const CLASSIC: &str = "lb_subset_config";

/// `Cluster.lb_subset_config`, which has no effect without a selector.
pub(crate) fn classic_subsets(
    cluster: &Message<'_, '_>,
    lb_policy: LbPolicy,
    discovery: Option<Discovery>,
    common: Option<&Message<'_, '_>>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> Option<SubsetConfig> {
    let (message, config) = classic_subset_settings(cluster, marks, report)?;
    let weights = "locality_weighted_lb_config";
    if config.locality_weight_aware && !common.is_some_and(|common| common.has(weights)) {
        let fault = "locality_weight_aware requires locality_weighted_lb_config";
        report.push(message.error("locality_weight_aware", "config/subset", fault));
    }
    let enabled = message.list("subset_selectors", report).next().is_some();
    if !enabled && report.is_strict() && !config.default_subset.is_empty() {
        let fault = "without selectors, Envoy has no subsets";
        let fault = message.error("default_subset", "config/no-effect", fault);
        report.push(fault.expected("subset_selectors"));
    }
    let original_dst = discovery == Some(Discovery::OriginalDst);
    if enabled && lb_policy == LbPolicy::ClusterProvided && !(report.is_judged() && original_dst) {
        let fault = "subsets are not allowed with CLUSTER_PROVIDED";
        report.push(cluster.error(CLASSIC, "config/subset", fault));
    }
    enabled.then_some(config)
}

/// The settings in `lb_subset_config`, whatever their effect.
pub(super) fn classic_subset_settings<'n, 'a>(
    cluster: &Message<'n, 'a>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> Option<(Message<'n, 'a>, SubsetConfig)> {
    let message = cluster.message(CLASSIC, &LEGACY_SUBSET, report)?;
    let config = read_subsets(&message, marks, report);
    Some((message, config))
}

/// The fields of both forms; their schemas reject fields of the other form.
pub(super) fn read_subsets(
    message: &Message<'_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> SubsetConfig {
    marks.subset = Some(message.position);
    let fallback = message
        .enumeration("fallback_policy", &SUBSET_FALLBACK, report)
        .unwrap_or_default();
    let default_subset = message
        .get("default_subset")
        .map(|node| read_struct(node, &message.path.field("default_subset"), report))
        .unwrap_or_default();
    if fallback == SubsetFallback::DefaultSubset && default_subset.is_empty() {
        report.doubt(
            Diagnostic::warning(
                "config/subset",
                "default_subset is empty, so it contains all hosts, as with ANY_ENDPOINT",
            )
            .at(message.path.text(), message.position_of("fallback_policy")),
        );
    }
    let fallback_list = message.enumeration("metadata_fallback_policy", &METADATA_FALLBACK, report);
    let mut flag = |field| message.bool(field, report).unwrap_or(false);
    let mut config = SubsetConfig {
        selectors: Vec::new(),
        fallback,
        default_subset,
        fallback_list: fallback_list.unwrap_or(false),
        locality_weight_aware: flag("locality_weight_aware"),
        scale_locality_weight: flag("scale_locality_weight"),
        panic_mode_any: flag("panic_mode_any"),
        list_as_any: flag("list_as_any"),
        allow_redundant_keys: flag("allow_redundant_keys"),
    };
    let mut facts = report.is_judged().then(|| SubsetFacts::of(message));
    let mut selectors = read_selectors(message, &mut facts, report);
    if let (Some(read), Some(facts)) = (facts, marks.facts()) {
        facts.policy.add_subsets(read);
    }
    if config.allow_redundant_keys {
        // Envoy tries selectors with more keys first, otherwise in input order.
        selectors = order::sorted(selectors, |(a, _), (b, _)| {
            b.keys().len().cmp(&a.keys().len())
        });
    }
    for (selector, position) in selectors {
        config.selectors.push(selector);
        marks.subset_selectors.push(position);
    }
    config
}

fn read_selectors(
    message: &Message<'_, '_>,
    facts: &mut Option<SubsetFacts>,
    report: &mut Report,
) -> Vec<(SubsetSelector, Position)> {
    let mut selectors: Vec<(SubsetSelector, Position)> = Vec::new();
    let nodes = message.list("subset_selectors", report);
    for (index, (path, node)) in nodes.enumerate() {
        if index == MAXIMUM_SELECTORS {
            Diagnostic::error("config/too-large", "too many selectors")
                .at(path.text(), node.position)
                .expected(format!("at most {MAXIMUM_SELECTORS}"))
                .push_to(report);
            break;
        }
        if let Some(selector) = read_selector(node, path, facts, report) {
            selectors.push((selector, node.position));
        }
    }
    if !report.is_judged() {
        doubt_repeated(message, &selectors, report);
    }
    selectors
}

/// One selector; skipped if it has no keys, as in Envoy.
fn read_selector(
    node: &Node<'_>,
    path: Path,
    facts: &mut Option<SubsetFacts>,
    report: &mut Report,
) -> Option<SubsetSelector> {
    let message = Message::open(node, path, &SUBSET_SELECTOR, report)?;
    let keys = texts(&message, "keys", report);
    if let Some(facts) = facts {
        facts.add_selector(&message, &keys);
    }
    let part = texts(&message, "fallback_keys_subset", report);
    let single = message
        .bool("single_host_per_subset", report)
        .unwrap_or(false);
    let own = message
        .enumeration("fallback_policy", &OWN_FALLBACK, report)
        .unwrap_or(OwnFallback::NotDefined);
    if keys.is_empty() {
        report.doubt(
            Diagnostic::warning("config/subset", "selector without keys has no effect")
                .at(message.path.text(), node.position),
        );
        return None;
    }
    if own != OwnFallback::KeysSubset && !part.is_empty() {
        let fault = "fallback_keys_subset requires fallback_policy KEYS_SUBSET";
        report.push(message.error("fallback_keys_subset", "config/subset", fault));
        return None;
    }
    let foreign = part.iter().find(|key| !keys.contains(key)).cloned();
    let fallback = match own {
        OwnFallback::NotDefined => SelectorFallback::NotDefined,
        OwnFallback::NoFallback => SelectorFallback::NoFallback,
        OwnFallback::AnyEndpoint => SelectorFallback::AnyEndpoint,
        OwnFallback::DefaultSubset => SelectorFallback::DefaultSubset,
        OwnFallback::KeysSubset => SelectorFallback::KeysSubset(part),
    };
    let error = match SubsetSelector::new(keys, fallback, single) {
        Ok(selector) => return Some(selector),
        Err(error) => error,
    };
    let mut diagnostic = message
        .error(
            "fallback_keys_subset",
            "config/subset",
            match error {
                SubsetSelectorError::NoFallbackKeys => "KEYS_SUBSET requires fallback_keys_subset",
                SubsetSelectorError::ForeignFallbackKey => "not one of the selector's keys",
                SubsetSelectorError::AllKeys => "contains all of the selector's keys",
            },
        )
        .expected("some of the selector's keys, not all");
    if let Some(foreign) = foreign {
        diagnostic = diagnostic.found(quote(&foreign));
    }
    report.push(diagnostic);
    None
}

fn texts(message: &Message<'_, '_>, field: &'static str, report: &mut Report) -> Vec<Arc<str>> {
    let mut texts: Vec<Arc<str>> = Vec::new();
    for node in message.strings(field, report) {
        if let NodeValue::String(text) = &node.value {
            texts.push((&**text).into());
        }
    }
    texts
}

/// Reports selectors with the same keys; Envoy merges them, which hides differences.
fn doubt_repeated(
    message: &Message<'_, '_>,
    selectors: &[(SubsetSelector, Position)],
    report: &mut Report,
) {
    let mut seen = Names::default();
    for (at, (selector, position)) in selectors.iter().enumerate() {
        // The separator cannot be part of a key.
        let keys = selector.keys().join("\u{0}");
        let first = seen.insert(&keys, at).and_then(|at| selectors.get(at));
        if let Some((_, first)) = first {
            report.doubt(
                Diagnostic::warning(
                    "config/subset",
                    format!(
                        "duplicate selector keys, first defined at {}",
                        report.sources().refer(*first)
                    ),
                )
                .at(message.path.field("subset_selectors").text(), *position),
            );
        }
    }
}
