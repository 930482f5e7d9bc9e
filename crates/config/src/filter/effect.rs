//! Settings that can never act.
//!
//! No one notices a restriction that restricts nothing: the requests are served, by hosts that they must not
//! reach. So these settings are errors. Those that depend on the request are not found here.

use alloc::{format, vec::Vec};

use spillgate_core::model::{
    ChainHosts, ChainStep, Cluster, ClusterKind, FallbackChain, Model, SubsetConfig, Value,
};
use spillgate_core::{decide::ClusterChoice, names::Names, route::ClusterName};

use super::{
    Criterion, FilterConfig, OutputMode, TargetConfig,
    key_sets::{KeySets, TooManySelectors},
    step_order::hides,
};
use crate::{
    Diagnostic, DiagnosticSeverity,
    envoy::envoy_lb,
    isolation::falls_back,
    node::quote,
    proto::{Message, Report},
};

/// The code of all findings.
const CODE: &str = "config/no-effect";

/// Reports the settings of a configuration without other errors that can never act.
pub(super) fn check_effects(message: &Message<'_, '_>, config: &FilterConfig, report: &mut Report) {
    if report.errors() > 0 {
        return;
    }
    let chain = config.model.chain();
    let mode = config.output.mode;
    check_constants(message, config, report);
    if !chain.is_empty() {
        check_steps(message, config, report);
        check_chain_criteria(message, config, report);
    }
    match (mode, chain.is_empty()) {
        (OutputMode::SubsetHeaders, _) => check_subset_headers(message, config, report),
        (_, true) if !config.criteria.is_empty() => check_subsets(message, config, report),
        (_, true) => {}
        (_, false) => check_unused_subsets(message, &config.model, report),
    }
    let hashes = !config.hash_policies.is_empty() || message.has("affinity");
    if config.cluster_choice == ClusterChoice::Hash && !hashes {
        message
            .error("cluster_choice", CODE, "no request has a hash")
            .expected("hash_policy or affinity")
            .push_to(report);
    }
}

/// The dynamic module cannot read lists, structs and null of hosts: no host would match.
pub(super) fn check_native_values(
    message: &Message<'_, '_>,
    config: &FilterConfig,
    report: &mut Report,
) {
    let is_nested =
        |value: &Value| matches!(value, Value::Null | Value::List(_) | Value::Struct(_));
    let is_constant = |criterion: &Criterion| match criterion {
        Criterion::Constant { value, .. } => is_nested(value),
        Criterion::Header { .. } | Criterion::RouteMetadata => false,
    };
    let is_match = |step: &ChainStep| match &step.hosts {
        ChainHosts::Match(wanted) => wanted.fields().iter().any(|field| is_nested(&field.value)),
        ChainHosts::Keys(_) | ChainHosts::Any => false,
    };
    let mut refuse = |field| {
        message
            .error(
                field,
                CODE,
                "the dynamic module cannot read such values of hosts",
            )
            .expected("strings, numbers and booleans")
            .push_to(report);
    };
    for (field, criterion) in located(message, &config.criteria) {
        if is_constant(criterion) {
            refuse(field);
        }
    }
    if config.model.chain().iter().any(is_match) {
        refuse("subset_chain");
    }
}

/// Metadata that Envoy ignores, and criteria that a later constant always replaces.
fn check_constants(message: &Message<'_, '_>, config: &FilterConfig, report: &mut Report) {
    if message.has("metadata_match") && envoy_lb_size(message) == 0 {
        message
            .error("metadata_match", CODE, "metadata restricts nothing")
            .expected("values in filter_metadata under envoy.lb")
            .push_to(report);
    }
    let mut replaced = Names::default();
    for (field, criterion) in located(message, &config.criteria).rev() {
        match criterion {
            Criterion::Constant { key, .. } | Criterion::Header { key, .. }
                if replaced.contains(key) =>
            {
                message
                    .error(field, CODE, "a later constant replaces the criterion")
                    .found(quote(key))
                    .expected("one constant for a key, before its other criteria")
                    .push_to(report);
            }
            Criterion::Constant { key, .. } => {
                replaced.add(key);
            }
            Criterion::Header { .. } | Criterion::RouteMetadata => {}
        }
    }
}

