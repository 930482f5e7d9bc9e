//! The answer of one zone.

use serde_json::Value;
use spillgate_answers::input::Faults;

use crate::{
    color::output_style,
    command::Done,
    diff::{
        answer::DiffAnswer,
        args::{DiffArgs, DiffFormat},
        json, markdown,
        page_links::page_links,
        sarif::NewFindings,
        text,
    },
    mesh::MeshArgs,
    sides::{GivenSide, read_sides},
};

/// The answer of a zone.
pub(super) struct ZoneAnswer {
    pub(super) output: String,
    pub(super) value: Value,
    /// For [`DiffFormat::Sarif`].
    pub(super) findings: NewFindings,
    pub(super) negative: bool,
    pub(super) is_equal: bool,
    /// Whether every request gets the same route and host; what differs is in `not_compared`.
    pub(super) has_equal_choices: bool,
    pub(super) not_compared: Vec<String>,
}

pub(super) fn of_zone(
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
    let mut answer = DiffAnswer::new(&old, &new, &args)?;
    answer.is_one_of_several = true;
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
        has_equal_choices: answer.has_equal_choices(),
        not_compared: answer.not_compared,
    })
}
