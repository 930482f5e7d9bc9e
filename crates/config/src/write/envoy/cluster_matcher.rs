//! `MatcherClusterSpecifier`: branches that choose the cluster of a route.

use spillgate_core::route::{
    BranchTarget, ClusterBranch, ClusterMatcher, HeaderCondition, TextMatch,
};

use super::{
    super::tree::{Fields, within},
    route_match::string_match,
};
use crate::envoy::{CLUSTER_ACTION_TYPE, HEADER_INPUT_TYPE, MATCHER_TYPE};

/// The target of a route.
pub(super) fn cluster_matcher(of: &ClusterMatcher) -> Fields {
    let specifier = Fields::of_type(MATCHER_TYPE).with("cluster_matcher", matcher(of));
    let plugin = within("extension", named("matcher", specifier));
    within("inline_cluster_specifier_plugin", plugin)
}

fn matcher(of: &ClusterMatcher) -> Fields {
    let always = |branch: &&ClusterBranch| branch.when == HeaderCondition::All([].into());
    let branches = of.0.iter().filter(|branch| !always(branch)).map(|branch| {
        within("predicate", predicate(&branch.when)).with("on_match", target(&branch.then))
    });
    let list = Fields::new().with_list("matchers", branches);
    let otherwise = of.0.iter().find(always);
    Fields::new()
        .with_filled("matcher_list", list)
        .with_some("on_no_match", otherwise.map(|branch| target(&branch.then)))
}

fn target(of: &BranchTarget) -> Fields {
    match of {
        BranchTarget::Matcher(inner) => within("matcher", matcher(inner)),
        BranchTarget::Cluster(name) => {
            let action = Fields::of_type(CLUSTER_ACTION_TYPE).with("cluster", name.as_str());
            within("action", named("cluster", action))
        }
    }
}

fn predicate(of: &HeaderCondition) -> Fields {
    let list =
        |all: &[HeaderCondition]| Fields::new().with_list("predicate", all.iter().map(predicate));
    match of {
        HeaderCondition::All(all) => within("and_matcher", list(all)),
        HeaderCondition::Any(any) => within("or_matcher", list(any)),
        HeaderCondition::Not(inner) => within("not_matcher", predicate(inner)),
        HeaderCondition::Value { name, text } => {
            let input = Fields::of_type(HEADER_INPUT_TYPE).with("header_name", name.as_str());
            let value = match &text.text {
                // Its regular expressions name their engine.
                TextMatch::Regex(pattern) => {
                    let regex = within("google_re2", Fields::new()).with("regex", pattern.source());
                    within("safe_regex", regex)
                }
                // An empty prefix, of a tree, is no legal condition: every value starts with it.
                TextMatch::Prefix(prefix) if prefix.is_empty() => {
                    let regex = within("google_re2", Fields::new()).with("regex", ".*");
                    within("safe_regex", regex)
                }
                _ => string_match(text),
            };
            let single = within("input", named("header", input)).with("value_match", value);
            within("single_predicate", single)
        }
    }
}

fn named(name: &'static str, config: Fields) -> Fields {
    within("name", name).with("typed_config", config)
}
