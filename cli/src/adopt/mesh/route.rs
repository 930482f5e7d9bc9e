//! An HTTPRoute of Envoy Gateway, and the configuration that Envoy Gateway generates for it.

use serde_json::{Map, Value, json};
use spillgate_answers::input::Faults;
use spillgate_config::{Diagnostic, NamedText, Position, node::Node};

use super::{
    bootstrap::set,
    objects::{documents, list, value_of},
};
use crate::control_planes::string;

/// An object and its place.
#[derive(Debug)]
pub(super) struct Object {
    /// The name of its file.
    pub(super) file: String,
    pub(super) position: Position,
    /// The positions of the rules of a route.
    rules: Vec<Position>,
    pub(super) value: Value,
}

impl Object {
    /// The text of a field of `metadata`.
    pub(super) fn meta(&self, field: &str) -> &str {
        let value = self
            .value
            .pointer("/metadata")
            .and_then(|meta| meta.get(field));
        let default = if field == "namespace" { "default" } else { "" };
        value.and_then(Value::as_str).unwrap_or(default)
    }

    /// The items of a list.
    pub(super) fn items(&self, pointer: &str) -> &[Value] {
        let list = self.value.pointer(pointer).and_then(Value::as_array);
        list.map_or(&[], Vec::as_slice)
    }

    /// An error about it, or about a rule.
    pub(super) fn fault(&self, rule: Option<usize>, what: &str) -> Diagnostic {
        let place = rule.and_then(|at| Some((at, *self.rules.get(at)?)));
        let (path, position) = match place {
            Some((at, position)) => (format!("spec.rules[{at}]"), position),
            None => ("spec".to_owned(), self.position),
        };
        Diagnostic::error("adopt/not-carried-over", what).at(path, position)
    }

    pub(super) fn faults(&self, fault: &Diagnostic) -> Faults {
        Faults::one(&self.file, fault)
    }
}

/// The objects of each of these kinds.
///
/// # Errors
/// An object that is not JSON.
pub(super) fn objects<const N: usize>(
    texts: &[NamedText],
    kinds: [&str; N],
) -> Result<[Vec<Object>; N], Faults> {
    let mut found = [const { Vec::new() }; N];
    for text in texts {
        // Other readers report the errors.
        let Ok(document) = text.source().format.parse(&text.text) else {
            continue;
        };
        for node in documents(&document.roots) {
            let mut lists = kinds.iter().zip(&mut found);
            if let Some((_, objects)) = lists.find(|(kind, _)| string(node, "kind") == Some(kind)) {
                objects.push(Object {
                    file: text.name.clone(),
                    position: node.position,
                    rules: rules(node),
                    value: value_of(text, node)?,
                });
            }
        }
    }
    Ok(found)
}

fn rules(node: &Node<'_>) -> Vec<Position> {
    let rules = node.get("spec").and_then(|spec| list(spec.get("rules")?));
    let rules = rules.into_iter().flatten();
    rules.map(|rule| rule.position).collect()
}

/// The cluster of a rule, as Envoy Gateway names it.
fn cluster_name(route: &Object, rule: usize) -> String {
    let (namespace, name) = (route.meta("namespace"), route.meta("name"));
    format!("httproute/{namespace}/{name}/rule/{rule}")
}

/// The configuration of the route's rules with backends, in a listener of their own. Hosts come by EDS.
///
/// # Errors
/// Rules that split requests, and what Envoy Gateway adds to routes in the filter's place.
pub(super) fn bootstrap(route: &Object, policy: Option<&Object>) -> Result<Value, Faults> {
    let balancing = balancing(policy)?;
    let (mut routes, mut clusters) = (Vec::new(), Vec::new());
    for (at, rule) in route.items("/spec/rules").iter().enumerate() {
        let backends = rule.get("backendRefs").and_then(Value::as_array);
        let backends = backends.map_or(&[][..], Vec::as_slice);
        let some = |backend: &&Value| backend.get("weight") != Some(&json!(0));
        match backends.iter().filter(some).count() {
            0 => continue,
            1 => {}
            _ => {
                let what = "weights of backendRefs are weights of localities in one cluster, which the filter does not \
                    read from the admin interface";
                let fault = route
                    .fault(Some(at), what)
                    .expected("one backendRef in each rule");
                return Err(route.faults(&fault));
            }
        }
        let is_other = |backend: &Value| {
            let kind = backend.get("kind").and_then(Value::as_str);
            kind.is_some_and(|kind| kind != "Service") || backend.get("filters").is_some()
        };
        if backends.iter().any(is_other) {
            let what = "the cluster of this backendRef has another name, or hosts of another kind";
            let fault = route
                .fault(Some(at), what)
                .found("a kind that is not Service, or filters");
            return Err(route.faults(&fault));
        }
        if rule.get("sessionPersistence").is_some() {
            let what = "sessionPersistence has no counterpart that a patch could put in its place";
            let fault = route.fault(Some(at), what).expected("--sessions instead");
            return Err(route.faults(&fault));
        }
        let name = cluster_name(route, at);
        let mut action = Map::new();
        action.insert("cluster".into(), name.as_str().into());
        if let Some(hash) = &balancing.hash {
            action.insert("hash_policy".into(), hash.clone());
        }
        let own = rule.pointer("/retry/attempts").and_then(Value::as_u64);
        if let Some(number) = own.or(balancing.retries) {
            let retries = json!({"retry_on": "5xx", "num_retries": number});
            action.insert("retry_policy".into(), retries);
        }
        // The condition of a rule is not needed: its number distinguishes the routes.
        let header = json!({"name": "x-rule", "string_match": {"exact": at.to_string()}});
        routes.push(json!({
            "name": name,
            "match": {"prefix": "/", "headers": [header]},
            "route": action,
        }));
        let mut cluster = balancing.cluster.clone();
        cluster.insert("name".into(), name.as_str().into());
        cluster.insert("type".into(), "EDS".into());
        cluster.insert(
            "eds_cluster_config".into(),
            json!({"eds_config": {"ads": {}}}),
        );
        cluster.insert("connect_timeout".into(), "10s".into());
        clusters.push(Value::from(cluster));
    }
    if routes.is_empty() {
        let fault = route.fault(None, "no rule has a backend that the filter could balance");
        return Err(route.faults(&fault));
    }
    if let ([only], true) = (routes.as_mut_slice(), route.items("/spec/rules").len() == 1) {
        set(only, "match", json!({"prefix": "/"}));
    }
    let manager = json!({
        "@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
        "stat_prefix": "http",
        "route_config": {"name": "routes", "virtual_hosts": [{"name": "hosts", "domains": ["*"], "routes": routes}]},
        "http_filters": [{"name": "envoy.filters.http.router", "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router"}}],
    });
    Ok(json!({
        "node": {"id": "gateway", "cluster": "gateway"},
        "dynamic_resources": {"ads_config": {"api_type": "GRPC", "grpc_services": [{"envoy_grpc": {"cluster_name": "xds_cluster"}}]}},
        "static_resources": {
            "listeners": [{
                "name": "gateway",
                "address": {"socket_address": {"address": "127.0.0.1", "port_value": 10000}},
                "filter_chains": [{"filters": [{"name": "envoy.filters.network.http_connection_manager", "typed_config": manager}]}],
            }],
            "clusters": clusters,
        },
    }))
}

