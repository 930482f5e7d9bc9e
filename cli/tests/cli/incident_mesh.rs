//! `spillgate incident` for documents of Kuma and Istio.

use std::fs;

use serde_json::Value;

use crate::run::{Ran, scratch, spillgate};

const KUMA: &str = "type: Mesh
name: default
---
type: MeshHealthCheck
name: checks
mesh: default
spec:
  to:
  - targetRef: {kind: Mesh}
    default: {interval: 5s, timeout: 1s, unhealthyThreshold: 3, http: {}}
---
type: MeshTimeout
name: times
mesh: default
spec:
  to:
  - targetRef: {kind: Mesh}
    default: {http: {requestTimeout: 2s, streamIdleTimeout: 1s}}
---
- {address: '10.0.0.1:80', zone: z1, service: web, tags: {kuma.io/protocol: http}}
- {address: '10.0.0.2:80', zone: z1, service: web, tags: {kuma.io/protocol: http}}
- {address: '10.0.0.3:80', zone: z1, service: web, tags: {kuma.io/protocol: http}}
";

const ISTIO: &str = "apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: web, namespace: shop}
spec:
  host: web
  trafficPolicy:
    connectionPool: {http: {http2MaxRequests: 10, idleTimeout: 1h}}
    outlierDetection: {consecutive5xxErrors: 3, interval: 5s, maxEjectionPercent: 50}
---
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: web, namespace: shop}
spec:
  hosts: [web]
  http:
  - timeout: 4s
    retries: {attempts: 1, perTryTimeout: 1s, retryOn: 5xx}
    route: [{destination: {host: web}}]
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {ports: [{port: 80, name: http2}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: web-1, namespace: shop, labels: {kubernetes.io/service-name: web}}
addressType: IPv4
ports: [{port: 80, name: http2}]
endpoints: [{addresses: [10.0.0.1], nodeName: n1}, {addresses: [10.0.0.2], nodeName: n1}, {addresses: [10.0.0.3], nodeName: n1}]
---
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {topology.kubernetes.io/region: us, topology.kubernetes.io/zone: z1}}
";

const SILENT: [&str; 2] = ["--timeout", "host=10.0.0.1:80@10s..70s"];

fn incident(name: &str, documents: &str, args: &[&str]) -> Ran {
    let file = scratch(&format!("incident_mesh_{name}")).join("mesh.yaml");
    fs::write(&file, documents).unwrap();
    let file = file.display().to_string();
    spillgate(&[&["incident", &file], args].concat())
}

