//! What a proxy of Kuma receives: its destinations, their endpoints and their weights.

use std::fmt::Write as _;

use serde_json::Value as Json;
use spillgate_config::{
    clusters,
    envoy::Format,
    mesh::{KumaInputs, MeshDocuments, PointOfView, apply_health, read},
};
use spillgate_mesh::{
    Compat,
    kuma::{KumaEndpoint, KumaLocalityRules, KumaProxyKind, KumaView, assignment},
};
use spillgate_testkit::repository;

pub(crate) fn documents(text: &str) -> MeshDocuments {
    match read(text, Format::Yaml, 0) {
        Ok(documents) => documents,
        Err(faults) => panic!("{text}: {faults:#?}"),
    }
}

pub(crate) fn inputs(text: &str, view: PointOfView) -> KumaInputs {
    KumaInputs::new(&documents(text), &view).unwrap()
}

pub(crate) fn from_zone(text: &str, zone: &str) -> KumaInputs {
    inputs(text, PointOfView::Zone(zone.into()))
}

/// The endpoints of a cluster as `address zone weight`.
pub(crate) fn endpoints(inputs: &KumaInputs, cluster: &str) -> Vec<String> {
    let found = inputs.destinations.iter().find(|d| d.cluster == cluster);
    let names: Vec<&str> = inputs
        .destinations
        .iter()
        .map(|d| d.cluster.as_str())
        .collect();
    let found = found.unwrap_or_else(|| panic!("{cluster}: {names:?}"));
    let text = |endpoint: &KumaEndpoint| {
        let host = &endpoint.host;
        format!("{} {} {}", host.address, endpoint.zone, host.weight.get())
    };
    found.endpoints.iter().map(text).collect()
}

pub(crate) fn warnings(inputs: &KumaInputs) -> Vec<&str> {
    inputs.warnings.iter().map(|warning| warning.code).collect()
}

pub(crate) fn dataplane(name: &str, zone: &str, address: &str) -> String {
    format!(
        "---\n{{type: Dataplane, name: {name}, mesh: default, networking: {{address: {address}, inbound: [{{port: 80, name: http, tags: {{kuma.io/service: web, kuma.io/zone: {zone}, app: web}}}}]}}}}\n"
    )
}

pub(crate) fn ingress(zone: &str, address: &str, instances: u32) -> String {
    format!(
        "---\n{{type: ZoneIngress, name: i, zone: {zone}, networking: {{advertisedAddress: {address}, advertisedPort: 10001}}, availableServices: [{{tags: {{kuma.io/service: web, kuma.io/zone: {zone}}}, instances: {instances}, mesh: default}}]}}\n"
    )
}

#[test]
fn weights_of_ingresses_and_local_endpoints() {
    let local = dataplane("a", "z1", "10.0.0.1") + &dataplane("b", "z1", "10.0.0.2");
    // One ingress: local endpoints have weight 1, the ingress counts its instances.
    let one = local.clone() + &ingress("z2", "192.0.2.1", 3);
    assert_eq!(
        endpoints(&from_zone(&one, "z1"), "web"),
        [
            "192.0.2.1:10001 z2 3",
            "10.0.0.1:80 z1 1",
            "10.0.0.2:80 z1 1"
        ]
    );
    // Two addresses: local endpoints have weight 2. An address counts once.
    let two = one + &ingress("z2", "192.0.2.2", 3) + &ingress("z2", "192.0.2.1", 3);
    assert_eq!(
        endpoints(&from_zone(&two, "z1"), "web"),
        [
            "192.0.2.1:10001 z2 3",
            "192.0.2.2:10001 z2 3",
            "10.0.0.1:80 z1 2",
            "10.0.0.2:80 z1 2",
        ]
    );
    // From z2, the ingress of z2 does not count; the Dataplanes of z1 have no ingress before them.
    assert_eq!(
        endpoints(&from_zone(&two, "z2"), "web"),
        ["10.0.0.1:80 z1 1", "10.0.0.2:80 z1 1"]
    );
}