/// Steps that no request reaches.
fn check_steps(message: &Message<'_, '_>, config: &FilterConfig, report: &mut Report) {
    let chain = config.model.chain();
    let nodes: Vec<_> = message.list("subset_chain", report).collect();
    for (at, ((path, node), step)) in nodes.into_iter().zip(chain.iter()).enumerate() {
        let fault = |what| Diagnostic::error(CODE, what).at(path.text(), node.position);
        if let ChainHosts::Keys(keys) = &step.hosts {
            for key in keys {
                if !config
                    .criteria
                    .iter()
                    .any(|criterion| criterion.can_give(key))
                {
                    fault("every request skips the step")
                        .found(quote(key))
                        .expected("a criterion with this key, or {route_metadata: true}")
                        .push_to(report);
                }
            }
        }
        if step.retry_next_step {
            let output = &config.output;
            let lists = output.mode == OutputMode::OverrideHost && output.candidates > 1;
            if !lists {
                fault("retry needs a host list")
                    .expected("output.mode override_host and output.candidates of at least 2")
                    .push_to(report);
            }
        }
        let hidden = |before: &ChainStep| hides(before, step, &config.criteria);
        if chain.iter().take(at).any(hidden) {
            fault("an earlier step serves whenever this one would")
                .expected("fewer hosts or lower minimums than in the steps before")
                .push_to(report);
        }
    }
}

/// Criteria that no step of the chain uses. A session is bound to all criteria of its request, so there they
/// act in any case.
fn check_chain_criteria(message: &Message<'_, '_>, config: &FilterConfig, report: &mut Report) {
    let chain = config.model.chain();
    for (field, criterion) in located(message, &config.criteria) {
        let (is_used, found) = match criterion {
            Criterion::Constant { key, .. } | Criterion::Header { key, .. } => {
                (uses(chain, key), &**key)
            }
            Criterion::RouteMetadata => (has_keys(chain), "route_metadata"),
        };
        if !is_used && !message.has("affinity") {
            message
                .error(field, CODE, "criterion restricts nothing")
                .found(quote(found))
                .expected("a step of subset_chain with this key in keys")
                .push_to(report);
        }
    }
}

/// Without a chain, criteria act by the subsets of the clusters that requests reach. The metadata of a route
/// may be meant for one of the clusters, so there the others are a warning.
fn check_subsets(message: &Message<'_, '_>, config: &FilterConfig, report: &mut Report) {
    let clusters = reached(config);
    let sets = KeySets::of(&config.criteria);
    let known = report.errors();
    for (field, criterion) in located(message, &config.criteria) {
        let mut idle = clusters
            .iter()
            .filter(|cluster| !acts_in(criterion, &sets, cluster));
        let Some(first) = idle.next() else {
            continue;
        };
        let (key, is_doubt) = match criterion {
            Criterion::Constant { key, .. } | Criterion::Header { key, .. } => (&**key, false),
            Criterion::RouteMetadata => ("route_metadata", 1 + idle.count() < clusters.len()),
        };
        let cluster = &first.name;
        let mut fault = message
            .error(field, CODE, "criterion restricts nothing")
            .found(quote(key))
            .expected(format!(
                "subset_chain, or lb_subset_config for it in cluster {cluster}"
            ));
        if is_doubt {
            fault.severity = DiagnosticSeverity::Warning;
        }
        fault.push_to(report);
    }
    if report.errors() == known {
        check_key_sets(message, &sets, &clusters, report);
    }
}

/// Requests whose criteria select no subset get the fallback of the cluster.
fn check_key_sets(
    message: &Message<'_, '_>,
    sets: &KeySets<'_>,
    clusters: &[&Cluster],
    report: &mut Report,
) {
    for cluster in clusters {
        let Some(subsets) = subsets_of(cluster) else {
            continue;
        };
        let name = &cluster.name;
        let field = if message.has("criteria") {
            "criteria"
        } else {
            "metadata_match"
        };
        let (found, expected) = match sets.without_selector(subsets) {
            Ok(None) => continue,
            Ok(Some(keys)) => (quote(&keys), "a selector with exactly these keys"),
            Err(TooManySelectors) => (
                "too many selectors".into(),
                "all constants in each selector",
            ),
        };
        message
            .error(field, CODE, "a request lifts its criteria")
            .found(found)
            .expected(format!("{expected}, or NO_FALLBACK, in cluster {name}"))
            .push_to(report);
    }
}

/// The subsets of a cluster; none without a selector, as in Envoy.
fn subsets_of(cluster: &Cluster) -> Option<&SubsetConfig> {
    let ClusterKind::Plain(plain) = &cluster.kind else {
        return None;
    };
    let subsets = plain.subsets.as_ref();
    subsets.filter(|subsets| !subsets.selectors.is_empty())
}

/// Whether a criterion restricts the hosts of a cluster by the cluster's subsets.
fn acts_in(criterion: &Criterion, sets: &KeySets<'_>, cluster: &Cluster) -> bool {
    subsets_of(cluster).is_some_and(|subsets| match criterion {
        Criterion::Constant { key, .. } | Criterion::Header { key, .. } => {
            !falls_back(subsets) || sets.select_by(subsets, key)
        }
        Criterion::RouteMetadata => true,
    })
}

