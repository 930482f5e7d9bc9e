//! `adopt` for Istio: mesh documents in, a file of objects out.

use std::{fs, path::Path};

use crate::run::{Ran, adopt_at, assert_golden, fixture, scratch};

const URL: &str = "oci://registry.example.com/spillgate:1";

fn adopt(folder: &Path, args: &[&str]) -> Ran {
    adopt_at(folder, &[&["--form", "wasm"], args].concat())
}

/// A new folder with the documents of a fixture.
fn folder(name: &str, text: &str) -> std::path::PathBuf {
    let folder = scratch(name);
    fs::write(folder.join("mesh.yaml"), text).unwrap();
    folder
}

fn weighted() -> String {
    fixture("istio/weighted.yaml")
}

/// Writes the added lines of a new file, as `git apply` does.
fn apply(folder: &Path, diff: &str) {
    let start = "--- /dev/null\n+++ b/spillgate.yaml\n@@ -0,0 +1,";
    assert!(diff.starts_with(start), "{diff}");
    let lines = diff
        .lines()
        .skip(3)
        .map(|line| line.strip_prefix('+').unwrap());
    let text: String = lines.flat_map(|line| [line, "\n"]).collect();
    fs::write(folder.join("spillgate.yaml"), text).unwrap();
}

#[test]
fn a_weighted_virtual_service_becomes_a_plugin_and_an_envoy_filter() {
    let folder = folder("weighted", &weighted());
    let ran = adopt(&folder, &["mesh.yaml", "--url", URL]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert_golden("adopt-istio-weighted.diff", &ran.stdout);
    ran.assert_error_has("compared 1 request before and after");
    ran.assert_error_has("all answers are equal");
}

#[test]
fn all_servers_of_a_gateway_are_steered_or_one_of_them() {
    let server = "hosts: [shop/*]}";
    let more = format!(
        "{server}\n  - {{port: {{number: 443, name: https, protocol: HTTPS}}, tls: {{mode: SIMPLE}}, {server}"
    );
    let folder = folder("servers", &weighted().replace(server, &more));
    let ran = adopt(&folder, &["mesh.yaml"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    for name in ["shop.example.com:80", "shop.example.com:443"] {
        let vhost = format!("{{vhost: {{name: \"{name}\", route: {{action: ROUTE}}}}}}");
        ran.assert_output_has(&vhost);
    }
    assert!(!ran.stdout.contains("portNumber"), "{}", ran.stdout);
    let ran = adopt(&folder, &["mesh.yaml", "--listener", "http.80"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let expected = "match: [{mode: CLIENT, ports: [{number: 80}]}]";
    ran.assert_output_has(expected);
    ran.assert_output_has("portNumber: 80");
    assert!(!ran.stdout.contains("example.com:443"), "{}", ran.stdout);
}

#[test]
fn a_sidecar_keeps_its_hash_and_gets_sessions() {
    let folder = folder("hash", &fixture("istio/hash.yaml"));
    let ran = adopt(
        &folder,
        &[
            "mesh.yaml",
            "--as",
            "r/z",
            "--workload",
            "web/app=web",
            "--sessions",
            "cookie",
            "--url",
            URL,
        ],
    );
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert_golden("adopt-istio-hash.diff", &ran.stdout);
    ran.assert_error_has("spillgate token keygen");
    // Connections of another service have no host list.
    let other = "---\napiVersion: v1\nkind: Service\nmetadata: {name: db, namespace: shop}\n\
                 spec: {selector: {app: db}, ports: [{name: tcp, port: 5432}]}\n";
    fs::write(folder.join("mesh.yaml"), fixture("istio/hash.yaml") + other).unwrap();
    let ran = adopt(
        &folder,
        &["mesh.yaml", "--as", "r/z", "--workload", "web/app=web"],
    );
    assert!(!ran.stdout.contains("5432"), "{}", ran.stdout);
    let expected = "does not say HTTP: outbound|5432||db.shop.svc.cluster.local";
    ran.assert_error_has(expected);
    let without = adopt(&folder, &["mesh.yaml", "--as", "r/z"]);
    assert_eq!(without.status, 2);
    let expected = "sidecars need --workload";
    without.assert_error_has(expected);
}

#[test]
fn a_second_run_changes_nothing_and_follows_the_documents() {
    let folder = folder("again", &weighted());
    let first = adopt(&folder, &["mesh.yaml", "--url", "oci://own/spillgate:2"]);
    apply(&folder, &first.stdout);
    for args in [&["mesh.yaml"][..], &["mesh.yaml", "spillgate.yaml"], &["."]] {
        let ran = adopt(&folder, args);
        assert_eq!(
            (ran.status, ran.stdout.as_str()),
            (0, ""),
            "{args:?}: {}",
            ran.stderr
        );
        ran.assert_error_has("nothing to change");
    }
    // What the user has added to the objects stays.
    let file = folder.join("spillgate.yaml");
    let text = fs::read_to_string(&file).unwrap();
    let own = "failStrategy: FAIL_RELOAD\n  imagePullSecret: registry";
    fs::write(&file, text.replacen("failStrategy: FAIL_RELOAD", own, 1)).unwrap();
    let ran = adopt(&folder, &["mesh.yaml"]);
    assert_eq!(ran.stdout, "", "{}", ran.stderr);
    let shifted = weighted()
        .replace("weight: 90", "weight: 80")
        .replace("weight: 10", "weight: 20");
    fs::write(folder.join("mesh.yaml"), shifted).unwrap();
    let ran = adopt(&folder, &["mesh.yaml"]);
    ran.assert_output_starts("--- a/spillgate.yaml\n+++ b/spillgate.yaml\n");
    let has = |line: &str| {
        ran.stdout
            .lines()
            .any(|own| own.starts_with('+') && own.contains(line))
    };
    assert!(
        has("weight: 80") && !has("imagePullSecret") && !has("url:"),
        "{}",
        ran.stdout
    );
}

#[test]
fn the_way_back_removes_the_file() {
    let folder = folder("undo", &weighted());
    let there = adopt(&folder, &["mesh.yaml"]);
    let back = adopt(&folder, &["mesh.yaml", "--undo"]);
    apply(&folder, &there.stdout);
    let of_file = adopt(&folder, &["spillgate.yaml", "--undo"]);
    for ran in [back, of_file] {
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let start = "--- a/spillgate.yaml\n+++ /dev/null\n";
        ran.assert_output_starts(start);
        let removed = ran
            .stdout
            .lines()
            .skip(2)
            .filter(|line| line.starts_with('-'))
            .count();
        assert_eq!(removed, there.stdout.lines().count() - 3);
    }
}

#[test]
fn what_cannot_be_carried_over_is_an_error_at_its_document() {
    for (from, to, expected) in [
        (
            "localityLbSetting: {enabled: false}",
            "localityLbSetting: {failover: [{from: a, to: b}]}",
            "mesh.yaml:22:1: adopt/not-carried-over: [2]: outbound|8080|v1|shop.shop.svc.cluster.local: Envoy refuses this \
             setting next to the filter's policy",
        ),
        (
            "subset: v2}, weight: 10",
            "subset: v2}, weight: 10, headers: {request: {set: {a: b}}}",
            "mesh.yaml:10:1: adopt/not-carried-over: [1]: shop.example.com:80: request_headers_to_add of a weighted cluster",
        ),
    ] {
        let folder = folder("refused", &weighted().replace(from, to));
        let ran = adopt(&folder, &["mesh.yaml"]);
        assert_eq!(ran.status, 2, "{}", ran.stdout);
        ran.assert_error_has(expected);
        assert_eq!(ran.stdout, "");
    }
    let folder = folder("options", &weighted());
    for (args, expected) in [
        (
            &["mesh.yaml", "--criteria", "tenant=x-tenant"][..],
            "no metadata in envoy.lb",
        ),
        (
            &["mesh.yaml", "--write", "mesh.yaml"],
            "a file of their own",
        ),
        (&["mesh.yaml", "--workload", "a/b"], "--workload"),
    ] {
        let ran = adopt(&folder, args);
        assert_eq!(ran.status, 2, "{args:?}");
        assert!(ran.stderr.contains(expected), "{args:?}: {}", ran.stderr);
    }
}

/// A Gateway of the Gateway API, and a route of it.
fn gateway_api(class: &str) -> String {
    format!(
        "apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata: {{name: inner, namespace: shop}}
spec:
  gatewayClassName: {class}
  listeners: [{{name: http, protocol: HTTP, port: 80}}]
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {{name: shop, namespace: shop}}
spec:
  parentRefs: [{{name: inner}}]
  rules: [{{backendRefs: [{{name: shop, port: 8080}}]}}]
"
    )
}

#[test]
fn a_gateway_of_the_gateway_api_is_refused_by_name() {
    for (class, expected) in [
        ("istio", "objects by hand with targetRefs"),
        (
            "istio-waypoint",
            "adopt writes no objects for waypoints: their hosts have addresses inside the mesh",
        ),
    ] {
        let folder = folder("gateway_api", &gateway_api(class));
        let ran = adopt(&folder, &["mesh.yaml"]);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{class}");
        ran.assert_error_has("mesh.yaml:1:1: adopt/not-carried-over");
        ran.assert_error_has(&format!("found shop/inner, gatewayClassName {class}"));
        ran.assert_error_has(expected);
    }
    let both = format!("{}\n---\n{}", weighted(), gateway_api("istio"));
    let folder = folder("gateway_api_both", &both);
    let ran = adopt(&folder, &["mesh.yaml"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    ran.assert_error_has("no objects for Gateways of the Gateway API: shop/inner");
    let ran = adopt(&folder, &["mesh.yaml", "--as", "gateway:shop/inner"]);
    assert_eq!(ran.status, 2, "{}", ran.stderr);
    ran.assert_error_has("found shop/inner, gatewayClassName istio");
}
