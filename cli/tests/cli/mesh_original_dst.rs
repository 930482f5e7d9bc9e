//! Istio's clusters whose requests name their hosts: `ORIGINAL_DST` and `DYNAMIC_DNS`.

use crate::run::spillgate_with;

const HEADLESS: &str = "{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {clusterIP: None, selector: {app: a}, ports: [{port: 80, name: http}]}}";
const POD: &str = "{apiVersion: v1, kind: Pod, metadata: {name: p, labels: {app: a, istio-locality: r.z1}}, status: {podIP: 10.0.0.1}}";

fn answer(args: &[&str], documents: &[&str]) -> String {
    let text = format!("---\n{}", documents.join("\n---\n"));
    let ran = spillgate_with(args, text.as_bytes());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    ran.stdout
}

/// The host of `explain` in its first line.
fn host(args: &[&str], documents: &[&str]) -> String {
    let args = [&["explain", "-"], args].concat();
    let found = answer(&args, documents);
    let first = found.lines().next().unwrap_or_default();
    first.split(" -> ").nth(1).unwrap_or_default().to_owned()
}

#[test]
fn requests_of_a_headless_service_keep_their_destination() {
    let input = [HEADLESS, POD];
    let local = ["--as", "zone:r/z1", "--local", "10.0.0.9:80"];
    assert_eq!(host(&local, &input), "10.0.0.9:80");
    let unknown = host(&["--as", "zone:r/z1"], &input);
    assert!(unknown.starts_with("unknown"), "{unknown}");
    let split = answer(&["split", "-", "--as", "zone:r/z1"], &input);
    assert!(!split.contains("10.0.0.1"), "{split}");
    // A host of the Service has a name of its own.
    let other = "{apiVersion: networking.istio.io/v1, kind: ServiceEntry, metadata: {name: n}, spec: {hosts: [n.com], resolution: STATIC, ports: [{number: 80, name: http}], endpoints: [{address: 10.0.0.2}]}}";
    let args = [&["--host", "p-0.a.default.svc.cluster.local"], &local[..]].concat();
    assert_eq!(host(&args, &[HEADLESS, POD, other]), "10.0.0.9:80");
}

#[test]
fn the_policy_passthrough_applies_to_all_subsets() {
    let service = HEADLESS.replace("clusterIP: None, ", "");
    let rule = "{apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: {name: a}, spec: {host: a, trafficPolicy: {loadBalancer: {simple: PASSTHROUGH}}, subsets: [{name: v1, labels: {app: a}, trafficPolicy: {loadBalancer: {simple: ROUND_ROBIN}}}]}}";
    let routes = "{apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: {name: a}, spec: {hosts: [a], http: [{route: [{destination: {host: a, subset: v1}}]}]}}";
    let args = ["--as", "zone:r/z1", "--local", "10.0.0.9:80"];
    assert_eq!(host(&args, &[&service, POD, rule, routes]), "10.0.0.9:80");
}

#[test]
fn a_gateway_balances_a_headless_service() {
    let gateway = "{apiVersion: networking.istio.io/v1, kind: Gateway, metadata: {name: g}, spec: {selector: {istio: g}, servers: [{hosts: ['*'], port: {number: 80, name: http, protocol: HTTP}}]}}";
    let routes = "{apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: {name: a}, spec: {hosts: ['*'], gateways: [g], http: [{route: [{destination: {host: a}}]}]}}";
    let rule = "{apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: {name: a}, spec: {host: a, trafficPolicy: {loadBalancer: {simple: PASSTHROUGH}}}}";
    let args = ["--as", "gateway:g"];
    let found = host(&args, &[HEADLESS, POD, gateway, routes]);
    assert!(found.starts_with("10.0.0.1:80"), "{found}");
    // Nothing restores the destination of a connection to a gateway.
    let found = host(&args, &[HEADLESS, POD, gateway, routes, rule]);
    assert!(found.starts_with("503"), "{found}");
}

#[test]
fn the_target_port_of_an_entry_without_resolution_replaces_the_port() {
    let entry = |resolution: &str| {
        format!(
            "{{apiVersion: networking.istio.io/v1, kind: ServiceEntry, metadata: {{name: n}}, spec: {{hosts: [n.com], resolution: {resolution}, ports: [{{number: 80, targetPort: 8080, name: http}}]}}}}"
        )
    };
    let args = [
        "--as",
        "zone:r/z1",
        "--host",
        "n.com",
        "--local",
        "10.0.0.9:80",
    ];
    assert_eq!(host(&args, &[&entry("NONE")]), "10.0.0.9:8080");
    let unknown = host(&args, &[&entry("DYNAMIC_DNS")]);
    assert!(unknown.starts_with("unknown"), "{unknown}");
}

#[test]
fn a_converted_cluster_gets_the_filter_that_it_needs() {
    let input = [HEADLESS, POD];
    let args = ["convert", "-", "--as", "zone:r/z1", "--to", "envoy"];
    let written = answer(&args, &input);
    assert!(written.contains("type: ORIGINAL_DST"), "{written}");
    let (config, _) = written.split_once("by the rules").unwrap_or((&written, ""));
    let local = ["--local", "10.0.0.9:80"];
    assert_eq!(host(&local, &[config]), "10.0.0.9:80");
}
