//! Routes: the places of their parts, and their changes to filters and headers.

use alloc::{string::String, vec::Vec};

use super::{
    CookieFacts, FieldPlace, FilterFacts, FilterKind, SessionFacts, filters, session, view::View,
};

/// One route.
#[derive(Debug, Clone, PartialEq)]
pub struct RouteFacts {
    /// Its position.
    pub place: FieldPlace,
    /// Its name in messages: its `name`, or its path condition.
    pub name: String,
    /// Its `RouteAction`.
    pub action: FieldPlace,
    /// Its `hash_policy`.
    pub hash_policy: Option<FieldPlace>,
    /// Its `metadata_match`.
    pub metadata_match: Option<FieldPlace>,
    /// Its `weighted_clusters`, entry by entry.
    pub weighted: Vec<WeightedFacts>,
    /// The cookies of its hash policies that Envoy generates.
    pub cookies: Vec<CookieFacts>,
    /// Request headers that the router removes on this route, lowercase.
    pub removed: Vec<String>,
    /// By filter of the connection manager: whether it runs on this route.
    pub active: Vec<bool>,
    /// The session settings of this route.
    pub session: Option<SessionFacts>,
    /// The retries of its requests.
    pub retries: Option<RetryFacts>,
}

/// A retry policy with conditions (`RetryPolicy.retry_on`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetryFacts {
    /// Its position.
    pub place: FieldPlace,
    /// The maximum number of retries; default 1 (`RetryPolicy.num_retries`).
    pub count: u64,
}

/// An entry of `weighted_clusters`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WeightedFacts {
    /// Its position.
    pub place: FieldPlace,
    /// Its own `metadata_match`.
    pub metadata_match: Option<FieldPlace>,
}

const FILTER_CONFIG: &str = "envoy.config.route.v3.FilterConfig";

/// Reads a route configuration behind these filters.
pub(super) fn read(configuration: &View<'_, '_>, filters: &[FilterFacts]) -> Vec<RouteFacts> {
    let mut routes = Vec::new();
    for host in configuration.list("virtual_hosts") {
        // A matcher tree contains unknown routes; the reader gives it one route id.
        if let Some(matcher) = host.get("matcher") {
            routes.push(read_route(&matcher, &[configuration, &host], filters));
        }
        for route in host.list("routes") {
            routes.push(read_route(&route, &[configuration, &host, &route], filters));
        }
    }
    routes
}

/// `priorities` is ordered from the outermost message to the route.
fn read_route(
    route: &View<'_, '_>,
    priorities: &[&View<'_, '_>],
    filters: &[FilterFacts],
) -> RouteFacts {
    let action = route.get("route");
    let inside = |field| action.as_ref().and_then(|action| action.get(field));
    let place = |found: Option<View<'_, '_>>| found.map(|view| view.place());
    let weighted = inside("weighted_clusters").map(|view| view.list("clusters"));
    let policies = action.as_ref().map(|action| action.list("hash_policy"));
    let policies = policies.unwrap_or_default();
    let mut facts = RouteFacts {
        place: route.place(),
        name: name(route),
        action: action.as_ref().unwrap_or(route).place(),
        hash_policy: place(inside("hash_policy")),
        metadata_match: place(inside("metadata_match")),
        weighted: weighted
            .unwrap_or_default()
            .iter()
            .map(read_weighted)
            .collect(),
        cookies: policies
            .iter()
            .filter_map(|policy| Some(session::cookie_facts(&policy.get("cookie")?)))
            .collect(),
        removed: Vec::new(),
        active: filters.iter().map(|filter| !filter.disabled).collect(),
        session: None,
        retries: None,
    };
    // The policy of the route replaces that of its virtual host.
    let hosts = priorities.iter().rev();
    let of_host = || hosts.filter_map(|around| around.get("retry_policy")).next();
    facts.retries = inside("retry_policy")
        .or_else(of_host)
        .and_then(|view| retries(&view));
    for priority in priorities {
        let removed = priority.texts("request_headers_to_remove").into_iter();
        facts
            .removed
            .extend(removed.map(|name| name.to_ascii_lowercase()));
    }
    for (index, filter) in filters.iter().enumerate() {
        let mut active = !filter.disabled;
        let mut kept = match &filter.kind {
            FilterKind::Session(kept) => kept.clone(),
            _ => None,
        };
        for priority in priorities {
            let Some(change) = change_of(priority, &filter.name) else {
                continue;
            };
            active = !change.flag("disabled");
            let config = change.any("config").or_else(|| change.clone().typed());
            match (config, &filter.kind) {
                (Some((session::PER_ROUTE, config)), FilterKind::Session(_)) => {
                    active &= !config.flag("disabled");
                    let own = config.get("stateful_session");
                    kept = own.and_then(|view| session::read(&view)).or(kept);
                }
                (Some((session::TYPE, config)), FilterKind::Session(_)) => {
                    kept = session::read(&config).or(kept);
                }
                (Some((_, config)), FilterKind::HeaderMutation(_)) => {
                    facts.removed.extend(filters::mutated(&config));
                }
                _ => {}
            }
        }
        if let Some(flag) = facts.active.get_mut(index) {
            *flag = active;
        }
        if active && kept.is_some() {
            facts.session = kept;
        }
    }
    facts
}

/// The override of a filter in a message: a config, or a `FilterConfig` around one.
fn change_of<'n, 'a>(priority: &View<'n, 'a>, filter: &str) -> Option<View<'n, 'a>> {
    let changes = priority.get("typed_per_filter_config")?.entries();
    let (_, change) = changes.into_iter().rfind(|(name, _)| *name == filter)?;
    let (type_name, message) = change.clone().typed()?;
    Some(if type_name == FILTER_CONFIG {
        message
    } else {
        change
    })
}

/// Retries without conditions do not happen.
fn retries(policy: &View<'_, '_>) -> Option<RetryFacts> {
    policy.text("retry_on")?;
    Some(RetryFacts {
        place: policy.place(),
        count: policy.number("num_retries").unwrap_or(1),
    })
}

fn read_weighted(view: &View<'_, '_>) -> WeightedFacts {
    WeightedFacts {
        place: view.place(),
        metadata_match: view.get("metadata_match").map(|view| view.place()),
    }
}

fn name(route: &View<'_, '_>) -> String {
    const PATHS: [&str; 4] = ["prefix", "path", "path_separated_prefix", "safe_regex"];
    if let Some(name) = route.text("name") {
        return name.into();
    }
    let Some(matcher) = route.get("match") else {
        return String::new();
    };
    let mut paths = PATHS.iter().filter_map(|field| matcher.get(field));
    let path = paths
        .next()
        .and_then(|view| view.as_text().or(view.text("regex")));
    path.unwrap_or_default().into()
}
