//! Requests of a proxy of a mesh to hosts that no document describes.

use spillgate_answers::{explain::ServingRoutes, input::Faults};
use spillgate_config::{Diagnostic, node::quote};
use spillgate_core::route::RouteTable;
use spillgate_incident::envoy::ConfigOrigin;

use crate::config::Config;

/// All host names.
const ANY: &str = "*";
/// How many known hosts an error names.
const SHOWN: usize = 5;

/// Checks that a destination of the documents has the host of a request. A single destination serves a request without
/// a stated host.
///
/// # Errors
/// An unknown host: what the proxy does with it is not known.
pub(super) fn check(
    config: &Config,
    target: &ServingRoutes<'_>,
    stated: Option<&str>,
) -> Result<(), Faults> {
    let origin = config.origin();
    let routes: &RouteTable = &target.routes;
    let is_of_documents = origin != ConfigOrigin::Envoy && target.chain.is_some();
    let answers_all = routes.virtual_hosts.iter().any(|host| host.name == ANY);
    // Gateways, whose routes ignore ports, answer other hosts with 404.
    if !is_of_documents || answers_all || routes.ignore_port_in_host_matching {
        return Ok(());
    }
    let mut own = routes.clone();
    for host in &mut own.virtual_hosts {
        host.domains.retain(|domain| domain != ANY);
    }
    let found = stated.unwrap_or_default();
    let is_known = own.virtual_host(found.as_bytes()).is_some();
    let is_only = stated.is_none() && own.virtual_hosts.len() == 1;
    if is_known || is_only {
        return Ok(());
    }
    let domains = own.virtual_hosts.iter();
    let names = domains.filter_map(|host| {
        let without_port = host.domains.iter().find(|name| !name.contains(':'));
        without_port.or(host.domains.first())
    });
    let mut names: Vec<String> = names.take(SHOWN).map(|name| quote(name)).collect();
    if own.virtual_hosts.len() > SHOWN {
        names.push("...".into());
    }
    let what = if origin == ConfigOrigin::Istio {
        "no document has this host: Istio sends such requests to their original destination, or answers 502 with REGISTRY_ONLY"
    } else {
        "no document has this host"
    };
    let fault = match stated {
        None => Diagnostic::error("explain/unknown-host", "no host of the request"),
        Some(stated) => Diagnostic::error("explain/unknown-host", what).found(quote(stated)),
    };
    let fault = fault.expected(format!("--host with one of {}", names.join(", ")));
    Err(Faults::one(config.files(), &fault))
}
