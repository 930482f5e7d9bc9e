//! Objects of Istio for what istiod generates.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use spillgate_adopt::{
    AdoptOptions, AdoptSessions, AdoptWorkload, GeneratedChanges, adopt_generated, istio_objects,
};
use spillgate_config::envoy::{Format, read};
use spillgate_lint::{Severity, lint};

use crate::common::{module, wasm};

const V1: &str = "outbound|80|v1|shop.a.svc.cluster.local";
const V2: &str = "outbound|80|v2|shop.a.svc.cluster.local";

fn cluster(name: &str, ip: &str) -> Value {
    json!({"name": name, "type": "STATIC", "lb_policy": "LEAST_REQUEST", "load_assignment": {
        "cluster_name": name,
        "endpoints": [{"lb_endpoints": [{"endpoint": {"address": {"socket_address": {"address": ip, "port_value": 80}}}}]}],
    }})
}

/// A gateway with these routes of one host.
fn generated(routes: &Value) -> Value {
    let manager = json!({
        "@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
        "stat_prefix": "http",
        "route_config": {"name": "http.80", "virtual_hosts": [
            {"name": "shop.example:80", "domains": ["shop.example"], "routes": routes},
        ]},
        "http_filters": [{"name": "envoy.filters.http.router", "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router"}}],
    });
    json!({"static_resources": {
        "listeners": [{
            "name": "http.80",
            "address": {"socket_address": {"address": "127.0.0.1", "port_value": 10000}},
            "filter_chains": [{"filters": [{"name": "envoy.filters.network.http_connection_manager", "typed_config": manager}]}],
        }],
        "clusters": [cluster(V1, "10.0.0.1"), cluster(V2, "10.0.0.2")],
    }})
}

fn weighted() -> Value {
    generated(
        &json!([{"name": "canary", "match": {"prefix": "/"}, "route": {"weighted_clusters": {"clusters": [
            {"name": V1, "weight": 90}, {"name": V2, "weight": 10},
        ]}}}]),
    )
}

fn two_routes(second: &str) -> Value {
    generated(&json!([
        {"name": "first", "match": {"prefix": "/a"}, "route": {"cluster": V1}},
        {"name": second, "match": {"prefix": "/"}, "route": {"cluster": V2}},
    ]))
}

fn changes(generated: &Value, options: &AdoptOptions) -> GeneratedChanges {
    adopt_generated(generated, 15000, options).unwrap()
}

#[track_caller]
fn refused(generated: &Value, options: &AdoptOptions) -> String {
    let faults = adopt_generated(generated, 15000, options).unwrap_err();
    let lines = faults.iter().map(|fault| fault.render("mesh"));
    lines.collect::<Vec<_>>().join("\n")
}

fn workload() -> AdoptWorkload {
    AdoptWorkload {
        namespace: "istio-system".into(),
        labels: BTreeMap::from([("istio".into(), "ingressgateway".into())]),
        is_gateway: true,
        port: None,
        url: "oci://registry.example.com/spillgate:1".into(),
    }
}

/// The patches of the EnvoyFilter for a kind of resource.
fn patches<'o>(objects: &'o [Value], apply_to: &str) -> Vec<&'o Value> {
    let filter = objects.last().unwrap();
    let patches = filter["spec"]["configPatches"].as_array().unwrap();
    patches
        .iter()
        .filter(|patch| patch["applyTo"] == apply_to)
        .collect()
}

/// Merges as messages do, apart from fields of which a route has one.
fn merged(resource: &Value, patch: &Value) -> Value {
    match (resource, patch) {
        (Value::Object(own), Value::Object(patch)) => {
            let mut all = own.clone();
            for (key, value) in patch {
                let before = own.get(key).unwrap_or(&Value::Null);
                all.insert(key.clone(), merged(before, value));
            }
            if all.contains_key("cluster_header") {
                all.shift_remove("weighted_clusters");
                all.shift_remove("cluster");
            }
            all.into()
        }
        (Value::Array(own), Value::Array(more)) => own.iter().chain(more).cloned().collect(),
        _ => patch.clone(),
    }
}

/// The connection manager.
fn manager(bootstrap: &Value) -> &Value {
    &bootstrap["static_resources"]["listeners"][0]["filter_chains"][0]["filters"][0]["typed_config"]
}

#[test]
fn a_weighted_route_becomes_a_plugin_and_patches_by_name() {
    let generated = weighted();
    let changes = changes(&generated, &wasm());
    let objects = istio_objects(&changes, &workload());
    let plugin = &objects[0];
    assert_eq!(plugin["kind"], "WasmPlugin");
    let config = &plugin["spec"]["pluginConfig"];
    let expected = json!([{"cluster": V1, "weight": 90}, {"cluster": V2, "weight": 10}]);
    assert_eq!(config["weighted"], expected);
    // Workers poll, and hosts come from the proxy.
    let health = json!({"source": "admin", "cluster": "spillgate_admin", "poller": "worker", "interval": "1s"});
    assert_eq!(config["health"], health);
    assert!(
        config.pointer("/clusters/0/load_assignment").is_none(),
        "{config}"
    );
    let routes = patches(&objects, "HTTP_ROUTE");
    let expected = json!({"route": {"cluster_header": "x-spillgate-cluster"}, "request_headers_to_remove": ["x-spillgate-cluster"]});
    assert_eq!(routes.len(), 1);
    assert_eq!(routes[0]["patch"]["value"], expected);
    let vhost = json!({"name": "shop.example:80", "route": {"action": "ROUTE"}});
    assert_eq!(routes[0]["match"]["routeConfiguration"]["vhost"], vhost);
}

