//! `MatcherClusterSpecifier`: a matcher whose actions name clusters.

use alloc::{format, string::String, vec::Vec};

use spillgate_core::{
    order::sorted,
    route::{BranchTarget, ClusterBranch, ClusterMatcher, HeaderCondition},
};

use super::{
    context::{ActionContext, check_requested},
    matcher_condition::{read_condition, read_input, value_of},
};
use crate::{
    envoy::{
        matcher::{Modeled, not_modeled},
        schema::{
            CLUSTER_ACTION, FIELD_MATCHER, MATCH_MAP, MATCHER, MATCHER_LIST, MATCHER_SPECIFIER,
            MATCHER_TREE, ON_MATCH, PREDICATE, TYPED_EXTENSION,
        },
    },
    node::{Entry, NodeValue},
    proto::{Any, Message, Report, Schema},
};

/// The type of the specifier.
pub(crate) const MATCHER_TYPE: &str =
    "envoy.extensions.router.cluster_specifiers.matcher.v3.MatcherClusterSpecifier";

/// The type of its actions.
pub(crate) const CLUSTER_ACTION_TYPE: &str =
    "envoy.extensions.router.cluster_specifiers.matcher.v3.ClusterAction";

/// Reads the matcher; `Err` with a part that is not modeled and has been reported. A retry stays in its
/// cluster unless `refreshes`; Envoy then matches its changed headers, which is a limit.
pub(super) fn read_cluster_matcher(
    specifier: Any<'_, '_>,
    refreshes: bool,
    context: &ActionContext<'_>,
    report: &mut Report,
) -> Modeled<ClusterMatcher> {
    let errors = report.errors();
    let Some(message) = specifier.open(&MATCHER_SPECIFIER, report) else {
        return Ok(None);
    };
    message.require("cluster_matcher", report);
    let Some(matcher) = message.message("cluster_matcher", &MATCHER, report) else {
        return Ok(None);
    };
    if refreshes {
        report.limit(
            "config/route-not-modeled",
            "refresh_cluster_on_retry is not modeled here; a retry matches the headers that filters \
             and the route have changed",
            &message.path.field("cluster_matcher"),
            message.position_of("cluster_matcher"),
        );
    }
    let read = read_matcher(&matcher, context, report)?;
    Ok(read.filter(|_| report.errors() == errors))
}

/// The branches so far, and the first part that is not modeled.
#[derive(Default)]
struct Branches {
    found: Vec<ClusterBranch>,
    not_modeled: Option<&'static str>,
}

impl Branches {
    fn add(&mut self, when: Modeled<HeaderCondition>, then: Modeled<BranchTarget>) {
        match (when, then) {
            (Err(part), _) | (_, Err(part)) => {
                self.not_modeled.get_or_insert(part);
            }
            (Ok(Some(when)), Ok(Some(then))) => self.found.push(ClusterBranch { when, then }),
            (Ok(_), Ok(_)) => {}
        }
    }
}

fn read_matcher(
    message: &Message<'_, '_>,
    context: &ActionContext<'_>,
    report: &mut Report,
) -> Modeled<ClusterMatcher> {
    message.one_of(&["matcher_list", "matcher_tree"], report);
    let mut branches = Branches::default();
    if let Some(list) = message.message("matcher_list", &MATCHER_LIST, report) {
        if list.list("matchers", report).next().is_none() {
            report.push(list.missing("matchers"));
        }
        for (path, node) in list.list("matchers", report) {
            let Some(one) = Message::open(node, path, &FIELD_MATCHER, report) else {
                continue;
            };
            one.require("predicate", report);
            let predicate = one.message("predicate", &PREDICATE, report);
            let when = predicate.map_or(Ok(None), |one| read_condition(&one, report));
            branches.add(when, read_target_in(&one, "on_match", context, report));
        }
    }
    if let Some(tree) = message.message("matcher_tree", &MATCHER_TREE, report) {
        read_tree(&tree, &mut branches, context, report);
    }
    if message.has("on_no_match") {
        let always = HeaderCondition::All(Vec::new());
        let then = read_target_in(message, "on_no_match", context, report);
        branches.add(Ok(Some(always)), then);
    }
    match branches.not_modeled {
        Some(part) => Err(part),
        None => Ok(Some(ClusterMatcher(branches.found))),
    }
}

