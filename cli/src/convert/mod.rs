//! `spillgate convert`: what Envoy receives for the policies of Kuma and Istio.

mod args;
mod client;
mod envoy;
mod json;
mod matrix;
mod report;
mod scenarios;

pub(crate) use args::{ConvertArgs, EXAMPLES};
pub(crate) use matrix::json_of as matrix_json;

use args::{Format, To};
use spillgate_config::{
    Diagnostic,
    mesh::{MeshKind, MeshZone, OutboundForm},
};

use crate::{
    client::{ClientMatrices, MeshXds},
    client_args::Client,
    color::output_style,
    command::{Done, Finished},
    inputs::{Inputs, check_stdin},
    mesh::{MeshHealth, MeshInput, name_istio_version},
};
use spillgate_answers::{input::Faults, split::json_text};

/// Runs the command.
///
/// # Errors
/// Every error in the documents, and an unknown point of view.
pub(crate) fn run(args: &ConvertArgs) -> Finished {
    let format = format_of(args)?;
    let health = args.health.as_deref().map(MeshHealth::read).transpose();
    let (mut input, health) = match (read(args), health) {
        (Ok(input), Ok(health)) => (input, health),
        (input, health) => {
            let mut faults = input.err().unwrap_or_default();
            faults.extend(health.err().unwrap_or_default());
            return Err(faults);
        }
    };
    let mut done = Done::default();
    let mut views = views(&mut input, args)?;
    input.warn(&mut done);
    if let Some(health) = health {
        health.apply(&mut views, &mut done)?;
    }
    input.warn_zones(&views, &mut done);
    // The other outputs have the version themselves.
    if args.to == To::Envoy || (args.to == To::Matrix && format != Some(Format::Json)) {
        name_istio_version(&mut done, input.istio_version());
    }
    let form = if args.portable {
        OutboundForm::Portable
    } else {
        OutboundForm::Envoy
    };
    done.output = match args.to {
        To::Report if args.client != Client::Envoy => {
            client::report(&input, &views, args.client, form)?
        }
        To::Json if args.client != Client::Envoy => {
            json_text(&client::json(&input, &views, args.client, form)?)
        }
        To::Report => report::write(&input, &views, args.mesh.compat, output_style()),
        To::Json => json_text(&json::value(&input, &views, form)),
        To::Envoy => {
            if args.client != Client::Envoy {
                let found = ClientMatrices::of(&views, Client::Grpc, MeshXds::Converted(form));
                found.warn(&input.name, input.mesh, &mut done)?;
            }
            envoy::write(&input, &views, form, format, &mut done)?
        }
        To::Matrix => {
            input.warn_left_out(&views, &mut done);
            let xds = MeshXds::Converted(form);
            let found = ClientMatrices::of(&views, args.client, xds);
            if args.client != Client::Envoy {
                found.warn(&input.name, input.mesh, &mut done)?;
            }
            matrix::write(&found.matrices, format, input.istio_version())
        }
    };
    Ok(done)
}

/// The format of the output.
fn format_of(args: &ConvertArgs) -> Result<Option<Format>, Faults> {
    let formats = args.to.formats();
    let Some(asked) = args.format else {
        return Ok(formats.first().copied());
    };
    if formats.contains(&asked) {
        return Ok(Some(asked));
    }
    let names: Vec<&str> = formats.iter().map(|format| format.name()).collect();
    let fault = Diagnostic::error(
        "convert/format",
        format!("--to {} has no such format", args.to.name()),
    )
    .found(asked.name())
    .expected(match names.as_slice() {
        [] => "no --format".to_owned(),
        names => format!("one of {}", names.join(", ")),
    });
    Err(Faults::one("--format", &fault))
}

/// Reads all files.
fn read(args: &ConvertArgs) -> Result<MeshInput, Faults> {
    let paths = || args.policies.iter().chain(&args.mesh.endpoints);
    check_stdin(
        paths().chain(&args.health),
        "POLICY, --endpoints or --health",
    )?;
    let chosen = Inputs::read(paths())?.mesh()?;
    let from = args.from.map(args::From::mesh);
    let input = MeshInput::new(chosen.texts, from, args.mesh.istio);
    let mut input = input.map_err(|faults| faults.with_notes(&chosen.skipped))?;
    input.warnings.extend(chosen.skipped);
    let documents = &input.documents;
    let (kuma, istio) = (
        !documents.kuma.policies.is_empty(),
        !documents.istio.destination_rules.is_empty(),
    );
    if kuma && istio && args.from.is_none() {
        let fault = Diagnostic::error("convert/two-meshes", "documents of two meshes")
            .found("policies of Kuma and Istio")
            .expected("--from kuma or --from istio");
        return Err(Faults::one(&input.name, &fault));
    }
    let has = match input.mesh {
        MeshKind::Kuma => kuma || !documents.kuma.routes.is_empty(),
        MeshKind::Istio => {
            istio
                || !documents.istio.mesh_configs.is_empty()
                || !documents.kube.services.is_empty()
                || !documents.istio.service_entries.is_empty()
        }
    };
    if !has {
        let fault = Diagnostic::error("convert/no-policy", "the documents have no policy")
            .expected(match input.mesh {
                MeshKind::Kuma => {
                    "a MeshLoadBalancingStrategy or route of Kuma, or a DestinationRule of Istio"
                }
                MeshKind::Istio => "a DestinationRule, a MeshConfig or a Service",
            });
        return Err(Faults::one(&input.name, &fault));
    }
    Ok(input)
}

/// The point of view of the arguments, or all zones.
fn views(input: &mut MeshInput, args: &ConvertArgs) -> Result<Vec<MeshZone>, Faults> {
    let compat = args.mesh.compat.compat();
    match input.view(&args.mesh)? {
        Some(view) => {
            let outbound = input.outbound(&view, compat)?;
            Ok(vec![MeshZone {
                name: outbound.zone.clone(),
                outbound,
            }])
        }
        None => input.zones(compat),
    }
}
