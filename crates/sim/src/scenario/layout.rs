//! The clusters of a scenario, and the requests for them.

use alloc::{string::String, vec::Vec};

use crate::world::Layout;
use spillgate_core::{
    model::{Metadata, Model},
    names::Names,
    route::ClusterName,
};

use super::host_selector::select;
use spillgate_config::{
    envoy::{read_model, read_struct},
    filter::{TargetConfig, read_chain, read_target},
    node::NodeValue,
    proto::{Message, Report},
};

/// Reads the layout; `None` after an error, including one in the file that `config` names.
pub(super) fn read_layout(
    message: &Message<'_, '_>,
    load: &mut dyn FnMut(&str) -> Option<Model>,
    report: &mut Report,
) -> Option<Layout> {
    let chain = read_chain(message, report);
    let criteria = read_criteria(message, report);
    let model = configured_model(message, load, report)?;
    let model = if chain.is_empty() {
        model
    } else {
        model.with_chain(chain)
    };
    let mut names = Names::default();
    for cluster in model.clusters() {
        names.add(&cluster.name);
    }
    let targets = targets(read_target(message, &names, report)?);
    let known = |(name, _): &(String, u32)| names.contains(name);
    if !targets.iter().all(known) {
        return None;
    }
    let field = if message.has("clusters") {
        "clusters"
    } else {
        "config"
    };
    let layout = Layout::new(model, &targets, criteria)
        .map_err(|faults| {
            for fault in faults {
                let position = message.position_of(field);
                let path = message.path.field(field).text();
                let fault = spillgate_config::Diagnostic::error("simulate/layout", fault);
                report.push(fault.at(path, position));
            }
        })
        .ok()?;
    let mut absent = Vec::new();
    for node in message.strings("absent", report) {
        if let NodeValue::String(text) = &node.value {
            let path = message.path.field("absent");
            absent.extend(select(text, (node, &path), &layout, report).unwrap_or_default());
        }
    }
    Some(layout.without(&absent))
}

fn configured_model(
    message: &Message<'_, '_>,
    load: &mut dyn FnMut(&str) -> Option<Model>,
    report: &mut Report,
) -> Option<Model> {
    message.one_of(&["config", "clusters"], report);
    if message.has("config") {
        return load(message.required_string("config", report)?);
    }
    if !message.has("clusters") {
        let fault = message.error("config", "config/missing", "missing clusters");
        report.push(fault.expected("config: a file, clusters: a list, or drawn: true"));
        return None;
    }
    let errors = report.errors();
    let (model, _) = read_model(message, report);
    (report.errors() == errors).then_some(model)
}

fn targets(target: TargetConfig) -> Vec<(String, u32)> {
    match target {
        TargetConfig::Always(name) => Vec::from([(name, 1)]),
        // Scenarios have no field `targets`.
        TargetConfig::FirstMatch(_) => Vec::new(),
        TargetConfig::Weighted(weighted) => {
            let clusters = weighted.clusters().iter();
            let named = clusters.map(|one| {
                let (ClusterName::Name(name) | ClusterName::Header(name)) = &one.cluster;
                (name.clone(), one.weight)
            });
            named.collect()
        }
    }
}

/// One set of criteria, or a list that clients use in turn.
fn read_criteria(message: &Message<'_, '_>, report: &mut Report) -> Vec<Metadata> {
    let list = matches!(
        message.get("criteria").map(|node| &node.value),
        Some(NodeValue::List(_))
    );
    if !list && let Some(node) = message.get("criteria") {
        let path = message.path.field("criteria");
        return Vec::from([read_struct(node, &path, report)]);
    }
    let nodes: Vec<_> = message.list("criteria", report).collect();
    let nodes = nodes.iter();
    nodes
        .map(|(path, node)| read_struct(node, path, report))
        .collect()
}
