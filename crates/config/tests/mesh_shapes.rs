//! A value of the wrong type in a document of a mesh is a fault, whatever the kind, the form and the place.

use serde_json::{Value, json};
use spillgate_config::{
    DiagnosticSeverity,
    envoy::Format,
    mesh::{MeshDocuments, read},
};

/// Documents with every object and list that is read.
const DOCUMENTS: &str = r#"
type: MeshLoadBalancingStrategy
name: p
mesh: default
labels: {a: b}
spec:
  targetRef: {kind: MeshSubset, tags: {a: b}, proxyTypes: [Sidecar]}
  to:
  - targetRef: {kind: MeshMultiZoneService, labels: {a: b}, sectionName: http}
    default:
      localityAwareness:
        disabled: false
        localZone: {affinityTags: [{key: a, weight: 9}]}
        crossZone:
          failover: [{from: {zones: [a]}, to: {type: Only, zones: [b]}}]
          failoverThreshold: {percentage: 70}
      loadBalancer: {type: RingHash, ringHash: {minRingSize: 9}}
      hashPolicies: [{type: Header, terminal: true, header: {name: x}}]
---
type: MeshHTTPRoute
name: r
mesh: default
spec:
  targetRef: {kind: Mesh}
  to:
  - targetRef: {kind: MeshService, name: shop}
    rules:
    - matches: [{path: {type: Exact, value: /}}]
      default:
        backendRefs: [{kind: MeshService, name: shop, weight: 1, port: 80}]
---
type: MeshTCPRoute
name: r
mesh: default
spec:
  targetRef: {kind: Mesh}
  to:
  - targetRef: {kind: MeshService, name: shop}
    rules:
    - default: {backendRefs: [{kind: MeshService, name: shop, weight: 1}]}
---
type: Mesh
name: default
mtls: {enabledBackend: ca}
routing: {localityAwareLoadBalancing: true, zoneEgress: false}
meshServices: {mode: Exclusive}
---
type: Dataplane
name: d
mesh: default
networking:
  address: 10.0.0.1
  inbound: [{port: 80, tags: {kuma.io/service: shop}, health: {ready: true}}]
  outbound: [{port: 81, tags: {kuma.io/service: web}}]
---
type: ZoneIngress
name: i
networking: {address: 10.0.0.2, port: 10001, advertisedAddress: 10.0.0.3, advertisedPort: 10001}
availableServices: [{tags: {kuma.io/service: shop}, instances: 1, mesh: default}]
zone: z
---
type: ZoneEgress
name: e
networking: {address: 10.0.0.4, port: 10002}
zone: z
---
type: MeshService
name: s
mesh: default
labels: {kuma.io/zone: z}
spec:
  selector: {dataplaneTags: {app: shop}}
  ports: [{port: 80, targetPort: 8080, name: http}]
  identities: [{type: ServiceTag, value: shop}]
  state: Available
---
type: MeshMultiZoneService
name: m
mesh: default
spec:
  selector: {meshService: {matchLabels: {a: b}}}
  ports: [{port: 80}]
