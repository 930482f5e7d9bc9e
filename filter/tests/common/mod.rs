//! The shipped filter in the test host, and builders of configurations.

pub(crate) mod live;
pub(crate) mod sessions;

use serde_json::{Value, json};
use spillgate_testhost::{
    Exchange, FilterRequest, FilterResponse, LogLine, Property, Shared, TestHost,
};

pub(crate) const HOST_HEADER: &str = "x-spillgate-host";
pub(crate) const CLUSTER_HEADER: &str = "x-spillgate-cluster";
pub(crate) const TRACE_HEADER: &str = "x-spillgate-trace";

/// The bytes of the filter under test.
pub(crate) fn wasm() -> Vec<u8> {
    let path = std::env::var("SPILLGATE_FILTER_WASM").unwrap_or_else(|_| {
        panic!(
            "SPILLGATE_FILTER_WASM does not name the filter's .wasm file: `cargo xtask test` \
             builds it and sets the variable"
        )
    });
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

pub(crate) fn load() -> TestHost {
    TestHost::load(&wasm()).unwrap()
}

/// A VM that serves this configuration.
pub(crate) fn serving(configuration: &Value) -> TestHost {
    serving_seeded(configuration, 0)
}

pub(crate) fn serving_seeded(configuration: &Value, seed: u64) -> TestHost {
    let (host, logs) = accepting(configuration, seed);
    assert!(logs.is_empty(), "{logs:#?}");
    host
}

/// A VM that serves this configuration, perhaps with warnings in its log.
pub(crate) fn accepting(configuration: &Value, seed: u64) -> (TestHost, Vec<LogLine>) {
    let mut host = TestHost::load_sharing(&wasm(), &Shared::default(), seed).unwrap();
    let configured = host.configure(&bytes(configuration)).unwrap();
    assert!(configured.accepted, "{:#?}", configured.logs);
    (host, configured.logs)
}

pub(crate) fn bytes(configuration: &Value) -> Vec<u8> {
    serde_json::to_vec(configuration).unwrap()
}

/// The only log message of a rejected configuration.
pub(crate) fn refusal(host: &mut TestHost, configuration: &[u8]) -> String {
    let configured = host.configure(configuration).unwrap();
    assert!(!configured.accepted, "it was accepted");
    assert_eq!(configured.logs.len(), 1, "{:#?}", configured.logs);
    configured.logs[0].message.clone()
}

/// A request of one user.
pub(crate) fn user(name: &str) -> FilterRequest {
    FilterRequest::get("/").header("x-user", name)
}

/// The override host list in the request headers.
pub(crate) fn hosts(exchange: &Exchange) -> Vec<&str> {
    exchange
        .request_headers
        .text(HOST_HEADER)
        .map(|list| list.split(',').collect())
        .unwrap_or_default()
}

/// One request. The host `by` responds, or the first host of the list.
pub(crate) fn answered(host: &mut TestHost, request: FilterRequest, by: Option<&str>) -> Exchange {
    let flight = host.begin(request).unwrap();
    let list = flight.request_headers.text(HOST_HEADER);
    let first = list.and_then(|list| list.split(',').next());
    match by.or(first) {
        Some(upstream) => {
            let upstream = Property::Value(upstream.into());
            host.set_property(&["upstream", "address"], upstream);
        }
        None => host.remove_property(&["upstream", "address"]),
    }
    host.finish(flight, FilterResponse::new(200)).unwrap()
}

// === configurations ===

/// One endpoint, healthy, of weight 1.
pub(crate) fn endpoint(address: &str) -> Value {
    let (ip, port) = address.rsplit_once(':').unwrap();
    let port: u16 = port.parse().unwrap();
    json!({"endpoint": {"address": {"socket_address": {"address": ip, "port_value": port}}}})
}

pub(crate) fn unhealthy(address: &str) -> Value {
    let mut endpoint = endpoint(address);
    endpoint["health_status"] = json!("UNHEALTHY");
    endpoint
}

/// A cluster with these endpoints by priority.
pub(crate) fn cluster(name: &str, policy: &str, priorities: &[Vec<Value>]) -> Value {
    let endpoints: Vec<Value> = priorities
        .iter()
        .enumerate()
        .map(|(priority, endpoints)| json!({"priority": priority, "lb_endpoints": endpoints}))
        .collect();
    json!({
        "name": name,
        "lb_policy": policy,
        "load_assignment": {"cluster_name": name, "endpoints": endpoints},
    })
}

/// A cluster whose only endpoint is unhealthy, with panic mode disabled.
pub(crate) fn without_hosts(name: &str) -> Value {
    let mut cluster = cluster(name, "MAGLEV", &[vec![unhealthy("10.0.0.1:80")]]);
    cluster["common_lb_config"] = json!({"healthy_panic_threshold": {"value": 0}});
    cluster
}

pub(crate) fn aggregate(name: &str, members: &[&str]) -> Value {
    json!({
        "name": name,
        "lb_policy": "CLUSTER_PROVIDED",
        "cluster_type": {
            "name": "envoy.clusters.aggregate",
            "typed_config": {
                "@type": "type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig",
                "clusters": members,
            },
        },
    })
}

/// `count` endpoints from 10.NET.0.1:80 on.
pub(crate) fn healthy(net: u8, count: u16) -> Vec<Value> {
    (1..=count)
        .map(|n| endpoint(&format!("10.{net}.{}.{}:80", n / 250, n % 250)))
        .collect()
}

/// One cluster as target, hashed by `x-user`.
pub(crate) fn plain(policy: &str, priorities: &[Vec<Value>]) -> Value {
    json!({
        "clusters": [cluster("shop", policy, priorities)],
        "target": "shop",
        "hash_policy": [{"header": {"header_name": "x-user"}}],
    })
}

/// A primary and a secondary cluster behind an aggregate.
pub(crate) fn two_clusters(policy: &str, primary: Vec<Value>, secondary: Vec<Value>) -> Value {
    json!({
        "clusters": [
            cluster("primary", policy, &[primary]),
            cluster("secondary", policy, &[secondary]),
            aggregate("shop", &["primary", "secondary"]),
        ],
        "target": "shop",
        "hash_policy": [{"header": {"header_name": "x-user"}}],
    })
}

// === a Struct in protobuf encoding ===

/// A configuration as Envoy passes a `google.protobuf.Struct`.
pub(crate) fn as_struct(configuration: &Value) -> Vec<u8> {
    let mut wire = Vec::new();
    for (key, value) in configuration.as_object().unwrap() {
        let mut entry = delimited(1, key.as_bytes());
        entry.extend(delimited(2, &struct_value(value)));
        wire.extend(delimited(1, &entry));
    }
    wire
}

fn struct_value(value: &Value) -> Vec<u8> {
    match value {
        Value::Null => vec![1 << 3, 0],
        Value::Bool(truth) => vec![4 << 3, u8::from(*truth)],
        Value::Number(number) => {
            let mut wire = vec![2 << 3 | 1];
            wire.extend(number.as_f64().unwrap().to_le_bytes());
            wire
        }
        Value::String(text) => delimited(3, text.as_bytes()),
        Value::Object(_) => delimited(5, &as_struct(value)),
        Value::Array(items) => {
            let items = items.iter().map(|item| delimited(1, &struct_value(item)));
            delimited(6, &items.collect::<Vec<_>>().concat())
        }
    }
}

fn delimited(field: u8, bytes: &[u8]) -> Vec<u8> {
    let mut wire = vec![field << 3 | 2];
    let mut length = bytes.len();
    while length >= 0x80 {
        wire.push((length & 0x7f) as u8 | 0x80);
        length >>= 7;
    }
    wire.push(length as u8);
    wire.extend_from_slice(bytes);
    wire
}
