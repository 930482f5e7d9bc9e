//! Measures the cost of the filter in a real Envoy, a line of JSON for each figure; `cargo xtask
//! bench` starts it.

use anyhow::{Context as _, Result};
use lexopt::prelude::*;
use spillgate_e2e::cost::{CostSettings, drive, instructions, run};

fn main() -> Result<()> {
    let mut settings = CostSettings::default();
    let (mut driven, mut counts) = (None, false);
    let mut parser = lexopt::Parser::from_env();
    while let Some(argument) = parser.next()? {
        match argument {
            Long("rounds") => settings.rounds = parser.value()?.parse()?,
            Long("samples") => settings.samples = parser.value()?.parse()?,
            Long("requests") => settings.requests = parser.value()?.parse()?,
            Long("no-hostcalls") => settings.hostcalls = false,
            Long("instructions") => counts = true,
            Long("drive") => driven = Some(parser.value()?.string()?),
            other => {
                return Err(other.unexpected()).context(
                    "--rounds N, --samples N, --requests N, --no-hostcalls, --instructions, --drive VARIANT",
                );
            }
        }
    }
    if let Some(variant) = driven {
        return drive(&variant, settings.requests);
    }
    if counts {
        for row in instructions()? {
            println!("{}", row.json("instructions"));
        }
        return Ok(());
    }
    for row in run(&settings)? {
        println!("{}", row.json("us"));
    }
    Ok(())
}
