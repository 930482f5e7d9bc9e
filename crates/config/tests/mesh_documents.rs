//! The documents of a mesh: their kinds, their forms, lists of them, and documents of other kinds.

use spillgate_config::{
    envoy::Format,
    mesh::{MeshDocuments, MeshServiceSelector, TargetPort, is_mesh, read},
    node::{Scalars, read_yaml},
};
use spillgate_mesh::{
    istio::{IstioResolution, IstioRouteAction},
    kuma::{KumaNumber, KumaPolicy, KumaRouteKind},
};

fn documents(text: &str) -> MeshDocuments {
    match read(text, Format::Yaml, 0) {
        Ok(documents) => documents,
        Err(faults) => panic!("{text}: {faults:#?}"),
    }
}

fn only_policy(documents: &MeshDocuments) -> KumaPolicy {
    assert_eq!(documents.kuma.policies.len(), 1);
    documents.kuma.policies[0].policy.clone()
}

/// The body of a policy, below `spec`.
const SPEC: &str = "
  targetRef: {kind: Mesh, proxyTypes: [Sidecar]}
  to:
  - targetRef: {kind: MeshMultiZoneService, name: backend, sectionName: http, labels: {a: b}}
    default:
      localityAwareness:
        disabled: false
        localZone:
          affinityTags:
          - {key: k8s.io/node, weight: 9}
          - {key: k8s.io/az, weight: 1}
        crossZone:
          failover:
          - from: {zones: [zone-1, zone-2]}
            to: {type: Only, zones: [zone-3]}
          - to: {type: None}
          failoverThreshold: {percentage: 12.5}
      loadBalancer:
        type: RingHash
        ringHash: {hashFunction: MurmurHash2, minRingSize: 10, maxRingSize: 20}
      hashPolicies:
      - {type: Cookie, terminal: true, cookie: {name: c, ttl: 1h30m, path: /}}
      - {type: Connection, connection: {sourceIP: true}}
";

#[test]
fn a_policy_has_two_forms() {
    let universal = format!(
        "type: MeshLoadBalancingStrategy\nname: p\nmesh: default\nlabels: {{kuma.io/origin: zone}}\nspec:{SPEC}"
    );
    let kubernetes = format!(
        "apiVersion: kuma.io/v1alpha1\nkind: MeshLoadBalancingStrategy\nmetadata:\n  name: p\n  namespace: kuma-system\n  labels: {{kuma.io/mesh: default, kuma.io/origin: zone}}\nspec:{SPEC}"
    );
    let flat = format!(
        "type: MeshLoadBalancingStrategy\nname: p\nmesh: default\nlabels: {{kuma.io/origin: zone}}{}",
        SPEC.replace("\n  ", "\n")
    );
    let first = only_policy(&documents(&universal));
    assert_eq!(only_policy(&documents(&flat)), first);
    let mut second = only_policy(&documents(&kubernetes));
    assert_eq!(second.meta.namespace.as_deref(), Some("kuma-system"));
    second.meta.namespace = None;
    second.meta.labels.remove("kuma.io/mesh");
    assert_eq!(second, first);

    assert_eq!(first.meta.name, "p");
    let top = first.target_ref.unwrap();
    assert_eq!((top.kind.as_str(), top.proxy_types.len()), ("Mesh", 1));
    let to = &first.to[0];
    assert_eq!(to.target_ref.name.as_deref(), Some("backend"));
    assert_eq!(to.target_ref.section_name.as_deref(), Some("http"));
    assert_eq!(to.target_ref.labels.as_ref().unwrap()["a"], "b");
    let locality = to.conf.locality_awareness.as_ref().unwrap();
    assert_eq!(locality.disabled, Some(false));
    let local = locality.local_zone.as_ref().unwrap();
    let tags = local.affinity_tags.as_ref().unwrap();
    assert_eq!(
        (tags[0].key.as_str(), tags[1].weight),
        ("k8s.io/node", Some(1))
    );
    let cross = locality.cross_zone.as_ref().unwrap();
    assert_eq!(
        cross.failover_threshold,
        Some(KumaNumber::Text("12.5".into()))
    );
    let failover = cross.failover.as_ref().unwrap();
    assert_eq!(
        failover[0].from_zones.as_ref().unwrap(),
        &["zone-1", "zone-2"]
    );
    assert_eq!(failover[0].to.zones.as_ref().unwrap(), &["zone-3"]);
    assert_eq!(
        (failover[1].to.kind.as_str(), &failover[1].to.zones),
        ("None", &None)
    );
    let ring = to.conf.load_balancer.as_ref().unwrap().ring_hash.as_ref();
    assert_eq!(ring.unwrap().hash_function.as_deref(), Some("MurmurHash2"));
    let hashing = to.conf.hash_policies.as_ref().unwrap();
    assert_eq!(hashing[0].cookie.as_ref().unwrap().ttl_ms, Some(5_400_000));
    assert_eq!(hashing[1].connection, Some(true));
}

