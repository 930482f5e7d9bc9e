//! Which Pods, slices and workloads are endpoints of Istio's services, and where they are.

use spillgate_config::{
    envoy::Format,
    mesh::{IstioInputs, MeshDocuments, PointOfView, read},
};
use spillgate_core::model::HealthStatus;
use spillgate_mesh::istio::{IstioEndpoint, IstioVersion};

/// A zone for the point of view.
const PROXY: &str = "{zone: z0, locality: r0/z0}";

fn documents(parts: &[&str]) -> MeshDocuments {
    let text = [parts, &[PROXY]].concat().join("\n---\n");
    match read(&text, Format::Yaml, 0) {
        Ok(documents) => documents,
        Err(faults) => panic!("{text}: {faults:#?}"),
    }
}

/// The endpoints of the only service, as `address locality` with the health if it is known.
fn endpoints(documents: &MeshDocuments) -> Vec<String> {
    let view = PointOfView::Zone("r0/z0".into());
    let inputs = IstioInputs::new(documents, &view).unwrap();
    assert_eq!(inputs.services.len(), 1, "{:#?}", inputs.services);
    let text = |endpoint: &IstioEndpoint| {
        let host = &endpoint.host;
        let health = match host.health {
            HealthStatus::Unknown => String::new(),
            health => format!(" {health:?}"),
        };
        let address = host.address.split(':').next().unwrap();
        format!("{address} {}{health}", endpoint.locality)
    };
    inputs.services[0].endpoints.iter().map(text).collect()
}

const SERVICE: &str = "{apiVersion: v1, kind: Service, metadata: {name: shop}, spec: {selector: {app: shop}, ports: [{name: http, port: 80}]}}";
const SESSIONS: &str = "{apiVersion: v1, kind: Service, metadata: {name: shop, labels: {istio.io/persistent-session: cookie}}, spec: {selector: {app: shop}, ports: [{name: http, port: 80}]}}";
const HEADER_SESSIONS: &str = "{apiVersion: v1, kind: Service, metadata: {name: shop, labels: {istio.io/persistent-session-header: x-id}}, spec: {selector: {app: shop}, ports: [{name: http, port: 80}]}}";

/// A Pod of the service at `10.0.0.INDEX`.
fn pod(index: u32, labels: &str, node: &str, status: &str) -> String {
    format!(
        "{{apiVersion: v1, kind: Pod, metadata: {{name: p{index}, labels: {{app: shop{labels}}}}}, \
         spec: {{nodeName: '{node}'}}, status: {{podIP: 10.0.0.{index}{status}}}}}"
    )
}

/// A slice of the service.
fn slice(name: &str, endpoints: &str) -> String {
    format!(
        "{{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {{name: {name}, labels: \
         {{kubernetes.io/service-name: shop}}}}, ports: [{{name: http, port: 80}}], endpoints: \
         [{endpoints}]}}"
    )
}

const NODE: &str = "{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {topology.kubernetes.io/region: r1, topology.kubernetes.io/zone: z1}}}";

#[test]
fn pods_that_have_ended_are_absent() {
    let running = pod(1, "", "n1", ", phase: Running");
    let done = pod(2, "", "n1", ", phase: Succeeded");
    let evicted = pod(3, "", "n1", ", phase: Failed");
    let all = documents(&[SERVICE, NODE, &running, &done, &evicted]);
    assert_eq!(endpoints(&all), ["10.0.0.1 r1/z1"]);
    assert_eq!(all.istio_proxies().len(), 2, "a Pod and the proxy");
    let named = slice(
        "s",
        "{addresses: [10.0.0.1], targetRef: {kind: Pod, name: p1}}, {addresses: [10.0.0.3], \
         targetRef: {kind: Pod, name: p3}}",
    );
    let all = documents(&[SERVICE, NODE, &running, &evicted, &named]);
    assert_eq!(endpoints(&all), ["10.0.0.1 r1/z1"]);
}

