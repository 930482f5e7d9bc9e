//! Redirects and direct responses with the same status and another target or body, which the model does not have.

use std::collections::BTreeMap;

use spillgate_config::envoy::ListenerConfig;
use spillgate_core::route::RouteAction;

use super::example::condition;

/// The domains and conditions of routes of both sides whose answers differ.
pub(super) fn differing(before: &ListenerConfig, after: &ListenerConfig) -> Vec<String> {
    let (old, new) = (answers(before), answers(after));
    let both = old.into_iter().filter_map(|(matches, old)| {
        let new = new.get(&matches)?;
        (old != *new).then_some(matches)
    });
    both.collect()
}

/// The answers of routes in their order, by domains and condition.
fn answers(listener: &ListenerConfig) -> BTreeMap<String, Vec<&str>> {
    let mut found: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for host in &listener.routes.virtual_hosts {
        let domains = host.domains.join(", ").to_ascii_lowercase();
        for route in &host.routes {
            // Another action is another outcome.
            if !matches!(route.action, RouteAction::Respond { .. }) {
                continue;
            }
            let marks = listener.marks.get(route.id);
            let answer = marks.and_then(|marks| marks.answer.as_deref());
            let matches = format!("{domains} {}", condition(&route.matcher));
            found
                .entry(matches)
                .or_default()
                .push(answer.unwrap_or_default());
        }
    }
    found
}
