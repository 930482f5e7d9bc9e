//! Holds health checks and outlier detection over time against the real Envoy; `cargo xtask reliability
//! health-over-time` starts it.

use std::process::ExitCode;

use anyhow::Result;
use spillgate_e2e::health_time::{parse, replay, run};
use spillgate_e2e::{Workdir, figure};
use spillgate_testkit::exit_code;

/// The part of all checks that must be within the bound of the control.
const IN_TIME: f64 = 0.99;

fn main() -> ExitCode {
    exit_code(start())
}

fn start() -> Result<ExitCode> {
    let settings = parse(lexopt::Parser::from_env())?;
    let summary = match &settings.replay {
        Some(logs) => replay(&settings, logs)?,
        None => run(&settings, &Workdir::new("health_time")?)?,
    };
    println!("{summary}");
    let (in_time, timed) = summary.in_time();
    let is_in_time = timed > 0 && in_time as f64 >= IN_TIME * timed as f64;
    if summary.is_right() && summary.has_compared() && is_in_time {
        figure(format_args!("seed {}: {}", settings.seed, summary.figure()));
        Ok(ExitCode::SUCCESS)
    } else {
        Ok(ExitCode::FAILURE)
    }
}
