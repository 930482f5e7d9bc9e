//! `spillgate fleet`: the load of each host over all callers, and whether the other zones survive.
//!
//! The figures come from `spillgate_sim::fleet`. This module reads the callers and writes the answer.

mod answer;
mod args;
mod asked;
mod callers;
mod csv;
mod figures;
mod file;
mod json;
mod objects;
mod pods;
mod series;
mod stated;
mod svg;
mod tables;
mod text;
mod views;

pub(crate) use args::{EXAMPLES, FleetArgs};

use spillgate_answers::{input::Faults, split::json_text};
use spillgate_config::Diagnostic;

use self::{
    answer::FleetAnswer, args::FleetFormat, asked::Asked, callers::FleetCallers, file::FleetFile,
    views::Views,
};
use crate::{
    client_args::Client,
    color::output_style,
    command::{Done, Finished},
    progress::Progress,
    split::Style,
};

/// Runs the command.
///
/// # Errors
/// Every error in the configuration, in the options and in the file of `--fleet`.
pub(crate) fn run(args: &FleetArgs) -> Finished {
    let mut done = Done::default();
    let views_of_one = [("--as", &args.mesh.zone), ("--proxy", &args.mesh.proxy)];
    if let Some((option, _)) = views_of_one.into_iter().find(|(_, given)| given.is_some()) {
        let what = format!("{option}: the answer is about the callers of all zones");
        let fault = Diagnostic::error("fleet/point-of-view", what);
        return Err(Faults::one(option, &fault.expected("no point of view")));
    }
    let file = match &args.fleet {
        Some(path) => file::read(path, &mut done),
        None => Ok(FleetFile::default()),
    };
    let (mut file, views) = match (file, views(args, &mut done)) {
        (Ok(file), Ok(views)) => (file, views),
        (file, views) => {
            let mut wrong = file.err().unwrap_or_default();
            wrong.extend(views.err().unwrap_or_default());
            return Err(wrong);
        }
    };
    let callers = FleetCallers::read(args, file.callers.take(), &views, &mut done);
    let asked = Asked::new(args, file, &views, callers)?;
    let progress = Progress::busy("adding loads");
    let answer = FleetAnswer::new(asked, views)?;
    drop(progress);
    done.negative = answer.expectations.iter().any(|expected| !expected.ok);
    done.output = match args.format {
        FleetFormat::Text => text::write(&answer, args, output_style()),
        FleetFormat::Markdown => text::write(&answer, args, Style::Markdown),
        FleetFormat::Json => json_text(&json::value(&answer)),
        FleetFormat::Csv | FleetFormat::Svg => {
            done.warn_limits(&answer.limits);
            match args.format {
                FleetFormat::Csv => csv::write(&answer),
                _ => svg::write(&answer),
            }
        }
    };
    Ok(done)
}

fn views(args: &FleetArgs, done: &mut Done) -> Result<Views, Faults> {
    match args.config.read_zones(&args.mesh)? {
        Some(input) => Views::of_mesh(&input, args, done),
        None => {
            let config = args.config.read_for(&args.mesh, Client::Envoy)?;
            Views::of_config(&config, args, done)
        }
    }
}
