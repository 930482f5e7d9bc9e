//! Diagnostics that need more than one text: binary input, large input, filter configurations,
//! hosts of a running Envoy, output.

use serde_json::{Value as Json, json};
use spillgate_config::{
    Diagnostic, clusters,
    envoy::{
        EnvoyConfig, Format, ReadOptions, SourceText, read, read_sources, read_with, refused_file,
    },
    filter::{self, filter_json},
    node::{MAXIMUM_BYTES, decode},
    steered::{effective_model, steering_configs},
    write::envoy_yaml,
};
use spillgate_core::{
    model::{ClusterKind, Metadata, Model, PlainCluster, Value},
    route::{ConnectionManager, PathFragments},
};

const SECRET: &str = "NY4nxqHmKQ0GyNRf2UlHp+2n2hVC5eXxPL5rX0ap8QU=";

/// At least one diagnostic of each code.
pub(crate) fn examples() -> Vec<Diagnostic> {
    let mut found = Vec::new();
    found.extend(decode(b"name: \xff").err());
    found.extend(decode(&vec![b' '; MAXIMUM_BYTES + 1]).err());
    found.extend(faults(&"[".repeat(101)));
    found.extend(faults(&format!("[{}]", "1,".repeat(1001))));
    let options = ReadOptions {
        regex: Some(|_| Err("unclosed group".into())),
        for_grpc: false,
    };
    let route = "{match: {safe_regex: {regex: (}}, direct_response: {status: 200}}";
    let routes = format!("{{virtual_hosts: [{{name: a, domains: [a], routes: [{route}]}}]}}");
    found.extend(read_with(&routes, Format::Yaml, &options).err().unwrap());
    let file = SourceText::guess("eds.yaml", "resources: []");
    found.extend(refused_file(&file, "ClusterLoadAssignment"));
    found.extend(duplicates());
    found.extend(filters());
    found.extend(chains());
    found.extend(live_hosts());
    found.extend(output());
    found
}

/// One resource in two files.
fn duplicates() -> Vec<Diagnostic> {
    let route = json!({"name": "r", "virtual_hosts": []}).to_string();
    let sources = ["new.json", "old.json"].map(|name| SourceText::guess(name, &route));
    let read = read_sources(&sources, &ReadOptions::default());
    read.map_or_else(|faults| faults, |config| config.warnings)
}

fn faults(text: &str) -> Vec<Diagnostic> {
    read(text, Format::Yaml).err().unwrap()
}

fn config(value: &Json) -> EnvoyConfig {
    read(&value.to_string(), Format::Json).unwrap()
}

fn cluster(name: &str, address: &str) -> Json {
    let address = json!({"socket_address": {"address": address, "port_value": 80}});
    json!({"name": name, "load_assignment": {"cluster_name": name, "endpoints": [
        {"lb_endpoints": [{"endpoint": {"address": address}}]}]}})
}

fn plugin(field: &str, value: Json) -> Json {
    let mut plugin = json!({"target": "c", "clusters": [cluster("c", "10.0.0.1")]});
    plugin[field] = value;
    plugin
}

fn affinity(keys: Json) -> Json {
    plugin("affinity", json!({"cookie": {}, "keys": keys}))
}

/// Configurations that the filter rejects.
fn filters() -> Vec<Diagnostic> {
    let key = json!({"id": 1, "secret": SECRET});
    let original_dst =
        json!([{"name": "c", "type": "ORIGINAL_DST", "lb_policy": "CLUSTER_PROVIDED"}]);
    let rejected = [
        plugin("reserved_headers", json!(["a b"])),
        affinity(json!([key, key])),
        plugin("clusters", original_dst),
    ];
    let faults = rejected.map(|plugin| filter::read(&plugin.to_string()).err().unwrap());
    faults.into_iter().flatten().collect()
}

/// Listeners with Spillgate filters.
fn chains() -> Vec<Diagnostic> {
    let listener = |plugin: &Json| {
        let wasm = json!({"@type": "t/envoy.extensions.filters.http.wasm.v3.Wasm",
            "config": {"configuration": {"@type": "t/google.protobuf.StringValue", "value": plugin.to_string()}}});
        let manager = json!({
            "@type": "t/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
            "route_config": {"virtual_hosts": [{"name": "v", "domains": ["*"]}]},
            "http_filters": [{"name": "spillgate", "typed_config": wasm}, {"name": "router", "typed_config": {
                "@type": "t/envoy.extensions.filters.http.router.v3.Router"}}]});
        json!({"name": "l", "filter_chains": [{"filters": [{"name": "h", "typed_config": manager}]}]})
    };
    let rejected = config(&listener(&plugin("tick", json!("0s"))));
    let mut found = steering_configs(&rejected.listeners[0]).warnings;
    let chain = plugin("subset_chain", json!([{"any": true}]));
    let other = cluster("other", "10.0.0.9");
    let several = config(&json!([listener(&chain), listener(&chain), other]));
    found.extend(effective_model(&several).unwrap().warnings);
    let keys = plugin(
        "affinity",
        json!({"cookie": {}, "keys_from_env": "SPILLGATE_KEYS"}),
    );
    found.extend(steering_configs(&config(&listener(&keys)).listeners[0]).unknown_keys);
    found.extend(module_without_policy());
    let admin = json!({"source": "admin", "cluster": "spillgate_admin"});
    let lone = json!({"static_resources": {"listeners": [listener(&plugin("health", admin))]}});
    found.extend(steering_configs(&config(&lone).listeners[0]).warnings);
    found
}

