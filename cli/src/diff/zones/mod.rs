//! Documents of a mesh without a point of view: what a change does to the traffic of each zone.

mod one_sided;
mod output;
mod traffic;
mod zone_answer;

use std::collections::BTreeSet;

use spillgate_answers::input::Faults;
use spillgate_config::{
    Diagnostic, DiagnosticSeverity,
    mesh::{MeshZone, traffic_matrices},
};
use spillgate_mesh::traffic::{TrafficCellChange, traffic_changes};

use self::zone_answer::{ZoneAnswer, of_zone};
use super::{answer::ExpectedChange, args::DiffArgs};
use crate::{
    command::{Done, Finished},
    config::zones_of,
    mesh::MeshArgs,
    sides::{GivenSide, Side},
};

/// The zones of both sides.
pub(super) struct Zones {
    /// The zones of both, by name.
    both: Vec<String>,
    removed: Vec<String>,
    added: Vec<String>,
    /// The traffic between zones that changes, worst first.
    traffic: Vec<TrafficCellChange>,
}

/// The answers of all zones.
struct ZonesAnswer<'z> {
    zones: &'z Zones,
    /// Those of both sides, by name.
    answers: Vec<(&'z str, ZoneAnswer)>,
    /// The fields and documents that are not compared and differ, of the whole mesh.
    not_compared: Vec<String>,
    /// The expectations in the zones that only one side has.
    expectations: Vec<ExpectedChange>,
}

/// The zones, if both sides are documents of a mesh with a zone in common, and the arguments choose no point of view.
/// Faults of a side, and a missing point of view, are left to its reader.
pub(super) fn zones(args: &DiffArgs, (old, new): &(GivenSide, GivenSide)) -> Option<Zones> {
    let (old, new) = (views(old, &args.mesh)?, views(new, &args.mesh)?);
    let (of_old, of_new) = (names(&old), names(&new));
    let both: Vec<String> = of_old.intersection(&of_new).cloned().collect();
    (!both.is_empty()).then(|| Zones {
        both,
        removed: of_old.difference(&of_new).cloned().collect(),
        added: of_new.difference(&of_old).cloned().collect(),
        traffic: traffic_changes(&traffic_matrices(&old), &traffic_matrices(&new)),
    })
}

/// The views of the zones of a side; `None` unless it is documents of a mesh, and the arguments choose no point of view.
fn views(side: &GivenSide, mesh: &MeshArgs) -> Option<Vec<MeshZone>> {
    let input = zones_of(side.of_mesh()?, mesh).ok()??;
    input.zones(mesh.compat.compat()).ok()
}

fn names(views: &[MeshZone]) -> BTreeSet<String> {
    views.iter().map(|zone| zone.name.clone()).collect()
}

/// Refuses a point of view in a zone that neither side has: from there, all documents look the same.
///
/// # Errors
/// If both sides lack the zone. One of them can lack it: then a zone comes or goes.
pub(super) fn check_view(
    args: &DiffArgs,
    given: &(GivenSide, GivenSide),
    (old, new): (&Side, &Side),
) -> Result<(), Faults> {
    let Some(zone) = &args.mesh.zone else {
        return Ok(());
    };
    let (Some(of_old), Some(of_new)) = (no_endpoint(old), no_endpoint(new)) else {
        return Ok(());
    };
    let mesh = MeshArgs {
        zone: None,
        ..args.mesh.clone()
    };
    // A zone can have callers only.
    let has = |side: &GivenSide| views(side, &mesh).is_some_and(|all| names(&all).contains(zone));
    if has(&given.0) || has(&given.1) {
        return Ok(());
    }
    let mut faults = Faults::one(&old.name, &of_old);
    faults.extend(Faults::one(&new.name, &of_new));
    Err(faults)
}

/// The error of a point of view in a zone without endpoints.
fn no_endpoint(side: &Side) -> Option<Diagnostic> {
    let mut warnings = side.config.envoy.warnings.iter();
    let warning = warnings.find(|found| found.code == "mesh/unknown-zone")?;
    Some(Diagnostic {
        severity: DiagnosticSeverity::Error,
        ..warning.clone()
    })
}

/// Compares the view of each zone.
///
/// # Errors
/// Every error of a zone.
pub(super) fn run(args: &DiffArgs, sides: &(GivenSide, GivenSide), zones: &Zones) -> Finished {
    let mut done = Done::default();
    let mut faults = Faults::default();
    let mut answers = Vec::new();
    for zone in &zones.both {
        match of_zone(args, sides, zone, &mut done) {
            Ok(answer) => answers.push((zone.as_str(), answer)),
            // The zones have most faults in common.
            Err(wrong) if faults.is_empty() => faults = wrong,
            Err(_) => {}
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut not_compared: BTreeSet<String> = BTreeSet::new();
    for (_, answer) in &answers {
        not_compared.extend(answer.not_compared.iter().cloned());
    }
    let answer = ZonesAnswer {
        zones,
        answers,
        not_compared: not_compared.into_iter().collect(),
        expectations: one_sided::expectations(args, zones),
    };
    let in_a_zone = answer.answers.iter().any(|(_, answer)| answer.negative);
    done.negative = in_a_zone || !answer.expectations.is_empty();
    done.output = output::write(answer, args);
    Ok(done)
}
