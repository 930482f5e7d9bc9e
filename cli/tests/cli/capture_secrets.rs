//! `capture` keeps no text of a plugin's configuration that is not known to be harmless.

use std::{collections::BTreeSet, fs};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use regex::Regex;
use serde_json::{Value, json};
use spillgate_testkit::{CannedServer, canned_response, repository};

use crate::run::{scratch, spillgate};

/// The texts that stay, by message and field. docs/live-proxies.md lists them.
const HARMLESS: [&str; 21] = [
    "affinity.scope",
    "affinity_cookie.name",
    "affinity_cookie.path",
    "affinity_named.name",
    "chain_step.keys",
    "chain_step.match",
    "cluster.address",
    "cluster.hostname",
    "cluster.metadata",
    "cluster.name",
    "criterion.header",
    "criterion.key",
    "criterion.value",
    "filter.reserved_headers",
    "filter.target",
    "hash_policy.header",
    "health.cluster",
    "output.cluster_header",
    "output.host_header",
    "output.subset_headers",
    "route_match.header",
];
const HARMLESS_TOO: [&str; 4] = [
    "target_rule.cluster",
    "trace.header",
    "trace_condition.header",
    "weighted_cluster.cluster",
];

/// A secret for a field. `CARRIER` is replaced by a number.
fn secret(place: &str) -> Value {
    json!(format!("generated-{place}-of-CARRIER-"))
}

/// A configuration that has every field of a message, with secrets in all texts.
fn filled(definitions: &Value, message: &str) -> Value {
    let fields = definitions[message]["properties"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(field, schema)| {
            let place = format!("{message}.{field}");
            (field.clone(), value(definitions, &place, schema))
        });
    Value::Object(fields.collect())
}

fn value(definitions: &Value, place: &str, schema: &Value) -> Value {
    if let Some(one) = schema["oneOf"].as_array().and_then(|one| one.last()) {
        return value(definitions, place, one);
    }
    if let Some(name) = schema["$ref"].as_str() {
        return match name.strip_prefix("#/$defs/").unwrap() {
            "header_name" => secret(place),
            "duration" | "seconds" => json!("1s"),
            "cluster" => cluster(),
            "metadata" => metadata("cluster.metadata"),
            "route_hash_policy" => json!({
                "header": {"header_name": secret("hash_policy.header"),
                    "regex_rewrite": {"substitution": secret("hash_policy.substitution")}}}),
            "route_match" => json!({
                "prefix": "/", "headers": [{"name": secret("route_match.header"), "present_match": true}],
                "dynamic_metadata": [{"filter": secret("route_match.filter")}]}),
            name => filled(definitions, name),
        };
    }
    if let Some(name) = schema["enum"].get(0).or(schema.get("const")) {
        return name.clone();
    }
    match schema["type"].as_str() {
        Some("integer" | "number") => schema["minimum"].clone(),
        Some("boolean") => json!(true),
        Some("array") => json!([value(definitions, place, &schema["items"])]),
        Some("object") => match schema.get("additionalProperties") {
            Some(each) => json!({"key": value(definitions, place, each)}),
            None => json!({"key": secret(place)}),
        },
        _ => secret(place),
    }
}

fn metadata(place: &str) -> Value {
    json!({
        "filter_metadata": {"envoy.lb": {"stage": secret(place)}, "other": {"a": secret("cluster.other")}},
        "typed_filter_metadata": {"envoy.lb": {"@type": "t/google.protobuf.StringValue", "value": secret("cluster.typed")}},
    })
}

