//! No diagnostic has the text of a secret: not by its name, by the name next to it, or by its look.

use serde_json::{Value, json};
use spillgate_config::{
    Diagnostic,
    envoy::{Format, ReadOptions, read, read_for_lint},
    mesh,
};

/// A configuration with secrets wherever names say so.
const ENVOY: &str = r#"
layered_runtime: {layers: [{name: a, static_layer: {x: {token: SECRET}}}]}
static_resources:
  clusters:
  - name: c
    lb_subset_config:
      fallback_policy: DEFAULT_SUBSET
      default_subset: {api_key: SECRET}
      subset_selectors: [{keys: [api_key]}]
    health_checks:
    - timeout: 1s
      interval: 1s
      healthy_threshold: 1
      unhealthy_threshold: 1
      http_health_check: {path: /, request_headers_to_add: [{header: {key: authorization, value: SECRET}}]}
    load_assignment:
      cluster_name: c
      endpoints:
      - lb_endpoints:
        - endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}
          metadata: {filter_metadata: {envoy.lb: {api_key: SECRET}}}
  listeners:
  - name: l
    filter_chains:
    - filters:
      - name: h
        typed_config:
          '@type': type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          stat_prefix: s
          http_filters:
          - name: lua
            typed_config:
              '@type': type.googleapis.com/envoy.extensions.filters.http.lua.v3.Lua
              default_source_code: {inline_string: SECRET}
          - name: router
            typed_config: {'@type': type.googleapis.com/envoy.extensions.filters.http.router.v3.Router}
          route_config:
            virtual_hosts:
            - name: v
              domains: ['*']
              request_headers_to_add: [{header: {key: x-api-key, value: SECRET}}]
              routes:
              - match:
                  prefix: /
                  headers:
                  - {name: authorization, string_match: {exact: SECRET}}
                  - {string_match: {prefix: SECRET}, name: X-Auth}
                  - {name: cookie, exact_match: SECRET}
                  - {name: x-token, string_match: {safe_regex: {regex: SECRET}}}
                  query_parameters: [{name: access_token, string_match: {exact: SECRET}}]
                route:
                  cluster: c
                  metadata_match: {filter_metadata: {envoy.lb: {api_key: SECRET}}}
"#;

const MESH: &str = r#"
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: v, namespace: n}
spec:
  hosts: [shop]
  http:
  - match: [{headers: {authorization: {exact: SECRET}, cookie: {regex: SECRET}}}]
    route: [{destination: {host: shop}, headers: {request: {set: {x-api-key: SECRET}}}}]
---
type: MeshHTTPRoute
name: r
mesh: default
spec:
  targetRef: {kind: Mesh}
  to:
  - targetRef: {kind: MeshService, name: shop}
    rules:
    - matches: [{headers: [{type: Exact, name: authorization, value: SECRET}]}]
      default: {backendRefs: [{kind: MeshService, name: shop}]}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: h, namespace: n}
spec:
  parentRefs: [{kind: Service, group: '', name: shop, port: 80}]
  rules:
  - matches: [{headers: [{name: authorization, value: SECRET}]}]
    backendRefs: [{name: shop, port: 80}]
"#;

/// What a secret is replaced by: a number, a list, an object, and texts that are no valid expression or number.
fn wrong_values() -> [Value; 5] {
    [
        json!(87_654_321),
        json!(["87654321"]),
        json!({"a": "87654321"}),
        json!("(87654321"),
        json!(-87_654_321.5),
    ]
}

fn value_of(text: &str) -> Vec<Value> {
    let parsed = Format::YamlAsJson.parse(text).unwrap();
    let json = parsed.roots.iter().map(spillgate_config::node::to_json);
    json.map(|json| serde_json::from_str(&json).unwrap())
        .collect()
}

/// The JSON pointers of the secrets.
fn secrets(value: &Value, at: String, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map {
                secrets(inner, format!("{at}/{}", key.replace('/', "~1")), found);
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                secrets(inner, format!("{at}/{index}"), found);
            }
        }
        Value::String(text) if text == "SECRET" => found.push(at),
        _ => {}
    }
}

/// Checks that no diagnostic has a secret, and returns how many of them describe one.
fn check(documents: &[Value], read: impl Fn(&str) -> Vec<Diagnostic>) -> usize {
    let mut described = 0;
    for document in documents {
        let mut pointers = Vec::new();
        secrets(document, String::new(), &mut pointers);
        assert!(!pointers.is_empty());
        for pointer in pointers {
            for wrong in wrong_values() {
                let mut changed = document.clone();
                *changed.pointer_mut(&pointer).unwrap() = wrong;
                for one in read(&changed.to_string()) {
                    let line = one.to_string();
                    assert!(!line.contains("87654321"), "{pointer}: {line}");
                    described += usize::from(line.contains(" characters"));
                }
            }
        }
    }
    described
}

#[test]
fn no_diagnostic_about_a_configuration_of_envoy_has_a_secret() {
    let documents = value_of(ENVOY);
    let described = check(&documents, |text| match read(text, Format::Json) {
        Ok(config) => config.warnings,
        Err(faults) => faults,
    });
    assert!(described > 10, "{described}");
    check(&documents, |text| {
        match read_for_lint(text, Format::Json, &ReadOptions::default()) {
            Ok(config) => config.warnings,
            Err(faults) => faults,
        }
    });
}

#[test]
fn no_diagnostic_about_documents_of_a_mesh_has_a_secret() {
    let described = check(&value_of(MESH), |text| {
        match mesh::read(text, Format::Json, 0) {
            Ok(documents) => documents.warnings,
            Err(faults) => faults,
        }
    });
    assert!(described > 3, "{described}");
}

#[test]
fn a_value_that_looks_like_a_secret_is_not_shown_anywhere() {
    for secret in [
        "Bearer abcdef123456",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
        "-----BEGIN PRIVATE KEY-----",
        "sk_live_51HqT8x2eZvKYlo2C9aBcD3",
    ] {
        let text = json!({"name": "c", "lb_policy": secret}).to_string();
        let faults = read(&text, Format::Json).unwrap_err();
        let fault = faults[0].to_string();
        assert!(fault.contains("found a string of "), "{fault}");
        assert!(!fault.contains(secret), "{fault}");
    }
    let faults = read(r#"{"name": "c", "lb_policy": "MAGLEF"}"#, Format::Json).unwrap_err();
    assert_eq!(faults[0].found.as_deref(), Some("\"MAGLEF\""));
}
