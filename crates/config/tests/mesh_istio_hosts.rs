//! Which documents of Istio apply to a host, and what a zone alone leaves open.

use spillgate_config::{
    envoy::Format,
    mesh::{MeshKind, MeshOutbound, PointOfView, read},
};
use spillgate_mesh::Compat;

const SERVICE: &str = "
{apiVersion: v1, kind: Service, metadata: {name: shop, namespace: lab}, spec: {selector: {app: shop}, ports: [{name: http, port: 80}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: shop-1, namespace: lab, labels: {app: shop, version: v1, istio-locality: r.z1}}, status: {podIP: 10.0.0.1}}
---
{apiVersion: v1, kind: Pod, metadata: {name: shop-2, namespace: lab, labels: {app: shop, version: v2, istio-locality: r.z2}}, status: {podIP: 10.0.0.2}}
---
";

/// What a proxy receives, without the documents of the service.
fn outbound(documents: &str, view: PointOfView) -> MeshOutbound {
    let documents = read(&format!("{SERVICE}{documents}"), Format::Yaml, 0).unwrap();
    MeshOutbound::new(&documents, MeshKind::Istio, &view, Compat::Kuma).unwrap()
}

fn limits(outbound: &MeshOutbound) -> Vec<&str> {
    let found = outbound
        .warnings
        .iter()
        .filter(|of| of.code == "mesh/zone-view");
    found.filter_map(|of| of.found.as_deref()).collect()
}

#[test]
fn a_short_and_a_full_name_of_a_host_are_equal_and_the_older_document_applies() {
    const RULES: &str = "
{apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: {name: new, namespace: lab, creationTimestamp: '2025-01-01T00:00:00Z'}, spec: {hosts: [shop.lab.svc.cluster.local], http: [{directResponse: {status: 500}}]}}
---
{apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: {name: old, namespace: lab, creationTimestamp: '2024-01-01T00:00:00Z'}, spec: {hosts: [shop], http: [{directResponse: {status: 200}}]}}
";
    let found = outbound(RULES, PointOfView::Name("lab/shop-1".into()));
    assert_eq!(found.destinations[0].rules[0].responds, Some(200));
}

#[test]
fn a_service_is_a_parent_only_with_its_group() {
    let route = |group: &str| {
        format!(
            "{{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {{name: r, namespace: lab}}, spec: \
             {{parentRefs: [{{{group}kind: Service, name: shop}}], rules: [{{backendRefs: []}}]}}}}"
        )
    };
    let view = || PointOfView::Name("lab/shop-1".into());
    let applied = outbound(&route("group: '', "), view());
    assert_eq!(applied.destinations[0].rules[0].responds, Some(500));
    for group in ["", "group: gateway.networking.k8s.io, "] {
        let ignored = outbound(&route(group), view());
        assert_eq!(ignored.destinations[0].rules[0].responds, None);
        let mut warnings = ignored.warnings.iter();
        assert!(warnings.any(|of| of.code == "mesh/route-left-out"));
    }
}

#[test]
fn a_zone_names_the_documents_that_depend_on_the_proxy() {
    let rule = |spec: &str, namespace: &str| {
        format!(
            "{{apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: {{name: d, namespace: {namespace}}}, \
             spec: {{host: shop.lab.svc.cluster.local, {spec}}}}}"
        )
    };
    let routes = |spec: &str| {
        format!(
            "{{apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: {{name: v, namespace: lab}}, spec: \
             {{hosts: [shop], {spec}}}}}"
        )
    };
    let priority = |label: &str| {
        format!(
            "trafficPolicy: {{outlierDetection: {{}}, loadBalancer: {{localityLbSetting: {{failoverPriority: \
             [{label}]}}}}}}"
        )
    };
    for (documents, name) in [
        (rule("trafficPolicy: {}", "client"), "DestinationRule client/d"),
        (rule("exportTo: [.]", "lab"), "DestinationRule lab/d"),
        (
            rule("workloadSelector: {matchLabels: {a: b}}", "lab"),
            "DestinationRule lab/d",
        ),
        (rule(&priority("version"), "lab"), "DestinationRule lab/d"),
        (
            routes("http: [{match: [{sourceLabels: {a: b}}], route: [{destination: {host: shop}}]}]"),
            "VirtualService lab/v",
        ),
        (
            routes("exportTo: [other], http: [{route: [{destination: {host: shop}}]}]"),
            "VirtualService lab/v",
        ),
        (
            "{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: r, namespace: client}, spec: \
             {parentRefs: [{group: '', kind: Service, name: shop, namespace: lab}]}}"
                .into(),
            "HTTPRoute client/r",
        ),
        (
            "{apiVersion: v1, kind: Service, metadata: {name: own, namespace: lab, annotations: \
             {networking.istio.io/exportTo: .}}, spec: {ports: [{port: 80}]}}"
                .into(),
            "exportTo of own.lab.svc.cluster.local",
        ),
    ] {
        let found = outbound(&documents, PointOfView::Zone("z1".into()));
        assert_eq!(limits(&found), [name], "{documents}");
        let proxy = outbound(&documents, PointOfView::Name("lab/shop-1".into()));
        assert_eq!(limits(&proxy), [""; 0], "{documents}");
    }
    for documents in [
        rule("trafficPolicy: {}", "lab"),
        rule("trafficPolicy: {}", "istio-system"),
        rule(&priority("topology.kubernetes.io/zone"), "lab"),
        rule(&priority("version=v1"), "lab"),
        routes("http: [{route: [{destination: {host: shop}}]}]"),
    ] {
        let found = outbound(&documents, PointOfView::Zone("z1".into()));
        assert_eq!(limits(&found), [""; 0], "{documents}");
    }
}

#[test]
fn an_external_name_is_another_name_of_a_known_service() {
    const ALIASES: &str = "
{apiVersion: v1, kind: Service, metadata: {name: alias, namespace: lab}, spec: {type: ExternalName, externalName: shop.lab.svc.cluster.local, ports: [{port: 80}]}}
---
{apiVersion: v1, kind: Service, metadata: {name: second, namespace: lab}, spec: {type: ExternalName, externalName: alias.lab.svc.cluster.local}}
---
{apiVersion: v1, kind: Service, metadata: {name: other, namespace: lab}, spec: {type: ExternalName, externalName: example.com, ports: [{port: 80}]}}
---
{apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: {name: v, namespace: lab}, spec: {hosts: [shop], http: [{route: [{destination: {host: alias}}]}]}}
";
    let found = outbound(ALIASES, PointOfView::Name("lab/shop-1".into()));
    let names: Vec<&str> = found
        .destinations
        .iter()
        .map(|of| of.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "outbound|80||other.lab.svc.cluster.local",
            "outbound|80||shop.lab.svc.cluster.local"
        ]
    );
    let shop = &found.destinations[1];
    for name in [
        "shop",
        "alias",
        "alias.lab:80",
        "second.lab.svc.cluster.local",
    ] {
        assert!(shop.domains.iter().any(|domain| domain == name), "{name}");
    }
    let cluster = &found.clusters[shop.rules[0].splits[0].cluster];
    assert_eq!(cluster.name, "outbound|80||shop.lab.svc.cluster.local");
}
