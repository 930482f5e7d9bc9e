//! The kinds of requests of a check: each steered route, with each value of the criteria.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::{
    cast::Cast,
    fields::{at, get, items, text},
    steering::Steering,
};
use spillgate_admin::local::PlainHeaders;

/// The most combinations of criteria.
const MOST_COMBINATIONS: usize = 6;
/// The most kinds: each takes hundreds of requests.
pub(super) const MOST_KINDS: usize = 12;
/// The most kinds that are tried once, to find those that reach a host.
pub(super) const MOST_TRIED: usize = 120;

/// A request that a route matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CheckRequest {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) host: String,
    pub(super) headers: PlainHeaders,
    /// The criteria in the metadata of its route.
    metadata: Map<String, Value>,
    /// What differs from request to request, because the choice of the host depends on it.
    varied: Vec<Varied>,
}

/// A part of a request that is hashed.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Varied {
    Header(String),
    Cookie(String),
    Query(String),
}

/// A kind of request.
#[derive(Debug)]
pub(super) struct RequestKind {
    /// Its route and criteria, for people.
    pub(super) label: String,
    pub(super) request: CheckRequest,
    /// The headers with the criteria.
    headers: PlainHeaders,
    /// The hosts that satisfy its criteria; `None` if criteria do not restrict its hosts.
    pub(super) allowed: Option<BTreeSet<usize>>,
}

impl RequestKind {
    /// The path and the headers of the number-th request.
    pub(super) fn numbered(&self, number: usize) -> (String, PlainHeaders) {
        let mut headers = self.request.headers.clone();
        headers.extend(self.headers.iter().cloned());
        let mut path = self.request.path.clone();
        let value = format!("check-{number}");
        for varied in &self.request.varied {
            match varied {
                Varied::Header(name) if headers.iter().any(|(have, _)| have == name) => {}
                Varied::Header(name) => headers.push((name.clone(), value.clone())),
                Varied::Cookie(name) => headers.push(("cookie".into(), format!("{name}={value}"))),
                Varied::Query(name) => {
                    let mark = if path.contains('?') { '&' } else { '?' };
                    path.push_str(&format!("{mark}{name}={value}"));
                }
            }
        }
        (path, headers)
    }
}

/// A request for each route that the filter steers, in order. Routes by regular expression are left out.
pub(super) fn requests(manager: &Value) -> Vec<CheckRequest> {
    let mut requests = Vec::new();
    let config = get(manager, "route_config").unwrap_or(&Value::Null);
    for host in items(config, "virtual_hosts") {
        let domain = items(host, "domains")
            .first()
            .and_then(Value::as_str)
            .unwrap_or("*")
            .replace('*', "check");
        for route in items(host, "routes") {
            let off = at(route, &["typed_per_filter_config", "spillgate", "disabled"]);
            if off == Some(&Value::Bool(true)) {
                continue;
            }
            requests.extend(request(route, &domain));
        }
    }
    requests
}

