//! `spillgate diff`: what a change of a configuration does to its traffic.
//!
//! The comparison is in `spillgate-diff`. This module writes the answer.

mod answer;
mod args;
mod commands;
mod connection;
mod expectations;
mod json;
mod markdown;
#[cfg(test)]
mod mesh_mutations;
#[cfg(test)]
mod mutation_tests;
mod page_links;
mod sarif;
mod summary;
mod text;
mod zones;

pub(crate) use args::{DiffArgs, EXAMPLES};

use self::{answer::DiffAnswer, args::DiffFormat, page_links::page_links, sarif::NewFindings};
use crate::{
    color::output_style,
    command::{Done, Finished},
    progress::Progress,
    sides::read_sides,
};
use spillgate_answers::split::json_text;

/// Runs the command.
///
/// # Errors
/// Every error of both sides and of the options.
pub(crate) fn run(args: &DiffArgs) -> Finished {
    let progress = Progress::busy("comparing");
    let sides = args.given().given()?;
    if let Some(zones) = zones::zones(args, &sides) {
        return zones::run(args, &sides, &zones);
    }
    let mut done = Done::default();
    let given = args.mesh.zone.is_some().then(|| sides.clone());
    let (old, new) = read_sides(sides, &args.mesh, &mut done)?;
    if let Some(given) = given {
        zones::check_view(args, &given, (&old, &new))?;
    }
    let answer = DiffAnswer::new(&old, &new, args)?;
    drop(progress);
    done.negative = answer.expectations.iter().any(|expected| !expected.ok);
    done.output = match args.format {
        DiffFormat::Text => text::write(&answer, args, output_style()),
        DiffFormat::Json => json_text(&json::value(&answer)),
        DiffFormat::Markdown => markdown::write(&answer, &page_links(&answer, args)?),
        DiffFormat::Sarif => NewFindings::of(&answer).log(),
    };
    Ok(done)
}
