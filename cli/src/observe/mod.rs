//! `spillgate observe`: compares predicted shares with the requests that a running Envoy counts.
//!
//! The statistics are in `spillgate-observe`. This module reads the counters, chooses the clusters and writes
//! the comparison as text or JSON.

mod args;
mod comparison;
mod confidence;
mod counted;
mod json;
mod model;
mod notes;
mod text;

pub(crate) use args::{EXAMPLES, ObserveArgs};
pub(crate) use comparison::{ComparedCluster, ComparedShare, compare};
pub(crate) use counted::CountedRequests;
pub(crate) use model::PredictedModel;

use spillgate_config::Diagnostic;
use spillgate_core::snapshot::Snapshot;

use self::{args::ObserveFormat, comparison::Comparison};
use crate::{
    color::output_style,
    command::{Done, Finished},
    progress::Progress,
    running::{client_of, positive_time},
    spec::criteria,
};
use spillgate_answers::{
    input::Faults,
    split::{json_text, split_of},
};

/// The most comparisons: one that hosts or health change during is made again.
const ATTEMPTS: usize = 3;

/// Runs the command.
///
/// # Errors
/// Every error of the arguments, of the configuration and of the responses.
pub(crate) fn run(args: &ObserveArgs) -> Finished {
    let client = client_of("URL", &args.url, args.timeout.as_deref())?;
    let interval = positive_time("--interval", &args.interval)?;
    if interval > args::LONGEST {
        let fault = Diagnostic::error("observe/interval", "interval is too long")
            .found(&*args.interval)
            .expected("at most 1h");
        return Err(Faults::one("--interval", &fault));
    }
    for _ in 0..ATTEMPTS {
        let mut done = Done::default();
        let model = PredictedModel::read(&client, args.config.as_deref(), &mut done)?;
        let mut names = model.chosen(&args.clusters)?;
        let left_out = match args.criteria {
            None => model.without_criteria(&mut names),
            Some(_) => Vec::new(),
        };
        let criteria = criteria(&model.model, args.criteria.as_deref())?;
        let progress = Progress::busy("counting requests");
        let counted = CountedRequests::read(&client, &model.counted(&names), interval)?;
        drop(progress);
        let Some(counted) = counted else {
            continue;
        };
        let snapshot = Snapshot::build(&model.model);
        let mut split = split_of(&model.model, &snapshot, &names, &criteria);
        if names.is_empty() {
            // No name asks for all clusters.
            split.clusters.clear();
        }
        let comparison = Comparison::new(&split, &counted, args.keys);
        let mut notes = notes::notes(&model, &comparison, args.keys);
        // Without these clusters, there may have been nothing to count.
        if !left_out.is_empty() && names.is_empty() {
            notes.clear();
        }
        notes.extend(left_out);
        done.negative = !comparison.agrees();
        done.output = match args.format {
            ObserveFormat::Text => text::write(&comparison, &notes, &args.interval, output_style()),
            ObserveFormat::Json => json_text(&json::value(&comparison, &notes)),
        };
        return Ok(done);
    }
    let what = "hosts, health or counters changed during every interval; use a shorter --interval";
    let fault = Diagnostic::error("observe/changing", what);
    let name = client.url().to_string();
    Err(Faults::one(
        &name,
        &fault.found(format!("{ATTEMPTS} changes")),
    ))
}
