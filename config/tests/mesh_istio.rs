//! What a proxy of Istio receives: services, endpoints, localities and labels.

use spillgate_config::{
    envoy::Format,
    mesh::{IstioInputs, MeshDocuments, PointOfView, read},
};
use spillgate_mesh::istio::{IstioEndpoint, IstioResolution};

fn documents(text: &str) -> MeshDocuments {
    match read(text, Format::Yaml, 0) {
        Ok(documents) => documents,
        Err(faults) => panic!("{text}: {faults:#?}"),
    }
}

fn inputs(text: &str, view: PointOfView) -> IstioInputs {
    IstioInputs::new(&documents(text), &view).unwrap()
}

/// The endpoints of a cluster as `address locality weight`.
fn endpoints(inputs: &IstioInputs, cluster: &str) -> Vec<String> {
    let found = inputs.services.iter().find(|s| s.cluster == cluster);
    let names: Vec<&str> = inputs.services.iter().map(|s| s.cluster.as_str()).collect();
    let found = found.unwrap_or_else(|| panic!("{cluster}: {names:?}"));
    let text = |endpoint: &IstioEndpoint| {
        let host = &endpoint.host;
        format!(
            "{} {} {}",
            host.address,
            endpoint.locality,
            host.weight.get()
        )
    };
    found.endpoints.iter().map(text).collect()
}

