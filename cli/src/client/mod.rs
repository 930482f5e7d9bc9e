//! `spillgate split --client grpc|both`: the shares of a gRPC client, alone or next to Envoy's.

mod mesh;
mod table;

use spillgate_answers::{
    clients::{ComparedClients, grpc_shares},
    grpc::GrpcReading,
    input::Faults,
    split::{self, Split},
    unknown::UnknownClusters,
};
use spillgate_core::model::{Metadata, Model};

pub(crate) use mesh::{ClientMatrices, MeshXds};
pub(crate) use table::compared_tables;

use crate::config::Config;

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
        .map_err(|faults| Faults::all(config, &faults))?;
    Ok(grpc_shares(model, reading, shown).limited_by(&config.limits()))
}

/// The clusters of an input under the rules of both, or those of these names. `model` is that of the
/// configuration, in which hosts can have other health.
///
/// # Errors
/// Every unknown name.
pub(crate) fn compared(
    config: &Config,
    model: &Model,
    names: &[String],
    criteria: &Metadata,
) -> Result<ComparedClients, Faults> {
    let shown =
        split::split(model, names, criteria).map_err(|faults| Faults::all(config, &faults))?;
    let unknown = UnknownClusters::of(&config.envoy);
    let envoy = shown.limited_by(&config.limits()).without_hosts_of(unknown);
    Ok(ComparedClients::of_split(
        model,
        &config.grpc_reading()?,
        envoy,
    ))
}
