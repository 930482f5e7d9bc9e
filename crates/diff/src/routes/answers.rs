//! Redirects and direct responses with the same status and another target or body, which the model does not have.

use std::collections::BTreeMap;

use spillgate_config::envoy::ListenerConfig;
use spillgate_core::route::{Connection, HeaderList, Route, RouteAction, RouteOutcome};

use super::example::{condition, examples_of};

/// Routes of both sides whose answers differ.
pub(super) struct AnswerDiff {
    /// Their domains and condition.
    pub(super) matches: String,
    /// The headers of a request that gets other answers, if one is found.
    pub(super) example: Option<Vec<(String, String)>>,
}

/// The routes of both sides whose answers differ. A header of examples that names a cluster names this one.
pub(super) fn differing(
    before: &ListenerConfig,
    after: &ListenerConfig,
    cluster: Option<&str>,
) -> Vec<AnswerDiff> {
    let (old, new) = (routes(before), routes(after));
    let mut found = Vec::new();
    for (matches, old) in old {
        let Some(new) = new.get(&matches) else {
            continue;
        };
        if answers(before, &old) != answers(after, new) {
            let requests = old.iter().flat_map(|(domains, route)| {
                let domains = domains.iter();
                domains.flat_map(|domain| examples_of(domain, route, cluster))
            });
            let mut requests = requests.map(|example| example.headers);
            let differs = |headers: &Vec<(String, String)>| {
                let (old, new) = (answers_to(before, headers), answers_to(after, headers));
                // Another status is another outcome.
                let statuses = |of: &[(u16, &str)]| of.iter().map(|(status, _)| *status).collect();
                let (before, after): (Vec<u16>, Vec<u16>) = (statuses(&old), statuses(&new));
                before == after && old != new
            };
            let example = requests.find(differs);
            found.push(AnswerDiff { matches, example });
        }
    }
    found
}

/// The domains of a route, and the route.
type OfDomains<'l> = (&'l [String], &'l Route);

/// The routes that answer themselves in their order, by domains and condition. Another action is another outcome.
fn routes(listener: &ListenerConfig) -> BTreeMap<String, Vec<OfDomains<'_>>> {
    let mut found: BTreeMap<String, Vec<OfDomains<'_>>> = BTreeMap::new();
    for host in &listener.routes.virtual_hosts {
        let domains = host.domains.join(", ").to_ascii_lowercase();
        for route in &host.routes {
            if matches!(route.action, RouteAction::Respond { .. }) {
                let matches = format!("{domains} {}", condition(&route.matcher));
                let same = found.entry(matches).or_default();
                same.push((&host.domains, route));
            }
        }
    }
    found
}

fn answers<'l>(listener: &'l ListenerConfig, routes: &[OfDomains<'_>]) -> Vec<&'l str> {
    let routes = routes.iter();
    routes
        .map(|(_, route)| answer_of(listener, route))
        .collect()
}

/// What a route answers, apart from the status.
fn answer_of<'l>(listener: &'l ListenerConfig, route: &Route) -> &'l str {
    let marks = listener.marks.get(route.id);
    let answer = marks.and_then(|marks| marks.answer.as_deref());
    answer.unwrap_or_default()
}

/// The statuses and answers that a request can get of routes.
fn answers_to<'l>(
    listener: &'l ListenerConfig,
    headers: &[(String, String)],
) -> Vec<(u16, &'l str)> {
    let list = HeaderList(headers);
    let received = listener.routes.receive(&list, Connection::default());
    let alternatives = listener.routes.alternatives(&received).into_iter();
    let answers = alternatives.filter_map(|alternative| match alternative.outcome {
        RouteOutcome::Respond { route, status } => Some((status, answer_of(listener, route))),
        _ => None,
    });
    answers.collect()
}
