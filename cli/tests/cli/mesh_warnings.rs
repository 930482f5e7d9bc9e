//! Warnings about mesh documents: every command that reads them prints each one once.

use crate::run::{Ran, scratch, spillgate_with};

/// A policy with settings that Kuma accepts, and endpoints in two zones.
const POLICY: &str = "type: MeshLoadBalancingStrategy
name: p
mesh: default
spec:
  to:
  - targetRef: {kind: MeshService, name: backend}
    default:
      loadBalancer: {type: Maglev, maglev: {tableSize: 100}}
      localityAwareness:
        localZone: {affinityTags: [{key: k8s.io/node}, {key: k8s.io/node}]}
        crossZone:
          failover:
          - {to: {type: None}}
          - {to: {type: Only, zones: [zone-9, \"\"]}}
          - {to: {type: Any}}
          - {to: {type: Any}}
          failoverThreshold: {percentage: 70}
  - targetRef: {kind: MeshService, name: web}
    default: {localityAwareness: {}}
---
- {address: '10.1.0.1:80', zone: zone-1, service: backend, tags: {k8s.io/node: n1}}
- {address: '10.2.0.1:80', zone: zone-2, service: backend}
- {address: '10.2.0.2:80', zone: zone-2, service: web}
---
kind: Deployment
metadata: {name: web}
";

/// The warnings about the policy.
const CODES: [&str; 7] = [
    "mesh/duplicate-key",
    "mesh/none-has-no-effect",
    "mesh/zone-without-endpoints",
    "mesh/empty-zone",
    "mesh/unreachable-rule",
    "mesh/threshold-truncated",
    "mesh/empty-locality-awareness",
];

fn run(args: &[&str]) -> Ran {
    let ran = spillgate_with(args, POLICY.as_bytes());
    assert!(ran.status < 2, "{args:?}: {}", ran.stderr);
    ran
}

/// The number of lines with a text.
fn count(text: &str, part: &str) -> usize {
    text.lines().filter(|line| line.contains(part)).count()
}

#[test]
fn each_warning_is_printed_once() {
    let view = ["--as", "zone-1"];
    let commands = [
        &["convert", "-"][..],
        &["convert", "-", "--as", "zone-1"],
        &["convert", "-", "--to", "envoy"],
        &["convert", "-", "--to", "json", "--compat", "madr"],
        &["split", "-"],
        &["explain", "-", "--cluster", "backend"],
        &["what-if", "-", "--lose", "zone=zone-1:50%"],
    ];
    for command in commands {
        let args = match command[0] {
            "convert" => command.to_vec(),
            _ => [command, &view].concat(),
        };
        let ran = run(&args);
        for code in CODES {
            assert_eq!(
                count(&ran.stderr, code),
                1,
                "{args:?} {code}: {}",
                ran.stderr
            );
        }
        assert!(
            ran.stderr
                .contains("warning: -:13:25: mesh/none-has-no-effect: "),
            "{}",
            ran.stderr
        );
        for once in ["mesh/rejected-by-envoy", "input/skipped"] {
            assert_eq!(
                count(&ran.stderr, once),
                1,
                "{args:?} {once}: {}",
                ran.stderr
            );
        }
    }
}

#[test]
fn lint_prints_a_finding_or_a_warning() {
    let ran = run(&["lint", "-", "--format", "json"]);
    for code in CODES {
        assert_eq!(count(&ran.stderr, code), 0, "{}", ran.stderr);
    }
    for rule in [
        "kuma-tag-duplicate",
        "kuma-none-not-last",
        "kuma-rule-after-any",
        "kuma-threshold-truncated",
        "kuma-empty-block",
    ] {
        assert_eq!(
            count(&ran.stdout, &format!("\"{rule}\"")),
            1,
            "{rule}: {}",
            ran.stdout
        );
    }
    assert_eq!(
        count(&ran.stdout, "\"kuma-zone-no-endpoint\""),
        2,
        "{}",
        ran.stdout
    );
    // No rule reports these.
    assert_eq!(
        count(&ran.stderr, "mesh/rejected-by-envoy"),
        1,
        "{}",
        ran.stderr
    );
    let rules = vec!["{to: {type: Any}}"; 129].join(", ");
    let policy = format!(
        "---\n{{type: MeshLoadBalancingStrategy, name: p, mesh: default, spec: {{to: [{{targetRef: \
         {{kind: Mesh}}, default: {{localityAwareness: {{crossZone: {{failover: [{rules}]}}}}}}}}]}}}}"
    );
    let ran = spillgate_with(&["lint", "-"], policy.as_bytes());
    assert_eq!(
        count(&ran.stderr, "mesh/too-many-rules"),
        1,
        "{}",
        ran.stderr
    );
}

#[test]
fn warnings_differ_between_zones() {
    let policies = "type: MeshLoadBalancingStrategy
name: p
mesh: default
labels: {kuma.io/origin: zone, kuma.io/zone: zone-2}
spec:
  to:
  - targetRef: {kind: Mesh}
    default: {loadBalancer: {type: Maglev, maglev: {tableSize: 100}}}
---
- {address: '10.1.0.1:80', zone: zone-1, service: backend}
- {address: '10.2.0.1:80', zone: zone-2, service: backend}
";
    let file = scratch("mesh_warnings_zones").join("policy.yaml");
    std::fs::write(&file, policies).unwrap();
    let file = file.to_str().unwrap();
    for args in [
        &["convert", file][..],
        &["what-if", file, "--lose", "zone=zone-1:50%"],
        &["lint", file],
    ] {
        let ran = spillgate_with(args, b"");
        let found = count(&ran.stderr, "mesh/rejected-by-envoy");
        assert_eq!(found, 1, "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn the_file_of_the_proxy_has_warnings_too() {
    let folder = scratch("mesh_warnings");
    let proxy = folder.join("proxy.yaml");
    std::fs::write(&proxy, "zone: zone-1\n---\nkind: Secret\n").unwrap();
    let proxy = proxy.to_str().unwrap();
    for args in [
        &["convert", "-", "--proxy", proxy],
        &["split", "-", "--proxy", proxy],
    ] {
        let ran = run(args);
        let line = format!("warning: {proxy}:3:1: input/skipped");
        assert_eq!(count(&ran.stderr, &line), 1, "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn documents_for_the_host_of_no_service_are_named() {
    let documents = "apiVersion: v1
kind: Service
metadata: {name: shop, namespace: lab}
spec: {selector: {app: shop}, ports: [{name: http, port: 80}]}
---
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: d, namespace: lab}
spec:
  host: shopp
  trafficPolicy: {outlierDetection: {}}
---
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: v, namespace: client}
spec:
  hosts: [shop]
  http: [{directResponse: {status: 200}}]
---
- {address: '10.0.0.1:80', locality: r/z1, service: other}
";
    let ran = spillgate_with(&["split", "-", "--as", "z1"], documents.as_bytes());
    for line in [
        "warning: -:10:9: mesh/unmatched-rule: [1].spec.host: the DestinationRule applies to nothing",
        "warning: -:17:11: mesh/unmatched-host: [2].spec.hosts[0]: the routes of the VirtualService",
    ] {
        assert_eq!(count(&ran.stderr, line), 1, "{line}: {}", ran.stderr);
    }
    assert!(
        ran.stderr
            .contains("found \"shop.client.svc.cluster.local\""),
        "{}",
        ran.stderr
    );
    let linted = spillgate_with(&["lint", "-"], documents.as_bytes());
    assert_eq!(count(&linted.stderr, "mesh/unmatched-rule"), 0);
    assert_eq!(count(&linted.stderr, "mesh/unmatched-host"), 1);
}
