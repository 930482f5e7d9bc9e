//! `--client grpc|both`: the shares of a gRPC client that receives the converted xDS.

use serde_json::{Value, json};
use spillgate_answers::{
    clients::{ComparedClients, grpc_shares},
    grpc::{GrpcReading, ISTIO_GRPC},
    input::Faults,
    split::{self, Split},
};
use spillgate_config::mesh::{MeshKind, MeshZone, OutboundForm};
use spillgate_core::model::Metadata;

use crate::split::to_tables;
use crate::{client::compared_tables, client_args::Client, color::output_style, mesh::MeshInput};

/// The shares in the clusters of a view.
enum Shown {
    Grpc(Split),
    Both(ComparedClients),
}

/// The tables of all views.
pub(super) fn report(
    input: &MeshInput,
    views: &[MeshZone],
    client: Client,
    form: OutboundForm,
) -> Result<String, Faults> {
    let mut parts = Vec::new();
    for view in views {
        let style = output_style();
        let tables = match shown(input, view, client, form)? {
            Shown::Grpc(split) => to_tables(&split, style),
            Shown::Both(compared) => compared_tables(&compared, style),
        };
        let zone = match view.name.as_str() {
            "" => "a client without a zone",
            zone => zone,
        };
        let note = notes(input)
            .map(|note| format!("note: {note}\n"))
            .unwrap_or_default();
        parts.push(format!("As seen from {zone}\n{note}\n{tables}"));
    }
    Ok(parts.join("\n"))
}

/// The shares of all views.
pub(super) fn json(
    input: &MeshInput,
    views: &[MeshZone],
    client: Client,
    form: OutboundForm,
) -> Result<Value, Faults> {
    let mut all = Vec::new();
    for view in views {
        let value = match shown(input, view, client, form)? {
            Shown::Grpc(split) => json!(split),
            Shown::Both(compared) => compared.value(),
        };
        all.push(json!({"zone": view.name, "split": value}));
    }
    let notes: Vec<&str> = notes(input).into_iter().collect();
    Ok(json!({"mesh": input.mesh.name(), "notes": notes, "views": all}))
}

fn notes(input: &MeshInput) -> Option<&'static str> {
    (input.mesh == MeshKind::Istio).then_some(ISTIO_GRPC)
}

fn shown(
    input: &MeshInput,
    view: &MeshZone,
    client: Client,
    form: OutboundForm,
) -> Result<Shown, Faults> {
    let written = view.outbound.envoy(form);
    let (model, ..) = written.map_err(|faults| Faults::all(&input.name, &faults))?;
    let reading = GrpcReading::of_model(&model);
    let envoy = split::split(&model, &[], &Metadata::EMPTY)
        .map_err(|faults| Faults::all(&input.name, &faults))?;
    Ok(match client {
        Client::Both => Shown::Both(ComparedClients::of_split(&model, &reading, envoy)),
        _ => Shown::Grpc(grpc_shares(&model, &reading, envoy)),
    })
}
