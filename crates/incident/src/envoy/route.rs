//! The retries and timeouts of the routes to a cluster.

use alloc::{borrow::ToOwned as _, format, string::String, vec::Vec};

use spillgate_config::envoy::{EnvoyConfig, limited, retry_limits};
use spillgate_core::route::{RetryPolicy, RouteAction};

use super::{ConfigOrigin, doubts};
use crate::{report::time_text, traffic::Timeouts};

/// The retries and timeouts of requests to a cluster, and what is not known of them.
#[must_use]
pub fn route_of(
    config: &EnvoyConfig,
    name: &str,
    origin: ConfigOrigin,
    doubts: &mut Vec<String>,
) -> (RetryPolicy, Timeouts) {
    let mut found: Vec<(String, RetryPolicy, Timeouts)> = Vec::new();
    // Routes of Istio have no timeout unless a VirtualService sets one.
    let unmarked = if origin == ConfigOrigin::Istio {
        Timeouts {
            route: None,
            per_try: None,
        }
    } else {
        Timeouts::default()
    };
    for listener in &config.listeners {
        for host in &listener.routes.virtual_hosts {
            for route in &host.routes {
                let RouteAction::Forward(forward) = &route.action else {
                    continue;
                };
                if !route.clusters().any(|cluster| cluster == name) {
                    continue;
                }
                let mark = listener.marks.get(route.id);
                let high = mark.is_some_and(|mark| mark.is_high_priority);
                let clusters = route.clusters().map(str::to_owned).collect();
                let limits = retry_limits(&config.marks, clusters, high);
                let policy = limited(&forward.retry, &limits);
                // Istio sets no limit unless a DestinationRule does.
                let is_limited = origin != ConfigOrigin::Istio;
                if is_limited && policy.retries > 0 && !policy.retry_on.is_empty() {
                    doubts::of_retries(&limits, doubts);
                }
                let timeouts = mark.map_or(unmarked, |mark| Timeouts {
                    route: mark.retry_time.timeout,
                    per_try: mark.retry_time.per_try_timeout,
                });
                let title = match route.name.as_str() {
                    "" => format!("{} route {}", host.name, route.id),
                    name => format!("{} {name}", host.name),
                };
                let is_known = |known: &(String, RetryPolicy, Timeouts)| {
                    (&known.1, known.2) == (&policy, timeouts)
                };
                if mark.is_some_and(|mark| mark.session.is_some()) {
                    doubts::sessions(name, doubts);
                }
                if !found.iter().any(is_known) {
                    found.push((title, policy, timeouts));
                }
            }
        }
    }
    if let [(first, ..), _, ..] = found.as_slice() {
        doubts.push(format!(
            "I don't know which requests come from which route: {} routes to {name} have different retries or timeouts; the answer has those of {first}",
            found.len()
        ));
    }
    let Some((_, policy, timeouts)) = found.into_iter().next() else {
        doubts.push(format!(
            "no route in the input leads to {name}: requests are not retried, and have {}",
            unmarked.route.map_or_else(
                || String::from("no timeout"),
                |time| format!("a timeout of {}", time_text(time))
            )
        ));
        return (RetryPolicy::NONE, unmarked);
    };
    if !policy.request_headers.is_empty() && policy.retries > 0 {
        doubts.push(
            "I don't know which requests meet retriable_request_headers; the answer retries all"
                .into(),
        );
    }
    if policy.retry_on.is_empty() {
        return (
            RetryPolicy {
                retries: 0,
                ..policy
            },
            timeouts,
        );
    }
    (policy, timeouts)
}