const MESH: &str = "
{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {topology.kubernetes.io/region: us, topology.kubernetes.io/zone: us-a}}}
---
{apiVersion: v1, kind: Node, metadata: {name: n2, labels: {topology.kubernetes.io/region: eu, topology.kubernetes.io/zone: eu-a, topology.istio.io/subzone: rack1}}}
---
{apiVersion: v1, kind: Service, metadata: {name: shop, namespace: ns, annotations: {networking.istio.io/traffic-distribution: PreferClose}}, spec: {selector: {app: shop}, ports: [{name: http, port: 80, targetPort: web}, {name: admin, port: 81, targetPort: 9090}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: s1, namespace: ns, labels: {app: shop, version: v1}}, spec: {nodeName: n1, containers: [{ports: [{name: web, containerPort: 8080}]}]}, status: {podIP: 10.0.0.1}}
---
{apiVersion: v1, kind: Pod, metadata: {name: s2, namespace: ns, labels: {app: shop, version: v2}}, spec: {nodeName: n2, containers: [{ports: [{name: web, containerPort: 8081}]}]}, status: {podIP: 10.0.0.2}}
---
{apiVersion: v1, kind: Pod, metadata: {name: s3, namespace: ns, labels: {app: shop, istio-locality: ap.x.y}}, spec: {nodeName: n2, containers: [{ports: [{name: web, containerPort: 8080}]}]}, status: {podIP: 10.0.0.3, conditions: [{type: Ready, status: 'False'}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: client, namespace: ns, labels: {app: client}}, spec: {nodeName: n2, containers: []}, status: {podIP: 10.0.0.9}}
---
{host: shop, trafficPolicy: {outlierDetection: {}}}
";

const HTTP: &str = "outbound|80||shop.ns.svc.cluster.local";

#[test]
fn pods_of_a_service() {
    let view = inputs(MESH, PointOfView::Name("client".into()));
    assert_eq!(view.proxy.locality, "eu/eu-a/rack1");
    assert_eq!(view.proxy.namespace, "ns");
    assert_eq!(view.proxy.labels["topology.kubernetes.io/zone"], "eu-a");
    assert_eq!(view.proxy.labels["kubernetes.io/hostname"], "n2");
    assert_eq!(
        endpoints(&view, HTTP),
        ["10.0.0.1:8080 us/us-a 1", "10.0.0.2:8081 eu/eu-a/rack1 1"]
    );
    assert_eq!(
        endpoints(&view, "outbound|81||shop.ns.svc.cluster.local"),
        ["10.0.0.1:9090 us/us-a 1", "10.0.0.2:9090 eu/eu-a/rack1 1"]
    );
    let service = &view.services[0];
    assert_eq!(
        service.service.traffic_distribution.as_deref(),
        Some("PreferClose")
    );
    assert_eq!(service.endpoints[1].labels["version"], "v2");
    assert_eq!(
        service.endpoints[1].labels["topology.istio.io/subzone"],
        "rack1"
    );
    assert_eq!(
        service.subset_cluster("v1"),
        "outbound|80|v1|shop.ns.svc.cluster.local"
    );
    assert_eq!(
        (view.rules.len(), view.root_namespace.as_str()),
        (1, "istio-system")
    );
}

#[test]
fn endpoint_slices_replace_the_selector() {
    let slice = |more: &str| {
        format!(
            "{MESH}---\n{{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {{name: shop-x, namespace: ns, labels: {{kubernetes.io/service-name: shop}}}}, ports: [{{name: http, port: 8080}}], endpoints: [{more}]}}\n"
        )
    };
    let text = slice(
        "{addresses: [10.0.0.1], targetRef: {kind: Pod, name: s1}}, \
         {addresses: [10.0.0.3], conditions: {ready: true}, targetRef: {kind: Pod, name: s3}}, \
         {addresses: [10.1.0.1], nodeName: n1}, {addresses: [10.1.0.2], zone: eu-b}, \
         {addresses: [10.1.0.3], conditions: {ready: false}}",
    );
    let view = inputs(&text, PointOfView::Zone("us/us-a".into()));
    assert_eq!(
        endpoints(&view, HTTP),
        [
            "10.0.0.1:8080 us/us-a 1",
            "10.0.0.3:8080 ap/x/y 1",
            "10.1.0.1:8080 us/us-a 1",
            "10.1.0.2:8080 /eu-b 1",
        ]
    );
    // The slice has no port for `admin`.
    assert_eq!(
        endpoints(&view, "outbound|81||shop.ns.svc.cluster.local"),
        [""; 0]
    );
}

#[test]
fn service_entries_and_workloads() {
    let text = "
{apiVersion: networking.istio.io/v1, kind: ServiceEntry, metadata: {name: e, namespace: ns}, spec: {hosts: [a.example, b.example], resolution: STATIC, ports: [{number: 443, name: https}],
  endpoints: [{address: 10.0.0.1, locality: us/a, weight: 3, ports: {https: 8443}}, {address: '2001:db8::1', labels: {istio-locality: eu/b}, network: net}]}}
---
{apiVersion: networking.istio.io/v1, kind: ServiceEntry, metadata: {name: f, namespace: ns}, spec: {hosts: [vm.example], resolution: STATIC, ports: [{number: 80, name: http, targetPort: 8080}], workloadSelector: {labels: {app: vm}}}}
---
{apiVersion: networking.istio.io/v1, kind: ServiceEntry, metadata: {name: g}, spec: {hosts: [dns.example], resolution: DNS, ports: [{number: 80, name: http}]}}
---
{apiVersion: networking.istio.io/v1, kind: WorkloadEntry, metadata: {name: w, namespace: ns}, spec: {address: 10.0.0.7, locality: us/a/r, labels: {app: vm}}}
---
{apiVersion: networking.istio.io/v1, kind: WorkloadEntry, metadata: {name: x, namespace: other}, spec: {address: 10.0.0.8, labels: {app: vm}}}
";
    let view = inputs(text, PointOfView::Name("w".into()));
    assert_eq!(view.proxy.locality, "us/a/r");
    for cluster in ["outbound|443||a.example", "outbound|443||b.example"] {
        assert_eq!(
            endpoints(&view, cluster),
            ["10.0.0.1:8443 us/a 3", "[2001:db8::1]:443 eu/b 1"]
        );
    }
    assert_eq!(
        endpoints(&view, "outbound|80||vm.example"),
        ["10.0.0.7:8080 us/a/r 1"]
    );
    assert_eq!(
        endpoints(&view, "outbound|80||dns.example"),
        ["dns.example:80  1"]
    );
    let dns = view
        .services
        .iter()
        .find(|s| s.service.host == "dns.example");
    assert_eq!(dns.unwrap().service.resolution, IstioResolution::Dns);
}

#[test]
fn a_zone_is_found_among_the_endpoints() {
    let short = "
[{address: '10.0.0.1:80', locality: us/a/1}, {address: '10.0.0.2:80', locality: us/b}, {address: '10.0.0.3:80', locality: eu/b}, {address: '10.0.0.4:80', locality: ap}]
---
{host: shop, trafficPolicy: {outlierDetection: {}}}
";
    let seen_from = |zone: &str| {
        IstioInputs::new(&documents(short), &PointOfView::Zone(zone.into()))
            .map(|view| view.proxy.locality)
            .map_err(|fault| fault.to_string())
    };
    assert_eq!(seen_from("a"), Ok("us/a".into()));
    assert_eq!(seen_from("eu/b"), Ok("eu/b".into()));
    assert_eq!(seen_from("ap"), Ok("ap".into()));
    assert_eq!(
        seen_from("b"),
        Err("mesh/ambiguous-zone: several regions have a zone with this name; found \"b\", expected a locality such as eu/b or us/b".into())
    );
    assert_eq!(
        seen_from("x"),
        Err(
            "mesh/unknown-zone: no endpoint is in this zone; found \"x\", expected one of a, b"
                .into()
        )
    );
    let view = inputs(short, PointOfView::Zone("a".into()));
    assert_eq!(view.services[0].cluster, "outbound|80||shop");
    assert_eq!(
        view.services[0].endpoints[0].labels["topology.kubernetes.io/region"],
        "us"
    );
}

#[test]
fn a_short_proxy_gets_the_labels_of_its_locality() {
    let own = documents("{locality: us/a, labels: {app: client}}");
    let view = inputs(MESH, PointOfView::Documents(own));
    assert_eq!(view.proxy.labels["topology.kubernetes.io/zone"], "a");
    assert_eq!(view.proxy.labels["app"], "client");
}
