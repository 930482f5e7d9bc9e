//! `spillgate pick`: the host of each request in a list.
//!
//! A deterministic choice has one host. A random choice has the exact shares of all possible hosts;
//! `pick` itself draws nothing. If a request reaches a setting that is not modeled, the answer names the setting.
//!
//! A row can name its client, which sends back the cookies and session headers of its earlier
//! responses. If such a response was random, the later row has the same shares, and `same_as` names
//! the row whose random choice decides.

mod alternatives;
mod answer;
mod answerer;
mod branches;
mod clients;
mod destinations;
mod hosts;
mod lessons;
mod request;
#[cfg(feature = "terminal")]
mod run;
mod success;

pub(crate) use crate::status::{NOT_FOUND, UNAVAILABLE};
pub use answer::{PickAnswer, PickOutcome};
pub use answerer::Answerer;
pub(crate) use destinations::destinations;
pub(crate) use hosts::Addresses;
pub use request::{CountField, PickRequest, RequestRow, read_requests};
pub(crate) use request::{LOCAL, MAXIMUM_ATTEMPT, SOURCE};
#[cfg(feature = "terminal")]
pub use run::run;
pub use success::{AttemptOutcome, Success, SuccessFault, success};

use spillgate_config::{
    Diagnostic,
    envoy::{EnvoyConfig, ListenerConfig},
    nearest,
};
use spillgate_core::route::RouteTable;

/// The routes of the named listener, or of the first one. The second value warns if there are several
/// listeners and no name.
///
/// # Errors
/// If no listener has this name, or no listener has routes.
pub fn routes_of<'c>(
    config: &'c EnvoyConfig,
    name: Option<&str>,
) -> Result<(&'c RouteTable, Option<Diagnostic>), Box<Diagnostic>> {
    let chosen = listener_of(config, name)?;
    Ok((&chosen.listener.routes, chosen.warning))
}

/// The listener that routes the requests.
#[derive(Debug)]
pub(crate) struct ChosenListener<'c> {
    /// Its index in [`EnvoyConfig::listeners`].
    pub(crate) index: usize,
    /// Its routes with their positions.
    pub(crate) listener: &'c ListenerConfig,
    /// A warning if it is the first of several.
    pub(crate) warning: Option<Diagnostic>,
}

/// As [`routes_of`], with the index and the positions of the routes.
///
/// # Errors
/// As [`routes_of`].
pub(crate) fn listener_of<'c>(
    config: &'c EnvoyConfig,
    name: Option<&str>,
) -> Result<ChosenListener<'c>, Box<Diagnostic>> {
    let all = config.listeners.as_slice();
    let chosen = |index: usize| {
        let listener = all.get(index)?;
        Some(ChosenListener {
            index,
            listener,
            warning: None,
        })
    };
    let labels = || all.iter().map(label).collect::<Vec<String>>().join(", ");
    let Some(wanted) = name else {
        let mut chosen = chosen(0).ok_or_else(|| Box::new(no_routes()))?;
        if all.len() > 1 {
            let what = format!(
                "several listeners have routes; using {}",
                label(chosen.listener)
            );
            let warning = Diagnostic::warning("pick/several-listeners", what);
            chosen.warning = Some(warning.found(labels()).expected(SELECTOR));
        }
        return Ok(chosen);
    };
    if all.is_empty() {
        return Err(Box::new(no_routes()));
    }
    let by = |is: &dyn Fn(&ListenerConfig) -> bool| all.iter().position(is);
    let number = || wanted.parse::<usize>().ok()?.checked_sub(1);
    let found = by(&|listener| listener.name == wanted)
        .or_else(|| by(&|listener| listener.address == wanted))
        .or_else(number);
    found.and_then(chosen).ok_or_else(|| {
        let names = all
            .iter()
            .flat_map(|l| [l.name.as_str(), l.address.as_str()]);
        let fault = Diagnostic::error(
            "pick/unknown-listener",
            "--listener: no listener with routes has this name, address or number",
        );
        let fault = fault.found(format!("{wanted:?}"));
        let fault = fault.expected(format!("one of {}", labels()));
        Box::new(fault.suggest(nearest(wanted, names)))
    })
}

/// How `--listener` selects a listener.
const SELECTOR: &str = "--listener NAME, ADDRESS or NUMBER";

/// The name of a listener, or its address if it has none.
fn label(listener: &ListenerConfig) -> String {
    match (listener.name.as_str(), listener.address.as_str()) {
        ("", address) if !address.is_empty() => address.to_owned(),
        (name, _) => format!("{name:?}"),
    }
}

fn no_routes() -> Diagnostic {
    Diagnostic::error("pick/no-routes", "the configuration has no routes")
        .expected("a listener with an HTTP connection manager, or a route configuration")
}