/// The dynamic module in front of a cluster without its policy.
fn module_without_policy() -> Vec<Diagnostic> {
    let module = json!({"@type": "t/envoy.extensions.filters.http.dynamic_modules.v3.DynamicModuleFilter",
        "dynamic_module_config": {"name": "spillgate"}, "filter_config": {
            "@type": "t/google.protobuf.Struct", "value": {"target": "c", "clusters": [{"name": "c"}]}}});
    let manager = json!({
        "@type": "t/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
        "route_config": {"virtual_hosts": []},
        "http_filters": [{"name": "spillgate", "typed_config": module}, {"name": "router", "typed_config": {
            "@type": "t/envoy.extensions.filters.http.router.v3.Router"}}]});
    let listener = json!({"name": "l", "filter_chains": [{"filters": [{"name": "h", "typed_config": manager}]}]});
    let config = config(&json!([listener, cluster("c", "10.0.0.1")]));
    steering_configs(&config.listeners[0]).warnings
}

/// A running Envoy with other clusters and hosts.
fn live_hosts() -> Vec<Diagnostic> {
    let mut subset = cluster("c", "10.0.0.1");
    subset["lb_subset_config"] = json!({"subset_selectors": [{"keys": ["stage"]}]});
    let mut configured = config(&json!([subset, cluster("other", "10.0.0.9")]));
    let response = "c::10.0.0.2:80::health_flags::healthy\nnew::10.0.0.3:80::health_flags::healthy";
    let mut found = clusters::lay_over(&clusters::read(response).unwrap(), &mut configured);
    let mut removed = config(&cluster("c", "10.0.0.1"));
    let response = "c::10.0.0.1:80::health_flags::/pending_dynamic_removal";
    let _ = clusters::lay_over(&clusters::read(response).unwrap(), &mut removed);
    found.extend(removed.warnings);
    found
}

/// Models that cannot be written as they are.
fn output() -> Vec<Diagnostic> {
    let changes: [fn(&mut PlainCluster); 5] = [
        |plain| plain.priorities[0].endpoints[0].address = "nowhere".into(),
        |plain| {
            plain.priorities[0].endpoints[0].metadata =
                metadata("hash_key", Value::Text("a".into()))
        },
        |plain| plain.priorities[0].endpoints[0].metadata = metadata("n", Value::Number(1.5)),
        |plain| plain.priorities[0].endpoints[0].reported_weight = Some(3),
        |plain| plain.priorities[0].localities[0].weight = Some(0),
    ];
    let mut found = Vec::new();
    for change in changes {
        let mut clusters = config(&cluster("c", "10.0.0.1")).model.into_clusters();
        let ClusterKind::Plain(plain) = &mut clusters[0].kind else {
            panic!("not a plain cluster")
        };
        change(plain);
        match envoy_yaml(&Model::new(clusters).unwrap(), &[]) {
            Ok(written) => found.extend(written.warnings),
            Err(faults) => found.extend(faults),
        }
    }
    let route = json!({"match": {"connect_matcher": {}}, "direct_response": {"status": 200}});
    let host = json!({"name": "v", "domains": ["*"], "routes": [route]});
    let routes = config(&json!({"name": "r", "virtual_hosts": [host]}));
    found.extend(envoy_yaml(&routes.model, &routes.listeners).err().unwrap());
    let mut encrypted = config(&json!({"name": "r", "virtual_hosts": []}));
    encrypted.listeners[0].routes.manager = Some(ConnectionManager {
        tls: true,
        fragments: PathFragments::Remove,
        ..ConnectionManager::default()
    });
    let written = envoy_yaml(&encrypted.model, &encrypted.listeners);
    found.extend(written.map_or_else(|faults| faults, |written| written.warnings));
    let sessions = affinity(json!([{"id": 1, "secret": SECRET}])).to_string();
    found.extend(
        filter_json(&filter::read(&sessions).unwrap())
            .err()
            .unwrap(),
    );
    found
}

fn metadata(key: &str, value: Value) -> Metadata {
    Metadata::new([(key, value)])
}
