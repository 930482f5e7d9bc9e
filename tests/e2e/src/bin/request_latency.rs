//! Measures the latency of requests with each filter in a real Envoy, and the highest rate.

use std::time::Duration;

use anyhow::{Context as _, Result};
use lexopt::prelude::*;
use spillgate_e2e::cost::{LatencySettings, latency};
use spillgate_e2e::figure;

fn main() -> Result<()> {
    let mut settings = LatencySettings::default();
    let mut parser = lexopt::Parser::from_env();
    while let Some(argument) = parser.next()? {
        match argument {
            Long("rounds") => settings.rounds = parser.value()?.parse()?,
            Long("seconds") => settings.time = Duration::from_secs(parser.value()?.parse()?),
            Long("rate") => settings.rate = parser.value()?.parse()?,
            other => {
                return Err(other.unexpected()).context("--rounds N, --seconds S, --rate R");
            }
        }
    }
    for row in latency(&settings)? {
        let [half, most, nearly_all] = row.latency;
        figure(format_args!(
            "{}: p50 {half:.0} us, p99 {most:.0} us, p999 {nearly_all:.0} us at {} requests a second, \
             at most {:.0} a second",
            row.name, settings.rate, row.most
        ));
    }
    Ok(())
}
