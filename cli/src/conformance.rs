//! `spillgate conformance`: its arguments, and the reports of `spillgate-conformance` as output.

use std::path::PathBuf;

use clap::ValueEnum;
use spillgate_conformance::{ConformanceRun, Unit, to_json};

use crate::{
    clock::present,
    command::{Done, Finished},
    progress::Progress,
};

/// The examples of the help text.
pub(crate) const EXAMPLES: &str = "Examples:\n  \
    spillgate conformance vectors/envoy/priority_load.json --family priority_load\n  \
    spillgate conformance vectors/oracle --envoy /usr/local/bin/envoy";

/// The options of `spillgate conformance`.
#[derive(Debug, clap::Args)]
pub(crate) struct ConformanceArgs {
    /// Vector file, scenario folder, or folder of these.
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Run only these vector kinds and scenario families [default: all].
    #[arg(long = "family", value_name = "F,...", value_delimiter = ',')]
    families: Vec<String>,
    /// Replay the scenarios on this Envoy and report each difference from the recording.
    #[arg(long, value_name = "BIN")]
    envoy: Option<PathBuf>,
    /// Output format: text (failures and totals), json (all units).
    #[arg(long, value_enum, default_value_t = ReportFormat::Text, hide_possible_values = true)]
    format: ReportFormat,
}

/// The output format of a conformance report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReportFormat {
    /// Failed units, then the totals.
    Text,
    /// Every unit with its differences (docs/schemas/conformance.schema.json).
    Json,
}

/// Runs the command.
pub(crate) fn run(args: &ConformanceArgs) -> Finished {
    let progress = Progress::counting("compared");
    let observe = &mut |unit: &Unit| progress.step(&unit.name);
    let chosen = ConformanceRun {
        paths: &args.paths,
        families: &args.families,
        now: present(),
    };
    let report = match &args.envoy {
        Some(envoy) => chosen.replay(envoy, observe)?,
        None => chosen.compare(observe)?,
    };
    Ok(Done {
        output: match args.format {
            ReportFormat::Text => report.to_string(),
            ReportFormat::Json => to_json(&report),
        },
        negative: report.failed() > 0,
        ..Done::default()
    })
}
