//! Envoy and a gRPC client with the same xDS, next to each other.

mod compared;
mod difference;
mod json;
mod reason;

pub use compared::{ClientPair, ClientsCluster, ClientsHost, ClientsPriority, ComparedClients};
pub use reason::DifferenceReason;

use spillgate_core::model::Model;
use spillgate_explain::report::ClusterReport;

use crate::{
    grpc::{GrpcReading, GrpcView},
    split::{ClientNote, Split},
};

/// A split of a model with the shares of a gRPC client in place of Envoy's.
#[must_use]
pub fn grpc_shares(model: &Model, reading: &GrpcReading, mut shown: Split) -> Split {
    let view = GrpcView::of(reading, model);
    let (reports, notes) = shown
        .clusters
        .iter()
        .map(|envoy| of_cluster(&view, envoy, &shown))
        .unzip();
    shown.slow_starts = shown.slow_starts.iter().map(|_| None).collect();
    shown.clusters = reports;
    shown.grpc = Some(notes);
    shown
}

fn of_cluster(
    view: &GrpcView<'_>,
    envoy: &ClusterReport,
    shown: &Split,
) -> (ClusterReport, ClientNote) {
    match view.cluster(&envoy.name) {
        Some(found) => (found.report(envoy, &shown.snapshot), found.note()),
        // Every cluster of the model is in the reading.
        None => (envoy.clone(), ClientNote::not_in_input()),
    }
}