fn cluster() -> Value {
    let address =
        json!({"socket_address": {"address": secret("cluster.address"), "port_value": 80}});
    json!({
        "name": secret("cluster.name"), "lb_policy": "MAGLEV", "type": "STATIC",
        "alt_stat_name": secret("cluster.alt_stat_name"),
        "common_lb_config": {"healthy_panic_threshold": {"value": 50}},
        "transport_socket": {"name": "tls", "typed_config": {"common_tls_context": {"tls_certificates": [
            {"private_key": {"inline_bytes": secret("cluster.key")}, "password": {"filename": secret("cluster.file")}}]}}},
        "health_checks": [{"http_health_check": {"path": secret("cluster.health"), "request_headers_to_add": [
            {"header": {"key": "x-a", "value": secret("cluster.header")}}]}}],
        "load_assignment": {"cluster_name": secret("cluster.name"), "endpoints": [{"lb_endpoints": [{
            "endpoint": {"address": address, "hostname": secret("cluster.hostname"),
                "observability_name": secret("cluster.observability")},
            "metadata": metadata("cluster.metadata")}]}]},
    })
}

fn message(name: &str, value: Value) -> Value {
    json!({"@type": format!("type.googleapis.com/{name}"), "value": value})
}

/// A configuration in every form in which Envoy accepts one.
fn forms(configuration: &Value) -> Vec<Value> {
    let text = message(
        "google.protobuf.StringValue",
        json!(configuration.to_string()),
    );
    let as_struct = message("google.protobuf.Struct", configuration.clone());
    let typed = |value: &Value| {
        let mut typed = message("xds.type.v3.TypedStruct", value.clone());
        typed["type_url"] = json!("type.googleapis.com/google.protobuf.Struct");
        typed
    };
    vec![
        text.clone(),
        as_struct.clone(),
        typed(configuration),
        typed(&json!({"value": configuration.to_string()})),
        message("google.protobuf.Any", text),
        message("google.protobuf.Any", as_struct),
        configuration.clone(),
        message(
            "google.protobuf.StringValue",
            json!(format!("{configuration} // not JSON")),
        ),
        message("google.protobuf.ListValue", json!([configuration])),
        message(
            "com.example.Unknown",
            json!({"a": {"b": secret("unknown.b")}}),
        ),
        message(
            "google.protobuf.StringValue",
            json!(format!("key: {}", secret("yaml.key"))),
        ),
        message(
            "google.protobuf.BytesValue",
            json!(BASE64_STANDARD.encode(configuration.to_string())),
        ),
    ]
}

const PREFIX: &str = "type.googleapis.com/envoy.extensions.filters.http";

fn wasm(configuration: &Value) -> Value {
    json!({
        "@type": format!("{PREFIX}.wasm.v3.Wasm"),
        "config": {"name": "spillgate", "vm_config": {
            "vm_id": "spillgate", "code": {"local": {"inline_bytes": secret("code.bytes")}},
            "configuration": message("google.protobuf.StringValue", secret("vm.configuration")),
        }, "configuration": configuration},
    })
}

fn module(configuration: &Value) -> Value {
    json!({
        "@type": format!("{PREFIX}.dynamic_modules.v3.DynamicModuleFilter"),
        "dynamic_module_config": {"name": "spillgate-0123abcd", "do_not_close": true},
        "filter_name": "spillgate", "filter_config": configuration,
    })
}

/// The same message as a `TypedStruct`, which people can write in camelCase.
fn typed_struct(filter: &Value) -> Value {
    let mut value = filter.clone();
    let type_url = value.as_object_mut().unwrap().remove("@type").unwrap();
    let fields = value.as_object().unwrap().iter().map(|(name, value)| {
        let name = match &**name {
            "dynamic_module_config" => "dynamicModuleConfig",
            "filter_config" => "filterConfig",
            name => name,
        };
        (name.to_owned(), value.clone())
    });
    let value = Value::Object(fields.collect());
    json!({"@type": "type.googleapis.com/udpa.type.v1.TypedStruct", "type_url": type_url, "value": value})
}

fn manager(filters: &[Value]) -> Value {
    json!({"name": "hcm", "typed_config": {
        "@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
        "stat_prefix": "in",
        "route_config": {"virtual_hosts": [{"name": "all", "domains": ["*"], "routes": [{
            "match": {"prefix": "/"}, "route": {"cluster_header": "x-spillgate-cluster"}}]}]},
        "http_filters": filters,
    }})
}

