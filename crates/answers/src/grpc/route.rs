//! A route as gRPC reads it (RDS, A28).

use spillgate_config::{
    Position, SourceMap,
    node::{Node, NodeValue},
};
use spillgate_grpc::shares::FieldErrors;

use super::messages::{ParsedTexts, inside, number_of, text_of};

/// What a gRPC client does with the route that Envoy uses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum GrpcRoute {
    /// It uses the route, too.
    #[default]
    Used,
    /// It rejects the whole route configuration (NACK), for these reasons.
    Rejected(String),
    /// It skips the route because of this field, and may use a later one.
    Skipped(&'static str),
    /// The route has an action that it does not have: the request fails.
    NoAction,
}

impl GrpcRoute {
    /// The route at a position of the texts. One that is not in them is used.
    pub fn at(parsed: &ParsedTexts<'_>, files: &SourceMap, route: Position) -> Self {
        let place = files.place(route);
        let roots = parsed.roots_of(place.file);
        let mut roots = roots.iter();
        let found = roots.find_map(|root| configuration(root, place.position, false));
        let Some((all, route, is_inline)) = found else {
            return Self::Used;
        };
        let (heading, prefix) = if is_inline {
            ("errors validating ApiListener", INLINE)
        } else {
            ("errors validating RouteConfiguration resource", "")
        };
        let mut errors = FieldErrors::default();
        for (number, host) in elements(all, "virtual_hosts").iter().enumerate() {
            for (at, route) in elements(host, "routes").iter().enumerate() {
                let path = format!("{prefix}virtual_hosts[{number}].routes[{at}]");
                read(route, &path, &mut errors);
            }
        }
        if !errors.is_empty() {
            return Self::Rejected(errors.text(heading));
        }
        read(route, "", &mut errors)
    }
}

/// The field of routes inside an `api_listener`; those of another listener are read as if they were in one.
const INLINE: &str = "api_listener.api_listener.value[envoy.extensions.filters.network.http_connection_manager.v3.\
                      HttpConnectionManager].route_config.";

/// The route configuration with a route at a position, the route, and whether they are inside a listener
/// (`is_inline` for the node). Recursive: the parser limits the depth.
fn configuration<'n, 'a>(
    node: &'n Node<'a>,
    position: Position,
    is_inline: bool,
) -> Option<(&'n Node<'a>, &'n Node<'a>, bool)> {
    for host in elements(node, "virtual_hosts") {
        let mut routes = elements(host, "routes").iter();
        if let Some(route) = routes.find(|route| route.position == position) {
            return Some((node, route, is_inline));
        }
    }
    match &node.value {
        NodeValue::Map(entries) => entries.iter().find_map(|entry| {
            let is_inline = matches!(entry.key.name.as_ref(), "route_config" | "routeConfig");
            configuration(&entry.node, position, is_inline)
        }),
        NodeValue::List(items) => {
            let mut items = items.iter();
            items.find_map(|item| configuration(item, position, false))
        }
        _ => None,
    }
}

fn elements<'n, 'a>(node: &'n Node<'a>, field: &str) -> &'n [Node<'a>] {
    match inside(node, &[field]).map(|node| &node.value) {
        Some(NodeValue::List(items)) => items,
        _ => &[],
    }
}

/// Reads one route; errors are added.
fn read(route: &Node<'_>, path: &str, errors: &mut FieldErrors) -> GrpcRoute {
    let Some(condition) = inside(route, &["match"]) else {
        errors.add(format!("{path}.match"), "field not present");
        return GrpcRoute::Used;
    };
    if !elements(condition, "query_parameters").is_empty() {
        return GrpcRoute::Skipped("match.query_parameters");
    }
    let text = |field| inside(condition, &[field]).and_then(text_of);
    if let Some(prefix) = text("prefix") {
        if !is_prefix_of_methods(prefix) {
            return GrpcRoute::Skipped("match.prefix, which no /SERVICE/METHOD begins with");
        }
    } else if let Some(exact) = text("path") {
        if !is_method(exact) {
            return GrpcRoute::Skipped("match.path, which is no /SERVICE/METHOD");
        }
    } else if inside(condition, &["safe_regex"]).is_none() {
        errors.add(format!("{path}.match"), "invalid path specifier");
        return GrpcRoute::Used;
    }
    let Some(action) = inside(route, &["route"]) else {
        return GrpcRoute::NoAction;
    };
    let retries = inside(action, &["retry_policy", "num_retries"]);
    if retries.and_then(number_of) == Some(0) {
        let field = format!("{path}.route.retry_policy.num_retries");
        errors.add(field, "must be greater than 0");
    }
    if inside(action, &["weighted_clusters"]).is_some() {
        weighted(action, path, errors);
    } else if inside(action, &["cluster"]).is_none() {
        return GrpcRoute::Skipped("route without cluster or weighted_clusters");
    }
    GrpcRoute::Used
}

fn weighted(action: &Node<'_>, path: &str, errors: &mut FieldErrors) {
    let path = format!("{path}.route.weighted_clusters");
    let mut sum = 0_u64;
    let mut valid = false;
    let all = inside(action, &["weighted_clusters"]);
    for (at, of) in all
        .map_or(&[][..], |all| elements(all, "clusters"))
        .iter()
        .enumerate()
    {
        match inside(of, &["weight"]).map(number_of) {
            None => {
                errors.add(format!("{path}.clusters[{at}].weight"), "field not present");
                valid = true;
            }
            Some(weight) => {
                let weight = weight.unwrap_or(0);
                valid |= weight > 0;
                sum = sum.saturating_add(weight);
            }
        }
    }
    if !valid {
        errors.add(path, "no valid clusters specified");
    } else if sum > u64::from(u32::MAX) {
        errors.add(path, "sum of cluster weights exceeds uint32 max");
    }
}

/// Whether `/SERVICE/METHOD` can begin with a prefix: at most two slashes, not next to each other.
fn is_prefix_of_methods(prefix: &str) -> bool {
    let Some(rest) = prefix.strip_prefix('/') else {
        return prefix.is_empty();
    };
    match rest.split_once('/') {
        None => true,
        Some((service, method)) => !service.is_empty() && !method.contains('/'),
    }
}

/// Whether a path is `/SERVICE/METHOD`.
fn is_method(path: &str) -> bool {
    let parts = path.strip_prefix('/').and_then(|rest| rest.split_once('/'));
    parts.is_some_and(|(service, method)| {
        !service.is_empty() && !method.is_empty() && !method.contains('/')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_methods() {
        for prefix in ["", "/", "/a", "/a/", "/a/b"] {
            assert!(is_prefix_of_methods(prefix), "{prefix}");
        }
        for prefix in ["a", "//", "/a/b/", "//b"] {
            assert!(!is_prefix_of_methods(prefix), "{prefix}");
        }
        assert!(is_method("/a.B/C"));
        assert!(
            !["", "a", "/a", "/a/", "//b", "/a/b/c"]
                .into_iter()
                .any(is_method)
        );
    }
}
