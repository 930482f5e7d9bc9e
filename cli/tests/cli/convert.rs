//! `spillgate convert`, and mesh documents as the input of other commands.

use serde_json::{Value, json};

use crate::run::{Ran, assert_golden, spillgate, spillgate_with};

pub(crate) const POLICY: &str = "../examples/policy.yaml";
pub(crate) const DATAPLANES: &str = "../examples/dataplanes.yaml";
pub(crate) const MESH: &str = "../examples/mesh.yaml";
const ISTIO: &str = "../examples/istio.yaml";

pub(crate) fn convert(args: &[&str]) -> Ran {
    spillgate(&[&["convert", POLICY, "--endpoints", DATAPLANES], args].concat())
}

/// The output of a successful conversion of the example policy.
#[track_caller]
pub(crate) fn converted(args: &[&str]) -> String {
    let ran = convert(args);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert_one_warning(&ran);
    ran.stdout
}

/// The only warning about the example policy is that Kuma truncates the threshold, and the limit of zones about its
/// affinity tags.
#[track_caller]
fn assert_one_warning(ran: &Ran) {
    let warnings = ran.stderr.lines();
    let warnings = warnings.filter(|line| !line.contains("found affinityTags of"));
    let warnings: Vec<&str> = warnings.collect();
    assert!(
        matches!(warnings.as_slice(), [only] if only.contains(":18:43: mesh/threshold-truncated: ")),
        "{}",
        ran.stderr
    );
}

/// The single line of an error.
#[track_caller]
fn refused(args: &[&str]) -> String {
    let ran = spillgate(args);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    ran.stderr
}

pub(crate) fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn reports_match_the_golden_files() {
    let kuma = converted(&["--proxy", "web-1"]);
    assert_golden("convert.txt", &kuma);
    let istio = spillgate(&["convert", ISTIO]);
    assert_eq!((istio.status, istio.stderr.as_str()), (0, ""));
    assert_golden("convert-istio.txt", &istio.stdout);
}

#[test]
fn written_configurations_match_the_golden_files() {
    let ran = convert(&["--proxy", "web-1", "--to", "envoy"]);
    assert_eq!(ran.status, 0);
    assert_golden("convert.yaml", &ran.stdout);
    // The hash policy would answer 503 for other zones without the weights.
    let warnings: Vec<&str> = ran.stderr.lines().collect();
    assert!(
        matches!(warnings.as_slice(), [_, added] if added.contains("mesh/weight-added: cluster \"backend\"")),
        "{}",
        ran.stderr
    );
    let portable = convert(&["--proxy", "web-1", "--to", "envoy", "--portable"]);
    assert_golden("convert-portable.yaml", &portable.stdout);
}

#[test]
fn groups_are_those_of_the_vectors() {
    let json = converted(&["--proxy", "web-1", "--to", "json"]);
    assert_golden("convert.json", &json);
    let json = parsed(&json);
    let cluster = &json["views"][0]["clusters"][0];
    assert_eq!(cluster["overprovisioning_factor"], 100);
    assert_eq!(cluster["locality_weighted_lb"], true);
    assert_eq!(cluster["dropped"][0], "10.4.0.1:8080");
    let weights: Vec<&Value> = cluster["groups"]
        .as_array()
        .unwrap()
        .iter()
        .map(|group| &group["weight"])
        .collect();
    assert!(weights.contains(&&Value::from(90)), "{weights:?}");
    let madr = converted(&["--proxy", "web-1", "--to", "json", "--compat", "madr"]);
    let madr = parsed(&madr);
    let factor = &madr["views"][0]["clusters"][0]["overprovisioning_factor"];
    assert_eq!(*factor, 143);
}

#[test]
fn matrices_match_the_golden_files() {
    for (format, golden) in [
        ("svg", "convert.svg"),
        ("markdown", "convert.md"),
        ("csv", "convert.csv"),
    ] {
        assert_golden(golden, &converted(&["--to", "matrix", "--format", format]));
    }
    let json = parsed(&converted(&["--to", "matrix", "--format", "json"]));
    let rows = json["destinations"][0]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 4);
    for row in rows {
        let shares = row["to"].as_object().unwrap().values();
        let sum: f64 = shares.map(|share| share.as_f64().unwrap()).sum();
        let all = sum + row["no_host"].as_f64().unwrap();
        assert!((all - 100.0).abs() < 1e-6, "{row}");
    }
}

