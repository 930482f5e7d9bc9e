//! Holds the comparison of configurations against the real Envoy; `cargo xtask reliability diff` starts it.

use std::process::ExitCode;

use anyhow::Result;
use spillgate_e2e::diff_truth::{parse, run};
use spillgate_e2e::{Workdir, figure};
use spillgate_testkit::exit_code;

fn main() -> ExitCode {
    exit_code(start())
}

fn start() -> Result<ExitCode> {
    let settings = parse(lexopt::Parser::from_env())?;
    let workdir = Workdir::new("diff_truth")?;
    let summary = run(&settings, &workdir)?;
    println!("{summary}");
    if summary.wrong.is_empty() {
        figure(format_args!("seed {}: {}", settings.seed, summary.figure()));
        Ok(ExitCode::SUCCESS)
    } else {
        Ok(ExitCode::FAILURE)
    }
}
