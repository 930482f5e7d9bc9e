//! `what-if` on mesh documents without a point of view: the traffic between all zones before and after
//! a loss.

mod ejection;
mod expect;
mod json;
mod losses;
mod text;
mod zone_loss;

use spillgate_config::{Diagnostic, Position};
use spillgate_sim::Loss;

use self::{expect::ZonesExpectation, zone_loss::ZonesAnswer};
use super::{
    WhatIfArgs,
    args::Format,
    sarif::{self, SarifPlace},
};
use crate::{
    client::{ClientMatrices, MeshXds},
    client_args::Client,
    cluster_names::matching_names,
    color::output_style,
    command::{Done, Finished},
    mesh::{MeshHealth, MeshInput, add_istio_version, name_istio_version},
    spec::faults,
};
use spillgate_answers::input::Faults;
use spillgate_answers::split::json_text;

/// Answers for all zones.
pub(super) fn run(args: &WhatIfArgs, input: &MeshInput) -> Finished {
    let mut done = Done::default();
    input.warn(&mut done);
    if args.format != Format::Json {
        name_istio_version(&mut done, input.istio_version());
    }
    let mut zones = input.zones(args.mesh.compat.compat())?;
    input.warn_zones(&zones, &mut done);
    input.warn_left_out(&zones, &mut done);
    if let Some(path) = &args.config.health {
        MeshHealth::read(path)?.apply(&mut zones, &mut done)?;
    }
    let mut wrong = needs_a_view(args);
    let mut known: Vec<String> = Vec::new();
    for zone in &zones {
        let names = zone.outbound.destinations.iter().map(|of| of.name.clone());
        known.extend(names);
    }
    if !args.cluster.is_empty() {
        match matching_names("what-if/unknown-cluster", &args.cluster, &unique(known)) {
            Ok(chosen) => {
                for zone in &mut zones {
                    zone.outbound
                        .destinations
                        .retain(|of| chosen.contains(&of.name));
                }
            }
            Err(found) => found
                .iter()
                .for_each(|fault| wrong.push(&input.name, fault)),
        }
    }
    let mut losses = Vec::new();
    for text in &args.lose {
        match Loss::parse(text) {
            Ok(loss) => losses.push((text.as_str(), loss)),
            Err(found) => wrong.extend(faults("--lose", text, &found)),
        }
    }
    let mut expectations = Vec::new();
    for text in &args.expect {
        match ZonesExpectation::parse(text) {
            Ok(one) => expectations.push(one),
            Err(found) => wrong.extend(faults("--expect", text, &found)),
        }
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let client = args.client;
    if client != Client::Envoy {
        let found = ClientMatrices::of(&zones, Client::Grpc, MeshXds::Sent);
        found.warn(&input.name, input.mesh, &mut done)?;
    }
    let answer = ZonesAnswer::new(&zones, &losses, &expectations, args.n_minus, client)?;
    done.negative = answer.expectations.iter().any(|expected| !expected.ok);
    done.output = match args.format {
        Format::Json => {
            let mut value = json::value(&answer);
            add_istio_version(&mut value, input.istio_version());
            json_text(&value)
        }
        Format::Text => text::write(&answer, output_style()),
        Format::Sarif => {
            let place = SarifPlace {
                file: &input.name,
                position: Position::START,
                cluster: match args.cluster.as_slice() {
                    [only] => only,
                    _ => "",
                },
            };
            sarif::write(place, args, &answer.expectations)
        }
    };
    Ok(done)
}

/// The errors of options that need the clusters of one proxy.
fn needs_a_view(args: &WhatIfArgs) -> Faults {
    let mut wrong = Faults::default();
    let given = [
        ("--sweep", args.sweep.is_some()),
        ("--criteria", args.criteria.is_some()),
        ("--add", !args.add.is_empty()),
        ("--set", !args.set.is_empty()),
    ];
    for (option, _) in given.iter().filter(|(_, given)| *given) {
        let fault = Diagnostic::error(
            "what-if/needs-view",
            "this option needs the clusters of one proxy",
        );
        wrong.push(*option, &fault.expected("--as ZONE or --proxy NAME|FILE"));
    }
    wrong
}

/// Each name once.
fn unique(mut names: Vec<String>) -> Vec<String> {
    names.sort_unstable();
    names.dedup();
    names
}
