//! `adopt` for Envoy Gateway: an HTTPRoute and its Gateway in, policies out.

use std::{fs, path::Path};

use crate::run::{Ran, adopt_at, assert_golden, fixture, scratch};

fn adopt(folder: &Path, args: &[&str]) -> Ran {
    adopt_at(folder, &[&["--form", "wasm", "routes.yaml"], args].concat())
}

/// A new folder with the documents of the fixture, changed.
fn folder(name: &str, from: &str, to: &str) -> std::path::PathBuf {
    let folder = scratch(name);
    let text = fixture("envoy-gateway/shop.yaml");
    assert!(text.contains(from), "{from}");
    fs::write(folder.join("routes.yaml"), text.replace(from, to)).unwrap();
    folder
}

#[test]
fn a_route_becomes_policies_that_refer_by_name() {
    let folder = folder("gateway", "", "");
    let ran = adopt(
        &folder,
        &[
            "--sessions",
            "header",
            "--url",
            "registry.example.com/spillgate:1",
        ],
    );
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert_golden("adopt-envoy-gateway.diff", &ran.stdout);
    ran.assert_error_has("spillgate token keygen");
}

#[test]
fn a_second_run_changes_nothing_and_the_way_back_removes_the_file() {
    let folder = folder("gateway", "", "");
    let written = [
        "--url",
        "oci://own/spillgate:2",
        "--write",
        "spillgate.yaml",
    ];
    let ran = adopt(&folder, &written);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    let text = fs::read_to_string(folder.join("spillgate.yaml")).unwrap();
    assert!(text.contains("image: {url: \"own/spillgate:2\"}"), "{text}");
    let ran = adopt(&folder, &[]);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    ran.assert_error_has("nothing to change");
    let ran = adopt(&folder, &["--undo"]);
    ran.assert_output_starts("--- a/spillgate.yaml\n+++ /dev/null\n");
}

#[test]
fn listeners_of_one_port_are_one_listener_with_the_name_of_the_first() {
    let second =
        "port: 80}\n  - {name: other, protocol: HTTP, port: 80, hostname: shop.example.com}";
    let folder = folder("gateway", "port: 80}", second);
    let ran = adopt(&folder, &[]);
    assert!(!ran.stdout.contains("infra/eg/other"), "{}", ran.stdout);
    ran.assert_output_has("name: infra/eg/http\n");
}

#[test]
fn more_retries_make_the_list_longer() {
    let retry = "spec:\n  retry: {numRetries: 4}\n  targetRefs:";
    let folder = folder("gateway", "spec:\n  targetRefs:", retry);
    let ran = adopt(&folder, &[]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    ran.assert_output_has("output: {candidates: 5}");
}

#[test]
fn what_cannot_be_carried_over_is_an_error_at_its_rule() {
    for (from, to, expected) in [
        (
            "[{name: shop, port: 8080}]",
            "[{name: shop, port: 8080}, {name: other, port: 8080}]",
            "routes.yaml:20:5: adopt/not-carried-over: spec.rules[1]: weights of backendRefs are weights of localities",
        ),
        (
            "- backendRefs: [{name: shop, port: 8080}]",
            "- {backendRefs: [{name: shop, port: 8080}], sessionPersistence: {type: Cookie}}",
            "routes.yaml:20:5: adopt/not-carried-over: spec.rules[1]: sessionPersistence",
        ),
        (
            "type: Header, header: {name: x-user}",
            "type: Cookie, cookie: {name: user}",
            "routes.yaml:22:1: adopt/not-carried-over: spec: this load balancer has no counterpart in the filter; found \
             loadBalancer.consistentHash.type Cookie",
        ),
        (
            "spec:\n  targetRefs:",
            "spec:\n  mergeType: StrategicMerge\n  targetRefs:",
            "routes.yaml:22:1: adopt/not-carried-over: spec: mergeType",
        ),
        (
            "namespace: infra}]",
            "namespace: other}]",
            "found other/eg, expected the Gateway as a further CONFIG",
        ),
    ] {
        let folder = folder("refused", from, to);
        let ran = adopt(&folder, &[]);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{expected}");
        ran.assert_error_has(expected);
    }
}