/// A redirect needs no host; a request without a route fails.
#[test]
fn zones_whose_proxies_redirect_have_no_row_in_the_matrix() {
    const SHOP: &str = "---
{apiVersion: v1, kind: Service, metadata: {name: shop}, spec: {selector: {app: shop}, ports: [{name: http, port: 80}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: s1, labels: {app: shop, istio-locality: eu.a}}, status: {podIP: 10.0.0.1}}
---
{host: shop, trafficPolicy: {loadBalancer: {simple: ROUND_ROBIN}}}
---
{apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: {name: v}, spec: {hosts: [shop], http: [RULE]}}
";
    let no_host = |rule: &str| {
        let text = SHOP.replace("RULE", rule);
        let args = ["convert", "-", "--to", "matrix", "--format", "json"];
        let ran = spillgate_with(&args, text.as_bytes());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let found = parsed(&ran.stdout);
        let destinations = found["destinations"].as_array().unwrap().iter();
        let mut rows = destinations.flat_map(|of| of["rows"].as_array().unwrap().clone());
        rows.next().map(|row| row["no_host"].clone())
    };
    let to_shop = "route: [{destination: {host: shop}}]";
    assert_eq!(no_host(&format!("{{{to_shop}}}")), Some(json!(0.0)));
    assert_eq!(no_host("{redirect: {uri: /moved}}"), None);
    let conditional = format!("{{match: [{{uri: {{prefix: /a}}}}], {to_shop}}}");
    assert_eq!(no_host(&conditional), Some(json!(100.0)));
}

#[test]
fn a_written_configuration_splits_as_the_policy() {
    let view = ["--proxy", "web-1"];
    let split = spillgate(&[&["split", MESH, "--format", "json"][..], &view].concat());
    assert_eq!(split.status, 0);
    assert_one_warning(&split);
    let written = convert(&["--proxy", "web-1", "--to", "envoy"]).stdout;
    let again = spillgate_with(&["split", "-", "--format", "json"], written.as_bytes());
    assert_eq!((again.status, again.stderr.as_str()), (0, ""));
    let (own, again) = (parsed(&split.stdout), parsed(&again.stdout));
    let endpoints = |split: &Value| split["clusters"][0]["endpoints"].clone();
    // All hosts are healthy: added weights change no share.
    assert_eq!(endpoints(&own), endpoints(&again));
}

#[test]
fn a_split_has_a_cluster_for_each_backend() {
    let route = "type: MeshHTTPRoute
name: canary
mesh: default
spec:
  to:
  - targetRef: {kind: MeshService, name: backend}
    rules:
    - matches: [{path: {type: PathPrefix, value: /new}}]
      default: {backendRefs: [{kind: MeshServiceSubset, name: backend, tags: {k8s.io/az: a2}}]}
    - default:
        backendRefs:
        - {kind: MeshService, name: backend, weight: 90}
        - {kind: MeshServiceSubset, name: backend, tags: {k8s.io/az: a2}, weight: 10}
";
    let args = ["convert", "-", POLICY, DATAPLANES, "--as", "zone-1"];
    let ran = spillgate_with(&[&args[..], &["--to", "json"]].concat(), route.as_bytes());
    assert_eq!(ran.status, 0);
    assert_one_warning(&ran);
    let json = parsed(&ran.stdout);
    let view = &json["views"][0];
    let rules = &view["destinations"][0]["rules"];
    assert_eq!(rules[0]["matches"], "PathPrefix /new");
    let shares = rules[1]["splits"].as_array().unwrap();
    let shares: Vec<f64> = shares
        .iter()
        .map(|split| split["percent"].as_f64().unwrap())
        .collect();
    assert_eq!(shares, [90.0, 10.0]);
    let name = rules[0]["splits"][0]["cluster"].as_str().unwrap();
    assert!(name.starts_with("backend-"), "{name}");
    let clusters = view["clusters"].as_array().unwrap();
    let part = clusters.iter().find(|cluster| cluster["cluster"] == name);
    let groups = part.unwrap()["groups"].as_array().unwrap();
    assert_eq!(groups.len(), 1);
    assert_eq!(groups[0]["endpoints"][0], "10.1.0.3:8080");
    // The header selects the rule, and the weighted route reaches both clusters.
    let written = spillgate_with(&[&args[..], &["--to", "envoy"]].concat(), route.as_bytes());
    assert!(
        written.stderr.contains("mesh/rule-condition"),
        "{}",
        written.stderr
    );
    let explained = |more: &[&str]| {
        let args = ["explain", "-", "--format", "json", "--host", "backend"];
        let ran = spillgate_with(&[&args[..], more].concat(), written.stdout.as_bytes());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        parsed(&ran.stdout)
    };
    assert_eq!(explained(&["--header", "x-mesh-rule: 0"])["cluster"], name);
}

#[test]
fn what_if_covers_all_zones() {
    let args = [
        "what-if",
        MESH,
        "--lose",
        "zone=zone-2:50%",
        "--n-minus",
        "1",
        "--expect",
        "zone(zone-1)->zone(zone-2) <= 20",
        "--expect",
        "no 503",
        "--expect",
        "survives n-1",
    ];
    let ran = spillgate(&args);
    assert_one_warning(&ran);
    assert_golden("what_if_zones.txt", &ran.stdout);
    let ran = spillgate(&[&args[..], &["--format", "json"]].concat());
    assert_golden("what_if_zones.json", &ran.stdout);
    let json = parsed(&ran.stdout);
    assert_eq!(json["lost"]["zone-2"]["lost"], 1);
    let all_hold = json["expectations"]
        .as_array()
        .unwrap()
        .iter()
        .all(|expected| expected["ok"] == true);
    assert_eq!(ran.status, i32::from(!all_hold));
    // Without hosts in eu/a, its requests go to eu/b.
    let moved = |expected: &str| {
        let lose = ["what-if", ISTIO, "--lose", "region=eu,zone=a:100%"];
        spillgate(&[&lose[..], &["--expect", expected]].concat()).status
    };
    assert_eq!(moved("zone(eu/a)->zone(eu/b) > 99"), 0);
    assert_eq!(moved("zone(eu/a)->zone(eu/b) <= 20"), 1);
    // Short names are enough if no other region has the zone.
    assert_eq!(moved("zone(a)->zone(b) > 99"), 0);
}

#[test]
fn one_zone_answers_as_all_zones() {
    let expected = "zone(eu/a)->zone(eu/b) <= 20";
    let json = |more: &[&str]| {
        let lose = ["what-if", ISTIO, "--lose", "region=eu,zone=a:1"];
        let args = [&lose[..], &["--expect", expected, "--format", "json"], more].concat();
        let ran = spillgate(&args);
        assert_eq!((ran.status, ran.stderr.as_str()), (1, ""));
        parsed(&ran.stdout)["expectations"][0]["value"].clone()
    };
    assert_eq!(json(&[]), 100.0);
    assert_eq!(json(&["--as", "eu/a"]), 100.0);
}

#[test]
fn a_policy_with_ten_faults_lists_ten() {
    let policy = "type: MeshLoadBalancingStrategy
name: p
mesh: default
spec:
  to:
  - targetRef: {kind: Mesh}
    default:
      localityAwareness:
        localZone:
          affinityTags:
          - {key: '', weight: 0}
          - {key: a}
        crossZone:
          failover:
          - from: {zones: []}
            to: {type: Any, zones: [a]}
          - to: {type: Only}
          - to: {type: Some}
          failoverThreshold: {percentage: 0}
      loadBalancer: {type: LeastRequest, leastRequest: {activeRequestBias: -1}}
      hashPolicies:
      - {type: Header}
";
    let ran = spillgate_with(&["convert", "-"], policy.as_bytes());
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    assert_eq!(ran.stderr.lines().count(), 10, "{}", ran.stderr);
    for line in ran.stderr.lines() {
        let mut parts = line.split(':');
        assert_eq!(parts.next(), Some("-"));
        let line_number: u32 = parts.next().unwrap().parse().unwrap();
        assert!((11..=22).contains(&line_number), "{line}");
        assert!(parts.next().unwrap().parse::<u32>().is_ok(), "{line}");
    }
}

#[test]
fn a_point_of_view_can_be_a_file() {
    let proxy = "{zone: zone-1, tags: {k8s.io/node: n1, k8s.io/az: a1}}";
    let args = ["convert", POLICY, DATAPLANES, "--to", "json"];
    let folder = crate::run::scratch("convert-proxy");
    let file = folder.join("proxy.yaml");
    std::fs::write(&file, proxy).unwrap();
    let file = ["--proxy", file.to_str().unwrap()];
    let by_file = spillgate(&[&args[..], &file].concat());
    let by_name = spillgate(&[&args[..], &["--proxy", "web-1"]].concat());
    assert_eq!(by_file.status, 0, "{}", by_file.stderr);
    assert_eq!(by_file.stdout, by_name.stdout);
}

#[test]
fn unusable_points_of_view_are_named() {
    let unknown = refused(&["convert", POLICY, DATAPLANES, "--proxy", "web-2"]);
    assert!(unknown.contains("mesh/unknown-proxy"), "{unknown}");
    assert!(unknown.contains("(did you mean web-1?)"), "{unknown}");
    let several = refused(&["split", MESH]);
    assert!(
        several.contains("--as with one of zone-1, zone-2"),
        "{several}"
    );
    let both = refused(&["convert", POLICY, ISTIO]);
    assert!(both.contains("--from kuma or --from istio"), "{both}");
}

#[test]
fn destination_rules_for_one_host_are_merged() {
    let rules = "apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: newer, creationTimestamp: 2025-01-01T00:00:00Z}
spec:
  host: cart.example.org
  trafficPolicy: {loadBalancer: {simple: RANDOM}}
  subsets: [{name: v2, labels: {version: v2}}]
---
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: older, creationTimestamp: '2024-01-01T00:00:00Z'}
spec:
  host: cart.example.org
  trafficPolicy: {loadBalancer: {simple: ROUND_ROBIN}}
---
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: private, creationTimestamp: 2023-01-01T00:00:00Z}
spec:
  host: cart.example.org
  exportTo: [bank]
  trafficPolicy: {loadBalancer: {simple: RANDOM}}
