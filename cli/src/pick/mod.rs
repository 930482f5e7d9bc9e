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
mod hosts;
mod lessons;
mod request;
#[cfg(feature = "terminal")]
mod run;

pub(crate) use crate::status::{NOT_FOUND, UNAVAILABLE};
pub use answer::{PickAnswer, PickOutcome};
pub use answerer::Answerer;
pub(crate) use hosts::Addresses;
pub use request::{CountField, PickRequest, RequestRow, read_requests};
pub(crate) use request::{LOCAL, MAXIMUM_ATTEMPT, SOURCE};
#[cfg(feature = "terminal")]
pub use run::run;

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
    let (listener, warning) = listener_of(config, name)?;
    Ok((&listener.routes, warning))
}

/// As [`routes_of`], with the positions of the routes.
///
/// # Errors
/// As [`routes_of`].
pub(crate) fn listener_of<'c>(
    config: &'c EnvoyConfig,
    name: Option<&str>,
) -> Result<(&'c ListenerConfig, Option<Diagnostic>), Box<Diagnostic>> {
    let names = || {
        config
            .listeners
            .iter()
            .map(|listener| listener.name.as_str())
    };
    match (name, config.listeners.as_slice()) {
        (_, []) => {
            let fault = Diagnostic::error("pick/no-routes", "the configuration has no routes")
                .expected("a listener with an HTTP connection manager, or a route configuration");
            Err(Box::new(fault))
        }
        (Some(name), listeners) => match listeners.iter().find(|l| l.name == name) {
            Some(listener) => Ok((listener, None)),
            None => {
                let what = "--listener: no listener with routes has this name";
                let fault = Diagnostic::error("pick/unknown-listener", what)
                    .found(format!("{name:?}"))
                    .suggest(nearest(name, names()));
                Err(Box::new(fault))
            }
        },
        (None, [only]) => Ok((only, None)),
        (None, [first, ..]) => {
            let names: Vec<String> = names().map(|name| format!("{name:?}")).collect();
            let warning = Diagnostic::warning(
                "pick/several-listeners",
                format!("several listeners have routes; using {:?}", first.name),
            )
            .found(names.join(", "))
            .expected("--listener NAME");
            Ok((first, Some(warning)))
        }
    }
}