fn dump(sections: &[(&str, &str, Value)]) -> Value {
    let sections = sections.iter().map(|(kind, field, value)| {
        json!({"@type": format!("type.googleapis.com/envoy.admin.v3.{kind}"), *field: value})
    });
    json!({"configs": sections.collect::<Vec<_>>()})
}

/// The hosts of the proxy.
const CLUSTERS: &str = "shop::10.0.0.1:80::hostname::\nshop::10.0.0.1:80::health_flags::healthy\n\
    shop::10.0.0.1:80::weight::1\nshop::10.0.0.1:80::region::\nshop::10.0.0.1:80::zone::\n\
    shop::10.0.0.1:80::sub_zone::\nshop::10.0.0.1:80::priority::0\n";

/// The capture of an Envoy with this dump.
fn captured(dump: &Value, more: &[&str]) -> String {
    let dump = dump.to_string();
    let server = CannedServer::tcp(move |path| match path {
        "/config_dump?include_eds" => canned_response("200 OK", "", &dump),
        "/runtime" => canned_response("200 OK", "", "{}"),
        _ => canned_response("200 OK", "", CLUSTERS),
    })
    .unwrap();
    let ran = spillgate(&[&["capture", &server.url, "-o", "-"], more].concat());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    ran.stdout
}

#[test]
fn only_harmless_texts_of_the_filters_configuration_stay_in_every_form() {
    let schema = fs::read_to_string(repository().join("docs/filter-config.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let full = filled(&schema["$defs"], "filter");
    let foreign = json!({"a": secret("foreign.a"), "nested": [{"value": secret("foreign.b")}]});
    let mut filters = Vec::new();
    for configuration in [&full, &foreign] {
        for form in forms(configuration) {
            for filter in [wasm(&form), module(&form)] {
                filters.extend([typed_struct(&filter), filter]);
            }
        }
    }
    let number = |(number, filter): (usize, &Value)| -> Value {
        let text = filter.to_string().replace("CARRIER", &number.to_string());
        serde_json::from_str(&text).unwrap()
    };
    let filters: Vec<Value> = filters.iter().enumerate().map(number).collect();
    let listed = filters
        .iter()
        .map(|filter| json!({"name": "f", "typed_config": filter}));
    let listed: Vec<Value> = listed.collect();
    let ecds = listed.iter().map(|filter| {
        let mut filter = filter.clone();
        filter["@type"] = json!("type.googleapis.com/envoy.config.core.v3.TypedExtensionConfig");
        let failed = json!({"failed_configuration": filter, "details": secret("error.details")});
        json!({"ecds_filter": filter, "error_state": failed})
    });
    let listener =
        json!([{"listener": {"name": "in", "filter_chains": [{"filters": [manager(&listed)]}]}}]);
    let dump = dump(&[
        ("ListenersConfigDump", "static_listeners", listener),
        ("EcdsConfigDump", "ecds_filters", ecds.collect()),
    ]);
    let encoded = Regex::new("[A-Za-z0-9+/]{400}").unwrap();
    let found = Regex::new(r"generated-([a-z_.]+)-of-(\w+)-").unwrap();
    assert!(encoded.is_match(&dump.to_string()));
    for more in [&[][..], &["--anonymize"]] {
        let captured = captured(&dump, more);
        let places: BTreeSet<(&str, &str)> = found
            .captures_iter(&captured)
            .map(|found| found.extract().1.into())
            .collect();
        let kept: BTreeSet<&str> = places.iter().map(|(place, _)| *place).collect();
        let harmless = HARMLESS.iter().chain(&HARMLESS_TOO).copied();
        let leaked: Vec<_> = places
            .iter()
            .filter(|(place, _)| !harmless.clone().any(|of| of == *place))
            .collect();
        assert!(leaked.is_empty(), "{more:?}: {leaked:?}");
        assert!(!encoded.is_match(&captured), "{more:?}");
        if more.is_empty() {
            // The capture answers what the proxy answers: these texts are in it.
            let missing: Vec<&str> = harmless.clone().filter(|of| !kept.contains(of)).collect();
            assert!(missing.is_empty(), "{missing:?}");
        }
    }
}

#[test]
fn a_captured_filter_is_still_valid_and_has_no_secret() {
    let hosts = json!({"cluster_name": "shop", "endpoints": [{"lb_endpoints": [
        {"endpoint": {"address": {"socket_address": {"address": "10.0.0.1", "port_value": 80}}}}]}]});
    let shop = json!({"name": "shop", "type": "STATIC", "load_assignment": hosts});
    let filter = json!({
        "clusters": [shop], "target": "shop",
        "trace": {"when": {"header": "x-debug", "value": "GENERATED-SECRET-OF-A-TRACE"}},
        "affinity": {"cookie": {}, "keys": [{"id": 1, "secret": "BFHZRejXFLD7HCTPcsyGEw0kHZ7L8/6wWZcerkOavhM="}]},
    });
    let folder = scratch("captured-filter");
    let file = folder.join("proxy.json");
    let router =
        json!({"name": "router", "typed_config": {"@type": format!("{PREFIX}.router.v3.Router")}});
    for form in &forms(&filter)[..2] {
        for ours in [wasm(form), module(form)] {
            let filters = [
                json!({"name": "spillgate", "typed_config": ours}),
                router.clone(),
            ];
            let address = json!({"socket_address": {"address": "127.0.0.1", "port_value": 80}});
            let listener = json!([{"listener": {
                "@type": "type.googleapis.com/envoy.config.listener.v3.Listener", "name": "in",
                "address": address, "filter_chains": [{"filters": [manager(&filters)]}]}}]);
            let mut cluster = shop.clone();
            cluster["@type"] = json!("type.googleapis.com/envoy.config.cluster.v3.Cluster");
            let dump = dump(&[
                (
                    "ClustersConfigDump",
                    "static_clusters",
                    json!([{"cluster": cluster}]),
                ),
                ("ListenersConfigDump", "static_listeners", listener),
            ]);
            for more in [&[][..], &["--anonymize"]] {
                let captured = captured(&dump, more);
                assert!(
                    !captured.contains("GENERATED") && !captured.contains("BFHZ"),
                    "{captured}"
                );
                fs::write(&file, &captured).unwrap();
                let explained = spillgate(&["explain", file.to_str().unwrap(), "--path", "/"]);
                assert_eq!(explained.status, 0, "{captured}{}", explained.stderr);
                assert!(
                    !explained.stderr.contains("filter-rejected"),
                    "{}",
                    explained.stderr
                );
                assert!(explained.stdout.contains(":80"), "{}", explained.stdout);
            }
        }
    }
}

#[test]
fn values_of_secret_names_and_credentials_leave_no_trace_anywhere() {
    // Every text has the place of its field.
    let labels = json!({"api-key": secret("metadata.key"), "Authorization": secret("metadata.auth"),
        "nested": {"sessionCookie": [secret("metadata.nested")]}, "stage": "kept"});
    let metadata = json!({"filter_metadata": {"envoy.lb": labels, "com.example": labels}});
    let host = json!({"endpoint": {"address": {"socket_address": {"address": "10.0.0.1", "port_value": 80}}},
        "metadata": metadata});
    let shop = json!({
        "@type": "type.googleapis.com/envoy.config.cluster.v3.Cluster", "name": "shop", "type": "STATIC",
        "metadata": metadata,
        "load_assignment": {"cluster_name": "shop", "endpoints": [{"lb_endpoints": [host]}]},
    });
    let mut of_filter = shop.clone();
    of_filter.as_object_mut().unwrap().remove("@type");
    let filter = json!({
        "clusters": [of_filter], "target": "shop",
        "criteria": [{"key": "api-key", "value": secret("criteria.value")}],
        "subset_chain": [{"match": {"api-key": secret("chain.key"), "authorization": secret("chain.auth")}}],
        "affinity": {"cookie": {}, "keys_from_env": "BFHZRejXFLD7HCTPcsyGEw0kHZ7L8/6wWZcerkOavhM=",
            "scope": "BFHZRejXFLD7HCTPcsyGEw0kHZ7L8/6wWZcerkOavhM="},
    });
    let mutated = json!({"name": "mutated", "typed_config": {
        "@type": format!("{PREFIX}.header_mutation.v3.HeaderMutation"),
        "mutations": {"request_mutations": [{"append": {"header": {"key": "x_api_key", "value": secret("header.value")}}}]}}});
    let lua = json!({"name": "lua", "typed_config": {"@type": format!("{PREFIX}.lua.v3.Lua"), "inline_code": secret("lua.code")}});
    let authz = json!({"name": "authz", "typed_config": {"@type": format!("{PREFIX}.ext_authz.v3.ExtAuthz"),
        "http_service": {"server_uri": {"uri": format!("http://u:{}@h/?k={}", "generated-uri.user-of-0-", "generated-uri.query-of-0-")}},
        "grpc_service": {"google_grpc": {"call_credentials": [
            {"google_refresh_token": secret("call.refresh")},
            {"service_account_jwt_access": {"json_key": secret("call.json")}},
            {"google_iam": {"authorization_token": secret("call.iam")}}]}}}});
    let mut filters = vec![mutated, lua, authz];
    for form in &forms(&filter)[..2] {
        for ours in [wasm(form), module(form)] {
            filters.push(json!({"name": "spillgate", "typed_config": ours}));
        }
    }
    let mut manager = manager(&filters);
    manager["typed_config"]["route_config"]["virtual_hosts"][0]["routes"][0]["metadata"] = metadata;
    let listener = json!([{"listener": {"name": "in", "filter_chains": [{"filters": [manager]}]}}]);
    let layers =
        json!({"layers": [{"name": "s", "static_layer": {"x.token": secret("runtime.static")}}]});
    let mut dump = dump(&[
        (
            "ClustersConfigDump",
            "static_clusters",
            json!([{"cluster": shop}]),
        ),
        ("ListenersConfigDump", "static_listeners", listener),
        (
            "BootstrapConfigDump",
            "bootstrap",
            json!({"layered_runtime": layers}),
        ),
    ])
    .to_string();
    dump = dump.replace("CARRIER", "0");
    let entry =
        json!({"final_value": secret("runtime.final"), "layer_values": [secret("runtime.layer")]});
    let runtime =
        json!({"layers": ["s"], "entries": {"x.token": entry, "upstream.maintenance_mode.token": {
        "final_value": "17", "layer_values": ["17"]}}})
        .to_string();
    let server = CannedServer::tcp(move |path| match path {
        "/config_dump?include_eds" => canned_response("200 OK", "", &dump),
        "/runtime" => canned_response("200 OK", "", &runtime),
        _ => canned_response("200 OK", "", CLUSTERS),
    })
    .unwrap();
    let found = Regex::new(r"generated-([a-z_.]+)|BFHZ").unwrap();
    for more in [&[][..], &["--anonymize"]] {
        let ran = spillgate(&[&["capture", &server.url, "-o", "-"], more].concat());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let leaked: BTreeSet<&str> = found
            .find_iter(&ran.stdout)
            .map(|found| found.as_str())
            .collect();
        assert!(leaked.is_empty(), "{more:?}: {leaked:?}");
        assert!(ran.stdout.contains("\"17\""), "{}", ran.stdout);
        assert!(ran.stdout.contains("\"kept\""), "{}", ran.stdout);
    }
}