#[test]
fn the_newer_label_of_a_locality_counts_since_istio_1_29() {
    let labels = ", topology.istio.io/locality: r2.z2, istio-locality: r3.z3";
    let both = pod(1, labels, "n1", "");
    let newer = pod(2, ", topology.istio.io/locality: r2.z2", "n1", "");
    let entry = "{apiVersion: networking.istio.io/v1, kind: WorkloadEntry, metadata: {name: vm}, spec: {address: 10.0.0.3, labels: {app: shop, topology.istio.io/locality: r4.z4}}}";
    let mut all = documents(&[SERVICE, NODE, &both, &newer, entry]);
    assert_eq!(
        endpoints(&all),
        ["10.0.0.1 r2/z2", "10.0.0.2 r2/z2", "10.0.0.3 r4/z4"]
    );
    all.istio_version = IstioVersion::V1_28;
    assert_eq!(
        endpoints(&all),
        ["10.0.0.1 r3/z3", "10.0.0.2 r1/z1", "10.0.0.3 "]
    );
}

#[test]
fn the_locality_of_a_workload_beats_its_label() {
    let entry = "{apiVersion: networking.istio.io/v1, kind: WorkloadEntry, metadata: {name: vm}, spec: {address: 10.0.0.3, locality: r5/z5, labels: {app: shop, istio-locality: r4.z4}}}";
    assert_eq!(endpoints(&documents(&[SERVICE, entry])), ["10.0.0.3 r5/z5"]);
}

#[test]
fn labels_of_old_nodes_count_without_the_new_ones() {
    let node = "{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {failure-domain.beta.kubernetes.io/region: r1, failure-domain.beta.kubernetes.io/zone: old, topology.kubernetes.io/zone: z1}}}";
    let pod = pod(1, "", "n1", "");
    assert_eq!(
        endpoints(&documents(&[SERVICE, node, &pod])),
        ["10.0.0.1 r1/z1"]
    );
}

#[test]
fn workloads_with_health_checks_are_absent_until_they_succeed() {
    let entry = |name: &str, address: &str, annotation: &str, status: &str| {
        format!(
            "{{apiVersion: networking.istio.io/v1, kind: WorkloadEntry, metadata: {{name: {name}, \
             annotations: {{proxy.istio.io/health-checks-enabled: '{annotation}'}}}}, spec: {{address: \
             {address}, labels: {{app: shop}}, locality: r1/z1}}, status: {{conditions: [{status}]}}}}"
        )
    };
    let passes = entry("a", "10.0.0.1", "true", "{type: Healthy, status: 'True'}");
    let fails = entry("b", "10.0.0.2", "true", "{type: Healthy, status: 'False'}");
    let unknown = entry("c", "10.0.0.3", "true", "{type: Other, status: 'True'}");
    let off = entry("d", "10.0.0.4", "false", "");
    let by_entry = "{apiVersion: networking.istio.io/v1, kind: ServiceEntry, metadata: {name: e}, spec: {hosts: [shop.lab], resolution: STATIC, ports: [{number: 80, name: http}], workloadSelector: {labels: {app: shop}}}}";
    for service in [SERVICE, by_entry] {
        let all = documents(&[service, &passes, &fails, &unknown, &off]);
        assert_eq!(endpoints(&all), ["10.0.0.1 r1/z1", "10.0.0.4 r1/z1"]);
    }
}

#[test]
fn pods_with_the_label_for_draining_need_sessions_by_cookie() {
    let drains = pod(1, ", istio.io/draining: 'true'", "n1", "");
    let leaves = pod(2, "", "n1", "").replace("{name: p2", "{deletionTimestamp: x, name: p2");
    let stays = pod(3, ", istio.io/draining: ''", "n1", "");
    let found = |service| endpoints(&documents(&[service, NODE, &drains, &leaves, &stays]));
    for service in [SERVICE, HEADER_SESSIONS] {
        let found: Vec<String> = found(service);
        assert_eq!(found.first().unwrap(), "10.0.0.3 r1/z1", "{found:?}");
    }
    assert_eq!(
        found(SESSIONS),
        [
            "10.0.0.1 r1/z1 Draining",
            "10.0.0.2 r1/z1 Draining",
            "10.0.0.3 r1/z1"
        ]
    );
}

