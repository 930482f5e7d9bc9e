//! What `spillgate diff` of documents of a mesh says about what it does not compare, zones of one side, and traffic.

use std::fs;

use serde_json::Value;

use crate::diff::diff;
use crate::run::{Ran, scratch};

const ISTIO: &str = include_str!("fixtures/istio/shop.yaml");
const KUMA: &str = include_str!("fixtures/kuma/shop.yaml");

/// A comparison of a text with its edited form.
fn edited(name: &str, text: &str, edits: &[(&str, &str)], args: &[&str]) -> Ran {
    let mut new = text.to_owned();
    for (from, to) in edits {
        assert!(new.contains(from), "{from}");
        new = new.replace(from, to);
    }
    let folder = scratch(&format!("diff_mesh_{name}"));
    let files = ["old.yaml", "new.yaml"].map(|file| folder.join(file));
    fs::write(&files[0], text).unwrap();
    fs::write(&files[1], new).unwrap();
    let files = files.map(|file| file.display().to_string());
    diff(&[&[files[0].as_str(), &files[1]], args].concat())
}

#[test]
fn fields_and_documents_that_are_not_compared_are_named_if_they_differ() {
    for (number, (text, from, to, named)) in [
        (
            ISTIO,
            "value: 1}, httpStatus",
            "value: 100}, httpStatus",
            "http.fault of VirtualService shop/cart",
        ),
        (
            ISTIO,
            "timeout: 5s",
            "timeout: 0.001s",
            "http.timeout of VirtualService shop/cart",
        ),
        (
            ISTIO,
            "http2MaxRequests: 100",
            "http2MaxRequests: 1",
            "trafficPolicy.connectionPool of DestinationRule shop/cart",
        ),
        (
            ISTIO,
            "tls: {mode: DISABLE, sni",
            "tls: {mode: ISTIO_MUTUAL, sni",
            "trafficPolicy.tls of DestinationRule shop/cart",
        ),
        (
            ISTIO,
            "consecutive5xxErrors: 5",
            "consecutive5xxErrors: 1",
            "trafficPolicy.outlierDetection.consecutive5xxErrors of DestinationRule shop/cart",
        ),
        (
            ISTIO,
            "MESH_EXTERNAL",
            "MESH_INTERNAL",
            "location of ServiceEntry shop/pay",
        ),
        (
            ISTIO,
            "resolution: STATIC",
            "resolution: DNS",
            "resolution of ServiceEntry shop/pay",
        ),
        (
            ISTIO,
            "action: ALLOW",
            "action: DENY",
            "AuthorizationPolicy shop/cart",
        ),
        (
            ISTIO,
            "PERMISSIVE",
            "STRICT",
            "PeerAuthentication shop/default",
        ),
        (ISTIO, "\"./*\"", "\"other/*\"", "Sidecar shop/default"),
        (
            ISTIO,
            "lb_policy: RANDOM",
            "lb_policy: MAGLEV",
            "EnvoyFilter shop/policy",
        ),
        (
            ISTIO,
            "phase: AUTHN",
            "phase: AUTHZ",
            "WasmPlugin shop/limits",
        ),
        // The AuthorizationPolicy selects by this label, and nothing by others.
        (
            ISTIO,
            "tier: front}\n  annotations",
            "tier: back}\n  annotations",
            "metadata.labels.tier of Pod in shop",
        ),
        (
            ISTIO,
            "connectTimeout: 10s",
            "connectTimeout: 1s",
            "data.mesh.connectTimeout of ConfigMap istio-system/istio",
        ),
        (
            KUMA,
            "httpStatus: 503, percentage: 1}",
            "httpStatus: 503, percentage: 100}",
            "MeshFaultInjection cart",
        ),
        (
            KUMA,
            "action: Allow",
            "action: Deny",
            "MeshTrafficPermission cart",
        ),
        (
            KUMA,
            "requestTimeout: 15s",
            "requestTimeout: 1ms",
            "MeshTimeout cart",
        ),
        (
            KUMA,
            "maxRequests: 100",
            "maxRequests: 1",
            "MeshCircuitBreaker cart",
        ),
        (
            KUMA,
            "unhealthyThreshold: 3",
            "unhealthyThreshold: 1",
            "MeshHealthCheck cart",
        ),
        (
            KUMA,
            "passthrough: true",
            "passthrough: false",
            "networking of Mesh default",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let args = ["--expect", "no new 503"];
        let ran = edited(&format!("named_{number}"), text, &[(from, to)], &args);
        assert_eq!(ran.status, 1, "{named}\n{}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains(named), "{named}\n{}", ran.stdout);
        assert!(ran.stdout.contains("FAILS no new 503"), "{}", ran.stdout);
        assert!(!ran.stdout.contains("no request differs"), "{}", ran.stdout);
    }
}

#[test]
fn what_changes_no_request_is_no_difference() {
    for (number, (text, from, to)) in [
        (ISTIO, "resourceVersion: \"7\"", "resourceVersion: \"8\""),
        (
            ISTIO,
            "example.com/owner: team",
            "example.com/owner: others",
        ),
        (ISTIO, "accessLogging", "metrics"),
        (
            ISTIO,
            "{name: cart, image: cart,",
            "{name: cart, image: cart2,",
        ),
        (ISTIO, "enableTracing: true", "enableTracing: false"),
        (KUMA, "2026-01-01", "2026-01-02"),
        (
            KUMA,
            "metrics: {enabledBackend: p}",
            "metrics: {enabledBackend: q}",
        ),
        (KUMA, "path: /dev/stdout", "path: /dev/stderr"),
    ]
    .into_iter()
    .enumerate()
    {
        let args = ["--expect", "no new 503"];
        let ran = edited(&format!("same_{number}"), text, &[(from, to)], &args);
        assert_eq!(ran.status, 0, "{from}\n{}{}", ran.stdout, ran.stderr);
        assert!(ran.stdout.contains("(proved)"), "{from}\n{}", ran.stdout);
    }
}

/// A route before another one moves its place, not its timeout.
#[test]
fn fields_keep_their_place_after_elements_before_them() {
    let (before, new) = (
        "  - name: gone\n",
        "  - name: new\n    match: [{uri: {exact: /new}}]\n    directResponse: {status: 200}\n  - name: gone\n",
    );
    let ran = edited(
        "place",
        ISTIO,
        &[(before, new)],
        &["--expect", "no new 503"],
    );
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let swapped = [
        ("timeout: 5s", "timeout: 9s"),
        ("timeout: 3s", "timeout: 5s"),
        ("9s", "3s"),
    ];
    let ran = edited("swapped", ISTIO, &swapped, &[]);
    assert!(ran.stdout.contains("http.timeout of"), "{}", ran.stdout);
}

#[test]
fn files_of_a_folder_without_documents_that_are_read_count_too() {
    let folder = scratch("diff_mesh_folder");
    let sides = ["old", "new"].map(|side| folder.join(side));
    for (side, action) in sides.iter().zip(["ALLOW", "DENY"]) {
        fs::create_dir_all(side).unwrap();
        fs::write(side.join("mesh.yaml"), KUMA).unwrap();
        let policy = format!(
            "apiVersion: security.istio.io/v1\nkind: AuthorizationPolicy\nmetadata: {{name: a}}\nspec: {{action: {action}}}\n"
        );
        fs::write(side.join("policy.yaml"), policy).unwrap();
    }
    let sides = sides.map(|side| side.display().to_string());
    let ran = diff(&[&sides[0], &sides[1], "--expect", "no new 503"]);
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("AuthorizationPolicy default/a"),
        "{}",
        ran.stdout
    );
}

#[test]
fn expectations_fail_in_zones_of_one_side() {
    let args = ["--expect", "no new 503"];
    let ran = edited("zone_gone", KUMA, &[("zone-2", "zone-1")], &args);
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    let why =
        "FAILS no new 503; not known: zone zone-2: only the old side has it; its requests are gone";
    assert!(ran.stdout.contains(why), "{}", ran.stdout);
    let json = edited(
        "zone_added",
        KUMA,
        &[("zone-2", "zone-3")],
        &["--expect", "no route change", "--format", "json"],
    );
    assert_eq!(json.status, 1, "{}{}", json.stdout, json.stderr);
    let answer: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(answer["expectations"][0]["ok"], false);
    let unknown = answer["expectations"][0]["unknown"].as_str().unwrap();
    assert!(unknown.starts_with("zone zone-2:"), "{unknown}");
}

#[test]
fn traffic_between_zones_that_changes_is_shown_in_each_format() {
    let edits = [(
        "crossZone: {failover: [{to: {type: Any}}]}",
        "disabled: true",
    )];
    let text = edited("traffic", KUMA, &edits, &[]);
    assert!(
        text.stdout
            .starts_with("traffic that changes, in percent of each zone's requests\n"),
        "{}",
        text.stdout
    );
    let cell = "  cart from zone zone-1 to zone zone-1  100.0 → 50.0\n";
    assert!(text.stdout.contains(cell), "{}", text.stdout);
    let markdown = edited("traffic_md", KUMA, &edits, &["--format", "markdown"]);
    let row = "| cart from zone zone-1 to zone zone-2 | 0.0 → 50.0 |";
    assert!(markdown.stdout.contains(row), "{}", markdown.stdout);
    let json = edited("traffic_json", KUMA, &edits, &["--format", "json"]);
    let answer: Value = serde_json::from_str(&json.stdout).unwrap();
    let cells = answer["traffic"].as_array().unwrap();
    assert!(
        cells.iter().any(|cell| cell["from"] == "zone-1"
            && cell["to"] == "zone-2"
            && cell["before"] == 0.0
            && cell["after"] == 50.0),
        "{cells:?}"
    );
}

/// Conditions that the model does not have choose the route, so that nothing is known about requests.
#[test]
fn conditions_that_are_not_converted_can_choose_other_routes() {
    let kuma_route = "---\ntype: MeshHTTPRoute\nmesh: default\nname: one\nspec:\n  targetRef: {kind: Mesh}\n  to:\n  \
                      - targetRef: {kind: MeshService, name: cart}\n    rules:\n    - matches: [{path: {type: PathPrefix, \
                      value: /a}}]\n      default: {backendRefs: [{kind: MeshService, name: cart}]}\n";
    let kuma = format!("{KUMA}{kuma_route}");
    let istio_route = |list: &str, conditions: &str| {
        format!(
            "{ISTIO}---\napiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {{name: one, namespace: \
             shop}}\nspec:\n  hosts: [pay.example]\n  {list}:\n  - match: [{{{conditions}}}]\n    route: [{{destination: \
             {{host: pay.example}}}}]\n"
        )
    };
    let path = "value: /a}}]";
    let http = "matches of MeshHTTPRoute one";
    for (number, (text, from, to, named)) in [
        (kuma.clone(), path, "value: /b}}]", http),
        (kuma.clone(), path, "value: /a}, method: GET}]", http),
        (
            kuma.clone(),
            path,
            "value: /a}, headers: [{name: x, value: y}]}]",
            http,
        ),
        (
            kuma,
            path,
            "value: /a}}, {path: {type: Exact, value: /b}}]",
            http,
        ),
        (
            istio_route("tls", "port: 443, sniHosts: [pay.example]"),
            "sniHosts: [pay.example]",
            "sniHosts: [other.example]",
            "sniHosts of VirtualService shop/one",
        ),
        (
            istio_route("tcp", "port: 443, destinationSubnets: [10.1.0.0/16]"),
            "10.1.0.0/16",
            "10.2.0.0/16",
            "destinationSubnets of VirtualService shop/one",
        ),
        (
            istio_route(
                "http",
                "headers: {\"@request.auth.claims.group\": {exact: a}}",
            ),
            "{exact: a}",
            "{exact: b}",
            "headers of VirtualService shop/one",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let args = ["--expect", "no route change", "--expect", "moved <= 0%"];
        let ran = edited(&format!("condition_{number}"), &text, &[(from, to)], &args);
        assert_eq!(ran.status, 1, "{named}\n{}{}", ran.stdout, ran.stderr);
        for expected in [named, "FAILS no route change", "FAILS moved"] {
            assert!(ran.stdout.contains(expected), "{expected}\n{}", ran.stdout);
        }
        let same = edited(&format!("condition_same_{number}"), &text, &[], &args);
        assert_eq!(same.status, 0, "{}{}", same.stdout, same.stderr);
    }
}