impl FilterConfig {
    /// Whether route metadata can restrict the hosts of a request: by a step of the chain with keys, or
    /// by the subsets of a cluster that requests reach.
    #[must_use]
    pub fn selects_by_route(&self) -> bool {
        let by_route = |cluster: &&Cluster| subsets_of(cluster).is_some();
        if self.model.chain().is_empty() {
            reached(self).iter().any(by_route)
        } else {
            has_keys(self.model.chain())
        }
    }
}

fn has_keys(chain: &FallbackChain) -> bool {
    let by_keys = |step: &ChainStep| matches!(step.hosts, ChainHosts::Keys(_));
    chain.iter().any(by_keys)
}

/// Criteria with the field that each comes from: `metadata_match` comes first.
fn located<'c>(
    message: &Message<'_, '_>,
    criteria: &'c [Criterion],
) -> impl DoubleEndedIterator<Item = (&'static str, &'c Criterion)> {
    let constants = envoy_lb_size(message);
    let field = move |at| {
        if at < constants {
            "metadata_match"
        } else {
            "criteria"
        }
    };
    let numbered = criteria.iter().enumerate();
    numbered.map(move |(at, criterion)| (field(at), criterion))
}

/// The number of constants in `metadata_match`.
fn envoy_lb_size(message: &Message<'_, '_>) -> usize {
    // It has been read without errors.
    envoy_lb(message, "metadata_match", &mut Report::strict())
        .fields()
        .len()
}

/// A chain takes the place of the subsets.
fn check_unused_subsets(message: &Message<'_, '_>, model: &Model, report: &mut Report) {
    for cluster in model.clusters() {
        if let ClusterKind::Plain(plain) = &cluster.kind
            && plain.subsets.is_some()
        {
            message
                .error(
                    "clusters",
                    CODE,
                    "lb_subset_config has no effect with subset_chain",
                )
                .found(quote(&cluster.name))
                .expected("one of the two")
                .push_to(report);
        }
    }
}

/// Headers of keys that no request has.
fn check_subset_headers(message: &Message<'_, '_>, config: &FilterConfig, report: &mut Report) {
    let chain = config.model.chain();
    for (key, _) in &config.output.subset_headers {
        let is_given = || {
            config
                .criteria
                .iter()
                .any(|criterion| criterion.can_give(key))
        };
        let is_written = if chain.is_empty() {
            is_given()
        } else {
            uses(chain, key) || matches_key(chain, key)
        };
        if !is_written {
            message
                .error("output", CODE, "header of a key that is never written")
                .found(quote(key))
                .expected("a criterion with this key; with subset_chain, a step with it")
                .push_to(report);
        }
    }
}

fn uses(chain: &FallbackChain, wanted: &str) -> bool {
    chain.iter().any(|step| match &step.hosts {
        ChainHosts::Keys(keys) => keys.iter().any(|key| **key == *wanted),
        ChainHosts::Match(_) | ChainHosts::Any => false,
    })
}

fn matches_key(chain: &FallbackChain, wanted: &str) -> bool {
    chain.iter().any(|step| match &step.hosts {
        ChainHosts::Match(fields) => fields.get(wanted).is_some(),
        ChainHosts::Keys(_) | ChainHosts::Any => false,
    })
}

/// The plain clusters that requests reach, in their order.
fn reached(config: &FilterConfig) -> Vec<&Cluster> {
    let model = &config.model;
    let clusters = model.clusters().iter().map(|cluster| &**cluster);
    let is_plain = |cluster: &&Cluster| matches!(cluster.kind, ClusterKind::Plain(_));
    if config.route_settings {
        // A route can name each of them.
        return clusters.filter(is_plain).collect();
    }
    let mut names: Vec<&str> = match &config.target {
        TargetConfig::Always(name) => Vec::from([&**name]),
        TargetConfig::FirstMatch(rules) => rules.iter().map(|rule| &*rule.cluster).collect(),
        TargetConfig::Weighted(weighted) => {
            let clusters = weighted.clusters().iter();
            let names = clusters.map(|one| match &one.cluster {
                ClusterName::Name(name) | ClusterName::Header(name) => &**name,
            });
            names.collect()
        }
    };
    let mut reached = Names::default();
    while let Some(name) = names.pop() {
        if reached.add(name)
            && let Some(cluster) = model.cluster(name)
        {
            names.extend(cluster.members().iter().map(|member| &**member));
        }
    }
    clusters
        .filter(is_plain)
        .filter(|cluster| reached.contains(&cluster.name))
        .collect()
}