/// How Envoy Gateway balances a route.
struct Balancing {
    cluster: Map<String, Value>,
    hash: Option<Value>,
    /// The retries of a request.
    retries: Option<u64>,
}

/// The retries of a policy that names no number.
const RETRIES: u64 = 2;

/// The balancing of a BackendTrafficPolicy, or the default.
fn balancing(policy: Option<&Object>) -> Result<Balancing, Faults> {
    let mut cluster = Map::new();
    cluster.insert("lb_policy".into(), "LEAST_REQUEST".into());
    let retry = policy.and_then(|policy| policy.value.pointer("/spec/retry"));
    let number = |retry: &Value| retry.get("numRetries").and_then(Value::as_u64);
    let retries = retry.map(|retry| number(retry).unwrap_or(RETRIES));
    let default = Balancing {
        cluster,
        hash: None,
        retries,
    };
    if let Some(policy) = policy.filter(|policy| policy.value.pointer("/spec/mergeType").is_some())
    {
        let what = "mergeType joins this policy with that of the Gateway, which is not computed";
        let fault = policy
            .fault(None, what)
            .expected("the whole policy, without mergeType");
        return Err(policy.faults(&fault));
    }
    let Some((policy, balancer)) =
        policy.and_then(|policy| Some((policy, policy.value.pointer("/spec/loadBalancer")?)))
    else {
        return Ok(default);
    };
    let refused = |found: &str| {
        let what = "this load balancer has no counterpart in the filter";
        policy.faults(
            &policy
                .fault(None, what)
                .found(format!("loadBalancer.{found}")),
        )
    };
    let fields = balancer.as_object().into_iter().flatten();
    if let Some((other, _)) = fields
        .clone()
        .find(|(key, _)| !matches!(key.as_str(), "type" | "consistentHash"))
    {
        return Err(refused(other));
    }
    let kind = balancer.get("type").and_then(Value::as_str).unwrap_or("");
    let own = match kind {
        "LeastRequest" => return Ok(default),
        "RoundRobin" => "ROUND_ROBIN",
        "Random" => "RANDOM",
        "ConsistentHash" => "MAGLEV",
        other => return Err(refused(&format!("type {other}"))),
    };
    let mut cluster = Map::new();
    cluster.insert("lb_policy".into(), own.into());
    let Some(hash) = balancer.get("consistentHash") else {
        return Ok(Balancing { cluster, ..default });
    };
    if let Some(size) = hash.get("tableSize") {
        cluster.insert("maglev_lb_config".into(), json!({"table_size": size}));
    }
    let header = |header: &Value| {
        let name = header.get("name").and_then(Value::as_str).unwrap_or("");
        json!({"header": {"header_name": name}})
    };
    let kind = hash.get("type").and_then(Value::as_str).unwrap_or("");
    let policies = match (kind, hash.get("header"), hash.get("headers")) {
        ("SourceIP", ..) => json!([{"connection_properties": {"source_ip": true}}]),
        ("Header", Some(one), _) => json!([header(one)]),
        ("Headers", _, Some(Value::Array(all))) => all.iter().map(header).collect(),
        _ => return Err(refused(&format!("consistentHash.type {kind}"))),
    };
    Ok(Balancing {
        cluster,
        hash: Some(policies),
        ..default
    })
}
