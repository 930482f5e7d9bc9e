//! Documents of a mesh without a point of view: what a change does to the traffic of each zone.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use spillgate_answers::input::Faults;
use spillgate_config::{Diagnostic, DiagnosticSeverity};

use super::{
    answer::DiffAnswer,
    args::{DiffArgs, DiffFormat},
    json, markdown,
    page_links::page_links,
    sarif::NewFindings,
    text,
};
use crate::{
    color::output_style,
    command::{Done, Finished},
    config::zones_of,
    markdown_text::escaped,
    mesh::MeshArgs,
    sides::{GivenSide, Side, read_sides},
};
use spillgate_answers::split::json_text;

/// The zones of both sides.
pub(super) struct Zones {
    /// The zones of both, by name.
    both: Vec<String>,
    removed: Vec<String>,
    added: Vec<String>,
}

/// The zones, if both sides are documents of a mesh with a zone in common, and the arguments choose no point of view.
/// Faults of a side, and a missing point of view, are left to its reader.
pub(super) fn zones(args: &DiffArgs, (old, new): &(GivenSide, GivenSide)) -> Option<Zones> {
    let (old, new) = (names(old, &args.mesh)?, names(new, &args.mesh)?);
    let both: Vec<String> = old.intersection(&new).cloned().collect();
    (!both.is_empty()).then(|| Zones {
        both,
        removed: old.difference(&new).cloned().collect(),
        added: new.difference(&old).cloned().collect(),
    })
}

/// The zones of a side; `None` unless it is documents of a mesh, and the arguments choose no point of view.
fn names(side: &GivenSide, mesh: &MeshArgs) -> Option<BTreeSet<String>> {
    let input = zones_of(side.of_mesh()?, mesh).ok()??;
    let zones = input.zones(mesh.compat.compat()).ok()?;
    Some(zones.into_iter().map(|zone| zone.name).collect())
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
    let has = |side: &GivenSide| names(side, &mesh).is_some_and(|names| names.contains(zone));
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
    done.negative = answers.iter().any(|(_, answer)| answer.negative);
    done.output = match args.format {
        DiffFormat::Json => {
            let values = answers.iter().map(|(zone, answer)| {
                let mut value = answer.value.clone();
                if let Some(value) = value.as_object_mut() {
                    value.insert("zone".into(), json!(zone));
                }
                value
            });
            json_text(&json!({
                "zones": values.collect::<Value>(),
                "added_zones": zones.added,
                "removed_zones": zones.removed,
            }))
        }
        DiffFormat::Sarif => {
            NewFindings::merged(answers.into_iter().map(|(_, of)| of.findings)).log()
        }
        DiffFormat::Text => listed(
            zones,
            &answers,
            |zone, output| format!("zone {zone}: {output}\n"),
            |zone, what| format!("zone {zone}: {what}\n"),
        ),
        DiffFormat::Markdown => listed(
            zones,
            &answers,
            |zone, output| format!("## zone {}\n\n{output}\n", escaped(zone)),
            |zone, what| format!("- zone {}: {what}\n", escaped(zone)),
        ),
    };
    Ok(done)
}

/// The answer of a zone.
struct ZoneAnswer {
    output: String,
    value: Value,
    /// For [`DiffFormat::Sarif`].
    findings: NewFindings,
    negative: bool,
    is_equal: bool,
}

fn of_zone(
    args: &DiffArgs,
    sides: &(GivenSide, GivenSide),
    zone: &str,
    done: &mut Done,
) -> Result<ZoneAnswer, Faults> {
    let args = DiffArgs {
        mesh: MeshArgs {
            zone: Some(zone.to_owned()),
            ..args.mesh.clone()
        },
        ..args.clone()
    };
    let mut own = Done::default();
    let (old, new) = read_sides(sides.clone(), &args.mesh, &mut own)?;
    for warning in own.warnings {
        if !done.warnings.contains(&warning) {
            done.warnings.push(warning);
        }
    }
    let answer = DiffAnswer::new(&old, &new, &args)?;
    Ok(ZoneAnswer {
        output: match args.format {
            DiffFormat::Text => text::write(&answer, &args, output_style()),
            DiffFormat::Markdown => markdown::write(&answer, &page_links(&answer, &args)?),
            DiffFormat::Sarif | DiffFormat::Json => String::new(),
        },
        findings: if args.format == DiffFormat::Sarif {
            NewFindings::of(&answer)
        } else {
            NewFindings::default()
        },
        value: if args.format == DiffFormat::Json {
            json::value(&answer)
        } else {
            Value::Null
        },
        negative: answer.expectations.iter().any(|expected| !expected.ok),
        is_equal: answer.is_proved_equal(),
    })
}

/// The zones with a difference, each written by `whole` with its answer; then the others, each written by `line`.
fn listed(
    zones: &Zones,
    answers: &[(&str, ZoneAnswer)],
    whole: impl Fn(&str, &str) -> String,
    line: impl Fn(&str, &str) -> String,
) -> String {
    let mut output = String::new();
    for (zone, answer) in answers.iter().filter(|(_, of)| !of.is_equal || of.negative) {
        output.push_str(&whole(zone, &answer.output));
    }
    let equal = answers.iter().filter(|(_, answer)| answer.is_equal);
    let equal: Vec<&str> = equal.map(|(zone, _)| *zone).collect();
    for (names, what) in [
        (equal, "no request differs (proved)"),
        (
            zones.added.iter().map(String::as_str).collect(),
            "only the new side has it",
        ),
        (
            zones.removed.iter().map(String::as_str).collect(),
            "only the old side has it",
        ),
    ] {
        for name in names {
            output.push_str(&line(name, what));
        }
    }
    output
}