#[test]
fn an_empty_object_differs_from_a_missing_one() {
    let policy = |conf: &str| {
        let text = format!(
            "type: MeshLoadBalancingStrategy\nname: p\nspec: {{to: [{{targetRef: {{kind: Mesh}}, default: {conf}}}]}}"
        );
        only_policy(&documents(&text)).to[0].conf.clone()
    };
    assert_eq!(policy("{}").locality_awareness, None);
    let empty = policy("{localityAwareness: {}}");
    assert_eq!(empty.locality_awareness, Some(Default::default()));
    let zone = policy("{localityAwareness: {localZone: {}, crossZone: {failover: []}}}")
        .locality_awareness
        .unwrap();
    assert_eq!(zone.local_zone.unwrap().affinity_tags, None);
    assert_eq!(zone.cross_zone.unwrap().failover, Some(Vec::new()));
}

#[test]
fn the_form_of_the_decision_record_is_read_with_a_warning() {
    let text = "
type: MeshLoadBalancingStrategy
name: local-zone-affinity-backend
mesh: mesh-1
spec:
  targetRef: {kind: Mesh}
  to:
    targetRef: {kind: MeshService, name: backend}
    defaults:
      localityAwareness:
        localZone: {affinityTags: [{key: kubernetes.io/hostname}]}
";
    let documents = documents(text);
    let policy = only_policy(&documents);
    assert_eq!(policy.to[0].target_ref.name.as_deref(), Some("backend"));
    assert!(policy.to[0].conf.locality_awareness.is_some());
    let found: Vec<String> = documents
        .warnings
        .iter()
        .map(|w| w.render("p.yaml"))
        .collect();
    assert_eq!(
        found,
        [
            "p.yaml:8:5: mesh/decision-record-form: spec.to: to is an object, as in the decision record; Kuma requires a list",
            "p.yaml:10:7: mesh/decision-record-form: spec.to.defaults: defaults is the name in the decision record; Kuma requires default",
        ]
    );
}

#[test]
fn lists_and_several_documents() {
    let one = |name: &str| format!(r#"{{"type": "Mesh", "name": "{name}"}}"#);
    let kube = |name: &str| {
        format!(
            r#"{{"apiVersion": "kuma.io/v1alpha1", "kind": "Mesh", "metadata": {{"name": "{name}"}}}}"#
        )
    };
    let unnamed = r#"{"metadata": {"name": "c"}}"#;
    for text in [
        format!("{}\n---\n{}\n---\n{}", one("a"), one("b"), one("c")),
        format!("[{}, {}, {}]", one("a"), kube("b"), one("c")),
        format!(
            r#"{{"apiVersion": "v1", "kind": "List", "items": [{}, {}, {}]}}"#,
            kube("a"),
            kube("b"),
            one("c")
        ),
        format!(
            r#"{{"total": 3, "items": [{}, {}, {}]}}"#,
            one("a"),
            one("b"),
            one("c")
        ),
        format!(
            r#"{{"apiVersion": "kuma.io/v1alpha1", "kind": "MeshList", "items": [{}, {}, {unnamed}]}}"#,
            kube("a"),
            kube("b"),
        ),
    ] {
        let found = if text.starts_with('[') || text.contains("items") {
            read(&text, Format::Json, 0)
        } else {
            read(&text, Format::Yaml, 0)
        };
        let found = found.unwrap_or_else(|faults| panic!("{text}: {faults:#?}"));
        let names: Vec<&str> = found
            .kuma
            .meshes
            .iter()
            .map(|m| m.meta.name.as_str())
            .collect();
        assert_eq!(names, ["a", "b", "c"], "{text}");
        assert_eq!(found.skipped, []);
    }
}

#[test]
fn other_kinds_are_named_and_skipped() {
    let text = "
{apiVersion: apps/v1, kind: Deployment, metadata: {name: shop}}
---
{type: MeshTrace, name: t}
---
{apiVersion: serving.knative.dev/v1, kind: Service, metadata: {name: k}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: other}, data: {a: b}}
---
name: c
type: STATIC
---
{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {}}
";
    let found = documents(text);
    let skipped: Vec<(&str, &str, u32)> = found
        .skipped
        .iter()
        .map(|s| (s.kind.as_str(), s.name.as_str(), s.position.line))
        .collect();
    assert_eq!(
        skipped,
        [
            ("Deployment", "shop", 2),
            ("MeshTrace", "t", 4),
            ("Service", "k", 6),
            ("ConfigMap", "other", 8),
            ("unknown kind", "c", 10),
        ]
    );
    assert_eq!(found.kube.services[0].meta.name, "s");
    assert_eq!(found.warnings, []);
}

