//! The connection manager whose requests are steered.

use spillgate_config::Diagnostic;
use spillgate_core::visible::quoted;

use super::{files::Files, place::Place};

/// The `typed_config` of the only connection manager, or of that in the named listener or filter chain
/// (`LISTENER/CHAIN`).
pub(super) fn manager<'v>(
    files: Files<'v>,
    name: Option<&str>,
) -> Result<Place<'v>, Vec<Diagnostic>> {
    let listeners = files.resources(Some("listeners"), "Listener");
    let is_called = |listener: &Place<'_>, name: &str| {
        listener.text("name") == Some(name) || address(listener).as_deref() == Some(name)
    };
    let chain = name.filter(|name| !listeners.iter().any(|one| is_called(one, name)));
    let chain = chain.and_then(|name| name.rsplit_once('/'));
    let listener_name = chain.map_or(name, |(listener, _)| Some(listener));
    let is_named =
        |listener: &&Place<'_>| listener_name.is_none_or(|name| is_called(listener, name));
    let named: Vec<&Place<'_>> = listeners.iter().filter(is_named).collect();
    if let (Some(name), [], [first, ..]) = (name, named.as_slice(), listeners.as_slice()) {
        let known: Vec<String> = listeners
            .iter()
            .map(|one| called(one).map_or_else(|| UNNAMED.to_owned(), |name| quoted(&name)))
            .collect();
        let fault = first
            .fault(files, "--listener: no listener has this name or address")
            .found(quoted(name));
        return Err(vec![fault.expected(format!("one of {}", known.join(", ")))]);
    }
    let mut managers: Vec<(String, Place<'v>)> = Vec::new();
    for listener in &named {
        let mut own = managers_of(listener);
        if let Some((_, wanted)) = chain {
            let known: Vec<String> = own.iter().map(|(name, _)| name.clone()).collect();
            own.retain(|(name, _)| name == wanted);
            if own.is_empty() {
                let what = "--listener: no filter chain of the listener with an HTTP connection manager has this name";
                let fault = listener.fault(files, what).found(quoted(wanted));
                return Err(vec![fault.expected(format!("one of {}", known.join(", ")))]);
            }
        }
        if let (Some(_), []) = (name, own.as_slice()) {
            let what = "no HTTP connection manager, so no filter can run here";
            return Err(vec![
                listener.fault(files, what).found(filters_of(listener)),
            ]);
        }
        let several = own.len() > 1;
        managers.extend(own.into_iter().map(|(chain, own)| {
            let name = called(listener).unwrap_or_else(|| UNNAMED.to_owned());
            let name = if several {
                format!("{name}/{chain}")
            } else {
                name
            };
            (name, own)
        }));
    }
    match managers.as_slice() {
        [(_, only)] => Ok(only.clone()),
        [] => Err(none(files, &listeners)),
        several => {
            let what = match name {
                Some(_) => {
                    "several HTTP connection managers in one listener; choose with --listener LISTENER/CHAIN"
                }
                None => "several HTTP connection managers; choose with --listener",
            };
            let fault = |(name, manager): &(String, Place<'_>)| {
                manager.fault(files, what).found(quoted(name))
            };
            Err(several.iter().map(fault).collect())
        }
    }
}

/// A listener with neither a name nor an address.
const UNNAMED: &str = "(no name)";

/// The name of a listener, or its address.
fn called(listener: &Place<'_>) -> Option<String> {
    let name = listener.text("name").map(str::to_owned);
    name.or_else(|| address(listener))
}

/// The address of a listener.
fn address(listener: &Place<'_>) -> Option<String> {
    let socket = listener.at(&["address", "socket_address"])?;
    let ip = socket.text("address")?;
    let port = socket.field("port_value")?.value;
    Some(if ip.contains(':') {
        format!("[{ip}]:{port}")
    } else {
        format!("{ip}:{port}")
    })
}

/// The errors of a configuration without an HTTP connection manager.
fn none(files: Files<'_>, listeners: &[Place<'_>]) -> Vec<Diagnostic> {
    if !listeners.is_empty() {
        let what = "no listener has an HTTP connection manager, so no filter can run here";
        let fault = |one: &Place<'_>| one.fault(files, what).found(filters_of(one));
        return listeners.iter().map(fault).collect();
    }
    let Some(bootstrap) = files.bootstrap() else {
        let what = "not a configuration of Envoy: no bootstrap and no listener";
        let root = files.roots().next();
        return root
            .map(|root| root.fault(files, what))
            .into_iter()
            .collect();
    };
    let dynamic = bootstrap
        .at(&["dynamic_resources", "lds_config"])
        .or_else(|| bootstrap.at(&["dynamic_resources", "ads_config"]));
    vec![match dynamic {
        Some(source) => {
            let what = "listeners come from LDS";
            source.fault(files, what).expected(
                "the file of path_config_source as a further CONFIG; a control plane needs its own extension \
                 mechanism (spillgate export --to filter)",
            )
        }
        None => bootstrap.fault(files, "the bootstrap has no listener"),
    }]
}

/// The network filters of a listener, for an error.
fn filters_of(listener: &Place<'_>) -> String {
    let filters = chains(listener);
    let filters = filters.iter().flat_map(|chain| chain.items("filters"));
    let names: Vec<String> = filters
        .filter_map(|filter| filter.text("name").map(str::to_owned))
        .collect();
    match names.as_slice() {
        [] => "no network filter".to_owned(),
        names => names.join(", "),
    }
}

fn chains<'v>(listener: &Place<'v>) -> Vec<Place<'v>> {
    let mut chains = listener.items("filter_chains");
    chains.extend(listener.field("default_filter_chain"));
    chains
}

/// The connection managers of all listeners.
pub(super) fn all_managers(files: Files<'_>) -> Vec<Place<'_>> {
    let listeners = files.resources(Some("listeners"), "Listener");
    let managers = listeners.iter().flat_map(managers_of);
    managers.map(|(_, manager)| manager).collect()
}

/// The connection managers of a listener, with the names of their filter chains. A chain without a name has its
/// number, from 0.
fn managers_of<'v>(listener: &Place<'v>) -> Vec<(String, Place<'v>)> {
    let mut managers = Vec::new();
    for (number, chain) in chains(listener).into_iter().enumerate() {
        let name = chain.text("name").map(str::to_owned);
        let name = name.filter(|name| !name.is_empty());
        let name = name.unwrap_or_else(|| number.to_string());
        let filters = chain.items("filters").into_iter();
        let own = filters.filter(|filter| filter.is_type("HttpConnectionManager"));
        let own = own.filter_map(|filter| filter.field("typed_config"));
        managers.extend(own.map(|manager| (name.clone(), manager)));
    }
    managers
}
