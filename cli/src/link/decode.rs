//! `spillgate link decode`: the clusters of a link, as configuration or as tables.

use std::path::Path;

use spillgate_answers::{
    input::{Faults, read_text},
    split::split,
};
use spillgate_codec::link::{OldSide, Scenario};
use spillgate_config::{
    Diagnostic,
    node::quote,
    write::{Written, envoy_json, envoy_yaml},
};
use spillgate_core::model::Metadata;

use super::args::{DecodeArgs, DecodeFormat, LinkSide};
use crate::{
    color::output_style,
    command::{Done, Finished},
    given_link::{read_old_side, read_scenario},
    split::to_tables,
};

/// Prints the clusters of a link.
pub(super) fn run(args: &DecodeArgs) -> Finished {
    let given = match args.link.as_str() {
        "-" => read_text(Path::new("-"))?.text,
        link => link.to_owned(),
    };
    let given = given.trim();
    let new = read_scenario(given)?;
    let mut done = Done::default();
    done.output = match (read_old_side(given)?, args.side) {
        (None, LinkSide::Old) => return Err(no_old_side()),
        (None, _) | (Some(_), LinkSide::New) => text(&new, args.format, &mut done)?,
        (Some(old), LinkSide::Old) => text(&old.scenario, args.format, &mut done)?,
        (Some(old), LinkSide::Both) => both(&old, &new, args.format, &mut done)?,
    };
    Ok(done)
}

fn no_old_side() -> Faults {
    let fault = Diagnostic::error("link/no-old-side", "the link does not compare two sides")
        .found(quote("old"))
        .expected("no --side, or a link of `link encode --diff`");
    Faults::one("--side", &fault)
}

/// Both sides: documents of one stream, a JSON object with the keys `old` and `new`, or tables with headings.
fn both(
    old: &OldSide,
    new: &Scenario,
    format: DecodeFormat,
    done: &mut Done,
) -> Result<String, Faults> {
    let before = text(&old.scenario, format, done)?;
    let after = text(new, format, done)?;
    Ok(match format {
        DecodeFormat::Yaml => format!("# The old side.\n{before}---\n# The new side.\n{after}"),
        DecodeFormat::Json => {
            format!(
                "{{\n\"old\": {},\n\"new\": {}\n}}\n",
                before.trim_end(),
                after.trim_end()
            )
        }
        DecodeFormat::Table => format!("old side\n\n{before}\nnew side\n\n{after}"),
    })
}

/// One side. Adds a warning for each setting that the format cannot express.
fn text(scenario: &Scenario, format: DecodeFormat, done: &mut Done) -> Result<String, Faults> {
    let model = scenario.model();
    let written = match format {
        DecodeFormat::Yaml => envoy_yaml(model, &[]),
        DecodeFormat::Json => envoy_json(model, &[]),
        DecodeFormat::Table => split(model, &[], &Metadata::default()).map(|split| Written {
            text: to_tables(&split, output_style()),
            warnings: Vec::new(),
        }),
    };
    let written = written.map_err(|faults| Faults::all("LINK", &faults))?;
    done.warn("LINK", &written.warnings);
    let mut text = written.text;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}
