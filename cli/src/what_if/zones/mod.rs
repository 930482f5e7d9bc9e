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
    if let Some(name) = &args.cluster {
        let mut known: Vec<&str> = Vec::new();
        for zone in &zones {
            let names = zone.outbound.destinations.iter().map(|of| of.name.as_str());
            known.extend(names);
        }
        if !known.contains(&name.as_str()) {
            let fault = Diagnostic::error("what-if/unknown-cluster", "--cluster: unknown cluster")
                .found(format!("{name:?}"))
                .expected(format!("one of {}", unique(&known).join(", ")))
                .suggest(spillgate_config::nearest(name, known.iter().copied()));
            wrong.push(&input.name, &fault);
        }
        for zone in &mut zones {
            zone.outbound.destinations.retain(|of| of.name == *name);
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
                cluster: args.cluster.as_deref().unwrap_or_default(),
            };
            sarif::write(place, &args.lose, &answer.expectations)
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
fn unique<'n>(names: &[&'n str]) -> Vec<&'n str> {
    let mut names = names.to_vec();
    names.sort_unstable();
    names.dedup();
    names
}