fn json(name: &str, documents: &str, args: &[&str]) -> Value {
    let ran = incident(name, documents, &[args, &["--format", "json"]].concat());
    assert!(ran.status < 2, "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

/// The answer about the only cluster.
fn cluster(name: &str, documents: &str, args: &[&str]) -> Value {
    json(name, documents, args)["clusters"][0].take()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

/// The text answer, with what it does not know.
fn text(name: &str, documents: &str, args: &[&str]) -> String {
    let ran = incident(name, documents, args);
    assert!(ran.status < 2, "{}", ran.stderr);
    ran.stdout
}

#[test]
fn health_checks_of_kuma_detect_a_silent_host() {
    let args = [&SILENT[..], &["--rps", "1"]].concat();
    let web = cluster("kuma", KUMA, &args);
    assert_eq!(web["causes"][0]["cause"], "ACTIVE_HEALTH_CHECK");
    // Two intervals and three timeouts, and up to one interval before them.
    let detected = &web["last_detected"];
    let (least, most) = (number(&detected["least"]), number(&detected["most"]));
    assert!(least >= 13.0 && most <= 18.0, "{least} {most}");
    let setting = &web["settings"][0];
    let formula = setting["text"].as_str().unwrap();
    assert!(
        formula.contains("18 s: interval 5s + 2 x interval 5s + 3 x timeout 1s"),
        "{formula}"
    );
    assert!(
        setting["place"].as_str().unwrap().ends_with("mesh.yaml:10"),
        "{setting}"
    );
}

/// A third of the requests wait for the silent host until their timeout, until it is detected.
#[test]
fn requests_have_the_timeout_of_kuma() {
    let args = [&SILENT[..], &["--rps", "30"]].concat();
    let failed =
        |documents: &str, name: &str| number(&cluster(name, documents, &args)["failed"]["mean"]);
    let two = failed(KUMA, "kuma_two");
    let none = failed(
        &KUMA.replace("requestTimeout: 2s", "requestTimeout: 0s"),
        "kuma_none",
    );
    let expected = 10.0 * 15.3;
    assert!((two - expected).abs() < 0.2 * expected, "{two}");
    // Without a timeout, the attempts end after those 16 s that the MeshRetry of Kuma has.
    assert!(none < two, "{none} {two}");
}

#[test]
fn the_answer_names_what_kuma_adds_and_what_is_not_modeled() {
    let text = text("kuma_names", KUMA, &SILENT);
    for part in [
        "the MeshRetry mesh-retry-all-default, which Kuma creates with a mesh",
        "can differ: streamIdleTimeout is not modeled; requests that wait that long fail",
        "mesh.yaml:18",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    for part in [
        "policies of the mesh",
        "those of documents of a mesh",
        "circuit breakers of web",
    ] {
        assert!(!text.contains(part), "{part}: {text}");
    }
}

#[test]
fn outlier_detection_of_kuma_ejects_hosts() {
    let breaker = "type: MeshCircuitBreaker
name: ejects
mesh: default
spec:
  to:
  - targetRef: {kind: MeshService, name: web}
    default:
      outlierDetection:
        maxEjectionPercent: 50
        detectors: {totalFailures: {consecutive: 4}}
---
";
    let documents = format!("{breaker}{KUMA}");
    let args = ["--errors", "host=10.0.0.1:80:100%@10s..70s", "--rps", "30"];
    let web = cluster("kuma_outlier", &documents, &args);
    assert_eq!(web["causes"][0]["cause"], "CONSECUTIVE_5XX");
    let settings = web["settings"].as_array().unwrap();
    let is_row = |of: &&Value| of["text"].as_str().unwrap().contains("consecutive_5xx 4");
    let row = settings
        .iter()
        .find(is_row)
        .unwrap_or_else(|| panic!("{settings:?}"));
    assert!(
        row["place"].as_str().unwrap().ends_with("mesh.yaml:10"),
        "{row}"
    );
}

#[test]
fn a_connection_pool_of_istio_refuses_requests() {
    let args = [&SILENT[..], &["--rps", "100"]].concat();
    let web = cluster("istio", ISTIO, &args);
    assert_eq!(web["causes"][0]["cause"], "CONSECUTIVE_5XX");
    // Three attempts of a third of 100 requests/s, and the timeout of an attempt.
    let detected = number(&web["first_detected"]["mean"]);
    assert!((1.0..1.2).contains(&detected), "{detected}");
    let refused = number(&web["refused"]["mean"]);
    assert!((100.0..180.0).contains(&refused), "{refused}");
    let open = ISTIO.replace("http2MaxRequests: 10, ", "");
    let web = cluster("istio_open", &open, &args);
    assert_eq!(number(&web["refused"]["mean"]), 0.0);
}

#[test]
fn retries_of_istio_have_a_timeout() {
    let args = [&SILENT[..], &["--rps", "10"]].concat();
    let web = cluster("istio_retries", ISTIO, &args);
    assert!(number(&web["retried"]["mean"]) > 0.0, "{web}");
    let text = text("istio_names", ISTIO, &args);
    assert!(
        text.contains("can differ: idleTimeout is not modeled"),
        "{text}"
    );
    for part in [
        "timeouts of requests",
        "connectionPool is not",
        "circuit breakers of",
    ] {
        assert!(!text.contains(part), "{part}: {text}");
    }
}

#[test]
fn wrong_values_are_errors_with_their_line() {
    for (documents, wrong, place) in [
        (KUMA, ("interval: 5s", "interval: 0s"), "mesh.yaml:10"),
        (
            KUMA,
            ("requestTimeout: 2s", "requestTimeout: soon"),
            "mesh.yaml:18",
        ),
        (
            ISTIO,
            ("http2MaxRequests: 10", "http2MaxRequests: -1"),
            "mesh.yaml:7",
        ),
        (
            ISTIO,
            ("perTryTimeout: 1s", "perTryTimeout: 1"),
            "mesh.yaml:17",
        ),
    ] {
        let documents = documents.replace(wrong.0, wrong.1);
        let ran = incident("faults", &documents, &SILENT);
        assert_eq!(ran.status, 2, "{}", ran.stdout);
        assert!(ran.stderr.contains(place), "{}", ran.stderr);
    }
}
