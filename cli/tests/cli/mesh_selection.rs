//! Which documents of a mesh apply to which proxy, destination and host.

use std::fs;

use crate::run::{Ran, scratch, spillgate};

/// The limit of a zone.
const ZONE_VIEW: &str = "the zone leaves the tags, the labels and the namespace of the proxy open";

/// Three zones with hosts of the service `backend`, and a client in z1.
const KUMA: &str = "\
type: Mesh
name: default
mtls: {enabledBackend: ca-1, backends: [{name: ca-1, type: builtin}]}
---
{type: Dataplane, mesh: default, name: b1, labels: {kuma.io/zone: z1}, networking: {address: 10.1.0.1, inbound: [{port: 80, tags: {kuma.io/service: backend, kuma.io/zone: z1, kuma.io/protocol: http, node: n1}}]}}
---
{type: Dataplane, mesh: default, name: b2, labels: {kuma.io/zone: z2}, networking: {address: 10.2.0.1, inbound: [{port: 80, tags: {kuma.io/service: backend, kuma.io/zone: z2, kuma.io/protocol: http, node: n2}}]}}
---
{type: Dataplane, mesh: default, name: web, labels: {kuma.io/zone: z1}, networking: {address: 10.1.1.1, inbound: [{port: 80, tags: {kuma.io/service: web, kuma.io/zone: z1, kuma.io/protocol: http, node: n1}}]}}
";

/// A policy that keeps requests in their zone.
fn local(target: &str) -> String {
    format!(
        "---\ntype: MeshLoadBalancingStrategy\nmesh: default\nname: local\nspec:\n  targetRef: {target}\n  to:\n  - targetRef: {{kind: MeshService, name: backend}}\n    default: {{localityAwareness: {{localZone: {{affinityTags: []}}}}}}\n"
    )
}

