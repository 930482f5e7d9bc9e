//! The command: from two files to lines.

use std::path::Path;

use spillgate_config::{Diagnostic, steered::steering_configs};
use spillgate_core::snapshot::Snapshot;

use super::{Answerer, listener_of, read_requests};
use crate::{
    clock::present,
    command::Done,
    config::ConfigArgs,
    input::{Faults, read_text},
    steered::SteeringFilters,
};

/// Answers every row of `requests` under `config`, one JSON object a line.
///
/// # Errors
/// Every fault of both inputs, and a listener that does not exist.
pub fn run(config: &ConfigArgs, requests: &Path, listener: Option<&str>) -> Result<Done, Faults> {
    if config.reads_stdin() && requests == Path::new("-") {
        let fault = Diagnostic::error("input/twice", "the standard input cannot be read twice")
            .expected("a file for CONFIG or for REQUESTS");
        return Err(Faults::one("-", &fault));
    }
    let config = config.read();
    let rows = read_text(requests).and_then(|text| {
        read_requests(&text.text, "localhost", false)
            .map_err(|faults| Faults::all(&text.name, &faults))
    });
    // Faults of both are shown at once.
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
    let (listener, doubt) = listener_of(&config.envoy, listener).map_err(|fault| {
        let mut faults = Faults::one(&config.name, &fault);
        // Listeners that were left out say why there are no routes.
        let left_out = ["config/rds-routes", "config/dump-warming"];
        for warning in &config.envoy.warnings {
            if left_out.contains(&warning.code) {
                faults.push(&config.name, warning);
            }
        }
        faults
    })?;
    done.warn(&config.name, doubt.as_slice());

    let snapshot = Snapshot::build(&config.envoy.model);
    let configs = steering_configs(listener);
    done.warn(&config.name, &configs.warnings);
    let filters = SteeringFilters::new(configs, &config.envoy.model);
    let mut answerer = Answerer::new(&snapshot, &listener.routes)
        .at(present())
        .steered_by(filters);
    for row in &rows {
        let answer = answerer.answer_row(row);
        done.output.push_str(&answer.to_json(&row.i));
        done.output.push('\n');
    }
    Ok(done)
}
