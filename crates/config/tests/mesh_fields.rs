//! The classes of fields cover the published schemas of the documents of meshes.

use std::collections::{BTreeMap, BTreeSet};

use spillgate_config::{
    Diagnostic, DiagnosticSeverity,
    envoy::Format,
    mesh::{
        GATEWAY_API_MESSAGES, ISTIO_MESSAGES, KUBE_MESSAGES, KUMA_HEALTH_MESSAGES, KUMA_MESSAGES,
        read,
    },
    proto::{Irrelevance, Schema},
};
use spillgate_testkit::repository;

#[test]
fn every_field_of_istios_resources_and_of_routes_has_one_class() {
    let messages = [ISTIO_MESSAGES, GATEWAY_API_MESSAGES].concat();
    assert_eq!(faults("istio.txt", &messages, &[]), [""; 0]);
}

#[test]
fn every_field_of_kumas_resources_has_one_class() {
    // Older versions, and the decision record.
    let more = [
        "MeshLoadBalancingStrategy.to.defaults",
        "Dataplane.networking.transparentProxying.redirectPortInboundV6",
    ];
    let messages = [KUMA_MESSAGES, KUMA_HEALTH_MESSAGES].concat();
    assert_eq!(faults("kuma.txt", &messages, &more), [""; 0]);
}

#[test]
fn every_field_of_kubernetes_objects_has_one_class() {
    // Older versions.
    let more = ["ObjectMeta.clusterName", "Service.topologyKeys"];
    assert_eq!(faults("kubernetes.txt", KUBE_MESSAGES, &more), [""; 0]);
}

/// The fields without a class, with two, or that no schema publishes, but for `more`.
fn faults(file: &str, schemas: &[&Schema], more: &[&str]) -> Vec<String> {
    let folder = repository().join("vectors/descriptors");
    let text = std::fs::read_to_string(folder.join(file)).unwrap();
    let published: BTreeMap<&str, BTreeSet<&str>> = text
        .lines()
        .map(|line| {
            let mut words = line.split(' ');
            (words.next().unwrap(), words.collect())
        })
        .collect();
    let mut faults = Vec::new();
    for schema in schemas {
        let known = &published[schema.message()];
        let ignored = schema
            .ignored_fields()
            .filter(|(why, _)| *why != Irrelevance::Document);
        let documents = schema.ignored_fields().filter(|(why, field)| {
            *why == Irrelevance::Document && published[schema.message()].contains(field)
        });
        let limited = schema.limited_fields();
        let classed = schema
            .fields()
            .chain(limited)
            .chain(ignored.chain(documents).map(|of| of.1));
        let mut seen = BTreeSet::new();
        for field in classed.filter(|field| *field != "metadata") {
            if !seen.insert(field) {
                faults.push(format!("{}.{field} has two classes", schema.message()));
            }
        }
        for field in known.symmetric_difference(&seen) {
            faults.push(format!("{}.{field}", schema.message()));
        }
    }
    faults.retain(|fault| !more.contains(&fault.as_str()));
    // The objects without a list are maps, or have one field, or are inside an ignored or named field.
    let read: BTreeSet<&str> = schemas.iter().map(|schema| schema.message()).collect();
    assert_eq!(read.len(), schemas.len());
    faults
}

fn findings(text: &str) -> Vec<Diagnostic> {
    let documents = read(text, Format::Yaml, 0);
    documents.map_or_else(|faults| faults, |documents| documents.warnings)
}

#[test]
fn unknown_fields_of_all_kinds_are_named() {
    let kuma = [
        "{type: Mesh, name: default, mtls: {enabledBackends: a}}",
        "{type: Mesh, name: default, meshService: {mode: Exclusive}}",
        "{type: Dataplane, name: d, networking: {address: 10.0.0.1, inbounds: []}}",
        "{type: ZoneIngress, name: i, zone: z, networking: {advertisedAdress: a}}",
        "{type: ZoneEgress, name: e, networking: {address: a, port: 1, weight: 2}}",
        "{type: MeshService, name: s, spec: {ports: [{port: 80, targetport: 81}]}}",
        "{type: MeshMultiZoneService, name: s, spec: {selector: {meshServices: {}}}}",
        "{type: MeshHTTPRoute, name: r, spec: {to: [{targetRef: {kind: Mesh}, rule: []}]}}",
        "{type: MeshTCPRoute, name: r, spec: {to: [{targetRef: {kind: Mesh}, hostnames: []}]}}",
        "{type: Mesh, name: default, nam: x, spec: {}}",
    ];
    let kube = [
        "{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {selectors: {a: b}}}",
        "{apiVersion: v1, kind: Service, metadata: {nme: a}, spec: {}}",
        "{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {ports: [{port: 80, target: 1}]}}",
        "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {container: []}}",
        "{apiVersion: v1, kind: Node, metadata: {name: a}, label: {}}",
        "{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: a}, endpoint: []}",
    ];
    for (texts, severity) in [
        (kuma.as_slice(), DiagnosticSeverity::Error),
        (&kube, DiagnosticSeverity::Warning),
    ] {
        for text in texts {
            let found = findings(text);
            let found = found.iter().find(|of| of.code == "config/unknown-field");
            let found = found.unwrap_or_else(|| panic!("{text}"));
            if !text.contains("nam: x") {
                assert_eq!(found.severity, severity, "{text}");
            }
        }
    }
}

#[test]
fn settings_that_are_not_modeled_are_limits() {
    for text in [
        "{type: Mesh, name: default, routing: {defaultForbidMeshExternalServiceAccess: true}}",
        "{type: Dataplane, name: d, networking: {address: a, listeners: [{type: ZoneEgress}]}}",
        "{type: MeshHTTPRoute, name: r, spec: {to: [{targetRef: {kind: Mesh}, rules: [{default: {filters: [{type: RequestMirror, requestMirror: {backendRef: {kind: MeshService, name: a}}}]}}]}]}}",
        "{type: MeshHTTPRoute, name: r, spec: {to: [{targetRef: {kind: Mesh}, rules: [{default: {filters: [{type: URLRewrite, urlRewrite: {hostname: a}}]}}]}]}}",
        "{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: a}, addressType: FQDN, endpoints: []}",
    ] {
        let found = findings(text);
        let limits = found.iter().map(|of| (of.code, of.severity));
        let limits: Vec<_> = limits.collect();
        let limit = ("config/not-modeled", DiagnosticSeverity::Limit);
        assert_eq!(limits, [limit], "{text}: {found:#?}");
    }
}