#[test]
fn an_address_in_two_slices_is_one_host_and_all_addresses_count() {
    let first = slice("a", "{addresses: [10.0.0.1, 10.0.0.2]}");
    let second = slice("b", "{addresses: [10.0.0.2]}");
    let names =
        slice("c", "{addresses: [a.example]}").replace("ports:", "addressType: FQDN, ports:");
    assert_eq!(
        endpoints(&documents(&[SERVICE, &first, &second, &names])),
        ["10.0.0.1 ", "10.0.0.2 "]
    );
}

#[test]
fn an_endpoint_that_is_not_ready_and_does_not_say_that_it_stays_is_absent() {
    let all = slice(
        "a",
        "{addresses: [10.0.0.1], conditions: {ready: false}}, {addresses: [10.0.0.2], conditions: \
         {ready: false, terminating: false}}, {addresses: [10.0.0.3], conditions: {ready: false, \
         serving: false}}, {addresses: [10.0.0.4], conditions: {}}",
    );
    assert_eq!(
        endpoints(&documents(&[SERVICE, &all])),
        ["10.0.0.2  Unhealthy", "10.0.0.4 "]
    );
    assert_eq!(
        endpoints(&documents(&[SESSIONS, &all])),
        ["10.0.0.1  Draining", "10.0.0.2  Unhealthy", "10.0.0.4 "]
    );
}

#[test]
fn endpoints_without_a_pod_have_no_locality() {
    let all = slice(
        "a",
        "{addresses: [10.0.0.1], zone: z1, nodeName: n1}, {addresses: [10.0.0.2], zone: z2}, \
         {addresses: [10.0.0.3], targetRef: {kind: Pod, name: unknown}, nodeName: n1}",
    );
    let by_address = pod(2, "", "n1", "");
    assert_eq!(
        endpoints(&documents(&[SERVICE, NODE, &by_address, &all])),
        ["10.0.0.1 ", "10.0.0.2 r1/z1", "10.0.0.3 r1/z1"]
    );
}

#[test]
fn names_are_no_endpoints_without_resolution() {
    let entry = |resolution: &str, from: &str| {
        format!(
            "{{apiVersion: networking.istio.io/v1, kind: ServiceEntry, metadata: {{name: e}}, spec: \
             {{hosts: [shop.lab], resolution: {resolution}, ports: [{{number: 80, name: http}}], \
             {from}}}}}"
        )
    };
    let own = "endpoints: [{address: db.example}, {address: 10.0.0.1}]";
    let selected = "workloadSelector: {labels: {app: shop}}";
    let workload = |name: &str, address: &str| {
        format!(
            "{{apiVersion: networking.istio.io/v1, kind: WorkloadEntry, metadata: {{name: {name}}}, \
             spec: {{address: {address}, labels: {{app: shop}}}}}}"
        )
    };
    let (name, ip) = (workload("a", "db.example"), workload("b", "10.0.0.1"));
    for from in [own, selected] {
        let found = |resolution| endpoints(&documents(&[&entry(resolution, from), &name, &ip]));
        assert_eq!(found("STATIC"), ["10.0.0.1 "]);
        assert_eq!(found("DNS"), ["db.example ", "10.0.0.1 "]);
    }
    assert_eq!(endpoints(&documents(&[SERVICE, &name, &ip])), ["10.0.0.1 "]);
}

/// The codes of the findings about the documents, as `code found`, without those of other subjects.
fn named(documents: &MeshDocuments, code: &str) -> Vec<String> {
    let view = PointOfView::Zone("r0/z0".into());
    let inputs = IstioInputs::new(documents, &view).unwrap();
    let all = inputs.warnings.into_iter();
    let found = all.filter(|finding| finding.code == code);
    found.filter_map(|finding| finding.found).collect()
}