#[test]
fn an_ingress_replaces_the_proxies_of_its_zone() {
    let text = dataplane("a", "z1", "10.0.0.1") + &dataplane("b", "z2", "10.0.0.2");
    assert_eq!(
        endpoints(&from_zone(&text, "z1"), "web"),
        ["10.0.0.1:80 z1 1", "10.0.0.2:80 z2 1"]
    );
    let text = text + &ingress("z2", "192.0.2.1", 5);
    assert_eq!(
        endpoints(&from_zone(&text, "z1"), "web"),
        ["192.0.2.1:10001 z2 5", "10.0.0.1:80 z1 1"]
    );
}

#[test]
fn only_healthy_inbounds_of_the_mesh_are_endpoints() {
    let text = dataplane("a", "z1", "10.0.0.1")
        + &dataplane("b", "z1", "10.0.0.2").replace("name: http", "name: http, state: NotReady")
        + &dataplane("c", "z1", "10.0.0.3").replace("mesh: default", "mesh: other")
        + &dataplane("d", "z1", "10.0.0.4")
            .replace("name: http", "name: http, health: {ready: false}");
    assert_eq!(
        endpoints(&from_zone(&text, "z1"), "web"),
        ["10.0.0.1:80 z1 1"]
    );
}

pub(crate) const SERVICES: &str = "
---
{type: MeshService, name: web, mesh: default, labels: {kuma.io/zone: z1, kuma.io/display-name: web}, spec: {selector: {dataplaneTags: {app: web}}, ports: [{port: 8080, targetPort: http, name: main}, {port: 81, targetPort: 81}]}}
---
{type: MeshService, name: web-abc, mesh: default, labels: {kuma.io/zone: z2, kuma.io/display-name: web}, spec: {selector: {dataplaneTags: {app: web}}, ports: [{port: 8080, targetPort: 80}]}}
---
{type: MeshService, name: web-def, mesh: default, labels: {kuma.io/zone: z3, kuma.io/display-name: web}, spec: {state: Unavailable, selector: {dataplaneTags: {app: web}}, ports: [{port: 8080, targetPort: 80}]}}
---
{type: MeshMultiZoneService, name: web-all, mesh: default, spec: {selector: {meshService: {matchLabels: {kuma.io/display-name: web}}}, ports: [{port: 8080}]}}
";

#[test]
fn mesh_services_and_multi_zone_services() {
    let text = dataplane("a", "z1", "10.0.0.1")
        + &dataplane("b", "z2", "10.0.0.2")
        + &dataplane("c", "z3", "10.0.0.3")
        + SERVICES;
    let own = from_zone(&text, "z1");
    assert_eq!(
        endpoints(&own, "default_web__z1_msvc_8080"),
        ["10.0.0.1:80 z1 1"]
    );
    assert_eq!(endpoints(&own, "default_web__z1_msvc_81"), [""; 0]);
    assert_eq!(
        endpoints(&own, "default_web__z2_msvc_8080"),
        ["10.0.0.2:80 z2 1"]
    );
    // The unavailable service of z3 is no part of it.
    assert_eq!(
        endpoints(&own, "default_web-all___mzsvc_8080"),
        ["10.0.0.1:80 z1 1", "10.0.0.2:80 z2 1"]
    );
    // Weights stay 1 behind an ingress.
    let behind = text + &ingress("z2", "192.0.2.1", 7) + &ingress("z2", "192.0.2.2", 7);
    assert_eq!(
        endpoints(&from_zone(&behind, "z1"), "default_web-all___mzsvc_8080"),
        [
            "10.0.0.1:80 z1 1",
            "192.0.2.1:10001 z2 1",
            "192.0.2.2:10001 z2 1"
        ]
    );
    let view = from_zone(&behind, "z1");
    let main = &view
        .destinations
        .iter()
        .find(|d| d.cluster.contains("z1_msvc_8080"));
    let destination = &main.unwrap().destination;
    assert_eq!(destination.section_name.as_deref(), Some("main"));
    assert_eq!(destination.tags["app"], "web");
}

