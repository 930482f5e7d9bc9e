//! `spillgate simulate`: tests sessions while hosts fail, drain and move, gateways receive updates
//! late and keys rotate.
//!
//! The simulator and its rules are in `spillgate-sim`. This module reads scenarios, runs them with
//! many seeds and prints the results.

mod args;
mod file;
mod log;
mod runs;
mod simulation;
mod text;

pub use args::{EXAMPLES, SimulateArgs};
pub use simulation::SimulationReport;

use self::args::Format;
use crate::{
    command::{Done, Finished},
    progress::Progress,
};
use spillgate_answers::split::json_text;

/// Runs the scenario.
///
/// # Errors
/// Every error of the scenario and of the configuration that it names.
pub fn run(args: &SimulateArgs) -> Finished {
    let mut done = Done::default();
    let file = file::read(&args.scenario, &mut done)?;
    let seed = args.seed.unwrap_or(file.seed);
    if args.log {
        let log = log::write(&file.plan, seed);
        done.output.push_str(&log);
    }
    let progress = Progress::busy("simulating");
    let ran = runs::run(&file.plan, seed, args.runs);
    drop(progress);
    let answer = SimulationReport::new(&args.scenario, &file.plan, &ran);
    done.negative = answer.violation.is_some();
    done.output.push_str(&match args.format {
        Format::Json => json_text(&answer),
        Format::Text => text::write(&answer),
    });
    Ok(done)
}
