//! Values that requests only show: metadata that formatters write, and the name of the proxy.

use alloc::string::String;

use super::document::Roots;
use crate::{
    Affects,
    node::{Node, NodeValue},
    proto::{Report, field_of, same_name},
};

/// The commands of formatters that write the metadata of hosts or of their clusters.
const COMMANDS: [&str; 2] = ["UPSTREAM_METADATA", "CLUSTER_METADATA"];

/// Notes what formatters write, if there is such a formatter, and the name of the proxy, if requests get it. `texts` are
/// the documents.
pub(super) fn note_formatted<'n, 'a: 'n>(
    roots: &Roots<'n, 'a>,
    texts: impl Iterator<Item = &'n Node<'a>> + Clone,
    report: &mut Report,
) {
    if !report.is_judged() {
        return;
    }
    let writes = |text: &str| COMMANDS.iter().any(|command| text.contains(command));
    if texts.clone().any(|text| has_text(text, &writes)) {
        for (_, cluster) in &roots.clusters {
            let affects = Affects::Cluster(text_of(cluster, "name"));
            report.within(affects, |report| {
                if let Some(metadata) = field_of(cluster, "metadata") {
                    report.note_part("Cluster", "metadata", metadata);
                }
                note_hosts(cluster, report);
            });
        }
        for (_, assignment) in roots.assignments.iter().chain(&roots.live) {
            let affects = Affects::Cluster(text_of(assignment, "cluster_name"));
            report.within(affects, |report| note_hosts(assignment, report));
        }
    }
    if texts.clone().any(sends_name) {
        texts.for_each(|text| note_name(text, report));
    }
}

/// Notes the metadata of hosts and localities anywhere below.
fn note_hosts(node: &Node<'_>, report: &mut Report) {
    match &node.value {
        NodeValue::List(items) => items.iter().for_each(|item| note_hosts(item, report)),
        NodeValue::Map(entries) => {
            if let Some(metadata) = field_of(node, "metadata")
                && let Some(endpoint) = field_of(node, "endpoint")
            {
                report.at_conditions(field_of(endpoint, "address"), |report| {
                    report.note_part("LbEndpoint", "metadata", metadata);
                });
            }
            entries
                .iter()
                .for_each(|entry| note_hosts(&entry.node, report));
        }
        _ => {}
    }
}

/// Whether a text apart from those of access logs has a property.
fn has_text(node: &Node<'_>, is: &dyn Fn(&str) -> bool) -> bool {
    match &node.value {
        NodeValue::String(text) => is(text),
        NodeValue::List(items) => items.iter().any(|item| has_text(item, is)),
        NodeValue::Map(entries) => entries.iter().any(|entry| {
            let is_log = same_name(&entry.key.name, "access_log");
            !is_log && has_text(&entry.node, is)
        }),
        _ => false,
    }
}

/// Whether a connection manager adds the name of the proxy to requests.
fn sends_name(node: &Node<'_>) -> bool {
    match &node.value {
        NodeValue::List(items) => items.iter().any(sends_name),
        NodeValue::Map(entries) => entries.iter().any(|entry| {
            let is_flag = same_name(&entry.key.name, "add_user_agent");
            is_flag && entry.node.value != NodeValue::Bool(false) || sends_name(&entry.node)
        }),
        _ => false,
    }
}

/// Notes the `cluster` and the `id` of the `node` of a bootstrap.
fn note_name(node: &Node<'_>, report: &mut Report) {
    match &node.value {
        NodeValue::List(items) => items.iter().for_each(|item| note_name(item, report)),
        NodeValue::Map(entries) => {
            let nodes = entries.iter().filter(|entry| entry.key.name == "node");
            for found in nodes {
                for field in ["cluster", "id"] {
                    if let Some(name) = field_of(&found.node, field) {
                        report.note_part("Node", field, name);
                    }
                }
            }
            entries
                .iter()
                .for_each(|entry| note_name(&entry.node, report));
        }
        _ => {}
    }
}

fn text_of(node: &Node<'_>, field: &str) -> String {
    match field_of(node, field).map(|node| &node.value) {
        Some(NodeValue::String(text)) => text.as_ref().into(),
        _ => String::new(),
    }
}
