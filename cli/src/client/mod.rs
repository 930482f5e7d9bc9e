//! `spillgate split --client grpc|both`: the shares of a gRPC client, alone or next to Envoy's.

mod compared;
mod difference;
mod json;
mod mesh;
mod reason;
mod table;

use spillgate_core::model::{Metadata, Model};
use spillgate_explain::report::ClusterReport;

pub(crate) use compared::Compared;
pub(crate) use mesh::{ClientMatrices, MeshXds};

use crate::config::Config;
use spillgate_answers::{
    grpc::{GrpcReading, GrpcView},
    input::Faults,
    split::{self, ClientNote, Split},
};

/// The split of a gRPC client. `model` is that of the configuration, in which hosts can have other health.
///
/// # Errors
/// Every unknown name.
pub(crate) fn grpc_split(
    config: &Config,
    model: &Model,
    reading: &GrpcReading,
    names: &[String],
) -> Result<Split, Faults> {
    let shown = split::split(model, names, &Metadata::EMPTY)
        .map_err(|faults| Faults::all(config.files(), &faults))?;
    Ok(grpc_shares(model, reading, shown).limited_by(&config.limits()))
}

/// A split of a model with the shares of a gRPC client in place of Envoy's.
pub(crate) fn grpc_shares(model: &Model, reading: &GrpcReading, mut shown: Split) -> Split {
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