fn request(route: &Value, domain: &str) -> Option<CheckRequest> {
    let (condition, action) = (get(route, "match")?, get(route, "route")?);
    let path = ["path", "prefix", "path_separated_prefix"]
        .iter()
        .find_map(|name| text(condition, name))
        .or_else(|| {
            let regex = at(condition, &["safe_regex", "regex"])?.as_str()?;
            matches!(regex, ".*" | "/.*").then_some("/")
        });
    let mut request = CheckRequest {
        method: "GET".into(),
        path: path?.to_owned(),
        host: domain.to_owned(),
        headers: Vec::new(),
        metadata: at(route, &["metadata", "filter_metadata", "envoy.lb"])
            .and_then(Value::as_object)
            .cloned()
            .unwrap_or_default(),
        varied: Vec::new(),
    };
    for header in items(condition, "headers") {
        let name = text(header, "name")?.to_lowercase();
        let (absent, value) = wanted(header)?;
        match (absent, name.as_str()) {
            (true, _) => {}
            (false, ":method") => request.method = value,
            (false, ":authority" | "host") => request.host = value,
            (false, name) if name.starts_with(':') => return None,
            (false, _) => request.headers.push((name, value)),
        }
    }
    for parameter in items(condition, "query_parameters") {
        let (_, value) = wanted(parameter)?;
        let mark = if request.path.contains('?') { '&' } else { '?' };
        let name = text(parameter, "name")?;
        request.path.push_str(&format!("{mark}{name}={value}"));
    }
    for policy in items(action, "hash_policy") {
        let name = |kind: &str, field: &str| Some(text(get(policy, kind)?, field)?.to_owned());
        let header = name("header", "header_name").map(|name| Varied::Header(name.to_lowercase()));
        let cookie = name("cookie", "name").map(Varied::Cookie);
        let query = name("query_parameter", "name").map(Varied::Query);
        request.varied.extend(header.or(cookie).or(query));
    }
    Some(request)
}

/// Whether a condition wants a header to be absent, and a value that satisfies it; `None` if that is not
/// obvious.
fn wanted(condition: &Value) -> Option<(bool, String)> {
    let flag = |name: &str| get(condition, name).and_then(Value::as_bool);
    if flag("invert_match") == Some(true) || flag("present_match") == Some(false) {
        return Some((true, String::new()));
    }
    let string = get(condition, "string_match").unwrap_or(&Value::Null);
    let by_string = ["exact", "prefix", "suffix", "contains"]
        .iter()
        .find_map(|name| text(string, name));
    let old = [
        "exact_match",
        "prefix_match",
        "suffix_match",
        "contains_match",
    ]
    .iter()
    .find_map(|name| text(condition, name));
    let any = (flag("present_match") == Some(true)).then_some("check");
    Some((false, by_string.or(old).or(any)?.to_owned()))
}

/// The kinds of these requests: without headers of criteria, and with each combination of values that hosts
/// have; at most `most`.
pub(super) fn kinds(
    requests: &[CheckRequest],
    old: &Value,
    steering: &Steering,
    cast: &Cast,
    most: usize,
) -> Vec<RequestKind> {
    let filter = &steering.config;
    let by_header: BTreeMap<&str, &str> = items(filter, "criteria")
        .iter()
        .filter_map(|one| Some((text(one, "key")?, text(one, "header")?)))
        .collect();
    let mut combinations = vec![BTreeMap::new()];
    for metadata in &cast.metadata {
        let values = by_header
            .keys()
            .filter_map(|key| Some((*key, metadata.get(*key)?.as_str()?)));
        let values: BTreeMap<&str, &str> = values.collect();
        if !combinations.contains(&values) && combinations.len() < MOST_COMBINATIONS {
            combinations.push(values);
        }
    }
    let kind = |request: &CheckRequest, values: &BTreeMap<&str, &str>| {
        let header = |(key, value): (&&str, &&str)| {
            let name = by_header.get(key)?.to_lowercase();
            Some((name, (*value).to_owned()))
        };
        let headers: PlainHeaders = values.iter().filter_map(header).collect();
        let mut parts: Vec<String> = Vec::new();
        if requests.len() > 1 {
            parts.push(request.path.clone());
        }
        if headers.is_empty() && !by_header.is_empty() {
            parts.push("no header of criteria".into());
        }
        parts.extend(
            headers
                .iter()
                .map(|(name, value)| format!("{name}: {value}")),
        );
        if parts.is_empty() {
            parts.push("every request".into());
        }
        RequestKind {
            label: parts.join(", "),
            request: request.clone(),
            allowed: allowed(&criteria(filter, request, values), old, filter, cast),
            headers,
        }
    };
    let pairs = requests
        .iter()
        .flat_map(|request| combinations.iter().map(move |values| (request, values)));
    pairs
        .map(|(request, values)| kind(request, values))
        .take(most)
        .collect()
}

