//! Meshes of several networks: gateways in place of endpoints.

use std::fmt::Write as _;

use spillgate_config::{
    envoy::Format,
    mesh::{MeshKind, MeshOutbound, PointOfView, read},
};
use spillgate_mesh::{Compat, istio::IstioVersion};

fn outbound(text: &str, version: IstioVersion, view: PointOfView) -> MeshOutbound {
    let mut documents = match read(text, Format::Yaml, 0) {
        Ok(documents) => documents,
        Err(faults) => panic!("{text}: {faults:#?}"),
    };
    documents.istio_version = version;
    MeshOutbound::new(&documents, MeshKind::Istio, &view, Compat::Kuma).unwrap()
}

/// The hosts of the service as `address weight share`, without those that Envoy drops, and the codes of
/// the warnings.
fn hosts(text: &str, version: IstioVersion, view: PointOfView) -> (Vec<String>, Vec<&'static str>) {
    let found = outbound(text, version, view);
    let cluster = found
        .cluster("outbound|80||shop.ns.svc.cluster.local")
        .unwrap();
    let shares = cluster.shares();
    let kept = cluster
        .assignment
        .groups
        .iter()
        .flat_map(|group| &group.endpoints);
    let mut lines: Vec<String> = kept
        .map(|&at| {
            let (host, share) = (&cluster.hosts[at], shares.endpoints[at]);
            format!("{} {} {}", host.address, host.weight.get(), share.round())
        })
        .collect();
    lines.sort();
    (
        lines,
        found.warnings.iter().map(|warning| warning.code).collect(),
    )
}

/// A service with Pods `(name, network, zone)` at 10.0.0.1 and so on, and more documents.
fn mesh(pods: &[(&str, &str, &str)], more: &str) -> String {
    let mut text = String::from(
        "{apiVersion: v1, kind: Service, metadata: {name: shop, namespace: ns}, spec: {selector: \
         {app: shop}, ports: [{name: http, port: 80}]}}\n---\n{apiVersion: networking.istio.io/v1, \
         kind: DestinationRule, metadata: {name: shop, namespace: ns}, spec: {host: shop, trafficPolicy: \
         {loadBalancer: {simple: ROUND_ROBIN}}}}\n",
    );
    for (at, (name, network, zone)) in pods.iter().enumerate() {
        let network = match *network {
            "" => String::new(),
            network => format!("topology.istio.io/network: {network}, "),
        };
        writeln!(
            text,
            "---\n{{apiVersion: v1, kind: Pod, metadata: {{name: {name}, namespace: ns, labels: \
             {{{network}app: shop, istio-locality: eu.{zone}, security.istio.io/tlsMode: istio}}}}, \
             status: {{podIP: 10.0.0.{}}}}}",
            at + 1
        )
        .unwrap();
    }
    text + more
}

/// A gateway Service of a network.
fn gateway(name: &str, network: &str, addresses: &str) -> String {
    format!(
        "---\n{{apiVersion: v1, kind: Service, metadata: {{name: {name}, namespace: istio-system, \
         labels: {{topology.istio.io/network: {network}}}}}, spec: {{ports: [{{name: tls, port: \
         15443}}]}}, status: {{loadBalancer: {{ingress: [{addresses}]}}}}}}\n"
    )
}

fn view(name: &str) -> PointOfView {
    PointOfView::Name(name.into())
}

const NEW: IstioVersion = IstioVersion::V1_31;

#[test]
fn a_gateway_has_the_weight_of_the_endpoints_behind_it() {
    let pods = [("l", "n1", "a"), ("r1", "n2", "a"), ("r2", "n2", "a")];
    let text = mesh(&pods, &gateway("gw", "n2", "{ip: 1.1.1.1}"));
    let found = hosts(&text, NEW, view("l"));
    assert_eq!(found.0, ["1.1.1.1:15443 2 67", "10.0.0.1:80 1 33"]);
    assert_eq!(found.1, [""; 0]);
    // From the other network, the endpoint of the first one has no gateway: it is reached directly.
    let found = hosts(&text, NEW, view("r1"));
    assert_eq!(found.0.len(), 3);
    assert_eq!(found.1, ["mesh/networks"]);
}

#[test]
fn gateways_of_one_network_share_its_weight() {
    let pods = [
        ("l", "n1", "a"),
        ("r1", "n2", "a"),
        ("r2", "n2", "a"),
        ("r3", "n2", "a"),
    ];
    let text = mesh(&pods, &gateway("gw", "n2", "{ip: 1.1.1.1}, {ip: 1.1.1.2}"));
    let found = hosts(&text, NEW, view("l"));
    let expected = [
        "1.1.1.1:15443 3 38",
        "1.1.1.2:15443 3 38",
        "10.0.0.1:80 2 25",
    ];
    assert_eq!(found.0, expected);
}