---
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: cart}
spec:
  hosts: [cart.example.org]
  http: [{route: [{destination: {host: cart.example.org, subset: v2}}]}]
---
- {address: '10.0.0.1:80', locality: eu/a, service: cart.example.org, labels: {version: v1}}
- {address: '10.0.0.2:80', locality: eu/a, service: cart.example.org, labels: {version: v2}}
";
    let ran = spillgate_with(&["convert", "-", "--to", "json"], rules.as_bytes());
    let open = "the proxy open; showing a proxy in namespace \"default\" without labels; found DestinationRule \
                default/private";
    assert_eq!((ran.status, ran.stderr.lines().count()), (0, 1));
    assert!(ran.stderr.contains(open), "{}", ran.stderr);
    let cluster = &parsed(&ran.stdout)["views"][0]["clusters"][0];
    assert_eq!(cluster["cluster"], "outbound|80|v2|cart.example.org");
    assert_eq!(cluster["policies"], serde_json::json!(["older", "newer"]));
    assert_eq!(cluster["lb_policy"], "ROUND_ROBIN");
    assert_eq!(
        cluster["groups"][0]["endpoints"],
        serde_json::json!(["10.0.0.2:80"])
    );
}

#[test]
fn built_in_gateways_have_the_routes_of_their_listeners() {
    let documents = "type: MeshLoadBalancingStrategy
name: edge
mesh: default
spec:
  targetRef: {kind: MeshGateway, name: edge}
  to:
  - targetRef: {kind: Mesh}
    default: {loadBalancer: {type: Random}}
---
type: MeshGateway
name: edge
mesh: default
selectors: [{match: {kuma.io/service: edge}}]
conf: {listeners: [{port: 80, protocol: HTTP}]}
---
type: MeshHTTPRoute
name: edge
mesh: default
spec:
  targetRef: {kind: MeshGateway, name: edge}
  to:
  - targetRef: {kind: Mesh}
    rules:
    - default: {backendRefs: [{kind: MeshService, name: backend}]}
---
type: Dataplane
name: edge-1
mesh: default
networking:
  address: 10.1.0.9
  gateway: {type: BUILTIN, tags: {kuma.io/service: edge, kuma.io/zone: zone-1}}
---
- {address: '10.1.0.1:80', zone: zone-1, service: backend}
";
    let args = ["convert", "-", "--to", "json", "--proxy", "edge-1"];
    let ran = spillgate_with(&args, documents.as_bytes());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert_eq!(ran.stderr, "");
    let cluster = &parsed(&ran.stdout)["views"][0]["clusters"][0];
    assert_eq!(cluster["lb_policy"], "RANDOM");
}
