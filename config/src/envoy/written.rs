//! The clusters of a text of our own.

use alloc::vec::Vec;

use spillgate_core::model::Model;

use super::{build_model, read_clusters};
use crate::{
    Diagnostic,
    node::{self, Value},
    proto::{Path, Report},
};

/// Reads what [`clusters_json`](crate::write::clusters_json) wrote, and nothing else: a program
/// that takes clusters over from another needs none of the shapes in which people have them.
///
/// # Errors
/// Every fault of the text in text order, when it is none of ours.
pub fn read_written(json: &str) -> Result<Model, Vec<Diagnostic>> {
    let document = node::read_json(json).map_err(|fault| Vec::from([fault]))?;
    let mut report = Report::default();
    let root = document.roots.first();
    let clusters = root.and_then(|root| root.get("static_resources")?.get("clusters"));
    let clusters = match clusters.map(|clusters| &clusters.value) {
        Some(Value::List(clusters)) => clusters.as_slice(),
        _ => &[],
    };
    let path = Path::root().field("static_resources").field("clusters");
    let nodes: Vec<_> = (0..)
        .zip(clusters)
        .map(|(index, node)| (path.index(index), node))
        .collect();
    let clusters = read_clusters(&nodes, &mut report);
    let (model, _) = build_model(clusters, &mut report);
    report.finish()?;
    Ok(model)
}
