//! The share of each host of an Envoy configuration in YAML:
//! `cargo run --example shares -- envoy.yaml`

use std::process::ExitCode;

use spillgate_config::envoy::{Format, read};
use spillgate_core::snapshot::Snapshot;

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: shares FILE");
        return ExitCode::from(2);
    };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::from(2);
        }
    };
    let config = match read(&text, Format::Yaml) {
        Ok(config) => config,
        Err(faults) => {
            for fault in faults {
                eprintln!("{path}:{fault}");
            }
            return ExitCode::from(2);
        }
    };
    let snapshot = Snapshot::build(&config.model);
    for cluster in config.model.clusters() {
        let Some(id) = snapshot.cluster_id(&cluster.name) else {
            continue;
        };
        let distribution = snapshot.distribution(id, None);
        println!(
            "{}: {:.1} % without a host",
            cluster.name, distribution.no_host
        );
        for share in distribution.shares {
            println!(
                "  P{} host {}: {:.1} %",
                share.priority, share.host, share.share
            );
        }
    }
    ExitCode::SUCCESS
}
