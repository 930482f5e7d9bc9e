//! `spillgate pick`: what Envoy would do with each request of a list.
//!
//! A request whose answer is certain gets it; one whose answer Envoy draws at random gets the
//! exact shares of all answers. Nothing is drawn here. A request that reaches something which is
//! not modelled is answered with its name.
//!
//! A row may name its client, which sends back the cookies and session headers of its earlier
//! answers. Where such an answer was drawn, the later row has the same shares, and says whose draw
//! decides.

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
pub(crate) use request::{LOCAL, MAXIMUM_ATTEMPT, SOURCE};
pub use request::{PickRequest, RequestRow, read_requests};
#[cfg(feature = "terminal")]
pub use run::run;

use spillgate_config::{
    Diagnostic,
    envoy::{EnvoyConfig, ListenerConfig},
    nearest,
};
use spillgate_core::route::RouteTable;

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
) -> Result<(&'c ListenerConfig, Option<Diagnostic>), Box<Diagnostic>> {
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