#[test]
fn a_gateway_of_several_localities_keeps_the_weight_of_the_first_one() {
    let pods = [
        ("l", "n1", "a"),
        ("r1", "n2", "b"),
        ("r2", "n2", "c"),
        ("r3", "n2", "c"),
    ];
    let text = mesh(&pods, &gateway("gw", "n2", "{ip: 1.1.1.1}"));
    let found = hosts(&text, NEW, view("l"));
    assert_eq!(found.0, ["1.1.1.1:15443 1 50", "10.0.0.1:80 1 50"]);
    assert_eq!(found.1, ["mesh/repeated-gateway"]);
}

#[test]
fn gateways_of_the_cluster_come_before_those_of_mesh_networks() {
    let pods = [("l", "n1", "a"), ("r1", "n2", "a")];
    let networks = "---\n{kind: ConfigMap, metadata: {name: istio}, data: {mesh: '{}', \
        meshNetworks: 'networks: {n2: {gateways: [{address: 2.2.2.2, port: 443}]}}'}}\n";
    let of = |more: &str| hosts(&mesh(&pods, more), NEW, view("l")).0;
    assert_eq!(of(networks), ["10.0.0.1:80 1 50", "2.2.2.2:443 1 50"]);
    let both = format!("{networks}{}", gateway("gw", "n2", "{ip: 1.1.1.1}"));
    // All weights are multiplied by the number of gateways of the network.
    assert_eq!(of(&both), ["1.1.1.1:15443 2 50", "10.0.0.1:80 2 50"]);
    let of_service = "---\n{kind: ConfigMap, metadata: {name: istio}, data: {mesh: '{}', \
        meshNetworks: 'networks: {n2: {gateways: [{registryServiceName: \
        gw.istio-system.svc.cluster.local, port: 443}]}}'}}\n---\n{apiVersion: v1, kind: Service, \
        metadata: {name: gw, namespace: istio-system}, spec: {externalIPs: [3.3.3.3], ports: [{port: \
        443}]}}\n";
    assert_eq!(of(of_service), ["10.0.0.1:80 1 50", "3.3.3.3:443 1 50"]);
}

#[test]
fn endpoints_without_mutual_tls_are_not_reached_in_other_networks() {
    let pods = [("l", "n1", "a"), ("r1", "n2", "a")];
    let text = mesh(&pods, &gateway("gw", "n2", "{ip: 1.1.1.1}"));
    let plain = text.replace(", security.istio.io/tlsMode: istio", "");
    let found = hosts(&plain, NEW, view("l"));
    assert_eq!(found.0, ["10.0.0.1:80 1 100"]);
    assert_eq!(found.1, ["mesh/network-without-mtls"]);
    // The mode of the rule counts more than that of the workload.
    let rule = |text: &str, mode| {
        let policy = format!("trafficPolicy: {{tls: {{mode: {mode}}}, ");
        hosts(&text.replace("trafficPolicy: {", &policy), NEW, view("l"))
            .0
            .len()
    };
    assert_eq!(
        (rule(&plain, "ISTIO_MUTUAL"), rule(&text, "DISABLE")),
        (2, 1)
    );
}

#[test]
fn since_1_30_a_proxy_of_an_unknown_network_uses_gateways() {
    let pods = [("l", "", "a"), ("r1", "n2", "b")];
    let text = mesh(&pods, &gateway("gw", "n2", "{ip: 1.1.1.1}"));
    let of = |version| hosts(&text, version, view("l")).0[0].clone();
    assert_eq!(of(IstioVersion::V1_29), "10.0.0.1:80 1 50");
    assert_eq!(of(IstioVersion::V1_30), "1.1.1.1:15443 1 50");
}

#[test]
fn the_system_namespace_has_the_network_of_the_cluster() {
    let pods = [("l", "", "a"), ("r1", "n2", "b")];
    let namespace = "---\n{apiVersion: v1, kind: Namespace, metadata: {name: istio-system, labels: \
        {topology.istio.io/network: n2}}}\n";
    let text = mesh(&pods, &(gateway("gw", "n2", "{ip: 1.1.1.1}") + namespace));
    assert_eq!(
        hosts(&text, NEW, view("l")).0,
        ["10.0.0.1:80 1 50", "10.0.0.2:80 1 50"]
    );
}

#[test]
fn a_zone_has_the_network_of_its_endpoints() {
    let pods = [("l", "n1", "a"), ("r1", "n2", "b"), ("r2", "n3", "b")];
    let text = mesh(&pods, &gateway("gw", "n2", "{ip: 1.1.1.1}"));
    let from = |zone: &str| hosts(&text, NEW, PointOfView::Zone(zone.into()));
    let (found, codes) = from("eu/a");
    assert_eq!(
        found,
        ["1.1.1.1:15443 1 33", "10.0.0.1:80 1 33", "10.0.0.3:80 1 33"]
    );
    assert_eq!(codes, ["mesh/networks"]);
    // Two networks: what a proxy of the zone reaches is not known.
    let (found, codes) = from("eu/b");
    assert_eq!(found.len(), 3);
    assert_eq!(codes, ["mesh/networks"]);
}
