//! The objects of Kubernetes.

use spillgate_config::{
    envoy::Format,
    mesh::{TargetPort, read},
};

#[test]
fn objects_of_kubernetes() {
    let text = "
apiVersion: v1
kind: Service
metadata: {name: s, annotations: {networking.istio.io/traffic-distribution: PreferClose}}
spec: {selector: {app: a}, trafficDistribution: PreferSameZone, clusterIP: None, ports: [{port: 80, targetPort: web}, {port: 53, protocol: UDP}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: s-1, labels: {kubernetes.io/service-name: s}}
ports: [{name: '', port: 8080}]
endpoints:
- {addresses: [10.0.0.1], conditions: {ready: false}, nodeName: n1, zone: z, targetRef: {kind: Pod, name: p}}
- {addresses: [10.0.0.2], conditions: {}}
---
apiVersion: v1
kind: Pod
metadata: {name: p, labels: {app: a}}
spec: {nodeName: n1, containers: [{ports: [{name: web, containerPort: 8080}]}]}
status: {podIP: 10.0.0.1, conditions: [{type: Initialized, status: 'False'}, {type: Ready, status: 'False'}]}
---
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {topology.kubernetes.io/zone: z}}
";
    let found = read(text, Format::Yaml, 0).unwrap();
    let kube = &found.kube;
    let service = &kube.services[0];
    assert_eq!((service.ports.len(), service.headless), (1, true));
    assert_eq!(
        service.traffic_distribution.as_deref(),
        Some("PreferSameZone")
    );
    let slice = &kube.endpoint_slices[0];
    assert_eq!(slice.service(), Some("s"));
    let ready: Vec<bool> = slice.endpoints.iter().map(|e| e.state.is_ready()).collect();
    assert_eq!(ready, [false, true]);
    assert_eq!(slice.endpoints[0].pod.as_deref(), Some("p"));
    let pod = &kube.pods[0];
    assert_eq!(
        (
            pod.state.is_ready(),
            pod.port(&TargetPort::Name("web".into()))
        ),
        (false, Some(8080))
    );
    assert_eq!(kube.nodes[0].label("topology.kubernetes.io/zone"), "z");
}