---
type: MeshGateway
name: g
mesh: default
selectors: [{match: {kuma.io/service: gw}}]
conf: {listeners: [{port: 80, protocol: HTTP, tags: {a: b}}]}
---
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: d, namespace: n, labels: {a: b}, annotations: {a: b}}
spec:
  host: shop
  exportTo: ['*']
  workloadSelector: {matchLabels: {a: b}}
  trafficPolicy:
    loadBalancer:
      consistentHash: {httpCookie: {name: c, ttl: 0s}, ringHash: {minimumRingSize: 9}}
      localityLbSetting: {distribute: [{from: a/*, to: {'a/*': 100}}]}
    outlierDetection: {consecutive5xxErrors: 5}
    portLevelSettings: [{port: {number: 80}, outlierDetection: {consecutive5xxErrors: 5}}]
  subsets: [{name: v1, labels: {v: '1'}, trafficPolicy: {outlierDetection: {consecutive5xxErrors: 5}}}]
---
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: v, namespace: n}
spec:
  hosts: [shop]
  gateways: [mesh]
  http:
  - match: [{uri: {prefix: /}, headers: {x: {exact: y}}}]
    route: [{destination: {host: shop, port: {number: 80}}, weight: 100}]
    retries: {attempts: 2}
---
apiVersion: networking.istio.io/v1
kind: ServiceEntry
metadata: {name: s, namespace: n}
spec:
  hosts: [a.example]
  addresses: [10.1.0.1]
  ports: [{number: 80, name: http, protocol: HTTP}]
  resolution: STATIC
  endpoints: [{address: 10.0.0.5, ports: {http: 81}, labels: {a: b}, locality: a/b}]
---
apiVersion: networking.istio.io/v1
kind: ServiceEntry
metadata: {name: t, namespace: n}
spec:
  hosts: [b.example]
  ports: [{number: 80, name: http, protocol: HTTP}]
  resolution: STATIC
  workloadSelector: {labels: {a: b}}
---
apiVersion: networking.istio.io/v1
kind: WorkloadEntry
metadata: {name: w, namespace: n}
spec: {address: 10.0.0.6, labels: {a: b}, ports: {http: 80}, locality: a/b}
---
apiVersion: networking.istio.io/v1
kind: Gateway
metadata: {name: g, namespace: n}
spec:
  selector: {a: b}
  servers: [{port: {number: 80, name: http, protocol: HTTP}, hosts: ['*']}]
---
apiVersion: install.istio.io/v1alpha1
kind: IstioOperator
metadata: {name: i}
spec: {meshConfig: {localityLbSetting: {enabled: true}}}
---
localityLbSetting: {failoverPriority: [a]}
defaultConfig: {proxyMetadata: {ISTIO_META_ENABLE_SELF_DISCOVERY: 'true'}}
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata: {name: h, namespace: n}
spec:
  parentRefs: [{kind: Service, group: '', name: shop, port: 80}]
  rules:
  - matches: [{path: {type: PathPrefix, value: /}, headers: [{name: x, value: y}]}]
    backendRefs: [{name: shop, port: 80, weight: 1}]
---
apiVersion: v1
kind: Service
metadata: {name: shop, namespace: n, labels: {a: b}}
spec:
  selector: {a: b}
  ports: [{port: 80, name: http, targetPort: 8080}]
status: {loadBalancer: {ingress: [{ip: 10.2.0.1}]}}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: shop-1, namespace: n, labels: {kubernetes.io/service-name: shop}}
addressType: IPv4
ports: [{name: http, port: 8080}]
endpoints: [{addresses: [10.0.0.7], conditions: {ready: true}, targetRef: {kind: Pod, name: p}}]
---
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: n, labels: {a: b}, ownerReferences: [{name: o}]}
spec: {containers: [{name: c, ports: [{containerPort: 80}]}], nodeName: k}
status: {podIP: 10.0.0.7, conditions: [{type: Ready, status: 'True'}]}
---
apiVersion: v1
kind: Node
metadata: {name: k, labels: {topology.kubernetes.io/zone: z}}
spec: {}
---
apiVersion: v1
kind: Namespace
metadata: {name: n, labels: {a: b}}
spec: {finalizers: [kubernetes]}
"#;

/// The values of a YAML text with several documents.
fn documents(text: &str) -> Vec<Value> {
    let parsed = Format::YamlAsJson.parse(text).unwrap();
    let json = parsed.roots.iter().map(spillgate_config::node::to_json);
    json.map(|json| serde_json::from_str(&json).unwrap())
        .collect()
}

/// The JSON pointers of all objects and lists in a value, but for the value itself.
fn parts(value: &Value, at: &str, found: &mut Vec<String>) {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(map) => map.iter().map(|(key, of)| (key.clone(), of)).collect(),
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.map(|(index, of)| (index.to_string(), of)).collect()
        }
        _ => return,
    };
    for (step, value) in inner {
        let at = format!("{at}/{}", step.replace('~', "~0").replace('/', "~1"));
        if value.is_object() || value.is_array() {
            found.push(at.clone());
        }
        parts(value, &at, found);
    }
}

/// The document of Kubernetes for a universal one of Kuma: its fields other than `spec` are the `spec`.
fn kubernetes(document: &Value) -> Option<Value> {
    let mut spec = document.as_object()?.clone();
    let kind = spec.remove("type")?;
    let (name, mesh) = (spec.remove("name")?, spec.remove("mesh"));
    let labels = spec.remove("labels").unwrap_or_else(|| json!({}));
    let spec = spec.remove("spec").unwrap_or_else(|| spec.into());
    Some(
        json!({"apiVersion": "kuma.io/v1alpha1", "kind": kind, "mesh": mesh,
        "metadata": {"name": name, "namespace": "n", "labels": labels}, "spec": spec}),
    )
}

fn read_one(document: &Value) -> Result<MeshDocuments, Vec<spillgate_config::Diagnostic>> {
    read(&document.to_string(), Format::Json, 0)
}

/// Values that nothing reads, by the kind of their document.
const UNREAD: [(&str, &str); 5] = [
    ("MeshService", "spec.identities"),
    ("ServiceEntry", "spec.addresses"),
    ("Node", "spec"),
    ("Namespace", "spec"),
    ("Namespace", "spec.finalizers"),
];

#[test]
fn the_wrong_type_of_every_object_and_list_is_a_fault_with_its_path() {
    let universal = documents(DOCUMENTS);
    let others: Vec<Value> = universal.iter().filter_map(kubernetes).collect();
    assert_eq!(others.len(), 10);
    let mut accepted = Vec::new();
    for document in universal.iter().chain(&others) {
        let valid = read_one(document);
        assert!(valid.is_ok(), "{document}: {valid:?}");
        let mut found = Vec::new();
        parts(document, "", &mut found);
        for pointer in found {
            let mut wrong = document.clone();
            *wrong.pointer_mut(&pointer).unwrap() = json!(5);
            let faults = match read_one(&wrong) {
                Ok(read) => read.warnings,
                Err(faults) => faults,
            };
            let path = path_of(&pointer);
            let is_placed = |fault: &spillgate_config::Diagnostic| {
                fault.severity == DiagnosticSeverity::Error
                    && fault.path == path
                    && fault.found.as_deref() == Some("5")
                    && fault.expected.is_some()
            };
            if !faults.iter().any(is_placed) {
                let kind = document.get("kind").or_else(|| document.get("type"));
                let kind = kind.and_then(Value::as_str).unwrap_or("MeshConfig");
                if UNREAD.contains(&(kind, path.split('[').next().unwrap())) {
                    continue;
                }
                let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
                accepted.push(format!("{kind} {path}: {faults:?}"));
            }
        }
    }
    assert!(accepted.is_empty(), "{accepted:#?}");
}

/// The path of a diagnostic for a JSON pointer.
fn path_of(pointer: &str) -> String {
    let mut path = String::new();
    for step in pointer.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        if step.parse::<usize>().is_ok() {
            path.push_str(&format!("[{step}]"));
        } else if path.is_empty() {
            path.push_str(&step);
        } else {
            path.push_str(&format!(".{step}"));
        }
    }
    path
}
