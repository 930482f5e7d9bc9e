//! `spillgate export`: converts a configuration for Envoy, for the filter, or to a host table.

mod args;
mod clusters;
mod filter;

pub(crate) use args::{EXAMPLES, ExportArgs};

use args::To;
use spillgate_config::write::{envoy_json, envoy_yaml, hosts_csv, hosts_markdown};

use crate::{command::Done, input::Faults};

/// Runs the command.
///
/// # Errors
/// Every error of the configuration, and every setting that the output format cannot express.
pub(crate) fn run(args: &ExportArgs) -> Result<Done, Faults> {
    let config = args.config.read()?;
    let envoy = &config.envoy;
    let mut done = Done::default();
    config.warn(&mut done);
    let written = match args.to {
        To::Markdown => {
            done.output = hosts_markdown(&envoy.model);
            return Ok(done);
        }
        To::Csv => {
            done.output = hosts_csv(&envoy.model);
            return Ok(done);
        }
        To::EnvoyYaml => envoy_yaml(&envoy.model, &envoy.listeners),
        To::EnvoyJson => envoy_json(&envoy.model, &envoy.listeners),
        To::Filter => filter::export(envoy, args.target.as_deref()),
        To::FilterClusters => {
            clusters::export(envoy, args.target.as_deref(), args.fallback.of_list())
        }
    };
    let written = written.map_err(|faults| Faults::all(&config.name, &faults))?;
    done.warn(&config.name, &written.warnings);
    done.output = written.text;
    Ok(done)
}