/// The criteria of a request: constants, those of its route, and the values of its headers.
fn criteria(
    filter: &Value,
    request: &CheckRequest,
    values: &BTreeMap<&str, &str>,
) -> BTreeMap<String, Value> {
    let mut criteria = BTreeMap::new();
    let matched = at(filter, &["metadata_match", "filter_metadata", "envoy.lb"]);
    for (key, value) in matched.and_then(Value::as_object).into_iter().flatten() {
        criteria.insert(key.clone(), value.clone());
    }
    for one in items(filter, "criteria") {
        let Some(key) = text(one, "key") else {
            if get(one, "route_metadata") == Some(&Value::Bool(true)) {
                let own = request.metadata.iter();
                criteria.extend(own.map(|(key, value)| (key.clone(), value.clone())));
            }
            continue;
        };
        let given = match get(one, "header") {
            Some(_) => values.get(key).map(|value| Value::from(*value)),
            None => get(one, "value").cloned(),
        };
        criteria.extend(given.map(|value| (key.to_owned(), value)));
    }
    criteria
}

/// The hosts that criteria allow. Criteria restrict hosts by the keys of all steps of a chain, or by a
/// selector with exactly their keys.
fn allowed(
    criteria: &BTreeMap<String, Value>,
    old: &Value,
    filter: &Value,
    cast: &Cast,
) -> Option<BTreeSet<usize>> {
    let keys_of = |own: &Value| -> BTreeSet<String> {
        let keys = items(own, "keys").iter().filter_map(Value::as_str);
        keys.map(str::to_owned).collect()
    };
    let given: BTreeSet<String> = criteria.keys().cloned().collect();
    let steps: Vec<BTreeSet<String>> = items(filter, "subset_chain").iter().map(keys_of).collect();
    let mut hosts = BTreeSet::new();
    let own = items(filter, "clusters");
    let steered = own.iter().filter_map(|own| text(own, "name"));
    for (name, members) in steered.filter_map(|name| Some((name, cast.members.get(name)?))) {
        let clusters = items(
            get(old, "static_resources").unwrap_or(&Value::Null),
            "clusters",
        );
        let cluster = clusters.iter().find(|own| text(own, "name") == Some(name));
        let subsets = cluster.and_then(|own| get(own, "lb_subset_config"));
        let selectors = subsets.map_or(&[][..], |own| items(own, "subset_selectors"));
        let selector = selectors.iter().find(|one| keys_of(one) == given);
        let keys = match steps.split_first() {
            Some((first, rest)) => rest.iter().fold(first.clone(), |keys, step| &keys & step),
            None if selector.is_some() => given.clone(),
            // The cluster's own rules decide.
            None => return None,
        };
        if keys.is_empty() {
            return None;
        }
        let list_as_any = subsets.and_then(|own| get(own, "list_as_any"));
        let list_as_any = list_as_any == Some(&Value::Bool(true));
        let fits = |host: &&usize| {
            let metadata = cast.metadata.get(**host);
            keys.iter().all(|key| match (criteria.get(key), metadata) {
                (Some(wanted), Some(metadata)) => match metadata.get(key) {
                    Some(Value::Array(any)) if list_as_any => any.contains(wanted),
                    own => own == Some(wanted),
                },
                (None, _) => true,
                (Some(_), None) => false,
            })
        };
        let own: BTreeSet<usize> = members.iter().filter(fits).copied().collect();
        let fallback = [selector, subsets]
            .into_iter()
            .flatten()
            .find_map(|own| text(own, "fallback_policy").filter(|own| *own != "NOT_DEFINED"));
        if own.is_empty() && steps.is_empty() && fallback.is_some_and(|own| own != "NO_FALLBACK") {
            // The fallback decides.
            return None;
        }
        hosts.extend(own);
    }
    Some(hosts)
}