#[test]
fn the_patches_make_the_configuration_that_is_compared() {
    let generated = weighted();
    let changes = changes(&generated, &wasm());
    let objects = istio_objects(&changes, &workload());
    let steered = changes.steered(&generated);
    for patch in patches(&objects, "CLUSTER") {
        let value = &patch["patch"]["value"];
        let (name, expected) = match patch["patch"]["operation"].as_str().unwrap() {
            "ADD" => (&value["name"], value.clone()),
            _ => {
                let name = &patch["match"]["cluster"]["name"];
                let clusters = generated["static_resources"]["clusters"]
                    .as_array()
                    .unwrap();
                let own = clusters.iter().find(|own| own["name"] == *name).unwrap();
                (name, merged(own, value))
            }
        };
        let clusters = steered["static_resources"]["clusters"].as_array().unwrap();
        let own = clusters.iter().find(|own| own["name"] == *name);
        assert_eq!(own, Some(&expected));
    }
    let route = "/route_config/virtual_hosts/0/routes/0";
    let patch = &patches(&objects, "HTTP_ROUTE")[0]["patch"]["value"];
    let before = manager(&generated).pointer(route).unwrap();
    assert_eq!(
        manager(&steered).pointer(route),
        Some(&merged(before, patch))
    );
    let filters = manager(&steered)["http_filters"].as_array().unwrap();
    assert_eq!(filters.len(), 3);
    assert_eq!(
        filters[0]["typed_config"]["config"]["configuration"]["value"],
        objects[0]["spec"]["pluginConfig"]
    );
    assert_eq!(
        filters[1],
        patches(&objects, "HTTP_FILTER")[0]["patch"]["value"]
    );
    let early = &patches(&objects, "NETWORK_FILTER")[0]["patch"]["value"]["typed_config"];
    assert_eq!(
        manager(&steered)["early_header_mutation_extensions"],
        early["early_header_mutation_extensions"]
    );
    let read = read(&steered.to_string(), Format::Json).unwrap();
    let found = lint(&read);
    let found: Vec<String> = found
        .iter()
        .map(|one| format!("{}: {}", one.rule, one.message()))
        .collect();
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn routes_that_change_differently_need_names() {
    let objects = istio_objects(&changes(&two_routes("second"), &wasm()), &workload());
    let routes = patches(&objects, "HTTP_ROUTE");
    assert_eq!(routes.len(), 2);
    for (route, name, cluster) in [(routes[0], "first", V1), (routes[1], "second", V2)] {
        let vhost = json!({"name": "shop.example:80", "route": {"name": name}});
        assert_eq!(route["match"]["routeConfiguration"]["vhost"], vhost);
        let settings = json!({"metadata": {"filter_metadata": {"spillgate": {"target": cluster}}}});
        assert_eq!(route["patch"]["value"], settings);
    }
    for (name, at) in [("", 1), ("first", 0)] {
        let lines = refused(&two_routes(name), &wasm());
        let place = format!("static_resources.listeners[0].virtual_hosts[0].routes[{at}]");
        let expected =
            format!("adopt/not-carried-over: {place}: the routes of this host change differently");
        assert!(lines.contains(&expected), "{lines}");
    }
}

#[test]
fn isolated_clusters_of_several_routes_pass_lint() {
    let mut options = wasm();
    options.sessions = Some(AdoptSessions::Cookie);
    let generated = two_routes("second");
    let steered = changes(&generated, &options).steered(&generated);
    let found = lint(&read(&steered.to_string(), Format::Json).unwrap());
    let errors: Vec<&str> = found
        .iter()
        .filter(|one| one.severity == Severity::Error)
        .map(|one| one.rule)
        .collect();
    assert_eq!(errors, Vec::<&str>::new());
}

#[test]
fn the_filter_is_off_for_other_routes_by_its_names_in_envoy() {
    let mut options = wasm();
    options.clusters = vec![V1.into()];
    let objects = istio_objects(&changes(&two_routes("second"), &options), &workload());
    let off = &patches(&objects, "HTTP_ROUTE")[0]["patch"]["value"]["typed_per_filter_config"];
    let names: Vec<&String> = off.as_object().unwrap().keys().collect();
    assert_eq!(
        names,
        [
            "extensions.istio.io/wasmplugin/istio-system.spillgate",
            "extensions.istio.io/trafficextension/istio-system.spillgate~istio-translated-wasmplugin",
        ]
    );
}

#[test]
fn locality_weights_of_istiod_cannot_be_merged_away() {
    let mut generated = weighted();
    generated["static_resources"]["clusters"][1]["common_lb_config"] =
        json!({"locality_weighted_lb_config": {}});
    let lines = refused(&generated, &wasm());
    assert!(
        lines.contains("static_resources.clusters[1].common_lb_config"),
        "{lines}"
    );
}

#[test]
fn the_module_needs_one_envoy_filter() {
    let objects = istio_objects(&changes(&weighted(), &module()), &workload());
    assert_eq!(objects.len(), 1);
    let value = &patches(&objects, "BOOTSTRAP")[0]["patch"]["value"];
    assert_eq!(value["bootstrap_extensions"][0]["name"], "spillgate");
    assert_eq!(patches(&objects, "NETWORK_FILTER").len(), 0);
    assert_eq!(patches(&objects, "CLUSTER").len(), 2);
    let route = &patches(&objects, "HTTP_ROUTE")[0]["patch"]["value"]["route"];
    assert!(
        route.get("inline_cluster_specifier_plugin").is_some(),
        "{route}"
    );
}
