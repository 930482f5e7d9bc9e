//! Holds the failed and retried requests that `spillgate incident` predicts against the real Envoy; `cargo xtask
//! reliability incident-requests` starts it.

use std::process::ExitCode;

use anyhow::Result;
use spillgate_e2e::incident_requests::{parse, replay, run};
use spillgate_e2e::{Workdir, figure};
use spillgate_testkit::exit_code;

fn main() -> ExitCode {
    exit_code(start())
}

fn start() -> Result<ExitCode> {
    let settings = parse(lexopt::Parser::from_env())?;
    let summary = match &settings.replay {
        Some(logs) => replay(&settings, logs)?,
        None => run(&settings, &Workdir::new("incident_requests")?)?,
    };
    println!("{summary}");
    if summary.outside() == 0 && summary.has_compared() {
        figure(format_args!("seed {}: {}", settings.seed, summary.figure()));
        Ok(ExitCode::SUCCESS)
    } else {
        Ok(ExitCode::FAILURE)
    }
}
