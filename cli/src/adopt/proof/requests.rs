//! The requests that a configuration can tell apart.

use spillgate_core::visible::quoted;
use std::collections::BTreeSet;

use spillgate_answers::pick::{PickRequest, add_sent};
use spillgate_config::filter::{Criterion, FilterConfig};
use spillgate_core::{
    model::{Model, Value},
    request::HashSource,
    route::{
        Connection, HeaderList, HeaderMatch, HeaderMatcher, PathMatch, QueryMatcher,
        ReceivedRequest, Route, RouteAction, RouteTable, StringMatch, TextMatch, VirtualHost,
    },
};

/// Requests of a route at most.
const MOST: usize = 200;

/// Values of a hashed header.
const HASHED: [&str; 3] = ["alice", "bob", "carol"];

/// A value that no host has.
const UNKNOWN: &str = "spillgate-unknown";

/// A request to compare.
#[derive(Debug, Clone)]
pub(super) struct Asked {
    pub(super) name: String,
    pub(super) request: PickRequest,
}

/// The requests of all routes to clusters, and the routes without one.
pub(super) fn requests(
    routes: &RouteTable,
    model: &Model,
    config: &FilterConfig,
) -> (Vec<Asked>, Vec<String>) {
    let (mut asked, mut unreached) = (Vec::new(), Vec::new());
    let criteria = criteria(model, config);
    for host in &routes.virtual_hosts {
        for route in &host.routes {
            let RouteAction::Forward(forward) = &route.action else {
                continue;
            };
            let first = of_route(host, route).filter(|one| reaches(routes, one, route));
            let Some(first) = first else {
                unreached.push(format!(
                    "route {} of virtual host {}: no request is known that reaches it",
                    number(host, route),
                    quoted(&host.name)
                ));
                continue;
            };
            let hashed = forward
                .hash_policies
                .iter()
                .filter_map(|policy| match &policy.source {
                    HashSource::Header { name, .. } if !name.starts_with(':') => {
                        Some((name.clone(), HASHED.map(str::to_owned).to_vec()))
                    }
                    _ => None,
                });
            let dimensions: Vec<_> = criteria.iter().cloned().chain(hashed).collect();
            let all = variants(&first, &dimensions);
            if all.len() > MOST {
                unreached.push(format!(
                    "{} more requests like {}: too many to compare",
                    all.len() - MOST,
                    first.name
                ));
            }
            asked.extend(all.into_iter().take(MOST));
        }
    }
    (asked, unreached)
}

fn number(host: &VirtualHost, route: &Route) -> usize {
    let at = host.routes.iter().position(|own| own.id == route.id);
    at.unwrap_or_default() + 1
}

/// The headers with criteria, and all values that hosts have, and one that none has.
fn criteria(model: &Model, config: &FilterConfig) -> Vec<(String, Vec<String>)> {
    let headers = config
        .criteria
        .iter()
        .filter_map(|criterion| match criterion {
            Criterion::Header { key, header } => Some((key, header)),
            _ => None,
        });
    let values = headers.map(|(key, header)| {
        let mut values = BTreeSet::from([UNKNOWN.to_owned()]);
        for cluster in config.model.clusters() {
            let own = model
                .cluster(&cluster.name)
                .map_or(&[][..], |own| own.priorities());
            let hosts = own.iter().flat_map(|priority| &priority.endpoints);
            values.extend(hosts.filter_map(|host| match host.metadata.get(key) {
                Some(Value::Text(value)) => Some(value.to_string()),
                _ => None,
            }));
        }
        (header.clone(), values.into_iter().collect())
    });
    values.collect()
}

/// The request without these headers, and with each combination of their values.
fn variants(first: &Asked, dimensions: &[(String, Vec<String>)]) -> Vec<Asked> {
    let mut all = vec![first.clone()];
    for (header, values) in dimensions {
        let mut more = Vec::new();
        for one in &all {
            for value in values {
                let mut one = one.clone();
                one.name.push_str(&format!(" {header}: {value}"));
                add_sent(&mut one.request.headers, header.clone(), value.clone());
                more.push(one);
            }
            if all.len() + more.len() > 4 * MOST {
                break;
            }
        }
        all.extend(more);
    }
    all
}