fn file(name: &str, text: &str) -> String {
    let path = scratch(&format!("mesh_selection_{name}")).join("mesh.yaml");
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn run(name: &str, text: &str, args: &[&str]) -> Ran {
    let file = file(name, text);
    let (command, rest) = args.split_first().unwrap();
    spillgate(&[&[*command, &file], rest].concat())
}

#[test]
fn a_policy_for_a_zone_applies_to_the_view_of_the_zone() {
    for (number, target) in [
        "{kind: MeshSubset, tags: {kuma.io/zone: z1}}",
        "{kind: Dataplane, labels: {kuma.io/zone: z1}}",
    ]
    .iter()
    .enumerate()
    {
        let text = format!("{KUMA}{}", local(target));
        let ran = run(
            &format!("zone_{number}"),
            &text,
            &["split", "--as", "z1", "--cluster", "backend"],
        );
        assert!(!ran.stdout.contains("10.2.0.1"), "{}", ran.stdout);
        assert!(!ran.stdout.contains(ZONE_VIEW), "{}", ran.stderr);
    }
}

#[test]
fn a_policy_for_some_proxies_of_a_zone_is_named() {
    for (number, target) in [
        "{kind: MeshSubset, tags: {node: n1}}",
        "{kind: Dataplane, labels: {app: web}}",
        "{kind: MeshService, name: web}",
    ]
    .iter()
    .enumerate()
    {
        let text = format!("{KUMA}{}", local(target));
        let args = ["split", "--as", "z1", "--cluster", "backend"];
        let ran = run(&format!("some_{number}"), &text, &args);
        assert!(ran.stdout.contains(ZONE_VIEW), "{target}: {}", ran.stdout);
        let other = run(
            &format!("some_named_{number}"),
            &text,
            &["split", "--proxy", "web", "--cluster", "backend"],
        );
        assert!(!other.stdout.contains(ZONE_VIEW), "{}", other.stderr);
    }
}

/// Envoy keeps the first of equal addresses, and the egress chooses the zone.
#[test]
fn the_zone_egress_is_one_host() {
    let zones = ["z1", "z2", "z3"].map(|zone| {
        format!("---\n{{type: ZoneEgress, name: e{zone}, zone: {zone}, networking: {{address: 10.9.0.1, port: 10002}}}}\n---\n{{type: ZoneIngress, name: i{zone}, zone: {zone}, networking: {{address: 10.8.0.1, port: 10001, advertisedAddress: 10.8.{}.1, advertisedPort: 10001}}, availableServices: [{{tags: {{kuma.io/service: backend, kuma.io/zone: {zone}, kuma.io/protocol: http}}, instances: 1, mesh: default}}]}}\n", zone.trim_start_matches('z'))
    });
    let mesh = KUMA.replace(
        "name: default\n",
        "name: default\nrouting: {zoneEgress: true}\n",
    );
    let text = format!("{mesh}{}", zones.concat());
    let args = ["split", "--proxy", "web", "--cluster", "backend"];
    let ran = run("egress", &text, &args);
    let hosts = ran.stdout.matches(" 10.9.0.1:10002 ").count();
    assert_eq!(hosts, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("the zone egress chooses the zone"),
        "{}",
        ran.stderr
    );
}

/// The labels of the object and of the workload count, and its own port of that name.
#[test]
fn workload_entries_have_their_labels_and_ports() {
    const TEXT: &str = "\
apiVersion: v1
kind: Service
metadata: {name: vm, namespace: default}
spec: {selector: {app: vm}, ports: [{name: http, port: 80, targetPort: 8080}]}
---
apiVersion: networking.istio.io/v1
kind: WorkloadEntry
metadata: {name: a, namespace: default}
spec: {address: 10.0.0.1, labels: {app: vm}, locality: r/z}
---
apiVersion: networking.istio.io/v1
kind: WorkloadEntry
metadata: {name: b, namespace: default, labels: {app: vm}}
spec: {address: 10.0.0.2, labels: {app: other}, locality: r/z, ports: {http: 7070}}
";
    let ran = run("workloads", TEXT, &["split", "--as", "r/z"]);
    for host in ["10.0.0.1:8080", "10.0.0.2:7070"] {
        assert!(ran.stdout.contains(host), "{host}: {}", ran.stdout);
    }
}

#[test]
fn hosts_of_requests_are_those_of_documents() {
    let known = run(
        "host_known",
        KUMA,
        &["explain", "--proxy", "web", "--host", "backend.mesh"],
    );
    assert!(known.stdout.contains("cluster backend"), "{}", known.stdout);
    for (name, args) in [
        ("host_unknown", &["--host", "www.example.com"][..]),
        ("host_missing", &[]),
    ] {
        let ran = run(name, KUMA, &[&["explain", "--proxy", "web"], args].concat());
        assert_eq!(ran.status, 2, "{}", ran.stdout);
        assert!(
            ran.stderr.contains("explain/unknown-host"),
            "{}",
            ran.stderr
        );
    }
}

/// Kuma sets hash policies in routes of HTTP only.
#[test]
fn destinations_that_are_not_http_have_no_hash_policy() {
    let text = format!(
        "{}---\ntype: MeshLoadBalancingStrategy\nmesh: default\nname: hash\nspec:\n  to:\n  - targetRef: {{kind: MeshService, name: backend}}\n    default: {{loadBalancer: {{type: RingHash}}, hashPolicies: [{{type: Header, header: {{name: x-u}}}}]}}\n",
        KUMA.replace("kuma.io/protocol: http", "kuma.io/protocol: tcp")
    );
    let args = [
        "explain", "--proxy", "web", "--host", "backend", "--header", "x-u:1",
    ];
    let ran = run("tcp", &text, &args);
    assert!(
        ran.stdout.contains("without a request hash"),
        "{}",
        ran.stdout
    );
}

/// `SourceIP` is the deprecated type of a hash policy that Kuma accepts and Envoy rejects.
#[test]
fn a_hash_policy_without_a_source_is_left_out() {
    let text = format!(
        "{KUMA}---\ntype: MeshLoadBalancingStrategy\nmesh: default\nname: hash\nspec:\n  to:\n  - targetRef: {{kind: MeshService, name: backend}}\n    default: {{loadBalancer: {{type: RingHash, ringHash: {{hashPolicies: [{{type: SourceIP, connection: {{sourceIP: true}}}}]}}}}}}\n"
    );
    let args = ["split", "--proxy", "web", "--cluster", "backend"];
    let ran = run("source_ip", &text, &args);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("mesh/rejected-by-envoy"),
        "{}",
        ran.stderr
    );
}
