//! `spillgate link decode`: the clusters of a link, as configuration or as tables.

use std::path::Path;

use spillgate_answers::{
    input::{Faults, read_text},
    split::split,
};
use spillgate_codec::link::{Scenario, read};
use spillgate_config::{
    Diagnostic,
    write::{Written, envoy_json, envoy_yaml},
};
use spillgate_core::model::Metadata;

use super::args::{DecodeArgs, DecodeFormat};
use crate::{
    color::output_style,
    command::{Done, Finished},
    split::to_tables,
};

/// Prints the clusters of a link.
pub(super) fn run(args: &DecodeArgs) -> Finished {
    let given = match args.link.as_str() {
        "-" => read_text(Path::new("-"))?.text,
        link => link.to_owned(),
    };
    let given = given.trim();
    let scenario = read_scenario(given)?;
    let model = scenario.model();
    let written = match args.format {
        DecodeFormat::Yaml => envoy_yaml(model, &[]),
        DecodeFormat::Json => envoy_json(model, &[]),
        DecodeFormat::Table => split(model, &[], &Metadata::default()).map(|split| Written {
            text: to_tables(&split, output_style()),
            warnings: Vec::new(),
        }),
    };
    let written = written.map_err(|faults| Faults::all("LINK", &faults))?;
    let mut done = Done::default();
    done.warn("LINK", &written.warnings);
    done.output = written.text;
    if !done.output.ends_with('\n') {
        done.output.push('\n');
    }
    Ok(done)
}

/// The scenario of a link, or of its fragment alone.
///
/// # Errors
/// If it is unreadable.
pub(crate) fn read_scenario(link: &str) -> Result<Scenario, Faults> {
    // The part before the fragment is the URL of the playground.
    let fragment = link.split_once('#').map_or(link, |(_, fragment)| fragment);
    read(fragment).map_err(|error| {
        let what = format!("cannot read link: {error}");
        Faults::one("LINK", &Diagnostic::error("link/unreadable", what))
    })
}
