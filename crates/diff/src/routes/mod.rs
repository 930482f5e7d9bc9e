//! The routes of two configurations.
//!
//! Routes with the same text are equal by proof, also in another order where no request can match two of them.
//! For other routes, requests are built from the conditions of all routes of both sides, and both sides route
//! them: a different outcome is a difference with its example. Without one, the difference stays unproved.

mod disjoint;
mod example;
mod outcome;
mod regex_example;

use std::collections::BTreeSet;

use spillgate_config::{
    envoy::{ListenerConfig, ListenerProtocol, SpillgateFilter},
    filter::FilterForm,
    node::to_json,
};
use spillgate_core::route::{Route, RouteTable};

use self::{
    disjoint::is_reordering,
    example::{ExampleRequest, OTHER_PATHS, examples},
    outcome::Outcome,
};
use crate::{RouteDiff, RoutesStatus};

/// The differences by listener, and the number of listeners whose routes are proved to be equal.
pub(crate) fn diff(old: &[ListenerConfig], new: &[ListenerConfig]) -> (Vec<RouteDiff>, usize) {
    let (old, new) = (keyed(old), keyed(new));
    let mut found = Vec::new();
    let mut equal = 0;
    for (key, listener) in &new {
        match old.iter().find(|(other, _)| other == key) {
            Some((_, before)) => {
                let differences = of_listener(&key.0, before, listener);
                equal += usize::from(differences.is_empty());
                found.extend(differences);
            }
            None => found.push(one_sided(&key.0, "no listener", &served(listener))),
        }
    }
    for (key, listener) in &old {
        if !new.iter().any(|(other, _)| other == key) {
            found.push(one_sided(&key.0, &served(listener), "no listener"));
        }
    }
    (found, equal)
}

/// Listeners by their name or address; filter chains of one listener by their number.
fn keyed(listeners: &[ListenerConfig]) -> Vec<((String, usize), &ListenerConfig)> {
    let mut found: Vec<((String, usize), &ListenerConfig)> = Vec::new();
    for listener in listeners {
        let name = if listener.name.is_empty() {
            &listener.address
        } else {
            &listener.name
        };
        let earlier = found.iter().filter(|((other, _), _)| other == name).count();
        found.push(((name.clone(), earlier), listener));
    }
    found
}

fn served(listener: &ListenerConfig) -> String {
    let routes = listener
        .routes
        .virtual_hosts
        .iter()
        .map(|host| host.routes.len());
    match routes.sum::<usize>() {
        1 => String::from("1 route"),
        count => format!("{count} routes"),
    }
}

fn one_sided(listener: &str, before: &str, after: &str) -> RouteDiff {
    RouteDiff {
        listener: listener.to_owned(),
        status: RoutesStatus::Changed,
        matches: String::new(),
        before: before.to_owned(),
        after: after.to_owned(),
        example: Vec::new(),
    }
}

fn of_listener(name: &str, before: &ListenerConfig, after: &ListenerConfig) -> Vec<RouteDiff> {
    let unproved = |what: &str| RouteDiff {
        listener: name.to_owned(),
        status: RoutesStatus::NoExample,
        matches: what.to_owned(),
        before: String::new(),
        after: String::new(),
        example: Vec::new(),
    };
    let mut found = Vec::new();
    if before.chain.matches != after.chain.matches {
        found.push(unproved(
            "the connections of the filter chain (filter_chain_match)",
        ));
    }
    if before.protocol != after.protocol {
        found.push(unproved(match after.protocol {
            ListenerProtocol::Redis(_) => "the routes of redis_proxy",
            _ => "the protocol of the listener",
        }));
        return found;
    }
    if !same_filters(&before.spillgate, &after.spillgate) {
        found.push(unproved("the configuration of a Spillgate filter"));
    }
    let tables = (unnumbered(&before.routes), unnumbered(&after.routes));
    let same_frame = frame(&tables.0) == frame(&tables.1);
    let domains: BTreeSet<&str> = [&tables.0, &tables.1]
        .into_iter()
        .flat_map(domains)
        .collect();
    let mut compared = Vec::new();
    for domain in domains {
        let places = (host_of(&tables.0, domain), host_of(&tables.1, domain));
        // One domain of two virtual hosts that both sides have shows all of their routes.
        if compared.contains(&places) {
            continue;
        }
        compared.push(places);
        let hosts = (
            places.0.and_then(|at| tables.0.virtual_hosts.get(at)),
            places.1.and_then(|at| tables.1.virtual_hosts.get(at)),
        );
        if same_frame
            && let (Some(old), Some(new)) = hosts
            && old.headers == new.headers
            && is_reordering(&old.routes, &new.routes)
        {
            continue;
        }
        let routes = [hosts.0, hosts.1].into_iter().flatten();
        let routes: Vec<&Route> = routes.flat_map(|host| &host.routes).collect();
        let differences = examples(domain, &routes)
            .into_iter()
            .filter_map(|example| of_example(name, domain, &tables, example));
        let before = found.len();
        for difference in differences {
            let of_any_route = difference.matches.ends_with(OTHER_PATHS);
            let is_known = found.iter().skip(before).any(|known: &RouteDiff| {
                (of_any_route || known.matches == difference.matches)
                    && known.before == difference.before
                    && known.after == difference.after
            });
            if !is_known {
                found.push(difference);
            }
        }
        if found.len() == before {
            found.push(unproved(&format!("the routes of {domain}")));
        }
    }
    found
}

/// Whether Spillgate filters have the same configuration, wherever it is in the text.
fn same_filters(before: &[SpillgateFilter], after: &[SpillgateFilter]) -> bool {
    let texts = |filters: &[SpillgateFilter]| -> Option<Vec<(String, FilterForm, Vec<String>)>> {
        let each = filters.iter().map(|filter| {
            let document = filter.config.as_ref().ok()?;
            let config = document.roots.iter().map(to_json).collect();
            Some((filter.name.clone(), filter.form, config))
        });
        each.collect()
    };
    let (before, after) = (texts(before), texts(after));
    before.is_some() && before == after
}

/// The difference that an example request shows.
fn of_example(
    listener: &str,
    domain: &str,
    tables: &(RouteTable, RouteTable),
    example: ExampleRequest,
) -> Option<RouteDiff> {
    let old = Outcome::of(&tables.0, &example.headers);
    let new = Outcome::of(&tables.1, &example.headers);
    let (before, after) = Outcome::texts(&old, &new)?;
    Some(RouteDiff {
        listener: listener.to_owned(),
        status: RoutesStatus::Changed,
        matches: format!("{domain} {}", example.matches),
        before,
        after,
        example: example.headers,
    })
}

/// The same table without the numbers of its routes, which their order decides.
fn unnumbered(table: &RouteTable) -> RouteTable {
    let mut table = table.clone();
    for route in table
        .virtual_hosts
        .iter_mut()
        .flat_map(|host| &mut host.routes)
    {
        route.id = 0;
    }
    table
}

/// Everything that all virtual hosts share.
fn frame(table: &RouteTable) -> RouteTable {
    RouteTable {
        virtual_hosts: Vec::new(),
        ..table.clone()
    }
}

fn domains(table: &RouteTable) -> impl Iterator<Item = &str> {
    let domains = table.virtual_hosts.iter().flat_map(|host| &host.domains);
    domains.map(String::as_str)
}

/// The place of the virtual host that has a domain.
fn host_of(table: &RouteTable, domain: &str) -> Option<usize> {
    let mut hosts = table.virtual_hosts.iter();
    hosts.position(|host| host.domains.iter().any(|of| of == domain))
}
