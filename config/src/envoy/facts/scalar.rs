//! Plain YAML scalars in metadata that Envoy reads as another type than they look.

use alloc::{format, string::String, vec::Vec};

use spillgate_core::decimal;

use super::{FieldPlace, policy, view::View};
use crate::{envoy::document::Roots, node::NodeValue};

/// A scalar whose type surprises.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScalarFacts {
    /// Where it stands.
    pub place: FieldPlace,
    /// The metadata key whose value it is.
    pub key: String,
    /// What stands in the text.
    pub written: String,
    /// What Envoy makes of it, ready to print.
    pub read: String,
    /// Whether that is a text.
    pub is_text: bool,
}

const LB: [&str; 2] = ["filter_metadata", "envoy.lb"];

/// Looks through everything that subsets compare.
pub(super) fn read(roots: &Roots<'_, '_>, text: &str) -> Vec<ScalarFacts> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    let mut look = |metadata: Option<View<'_, '_>>| {
        for (key, value) in metadata.iter().flat_map(View::entries) {
            found.extend(surprise(key, &value, &lines));
        }
    };
    for (path, node) in &roots.clusters {
        let cluster = View::new(node, path.clone());
        let subsets = policy::subsets_in_force(&cluster);
        look(subsets.and_then(|subsets| subsets.get("default_subset")));
        let assignment = cluster.get("load_assignment");
        assignment
            .iter()
            .flat_map(metadata_of)
            .for_each(|view| look(Some(view)));
    }
    for (path, node) in &roots.assignments {
        metadata_of(&View::new(node, path.clone()))
            .into_iter()
            .for_each(|view| look(Some(view)));
    }
    let mut configurations: Vec<View<'_, '_>> = Vec::new();
    for (path, node) in &roots.route_configurations {
        configurations.push(View::new(node, path.clone()));
    }
    for (path, node) in &roots.listeners {
        let listener = View::new(node, path.clone());
        let mut chains = listener.list("filter_chains");
        chains.extend(listener.get("default_filter_chain"));
        let filters = chains.iter().flat_map(|chain| chain.list("filters"));
        configurations.extend(filters.filter_map(|f| f.any("typed_config")?.1.get("route_config")));
    }
    for configuration in configurations {
        let hosts = configuration.list("virtual_hosts").into_iter();
        for action in hosts
            .flat_map(|host| host.list("routes"))
            .filter_map(|r| r.get("route"))
        {
            look(action.get("metadata_match").and_then(|view| view.at(&LB)));
            let weighted = action.get("weighted_clusters");
            for entry in weighted
                .iter()
                .flat_map(|weighted| weighted.list("clusters"))
            {
                look(entry.get("metadata_match").and_then(|view| view.at(&LB)));
            }
        }
    }
    found
}

/// The metadata of the endpoints of an assignment.
fn metadata_of<'n, 'a>(assignment: &View<'n, 'a>) -> Vec<View<'n, 'a>> {
    let localities = assignment.list("endpoints").into_iter();
    let endpoints = localities.flat_map(|locality| locality.list("lb_endpoints"));
    endpoints
        .filter_map(|endpoint| endpoint.get("metadata")?.at(&LB))
        .collect()
}

/// The longest line that is looked into. Longer ones are written by programs, which quote.
const LONGEST_LINE: usize = 10_000;

fn surprise(key: &str, value: &View<'_, '_>, lines: &[&str]) -> Option<ScalarFacts> {
    let position = value.node.position;
    let line = lines.get(usize::try_from(position.line).ok()?.checked_sub(1)?)?;
    let before = usize::try_from(position.column).ok()?.checked_sub(1)?;
    if line.len() > LONGEST_LINE {
        return None;
    }
    let rest = line
        .char_indices()
        .nth(before)
        .and_then(|(at, _)| line.get(at..))?;
    let ends = |c: char| c.is_whitespace() || matches!(c, ',' | ']' | '}');
    let token = rest.split(ends).next().unwrap_or_default();
    // Quotes, tags, anchors and aliases say themselves that something special is meant.
    if token.starts_with(['"', '\'', '!', '&', '*', '|', '>']) {
        return None;
    }
    let (read, is_text) = match &value.node.value {
        NodeValue::Bool(value)
            if !token.eq_ignore_ascii_case(if *value { "true" } else { "false" }) =>
        {
            (format!("the boolean {value}"), false)
        }
        NodeValue::Int(value) if token != format!("{value}") => {
            (format!("the number {value}"), false)
        }
        NodeValue::String(text)
            if token == &**text && decimal::parse(text).is_some_and(f64::is_finite) =>
        {
            (format!("the text \"{text}\""), true)
        }
        _ => return None,
    };
    Some(ScalarFacts {
        place: value.place(),
        key: key.into(),
        written: token.into(),
        read,
        is_text,
    })
}