#[test]
fn a_mesh_is_recognized_by_its_own_documents() {
    let is_mesh = |text| is_mesh(&read_yaml(text, Scalars::Json).unwrap());
    assert!(is_mesh("{type: Dataplane, networking: {}}"));
    assert!(is_mesh("{host: shop, trafficPolicy: {}}"));
    assert!(is_mesh(
        "[{apiVersion: v1, kind: Pod}, {apiVersion: networking.istio.io/v1, kind: ServiceEntry}]"
    ));
    assert!(!is_mesh("{apiVersion: v1, kind: Pod}"));
    assert!(!is_mesh("{name: c, type: STATIC, load_assignment: {}}"));
    assert!(!is_mesh("{static_resources: {clusters: []}}"));
    assert!(!is_mesh("5"));
}

#[test]
fn dataplanes() {
    let networking = "
  address: 10.0.0.1
  advertisedAddress: 192.0.2.1
  gateway: {type: BUILTIN, tags: {kuma.io/service: gw}}
  inbound:
  - {port: 80, name: http, tags: {kuma.io/service: web, kuma.io/zone: z1}}
  - {port: 81, address: 10.0.0.2, health: {ready: false}, tags: {kuma.io/service: admin}}
  - {port: 82, state: NotReady, tags: {}}
  - {port: 83, state: Ready, health: {ready: true}, tags: {}}
";
    let universal = format!("type: Dataplane\nname: d\nmesh: m\nnetworking:{networking}");
    let kubernetes = format!(
        "apiVersion: kuma.io/v1alpha1\nkind: Dataplane\nmesh: m\nmetadata: {{name: d, namespace: n}}\nspec:\n  networking:{}",
        networking.replace("\n  ", "\n    ")
    );
    for text in [universal, kubernetes] {
        let found = documents(&text);
        let dataplane = &found.kuma.dataplanes[0];
        assert_eq!(
            (dataplane.meta.name.as_str(), dataplane.meta.mesh.as_str()),
            ("d", "m")
        );
        assert_eq!(dataplane.zone(), Some("z1"));
        assert_eq!(dataplane.endpoint(&dataplane.inbounds[1]), "192.0.2.1:81");
        let ready: Vec<bool> = dataplane.inbounds.iter().map(|i| i.ready).collect();
        assert_eq!(ready, [true, false, false, true]);
        assert!(dataplane.gateway.as_ref().unwrap().builtin);
    }
}

