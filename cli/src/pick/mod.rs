//! `spillgate pick`: what Envoy would do with each request of a list.
//!
//! A request whose answer is certain gets it; one whose answer Envoy draws at random gets the
//! exact shares of all answers. Nothing is drawn here. A request that reaches something which is
//! not modelled is answered with its name; a row with a session is refused.

mod answer;
mod answerer;
mod hosts;
mod request;

pub use answer::{Answer, Outcome};
pub(crate) use answer::{NOT_FOUND, UNAVAILABLE};
pub use answerer::Answerer;
pub(crate) use hosts::Addresses;
pub(crate) use request::{LOCAL, SOURCE};
pub use request::{PickRequest, RequestRow, read_requests};

use std::path::Path;

use spillgate_config::{
    Diagnostic,
    envoy::{EnvoyConfig, Listener},
    nearest,
};
use spillgate_core::{route::RouteTable, snapshot::Snapshot};

use crate::{
    command::Done,
    config::ConfigArgs,
    input::{Faults, read_text},
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
    let (routes, doubt) = routes_of(&config.envoy, listener).map_err(|fault| {
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
    let mut answerer = Answerer::new(&snapshot, routes);
    for row in &rows {
        let answer = answerer.answer(&row.request);
        done.output.push_str(&answer.to_json(&row.i));
        done.output.push('\n');
    }
    Ok(done)
}

/// The routes of a listener: the named one, or the first. With several to choose from and no
/// name, a warning says which was taken.
///
/// # Errors
/// When there is none of that name, or none at all.
pub fn routes_of<'c>(
    config: &'c EnvoyConfig,
    name: Option<&str>,
) -> Result<(&'c RouteTable, Option<Diagnostic>), Box<Diagnostic>> {
    let (listener, doubt) = listener_of(config, name)?;
    Ok((&listener.routes, doubt))
}

/// As [`routes_of`], with the places of the routes.
///
/// # Errors
/// As [`routes_of`].
pub(crate) fn listener_of<'c>(
    config: &'c EnvoyConfig,
    name: Option<&str>,
) -> Result<(&'c Listener, Option<Diagnostic>), Box<Diagnostic>> {
    let names = || {
        config
            .listeners
            .iter()
            .map(|listener| listener.name.as_str())
    };
    match (name, config.listeners.as_slice()) {
        (_, []) => {
            let fault = Diagnostic::error("pick/no-routes", "the configuration routes no request")
                .expected("a listener with an HTTP connection manager, or a route configuration");
            Err(Box::new(fault))
        }
        (Some(name), listeners) => match listeners.iter().find(|l| l.name == name) {
            Some(listener) => Ok((listener, None)),
            None => {
                let what = "no listener with routes has this name";
                let fault = Diagnostic::error("pick/unknown-listener", what)
                    .found(format!("{name:?}"))
                    .suggest(nearest(name, names()));
                Err(Box::new(fault))
            }
        },
        (None, [only]) => Ok((only, None)),
        (None, [first, ..]) => {
            let names: Vec<String> = names().map(|name| format!("{name:?}")).collect();
            let doubt = Diagnostic::warning(
                "pick/several-listeners",
                format!(
                    "several listeners have routes, the first is taken: {}",
                    names.join(", ")
                ),
            )
            .expected("--listener NAME");
            Ok((first, Some(doubt)))
        }
    }
}