/// A tree as branches: of several prefixes, Envoy tries the longest one first.
fn read_tree(
    tree: &Message<'_, '_>,
    branches: &mut Branches,
    context: &ActionContext<'_>,
    report: &mut Report,
) {
    const MAPS: [&str; 2] = ["exact_match_map", "prefix_match_map"];
    let [exact, prefix] = MAPS;
    tree.one_of(&[exact, prefix, "custom_match"], report);
    let header = read_input(tree, report);
    if tree.has("custom_match") {
        not_modeled(tree, "custom_match", "a cluster matcher with", report);
        branches.add(Err("custom_match"), Ok(None));
        return;
    }
    let Some(field) = MAPS.into_iter().find(|map| tree.has(map)) else {
        report.push(tree.missing(exact));
        return;
    };
    let Some(map) = tree.message(field, &MATCH_MAP, report) else {
        return;
    };
    let entries = match map.get("map").map(|node| &node.value) {
        Some(NodeValue::Map(entries)) => entries.as_slice(),
        _ => &[],
    };
    if entries.is_empty() {
        report.push(map.missing("map"));
    }
    let is_prefix = field == prefix;
    let mut found: Vec<&Entry<'_>> = entries.iter().rev().collect();
    if is_prefix {
        let length = |entry: &&Entry<'_>| entry.key.name.len();
        found = sorted(found, |a, b| length(b).cmp(&length(a)));
    }
    for entry in found {
        let text = &*entry.key.name;
        let path = map.path.field("map").field(String::from(text));
        if let Some(then) = Message::open(&entry.node, path, &ON_MATCH, report) {
            let when = header
                .clone()
                .map(|header| Some(value_of(header?, text, is_prefix)));
            branches.add(when, read_target(&then, context, report));
        }
    }
}

fn read_target_in(
    message: &Message<'_, '_>,
    field: &'static str,
    context: &ActionContext<'_>,
    report: &mut Report,
) -> Modeled<BranchTarget> {
    message.require(field, report);
    let target = message.message(field, &ON_MATCH, report);
    target.map_or(Ok(None), |target| read_target(&target, context, report))
}

fn read_target(
    message: &Message<'_, '_>,
    context: &ActionContext<'_>,
    report: &mut Report,
) -> Modeled<BranchTarget> {
    message.one_of(&["matcher", "action"], report);
    let target = if message.has("matcher") {
        match message.message("matcher", &MATCHER, report) {
            Some(inner) => read_matcher(&inner, context, report)?.map(BranchTarget::Matcher),
            None => None,
        }
    } else {
        read_action(message, context, report)
    };
    // Envoy 1.40 crashes at a request that reaches a matcher with it.
    if message.bool("keep_matching", report) == Some(true) {
        not_modeled(message, "keep_matching", "a cluster matcher with", report);
        return Err("keep_matching");
    }
    Ok(target)
}

fn read_action(
    message: &Message<'_, '_>,
    context: &ActionContext<'_>,
    report: &mut Report,
) -> Option<BranchTarget> {
    let of = (CLUSTER_ACTION_TYPE, &CLUSTER_ACTION, "a cluster matcher");
    let action = open_action(message, of, report)?;
    let name = action.required_string("cluster", report)?;
    check_requested(&action, "cluster", name, context, report);
    Some(BranchTarget::Cluster(name.into()))
}

/// Opens the action of a matcher: its type, its message, and the matcher in words.
pub(crate) fn open_action<'n, 'a>(
    message: &Message<'n, 'a>,
    (type_name, schema, matcher): (&'static str, &Schema, &str),
    report: &mut Report,
) -> Option<Message<'n, 'a>> {
    message.require("action", report);
    let extension = message.message("action", &TYPED_EXTENSION, report)?;
    extension.required_string("name", report);
    extension.require("typed_config", report);
    let any = extension.any("typed_config", report)?;
    if any.type_name != type_name {
        let fault = format!("not an action of {matcher}");
        extension
            .error("typed_config", "config/value", fault)
            .expected(type_name)
            .push_to(report);
        return None;
    }
    any.open(schema, report)
}