#[test]
fn zone_ingresses_and_egresses() {
    let found = documents(
        "
{type: ZoneIngress, name: i, zone: z2, networking: {address: 10.0.0.1, port: 1, advertisedAddress: 2001:db8::1, advertisedPort: 10001},
 availableServices: [{tags: {kuma.io/service: web}, instances: 3, mesh: default}]}
---
{apiVersion: kuma.io/v1alpha1, kind: ZoneIngress, metadata: {name: j, labels: {kuma.io/zone: z3}}, spec: {networking: {port: 1}}}
---
{type: ZoneEgress, name: e, zone: z1, networking: {address: 10.0.0.9, port: 10002}}
",
    );
    let ingresses = &found.kuma.zone_ingresses;
    assert_eq!(ingresses[0].address.as_deref(), Some("[2001:db8::1]:10001"));
    assert_eq!(ingresses[0].services[0].instances, 3);
    assert_eq!(
        (ingresses[1].zone.as_str(), &ingresses[1].address),
        ("z3", &None)
    );
    assert_eq!(found.kuma.zone_egresses[0].address, "10.0.0.9:10002");
}

#[test]
fn services_of_kuma() {
    let found = documents(
        "
{type: MeshService, name: a, labels: {kuma.io/zone: z1}, spec: {state: Unavailable, selector: {dataplaneTags: {app: a}}, ports: [{port: 80, targetPort: http, appProtocol: http}]}}
---
{apiVersion: kuma.io/v1alpha1, kind: MeshService, metadata: {name: b, namespace: n}, spec: {selector: {dataplaneLabels: {matchLabels: {app: b}}}, ports: [{port: 80, targetPort: 8080, name: web}]}}
---
{type: MeshService, name: c, spec: {selector: {dataplaneRef: {name: d}}, ports: [{port: 80}]}}
---
{type: MeshMultiZoneService, name: m, spec: {selector: {meshService: {matchLabels: {team: x}}}, ports: [{port: 80}]}}
",
    );
    let services = &found.kuma.mesh_services;
    assert!(!services[0].available && services[1].available);
    assert_eq!(services[0].ports[0].target, TargetPort::Name("http".into()));
    assert_eq!(services[1].ports[0].target, TargetPort::Number(8080));
    assert_eq!(services[2].ports[0].target, TargetPort::Number(80));
    assert!(matches!(&services[1].selector, MeshServiceSelector::Labels(l) if l["app"] == "b"));
    assert!(matches!(&services[2].selector, MeshServiceSelector::Name(n) if n == "d"));
    assert_eq!(found.kuma.multi_zone_services[0].match_labels["team"], "x");
}

#[test]
fn a_resource_below_config_is_read() {
    let policy = "{type: MeshLoadBalancingStrategy, name: p, mesh: default, spec: {to: [{targetRef: {kind: Mesh}, default: {loadBalancer: {type: Random}}}]}}";
    let text = format!("title: Random\nweight: 900\nconfig: {policy}\n");
    let found = documents(&text);
    assert_eq!(found.kuma.policies[0].policy.meta.name, "p");
    assert_eq!(found.kuma.policies[0].spec_path, "config.spec");
    assert!(found.skipped.is_empty());
    // Settings of other programs have no kind there.
    let other = documents("{config: {mode: debug}}");
    assert_eq!(other.skipped.len(), 1);
}

#[test]
fn routes_of_kuma() {
    let found = documents(
        "
{type: MeshHTTPRoute, name: r, spec: {targetRef: {kind: MeshSubset, tags: {a: b}}, to: [{targetRef: {kind: MeshService, name: web},
  rules: [{matches: [{path: {type: PathPrefix, value: /a}, method: GET}], default: {filters: [], backendRefs: [
    {kind: MeshServiceSubset, name: web, tags: {version: v1}, weight: 90}, {kind: MeshService, name: web2, port: 80}]}}]}]}}
---
{type: MeshTCPRoute, name: t, spec: {to: [{targetRef: {kind: MeshService, name: web}, rules: [{default: {backendRefs: [{kind: MeshService, name: x, weight: 0}]}}]}]}}
",
    );
    let http = &found.kuma.routes[0].route;
    let rule = &http.to[0].rules[0];
    assert_eq!(rule.matches, "PathPrefix /a, GET");
    assert_eq!(
        (rule.backend_refs[0].weight, rule.backend_refs[1].weight),
        (90, 1)
    );
    assert_eq!(rule.backend_refs[0].target_ref.tags["version"], "v1");
    assert_eq!(rule.backend_refs[1].port, Some(80));
    let tcp = &found.kuma.routes[1].route;
    assert_eq!(tcp.kind, KumaRouteKind::Tcp);
    assert_eq!(tcp.to[0].rules[0].backend_refs[0].weight, 0);
}

