//! The JSON of `/clusters?format=json` (`envoy.admin.v3.Clusters`).

use alloc::vec::Vec;

use spillgate_core::names::Names;

use super::ClusterStatus;
use crate::{
    Diagnostic,
    envoy::{CLUSTERS, read_status},
    node::{quote, read_json as parse},
    proto::{Message, Path, Report},
};

/// Reads the whole response.
pub(super) fn read_json(text: &str) -> Result<Vec<ClusterStatus<'_>>, Vec<Diagnostic>> {
    let mut document = parse(text).map_err(|fault| Vec::from([fault]))?;
    let mut report = Report::default();
    let mut names = Names::default();
    let mut clusters = Vec::new();
    let root = document.roots.pop();
    let message = root
        .as_ref()
        .and_then(|root| Message::open(root, Path::root(), &CLUSTERS, &mut report));
    if let Some(message) = message {
        if !message.has("cluster_statuses") {
            report.push(message.error(
                "cluster_statuses",
                "clusters/empty",
                "input lists no clusters",
            ));
        }
        for (path, node) in message.list("cluster_statuses", &mut report) {
            let cluster = read_status(node, path.clone(), &mut report);
            if let Some(cluster) = cluster {
                if !names.add(&cluster.name) {
                    let fault = "cluster appears twice; pass one response only";
                    let fault = Diagnostic::error("clusters/repeated", fault)
                        .at(path.text(), cluster.position);
                    report.push(fault.found(quote(&cluster.name)));
                }
                clusters.push(cluster);
            }
        }
    }
    report.finish().map(|_| clusters)
}
