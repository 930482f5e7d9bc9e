//! From a link to what it says.

use std::path::Path;

use spillgate_config::Diagnostic;
use spillgate_link::{Scenario, read};

use super::args::{DecodeArgs, DecodeFormat};
use crate::{
    command::Done,
    input::{Faults, read_text},
    run::{Finished, colours},
    split::{self, Style},
};

/// Prints the clusters of a link.
pub(super) fn run(args: &DecodeArgs) -> Finished {
    let given = match args.link.as_str() {
        "-" => read_text(Path::new("-"))?.text,
        link => link.to_owned(),
    };
    let given = given.trim();
    // Whatever stands before the fragment is the address of the page.
    let fragment = given
        .split_once('#')
        .map_or(given, |(_, fragment)| fragment);
    let scenario: Scenario = read(fragment).map_err(|error| {
        let what = format!("the link cannot be opened: {error}");
        Faults::one("LINK", &Diagnostic::error("link/unreadable", what))
    })?;
    let output = match args.format {
        DecodeFormat::Table => table(&scenario)?,
    };
    Ok(Done {
        output,
        ..Done::default()
    })
}

fn table(scenario: &Scenario) -> Result<String, Faults> {
    let shown =
        split::split(&scenario.model(), &[]).map_err(|faults| Faults::all("LINK", &faults))?;
    let style = if colours() {
        Style::Coloured
    } else {
        Style::Plain
    };
    Ok(split::to_tables(&shown, style))
}
