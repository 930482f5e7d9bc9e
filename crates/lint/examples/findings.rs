//! The findings of lint in an Envoy configuration in YAML: `cargo run --example findings -- envoy.yaml`

use std::process::ExitCode;

use spillgate_config::envoy::{Format, ReadOptions, read_for_lint};
use spillgate_lint::lint;

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: findings FILE");
        return ExitCode::from(2);
    };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::from(2);
        }
    };
    let config = match read_for_lint(&text, Format::Yaml, &ReadOptions::default()) {
        Ok(config) => config,
        Err(faults) => {
            for fault in faults {
                eprintln!("{path}:{fault}");
            }
            return ExitCode::from(2);
        }
    };
    for finding in lint(&config) {
        let (position, rule) = (finding.position, finding.rule);
        println!(
            "{path}:{position}: {rule}: {}. Fix: {}.",
            finding.message(),
            finding.fix
        );
    }
    ExitCode::SUCCESS
}
