//! Documents of other control planes are named with what to read instead.

use crate::run::{scratch, spillgate, spillgate_with};

/// A document with this group and kind.
fn document(group: &str, kind: &str) -> String {
    format!("apiVersion: {group}/v1\nkind: {kind}\nmetadata: {{name: shop}}\nspec: {{}}\n---\n")
}

#[test]
fn documents_of_other_control_planes_alone_are_named() {
    for (group, kind, instead) in [
        (
            "gateway.networking.k8s.io",
            "HTTPRoute",
            "egctl x translate",
        ),
        (
            "gateway.envoyproxy.io",
            "BackendTrafficPolicy",
            "egctl x translate",
        ),
        ("gateway.kgateway.dev", "TrafficPolicy", "port 19000"),
        ("gateway.solo.io", "Gateway", "glooctl proxy dump"),
        ("projectcontour.io", "HTTPProxy", "port 9001"),
        ("getambassador.io", "Mapping", "port 8001"),
        ("x.getambassador.io", "AmbassadorMapping", "port 8001"),
        (
            "consul.hashicorp.com",
            "ServiceResolver",
            "consul-dataplane",
        ),
        ("appmesh.k8s.aws", "VirtualNode", "port 9901"),
        (
            "admiral.io",
            "GlobalTrafficPolicy",
            "kubectl get serviceentry",
        ),
        (
            "networking.istio.io",
            "EnvoyFilter",
            "input has no clusters",
        ),
    ] {
        let ran = spillgate_with(&["lint", "-"], document(group, kind).as_bytes());
        assert_eq!(ran.status, 2, "{group}");
        assert!(ran.stderr.contains(instead), "{group}: {}", ran.stderr);
        let named = ran.stderr.contains("input/control-plane");
        // Envoy's messages in it are read.
        assert_eq!(named, kind != "EnvoyFilter", "{group}: {}", ran.stderr);
    }
    let entry = b"{\"Kind\": \"service-splitter\", \"Name\": \"web\"}";
    let ran = spillgate_with(&["lint", "-"], entry);
    let expected = "Consul makes Envoy's configuration from such documents";
    assert!(ran.stderr.contains(expected), "{}", ran.stderr);
}

#[test]
fn documents_next_to_those_of_a_mesh_are_named() {
    let rule = "apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {name: d}\n\
                spec: {host: shop, trafficPolicy: {outlierDetection: {}}}\n---\n";
    let labels =
        "apiVersion: v1\nkind: Service\nmetadata: {name: s, labels: {istio.io/use-waypoint: w}}\n";
    let text = format!(
        "{rule}{}{}{}{labels}",
        document("networking.istio.io", "Sidecar"),
        document("networking.istio.io", "EnvoyFilter"),
        document("networking.istio.io", "EnvoyFilter")
    );
    let ran = spillgate_with(&["lint", "-"], text.as_bytes());
    for expected in [
        "warning: -:6:1: input/control-plane: Istio makes Envoy's configuration",
        "found Sidecar shop, expected the output of `istioctl proxy-config all POD -o json`",
        "found EnvoyFilter shop and 1 more",
        "ztunnel, which is not an Envoy, and waypoints) balances the connections",
    ] {
        assert!(ran.stderr.contains(expected), "{expected}: {}", ran.stderr);
    }
}

#[test]
fn documents_in_skipped_files_of_a_folder_are_named() {
    let folder = scratch("control-planes");
    std::fs::write(
        folder.join("a.yaml"),
        document("projectcontour.io", "HTTPProxy"),
    )
    .unwrap();
    let name = folder.to_str().unwrap();
    let alone = spillgate(&["split", name]);
    assert_eq!(alone.status, 2);
    assert!(alone.stderr.contains("Contour"), "{}", alone.stderr);
    let cluster = "{name: c, load_assignment: {cluster_name: c, endpoints: [{lb_endpoints: [{endpoint: \
                   {address: {socket_address: {address: 10.0.0.1, port_value: 80}}}}]}]}}";
    std::fs::write(folder.join("b.yaml"), cluster).unwrap();
    let ran = spillgate(&["split", name]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let expected = format!("warning: {name}/a.yaml:1:1: input/control-plane: Contour");
    assert!(ran.stderr.contains(&expected), "{}", ran.stderr);
}

#[test]
fn objects_of_kubernetes_alone_are_those_of_a_mesh() {
    let service = "apiVersion: v1\nkind: Service\nmetadata: {name: shop, namespace: one}\n\
                   spec: {selector: {app: shop}, ports: [{name: http, port: 80}]}\n---\n";
    let pod = |name: &str, zone: &str| {
        format!(
            "apiVersion: v1\nkind: Node\nmetadata: {{name: {zone}, labels: {{topology.kubernetes.io/region: r, \
             topology.kubernetes.io/zone: {zone}}}}}\n---\napiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, \
             namespace: one, labels: {{app: shop}}}}\nspec: {{nodeName: {zone}}}\nstatus: {{podIP: 10.0.0.1, \
             conditions: [{{type: Ready, status: 'True'}}]}}\n---\n"
        )
    };
    let text = format!("{service}{}{}", pod("a", "z1"), pod("b", "z2"));
    let ran = spillgate_with(&["split", "-"], text.as_bytes());
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("--as with one of r/z1, r/z2"),
        "{}",
        ran.stderr
    );
    let ran = spillgate_with(&["split", "-", "--as", "z2"], text.as_bytes());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(
        ran.stdout
            .contains("outbound|80||shop.one.svc.cluster.local"),
        "{}",
        ran.stdout
    );
    // An Envoy configuration with such objects stays one.
    let config = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: envoy}\ndata:\n  envoy.yaml: |\n    \
                  static_resources: {clusters: [{name: c, load_assignment: {cluster_name: c}}]}\n---\n";
    let ran = spillgate_with(&["split", "-"], format!("{config}{service}").as_bytes());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("c ("), "{}", ran.stdout);
}
