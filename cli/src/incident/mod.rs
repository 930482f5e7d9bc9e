//! `spillgate incident`: health over time. When Envoy notices failures, what fails until then, and when traffic is as
//! before.
//!
//! The simulation is `spillgate_incident`. This module reads scripts and clusters, runs them with several seeds, and
//! writes the answer.

mod answer;
mod args;
mod asked;
mod cluster_setups;
mod comparison;
mod csv;
mod figures;
mod json;
mod mesh_health;
mod runs;
mod svg;
mod tables;
mod text;

pub(crate) use args::{EXAMPLES, IncidentArgs};

use std::borrow::Cow;

use spillgate_answers::{
    input::{Faults, name_of, read_text},
    split::json_text,
};
use spillgate_config::{Diagnostic, envoy::Format};
use spillgate_incident::is_script;

use self::{
    answer::{ClusterIncident, IncidentAnswer},
    args::IncidentFormat,
    asked::Asked,
    cluster_setups::ClusterSetups,
    comparison::Comparison,
};
use crate::{
    client_args::Client,
    color::output_style,
    command::{Done, Finished},
    config::{Config, ConfigArgs},
    inputs::is_stdin,
    progress::Progress,
    split::Style,
};

/// Runs the command.
///
/// # Errors
/// Every error in the configuration, the script and the options.
pub(crate) fn run(args: &IncidentArgs) -> Finished {
    let args = &*with_script(args)?;
    let mut done = Done::default();
    let asked = Asked::new(args, &mut done);
    let config = read(&args.config, args, &mut done);
    let (asked, config) = match (asked, config) {
        (Ok(asked), Ok(config)) => (asked, config),
        (asked, config) => {
            let mut wrong = asked.err().unwrap_or_default();
            wrong.extend(config.err().unwrap_or_default());
            return Err(wrong);
        }
    };
    let setups = ClusterSetups::new(&config, &asked, args.criteria.as_deref(), &mut done)?;
    let progress = Progress::busy("simulating");
    let answer = IncidentAnswer::new(&config, &asked, args, setups)?;
    let comparison = compare(&asked, args, &answer, &mut done)?;
    drop(progress);
    done.negative = answer.fails();
    done.output = match args.format {
        IncidentFormat::Text => text::write(&answer, comparison.as_ref(), args, output_style()),
        IncidentFormat::Markdown => {
            text::write(&answer, comparison.as_ref(), args, Style::Markdown)
        }
        IncidentFormat::Json => json_text(&json::value(&answer, comparison.as_ref())),
        IncidentFormat::Csv | IncidentFormat::Svg => {
            done.warn_limits(&answer.limits);
            done.warn_lines(answer.doubts());
            if comparison.is_some() {
                let text = "the comparison is not in this format: --format text, json or markdown";
                done.warn_lines([text.into()]);
            }
            match args.format {
                IncidentFormat::Csv => csv::write(&answer),
                _ => svg::write(only(&answer)?),
            }
        }
    };
    Ok(done)
}

/// The last of several inputs is the script if it has `events`.
fn with_script(args: &IncidentArgs) -> Result<Cow<'_, IncidentArgs>, Faults> {
    let [_, .., last] = args.config.config.as_slice() else {
        return Ok(Cow::Borrowed(args));
    };
    if args.script.is_some() || is_stdin(last) || last.is_dir() {
        return Ok(Cow::Borrowed(args));
    }
    let text = read_text(last)?;
    if !is_script(&text.text, Format::guess(&text.name, &text.text)) {
        return Ok(Cow::Borrowed(args));
    }
    let mut args = args.clone();
    args.script = args.config.config.pop();
    Ok(Cow::Owned(args))
}

/// Reads a configuration. Health checks and outlier detection are simulated here.
fn read(of: &ConfigArgs, args: &IncidentArgs, done: &mut Done) -> Result<Config, Faults> {
    let config = of.read_for(&args.mesh, Client::Envoy)?;
    let closing = done.closing.len();
    config.warn(done);
    done.closing.truncate(closing);
    Ok(config)
}

/// The clusters with other settings, or those of another configuration.
fn compare(
    asked: &Asked,
    args: &IncidentArgs,
    answer: &IncidentAnswer,
    done: &mut Done,
) -> Result<Option<Comparison>, Faults> {
    if let Some(sweep) = &asked.sweep {
        return Comparison::of_sweep(sweep, answer, args).map(Some);
    }
    let Some(other) = &args.compare else {
        return Ok(None);
    };
    let config = read(&ConfigArgs::of(other.clone()), args, done)?;
    let setups = ClusterSetups::new(&config, asked, args.criteria.as_deref(), done)?;
    let compared = IncidentAnswer::new(&config, asked, args, setups)?;
    let name = name_of(other);
    Ok(Some(Comparison::of_other(name, answer, compared)))
}

/// The only cluster, for a picture.
fn only(answer: &IncidentAnswer) -> Result<&ClusterIncident, Faults> {
    match answer.clusters.as_slice() {
        [only] => Ok(only),
        several => {
            let names = several.iter().map(|of| of.report.cluster.as_str());
            let names: Vec<&str> = names.collect();
            let fault = Diagnostic::error("incident/which-cluster", "a picture has one cluster");
            let fault = fault.found(names.join(", ")).expected("--cluster NAME");
            Err(Faults::one("--format", &fault))
        }
    }
}