#[test]
fn pods_and_nodes_without_a_document_are_named() {
    let slice = slice(
        "a",
        "{addresses: [10.0.0.1], targetRef: {kind: Pod, name: p1}}, {addresses: [10.0.0.2], \
         targetRef: {kind: Pod, name: p2}}",
    );
    let (known, other) = (pod(1, "", "n1", ""), pod(2, "", "n2", ""));
    let some = documents(&[SERVICE, NODE, &known, &slice]);
    assert_eq!(named(&some, "mesh/unknown-pods"), ["default/p2"]);
    assert!(named(&some, "mesh/unknown-nodes").is_empty());
    let all = documents(&[SERVICE, NODE, &known, &other, &slice]);
    assert!(named(&all, "mesh/unknown-pods").is_empty());
    assert_eq!(named(&all, "mesh/unknown-nodes"), ["n2"]);
}

#[test]
fn the_last_document_of_an_object_counts() {
    let (ready, failed) = (
        pod(1, "", "n1", ""),
        pod(
            1,
            "",
            "n1",
            ", conditions: [{type: Ready, status: 'False'}]",
        ),
    );
    let mut all = documents(&[SERVICE, NODE, &ready]);
    all.append(read(&failed, Format::Yaml, 1).unwrap());
    assert_eq!(endpoints(&all), ["10.0.0.1 r1/z1 Unhealthy"]);
    let found = all.policy_warnings();
    let found: Vec<(usize, &str)> = found.iter().map(|(file, of)| (*file, of.code)).collect();
    assert_eq!(
        found,
        [(0, "mesh/repeated-object"), (1, "mesh/repeated-object")]
    );
    let one_file = documents(&[SERVICE, NODE, &failed, &ready]);
    assert_eq!(endpoints(&one_file), ["10.0.0.1 r1/z1"]);
    assert_eq!(one_file.policy_warnings().len(), 2);
}

#[test]
fn other_config_maps_are_not_the_mesh_config() {
    let map = |name: &str, namespace: &str| {
        format!(
            "{{apiVersion: v1, kind: ConfigMap, metadata: {{name: {name}, namespace: {namespace}}}, \
             data: {{mesh: 'localityLbSetting: {{enabled: false}}'}}}}"
        )
    };
    let found = |maps: &[&str]| {
        let all = documents(maps);
        let codes = all.warnings.iter().map(|of| of.code);
        let later = all.policy_warnings();
        let codes = codes.chain(later.iter().map(|(_, of)| of.code));
        (all.istio.mesh_configs.len(), codes.collect::<Vec<_>>())
    };
    let (own, canary) = (
        map("istio", "istio-system"),
        map("istio-canary", "istio-system"),
    );
    assert_eq!(found(&[&own]), (1, vec![]));
    assert_eq!(found(&[&own, &canary]), (2, vec!["mesh/repeated-object"]));
    for other in [map("shop", "istio-system"), map("istio", "default")] {
        assert_eq!(found(&[&other]), (0, vec!["mesh/other-config-map"]));
    }
}

#[test]
fn an_address_of_two_service_entries_is_one_host() {
    use spillgate_config::mesh::{MeshKind, MeshOutbound};
    use spillgate_mesh::Compat;
    let entry = |name: &str, endpoints: &str| {
        format!(
            "{{apiVersion: networking.istio.io/v1, kind: ServiceEntry, metadata: {{name: {name}}}, \
             spec: {{hosts: [db.lab], resolution: STATIC, ports: [{{number: 80, name: http}}], \
             endpoints: [{endpoints}]}}}}"
        )
    };
    let first = entry("a", "{address: 10.0.0.1}, {address: 10.0.0.2}");
    let second = entry("b", "{address: 10.0.0.2}");
    let all = documents(&[&first, &second]);
    let view = PointOfView::Zone("r0/z0".into());
    let outbound = MeshOutbound::new(&all, MeshKind::Istio, &view, Compat::Kuma).unwrap();
    let groups = &outbound.clusters[0].assignment.groups;
    let hosts: Vec<&usize> = groups.iter().flat_map(|group| &group.endpoints).collect();
    assert_eq!(hosts, [&0, &1]);
}