const PODS: &str = "
{apiVersion: kuma.io/v1alpha1, kind: MeshLoadBalancingStrategy, metadata: {name: p, namespace: kuma-system, labels: {kuma.io/mesh: default}}, spec: {to: [{targetRef: {kind: Mesh}, default: {}}]}}
---
{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {topology.kubernetes.io/zone: a, kubernetes.io/hostname: h1, kuma.io/zone: z1, other: x}}}
---
{apiVersion: v1, kind: Service, metadata: {name: shop, namespace: ns}, spec: {selector: {app: shop}, ports: [{port: 80, targetPort: web}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: shop-1, namespace: ns, labels: {app: shop, kuma.io/mesh: default, empty: ''}}, spec: {nodeName: n1, containers: [{ports: [{name: web, containerPort: 8080}]}]}, status: {podIP: 10.0.0.1}}
---
{apiVersion: v1, kind: Pod, metadata: {name: shop-2, namespace: ns, labels: {app: shop}}, spec: {nodeName: n1, containers: [{ports: [{name: web, containerPort: 8080}]}]}, status: {podIP: 10.0.0.2, conditions: [{type: Ready, status: 'False'}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: client, namespace: ns, labels: {app: client}}, spec: {nodeName: n1, containers: []}, status: {podIP: 10.0.0.3}}
";

#[test]
fn pods_are_dataplanes() {
    let view = inputs(PODS, PointOfView::Name("ns/client".into()));
    assert_eq!(view.proxy.zone, "z1");
    let tags = |key: &str| {
        view.proxy
            .tags
            .get(key)
            .and_then(|v| v.first())
            .map(String::as_str)
    };
    assert_eq!(tags("app"), Some("client"));
    assert_eq!(tags("kubernetes.io/hostname"), Some("h1"));
    assert_eq!(tags("topology.kubernetes.io/zone"), Some("a"));
    assert_eq!(tags("other"), None);
    assert_eq!(endpoints(&view, "shop_ns_svc_80"), ["10.0.0.1:8080 z1 1"]);
    assert_eq!(view.destinations.len(), 1);
    let endpoint = &view.destinations[0].endpoints[0];
    assert_eq!(endpoint.tags["k8s.kuma.io/service-port"], "80");
    assert!(!endpoint.tags.contains_key("kuma.io/mesh") && !endpoint.tags.contains_key("empty"));
    assert_eq!(view.policies.len(), 1);
}

#[test]
fn points_of_view() {
    let text = dataplane("a", "z1", "10.0.0.1")
        + "---\n{type: Dataplane, name: gw, networking: {address: 10.0.0.2, gateway: {tags: {kuma.io/service: gw, kuma.io/zone: z2}}}}\n";
    let named = inputs(&text, PointOfView::Name("gw".into()));
    assert_eq!(
        (named.proxy.zone.as_str(), named.proxy.kind),
        ("z2", KumaProxyKind::DelegatedGateway)
    );
    let own = documents("{zone: z9, tags: {k: [b, a]}}");
    let file = inputs(&text, PointOfView::Documents(own));
    assert_eq!(file.proxy.tags["k"].first().unwrap(), "a");
    let own = documents(&dataplane("x", "z1", "10.9.9.9"));
    let file = inputs(&text, PointOfView::Documents(own));
    assert_eq!(file.proxy.inbounds[0].name.as_deref(), Some("http"));
    // The proxy's own document is no endpoint.
    assert_eq!(endpoints(&file, "web"), ["10.0.0.1:80 z1 1"]);

    let fault = |view: PointOfView| KumaInputs::new(&documents(&text), &view).unwrap_err();
    assert_eq!(
        fault(PointOfView::Name("gv".into())).to_string(),
        "mesh/unknown-proxy: unknown proxy; found \"gv\", expected the name of a Dataplane, a Pod or another proxy (did you mean gw?)"
    );
    assert_eq!(
        fault(PointOfView::Documents(documents("{kind: X}"))).code,
        "mesh/no-proxy"
    );
    assert_eq!(
        warnings(&from_zone(&text, "z7")),
        ["mesh/unknown-zone", "mesh/assumed"]
    );
    assert_eq!(
        warnings(&from_zone("{zone: z}", "z")),
        ["mesh/no-destinations"]
    );
    let unzoned = text + &dataplane("u", "z1", "10.0.0.9").replace("kuma.io/zone: z1, ", "");
    assert_eq!(warnings(&from_zone(&unzoned, "z1")), ["mesh/no-zone"]);
}

#[test]
fn the_inputs_have_all_policies_and_the_rules_choose() {
    let policy = |more: &str| {
        format!("---\n{{type: MeshLoadBalancingStrategy, name: p, {more}, spec: {{}}}}\n")
    };
    let text = dataplane("a", "z1", "10.0.0.1")
        + &policy("mesh: default")
        + &policy("mesh: other")
        + &policy("labels: {kuma.io/effect: shadow}");
    let view = from_zone(&text, "z1");
    let applies: Vec<bool> = view
        .policies
        .iter()
        .map(|p| p.selects(&view.proxy))
        .collect();
    assert_eq!(applies, [true, false, false]);
}

#[test]
fn endpoints_in_short_form_belong_to_the_services_of_policies() {
    let text = "
{type: MeshLoadBalancingStrategy, name: p, spec: {to: [{targetRef: {kind: MeshService, name: backend}, default: {}}]}}
---
[{address: '10.0.0.1:80', zone: z1, tags: {a: b}}, {address: '10.0.0.2:80', zone: z2, service: other}]
";
    let view = from_zone(text, "z1");
    assert_eq!(endpoints(&view, "backend"), ["10.0.0.1:80 z1 1"]);
    assert_eq!(
        endpoints(&view, "other"),
        ["10.0.0.2:80 z2 1", "10.0.0.1:80 z1 1"]
    );
}

#[test]
fn clusters_of_a_proxy_set_the_health() {
    let text = dataplane("a", "z1", "10.0.0.1") + &dataplane("b", "z1", "10.0.0.2");
    let mut view = from_zone(&text, "z1");
    let statuses = clusters::read(
        "web::10.0.0.1:80::health_flags::/failed_active_hc\nweb::10.0.0.2:80::health_flags::healthy\nother::10.0.0.2:80::health_flags::/failed_eds_health\n",
    )
    .unwrap();
    let destination = &mut view.destinations[0];
    let hosts = destination
        .endpoints
        .iter_mut()
        .map(|endpoint| &mut endpoint.host);
    assert_eq!(apply_health("web", hosts, &statuses), 2);
    let health = |index: usize| destination.endpoints[index].host.health.name();
    assert_eq!((health(0), health(1)), ("UNHEALTHY", "HEALTHY"));
}

/// The documents of a vector: its policy, a Dataplane for the proxy with an inbound for each value
/// of a tag, and a Dataplane for each endpoint.
fn as_documents(vector: &Json) -> (String, MeshDocuments) {
    let local = &vector["local"];
    let mut proxy = format!(
        "{{\"type\": \"Dataplane\", \"name\": \"client\", \"labels\": {}, \"networking\": {{\"address\": \"10.255.0.1\", \"inbound\": [",
        labels_with_zone(local)
    );
    let most = local["tags"]
        .as_object()
        .unwrap()
        .values()
        .map(|values| values.as_array().unwrap().len())
        .max();
    for index in 0..most.unwrap_or(0) {
        let mut tags = serde_json::Map::new();
        for (key, values) in local["tags"].as_object().unwrap() {
            if let Some(value) = values.get(index) {
                tags.insert(key.clone(), value.clone());
            }
        }
        let comma = if index == 0 { "" } else { ", " };
        let _ = write!(
            proxy,
            "{comma}{{\"port\": {}, \"tags\": {}}}",
            9000 + index,
            Json::Object(tags)
        );
    }
    proxy += "]}}";
    let mut text = format!(
        "{{\"type\": \"MeshLoadBalancingStrategy\", \"name\": \"p\", \"spec\": {{\"to\": [{{\"targetRef\": {{\"kind\": \"Mesh\"}}, \"default\": {}}}]}}}}\n",
        vector["policy"]
    );
    for (index, endpoint) in vector["endpoints"].as_array().unwrap().iter().enumerate() {
        let (address, port) = endpoint["addr"].as_str().unwrap().rsplit_once(':').unwrap();
        let mut tags = endpoint["tags"].as_object().unwrap().clone();
        tags.insert("kuma.io/zone".into(), endpoint["zone"].clone());
        tags.insert("kuma.io/service".into(), "backend".into());
        let _ = write!(
            text,
            "---\n{{\"type\": \"Dataplane\", \"name\": \"d{index}\", \"networking\": {{\"address\": \"{address}\", \"inbound\": [{{\"port\": {port}, \"tags\": {}}}]}}}}\n",
            Json::Object(tags)
        );
    }
    (text, documents(&proxy))
}

fn labels_with_zone(local: &Json) -> Json {
    let mut labels = local["labels"].as_object().unwrap().clone();
    labels.insert("kuma.io/zone".into(), local["zone"].clone());
    Json::Object(labels)
}

/// The groups of a vector: `P<priority>|<zone>|<sub_zone>|<weight>|<endpoints>`.
fn expected_groups(vector: &Json) -> Vec<String> {
    let groups = vector["expect"]["groups"].as_array().unwrap().iter();
    let text = |group: &Json| {
        let endpoints: Vec<&str> = group["endpoints"]
            .as_array()
            .unwrap()
            .iter()
            .map(|endpoint| endpoint.as_str().unwrap())
            .collect();
        format!(
            "P{}|{}|{}|{}|{}",
            group["priority"],
            group["zone"].as_str().unwrap(),
            group["sub_zone"].as_str().unwrap(),
            group["weight"],
            endpoints.join(",")
        )
    };
    groups.map(text).collect()
}

#[test]
fn policy_and_dataplanes_give_the_groups_of_the_vectors() {
    let folder = repository().join("vectors/kuma");
    let mut compared = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let vector: Json = serde_json::from_str(&text).unwrap();
        let egress = vector["local"]["egress_enabled"] == Json::Bool(true);
        if vector["kind"] != "kuma.locality" || egress {
            continue;
        }
        let (text, proxy) = as_documents(&vector);
        let view = inputs(&text, PointOfView::Documents(proxy));
        let destination = &view.destinations[0];
        assert_eq!(
            (view.destinations.len(), destination.cluster.as_str()),
            (1, "backend")
        );
        let locality = view.policies[0].to[0].conf.locality_awareness.as_ref();
        let rules = KumaLocalityRules::new(locality).unwrap();
        let point = KumaView {
            proxy: &view.proxy,
            destination: destination.destination.kind,
        };
        let found = assignment(point, Some(&rules), &destination.endpoints, Compat::Kuma);
        let groups = found.groups.iter().map(|group| {
            let endpoints = group.endpoints.iter();
            let endpoints: Vec<&str> = endpoints
                .map(|&at| destination.endpoints[at].host.address.as_str())
                .collect();
            format!(
                "P{}|{}|{}|{}|{}",
                group.priority,
                group.locality.zone,
                group.locality.sub_zone,
                group
                    .weight
                    .map_or("null".into(), |weight| weight.to_string()),
                endpoints.join(",")
            )
        });
        let groups: Vec<String> = groups.collect();
        assert_eq!(groups, expected_groups(&vector), "{path:?}");
        let factor = vector["expect"]["overprovisioning_factor"].as_u64();
        assert_eq!(
            found.overprovisioning_factor.map(u64::from),
            factor,
            "{path:?}"
        );
        let dropped: Vec<&str> = found
            .dropped
            .iter()
            .map(|dropped| {
                destination.endpoints[dropped.endpoint]
                    .host
                    .address
                    .as_str()
            })
            .collect();
        let expected: Vec<&str> = vector["expect"]["dropped"]
            .as_array()
            .unwrap()
            .iter()
            .map(|address| address.as_str().unwrap())
            .collect();
        assert_eq!(dropped, expected, "{path:?}");
        compared += 1;
    }
    assert!(compared >= 20, "{compared}");
}
