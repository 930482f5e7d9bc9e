//! The sources of override hosts (`override_host.v3.OverrideHost`).

use alloc::{string::String, vec::Vec};

use spillgate_core::model::OverrideHostSource;

use crate::{
    envoy::{
        facts::{FieldPlace, OverrideSource},
        marks::ClusterMarks,
        schema::{METADATA_KEY, OVERRIDE_HOST_SOURCE, PATH_SEGMENT},
    },
    node::Node,
    proto::{Message, Path, Report},
};

/// Reads `override_host_sources`, which must have at least one entry.
pub(super) fn read_host_sources(
    message: &Message<'_, '_>,
    marks: &mut ClusterMarks,
    report: &mut Report,
) -> Vec<OverrideHostSource> {
    let field = "override_host_sources";
    let nodes: Vec<_> = message.list(field, report).collect();
    if nodes.is_empty() {
        let fault = "no override host source";
        report.push(message.error(field, "config/missing", fault));
    }
    let mut sources = Vec::new();
    for (path, node) in nodes {
        let Some(value) = read_source(node, path.clone(), report) else {
            continue;
        };
        if let Some(facts) = marks.facts() {
            let place = FieldPlace::new(&path, node.position);
            let value = value.clone();
            facts.policy.overrides.push(OverrideSource { place, value });
        }
        sources.push(value);
    }
    sources
}

fn read_source(node: &Node<'_>, path: Path, report: &mut Report) -> Option<OverrideHostSource> {
    let source = Message::open(node, path, &OVERRIDE_HOST_SOURCE, report)?;
    source.one_of(&["header", "metadata"], report);
    let header = source.string("header", report);
    if let Some(header) = header.filter(|header| !header.is_empty()) {
        return Some(OverrideHostSource::Header(header.to_ascii_lowercase()));
    }
    let Some(key) = source.message("metadata", &METADATA_KEY, report) else {
        source
            .error("header", "config/missing", "empty source")
            .expected("header or metadata")
            .push_to(report);
        return None;
    };
    let namespace = key.required_string("key", report);
    let mut path: Vec<String> = Vec::new();
    let segments: Vec<_> = key.list("path", report).collect();
    for (at, node) in segments {
        let segment = Message::open(node, at, &PATH_SEGMENT, report)?;
        path.push(segment.required_string("key", report)?.into());
    }
    if path.is_empty() {
        key.missing("path").push_to(report);
    }
    Some(OverrideHostSource::Metadata {
        namespace: namespace?.into(),
        path,
    })
}