/// The body of a DestinationRule, below `spec`.
const RULE: &str = "
  host: shop
  trafficPolicy:
    loadBalancer:
      simple: ROUND_ROBIN
      warmup: {duration: 30s, minimumPercent: 20}
      localityLbSetting:
        enabled: true
        distribute:
        - from: us/a/*
          to: {'us/a/*': 80, us/b: 20}
        failoverPriority: [topology.istio.io/network]
    outlierDetection: {consecutive5xxErrors: 7, interval: 5m, minHealthPercent: 10}
    portLevelSettings:
    - port: {number: 443}
      loadBalancer: {consistentHash: {httpCookie: {name: u, ttl: 0s}, maglev: {}}}
  subsets:
  - name: v1
    labels: {version: v1}
    trafficPolicy: {loadBalancer: {simple: LEAST_CONN}}
";

#[test]
fn destination_rules() {
    let kubernetes = format!(
        "apiVersion: networking.istio.io/v1beta1\nkind: DestinationRule\nmetadata: {{name: r, namespace: n}}\nspec:{RULE}"
    );
    let first = documents(&kubernetes).istio.destination_rules[0]
        .rule
        .clone();
    assert_eq!((first.name.as_str(), first.namespace.as_str()), ("r", "n"));
    // Without apiVersion, without a kind, and without spec.
    let plain = format!("kind: DestinationRule\nmetadata: {{name: r, namespace: n}}\nspec:{RULE}");
    assert_eq!(documents(&plain).istio.destination_rules[0].rule, first);
    let shaped = format!("metadata: {{name: r, namespace: n}}\nspec:{RULE}");
    assert_eq!(documents(&shaped).istio.destination_rules[0].rule, first);
    let bare = documents(&RULE.replace("\n  ", "\n"));
    let bare = &bare.istio.destination_rules[0].rule;
    assert_eq!(
        (&bare.traffic_policy, &bare.subsets),
        (&first.traffic_policy, &first.subsets)
    );

    let policy = first.traffic_policy.unwrap();
    let balancer = policy.load_balancer.unwrap();
    assert_eq!(balancer.simple.as_deref(), Some("ROUND_ROBIN"));
    assert_eq!(balancer.warmup.unwrap().duration_ms, 30_000);
    let setting = balancer.locality_lb_setting.unwrap();
    let shares: Vec<(&str, i64)> = setting.distribute[0]
        .to
        .iter()
        .map(|share| (share.locality.as_str(), share.weight))
        .collect();
    assert_eq!(shares, [("us/a/*", 80), ("us/b", 20)]);
    assert_eq!(setting.failover_priority, ["topology.istio.io/network"]);
    let outlier = policy.outlier_detection.unwrap();
    assert_eq!(
        (outlier.min_health_percent, outlier.interval_ms),
        (Some(10), Some(300_000))
    );
    let port = &policy.ports[0];
    let hash = port
        .load_balancer
        .as_ref()
        .unwrap()
        .consistent_hash
        .as_ref()
        .unwrap();
    assert_eq!((port.port, hash.maglev_table_size), (443, Some(65_537)));
    assert_eq!(hash.http_cookie.as_ref().unwrap().ttl_ms, Some(0));
    let subset = first.subsets[0].traffic_policy.as_ref().unwrap();
    let simple = subset.load_balancer.as_ref().unwrap().simple.as_deref();
    assert_eq!(simple, Some("LEAST_CONN"));
}

#[test]
fn a_mesh_config_is_in_four_places() {
    let setting = "{distribute: [{from: a, to: {b: 100}}]}";
    let inner = format!("localityLbSetting: {setting}, rootNamespace: root");
    for text in [
        format!("{{{inner}}}"),
        format!(
            "{{kind: IstioOperator, apiVersion: install.istio.io/v1alpha1, spec: {{meshConfig: {{{inner}}}}}}}"
        ),
        format!(
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: istio}}\ndata:\n  mesh: |-\n    localityLbSetting: {setting}\n    rootNamespace: root\n"
        ),
    ] {
        let found = documents(&text);
        let read = &found.istio.mesh_configs[0];
        let setting = read.config.locality_lb_setting.as_ref().unwrap();
        assert_eq!(setting.distribute[0].to[0].locality, "b", "{text}");
        assert_eq!(read.root_namespace, "root");
    }
    // A null switches the setting off; without it, Istio's default is on.
    let off = documents("{defaultConfig: {}, localityLbSetting: null}");
    assert_eq!(off.istio.mesh_configs[0].config.locality_lb_setting, None);
    let default = documents("{defaultConfig: {}}");
    let setting = default.istio.mesh_configs[0]
        .config
        .locality_lb_setting
        .as_ref();
    assert_eq!(setting.unwrap().enabled, Some(true));
}

#[test]
fn service_entries_workloads_and_virtual_services() {
    let found = documents(
        "
apiVersion: networking.istio.io/v1
kind: ServiceEntry
metadata: {name: e, namespace: n}
spec:
  hosts: [api.example.com]
  resolution: STATIC
  ports: [{number: 443, name: https, protocol: HTTPS, targetPort: 8443}]
  endpoints:
  - {address: 10.0.0.1, locality: us/a, weight: 3, labels: {x: y}, ports: {https: 9443}}
  workloadSelector: {labels: {app: vm}}
---
apiVersion: networking.istio.io/v1
kind: WorkloadEntry
metadata: {name: w}
spec: {address: 10.0.0.2, network: net, labels: {app: vm}}
---
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: v}
spec:
  hosts: [shop]
  http:
  - name: canary
    match: [{uri: {prefix: /c}}]
    route:
    - {destination: {host: shop, subset: v1, port: {number: 80}}, weight: 90}
    - {destination: {host: shop, subset: v2}, weight: 10}
  - {redirect: {uri: /}}
  tcp:
  - {match: [{port: 9000}], route: [{destination: {host: other}}]}
",
    );
    let entry = &found.istio.service_entries[0];
    assert_eq!(entry.resolution, IstioResolution::Static);
    assert_eq!(
        (entry.ports[0].number, entry.ports[0].target),
        (443, Some(8443))
    );
    let workload = &entry.endpoints[0];
    assert_eq!((workload.weight, workload.locality.as_str()), (3, "us/a"));
    assert_eq!(workload.ports, [("https".into(), 9443)]);
    assert_eq!(found.istio.workload_entries[0].network, "net");
    let service = &found.istio.virtual_services[0].service;
    let canary = &service.http[0];
    assert_eq!(canary.name, "canary");
    assert_eq!(canary.matches[0].condition, r#"{"uri":{"prefix":"/c"}}"#);
    let IstioRouteAction::Forward(to) = &canary.action else {
        panic!("the route forwards");
    };
    assert_eq!((to[0].port, to[1].weight), (Some(80), Some(10)));
    assert_eq!(service.http[1].action, IstioRouteAction::Respond(301));
    let connection = &service.connections[0].matches[0];
    assert_eq!(
        (connection.port, connection.condition.as_str()),
        (Some(9000), "")
    );
}

#[test]
fn short_forms() {
    let found = documents(
        "
- {zone: zone-1, tags: {k8s.io/node: n1, app: [a, b]}, labels: {x: y}, egress_enabled: true}
- {locality: us/a/1, labels: {x: y}}
- {address: '10.0.0.1:80', zone: zone-1, tags: {a: b}, weight: 3, health: UNHEALTHY}
- {address: '10.0.0.2:80', locality: us/a, labels: {a: b}}
",
    );
    let proxy = found.proxies[0].as_kuma();
    assert!(proxy.egress_enabled);
    assert_eq!(proxy.tags["app"].len(), 2);
    assert_eq!(found.proxies[1].as_istio().locality, "us/a/1");
    let endpoint = found.endpoints[0].as_kuma();
    assert_eq!(
        (endpoint.host.weight.get(), endpoint.host.health.name()),
        (3, "UNHEALTHY")
    );
    assert_eq!(found.endpoints[1].as_istio().labels["a"], "b");
}
