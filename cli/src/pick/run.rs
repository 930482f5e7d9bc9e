//! Runs `spillgate pick`: reads CONFIG and REQUESTS and prints one line per row.

use std::path::Path;

use spillgate_config::steered::steering_configs_with;
use spillgate_core::snapshot::Snapshot;

use super::{Answerer, CountField, listener_of, read_requests};
use crate::{
    clock::present,
    command::Done,
    config::ConfigArgs,
    input::{Faults, read_text},
    session_keys::of_variable,
    steered::SteeringFilters,
};

/// Answers every row of `requests` with the routes of a listener, one JSON object per line.
///
/// # Errors
/// Every error of both files, and an unknown listener.
pub fn run(config: &ConfigArgs, requests: &Path, listener: Option<&str>) -> Result<Done, Faults> {
    config.check_stdin(requests, "REQUESTS")?;
    let config = config.read();
    let rows = read_text(requests).and_then(|text| {
        read_requests(&text.text, "localhost", CountField::Rejected)
            .map_err(|faults| Faults::all(&text.name, &faults))
    });
    // The errors of both files are shown at once.
    let (config, rows) = match (config, rows) {
        (Ok(config), Ok(rows)) => (config, rows),
        (config, rows) => {
            let mut faults = Faults::default();
            faults.extend(config.err().unwrap_or_default());
            faults.extend(rows.err().unwrap_or_default());
            return Err(faults);
        }
    };
    let mut done = Done::default();
    config.warn(&mut done);
    let chosen = listener_of(&config.envoy, listener).map_err(|fault| {
        let mut faults = Faults::one(config.files(), &fault);
        // Skipped listeners explain why there are no routes.
        let skipped = ["config/rds-routes", "config/dump-warming"];
        for warning in &config.envoy.warnings {
            if skipped.contains(&warning.code) {
                faults.push(config.files(), warning);
            }
        }
        faults
    })?;
    let listener = chosen.listener;
    done.warn(config.files(), chosen.warning.as_slice());

    let snapshot = Snapshot::build(&config.envoy.model);
    let configs = steering_configs_with(listener, &|name| of_variable(None, name));
    done.warn(config.files(), &configs.warnings);
    done.warn(config.files(), &configs.unknown_keys);
    let filters = SteeringFilters::new(configs, &config.envoy.model);
    let limits = config.limits();
    let mut answerer = Answerer::new(&snapshot, &listener.routes)
        .at(present())
        .steered_by(filters);
    for row in &rows {
        let answer = answerer.answer_row(row);
        let limits = limits.of_request(&snapshot, Some(chosen.index), answerer.reached());
        done.output.push_str(&answer.to_json(&row.i, &limits));
        done.output.push('\n');
    }
    Ok(done)
}