/// A request that meets the conditions of a route, as far as they are known.
fn of_route(host: &VirtualHost, route: &Route) -> Option<Asked> {
    let mut request = PickRequest::plain();
    let authority = host.domains.first().map_or("localhost", |domain| domain);
    let authority = match authority.trim_matches('*') {
        "" => "localhost".to_owned(),
        part if authority.starts_with('*') => format!("a{part}"),
        part if authority.ends_with('*') => format!("{part}a"),
        part => part.to_owned(),
    };
    let matcher = &route.matcher;
    let mut path = match &matcher.path {
        PathMatch::Prefix(path) | PathMatch::Exact(path) | PathMatch::PathSeparatedPrefix(path) => {
            path.clone()
        }
        PathMatch::Regex(pattern) => ["/", "/a", "/a/b", "/1"]
            .into_iter()
            .find(|path| pattern.matches(path.as_bytes()))?
            .to_owned(),
        PathMatch::Unmodeled => return None,
    };
    if !path.starts_with('/') {
        path.insert(0, '/');
    }
    let mut query = Vec::new();
    for parameter in &matcher.query_parameters {
        match &parameter.matcher {
            QueryMatcher::Present(true) => query.push(format!("{}=1", parameter.name)),
            QueryMatcher::Present(false) => {}
            QueryMatcher::Text(text) => {
                query.push(format!("{}={}", parameter.name, example(text)?))
            }
        }
    }
    if !query.is_empty() {
        path = format!("{path}?{}", query.join("&"));
    }
    let mut name = format!("GET {authority}{path}");
    for (header, value) in [(":authority", authority), (":path", path)] {
        let own = request.headers.iter_mut().find(|(name, _)| name == header);
        if let Some((_, own)) = own {
            *own = value;
        }
    }
    for condition in &matcher.headers {
        if let Some(value) = header_value(condition)? {
            name.push_str(&format!(" {}: {value}", condition.name));
            match request
                .headers
                .iter_mut()
                .find(|(own, _)| *own == condition.name)
            {
                Some((_, own)) => *own = value,
                None => request.headers.push((condition.name.clone(), value)),
            }
        }
    }
    for cookie in matcher.cookies.iter().filter(|cookie| !cookie.invert) {
        let value = format!("{}={}", cookie.name, example(&cookie.text)?);
        request.headers.push(("cookie".into(), value));
    }
    if matcher.grpc {
        let value = "application/grpc".to_owned();
        request.headers.push(("content-type".into(), value));
    }
    Some(Asked { name, request })
}

/// A value that meets a condition; `Some(None)` if the header can be missing.
fn header_value(condition: &HeaderMatch) -> Option<Option<String>> {
    if condition.invert {
        return Some(None);
    }
    Some(match &condition.matcher {
        HeaderMatcher::Present(present) => present.then(|| "1".to_owned()),
        HeaderMatcher::Text(text) => Some(example(text)?),
        HeaderMatcher::Range { start, .. } => Some(start.to_string()),
    })
}

/// A text that matches.
fn example(text: &StringMatch) -> Option<String> {
    match &text.text {
        TextMatch::Exact(text)
        | TextMatch::Prefix(text)
        | TextMatch::Suffix(text)
        | TextMatch::Contains(text) => Some(text.clone()),
        TextMatch::Regex(pattern) => ["a", "1", "true", "a-1"]
            .into_iter()
            .find(|text| pattern.matches(text.as_bytes()))
            .map(str::to_owned),
    }
}

/// Whether a request gets this route.
fn reaches(routes: &RouteTable, asked: &Asked, route: &Route) -> bool {
    let headers = HeaderList(&asked.request.headers);
    let received = ReceivedRequest::unchanged(&headers, Connection::default());
    routes
        .route_of(&received)
        .is_some_and(|own| own.id == route.id)
}
