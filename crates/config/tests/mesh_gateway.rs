//! What gateways of Istio receive.

use spillgate_config::{
    envoy::Format,
    mesh::{MeshKind, MeshOutbound, PointOfView, read},
};
use spillgate_core::route::HostPredicate;
use spillgate_mesh::Compat;

const MESH: &str = "
{apiVersion: v1, kind: Service, metadata: {name: web, namespace: shop}, spec: {selector: {app: web}, ports: [{name: http, port: 80}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: w, namespace: shop, labels: {app: web, version: v1, istio-locality: r.a}}, status: {podIP: 10.0.0.1}}
---
{apiVersion: v1, kind: Pod, metadata: {name: edge-1, namespace: infra, labels: {istio: edge, istio-locality: r.b}}, status: {podIP: 10.0.0.9}}
---
{apiVersion: networking.istio.io/v1, kind: DestinationRule, metadata: {name: web, namespace: shop}, spec: {host: web, subsets: [{name: v1, labels: {version: v1}}]}}
";

fn gateway(name: &str, selector: &str, servers: &str) -> String {
    format!(
        "---\n{{apiVersion: networking.istio.io/v1, kind: Gateway, metadata: {{name: {name}, namespace: infra}}, \
         spec: {{selector: {{{selector}}}, servers: [{servers}]}}}}\n"
    )
}

fn service(name: &str, spec: &str) -> String {
    format!(
        "---\n{{apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: {{name: {name}, namespace: \
         shop}}, spec: {{{spec}}}}}\n"
    )
}

fn outbound(more: &str, view: PointOfView) -> MeshOutbound {
    let documents = read(&format!("{MESH}{more}"), Format::Yaml, 0).unwrap();
    MeshOutbound::new(&documents, MeshKind::Istio, &view, Compat::Kuma).unwrap()
}

/// The virtual hosts as lines: `LISTENER HOST: RULE; RULE`, and the codes of the warnings.
fn hosts(more: &str) -> (Vec<String>, Vec<&'static str>) {
    let found = outbound(more, PointOfView::Gateway("edge".into()));
    let lines = found.destinations.iter().map(|of| {
        let rules = of.rules.iter().map(|rule| {
            let clusters = rule.splits.iter().map(|split| {
                let mut parts = found.clusters[split.cluster].name.split('|').skip(1);
                let (port, subset) = (parts.next().unwrap(), parts.next().unwrap());
                format!(" {port}{subset}:{}", split.weight)
            });
            let status = rule.responds.map(|status| format!(" {status}"));
            format!(
                "{}{}{}",
                rule.matches,
                status.unwrap_or_default(),
                clusters.collect::<String>()
            )
        });
        let rules: Vec<String> = rules.collect();
        format!(
            "{} {}: {}",
            of.listener,
            of.domains.join(","),
            rules.join("; ")
        )
    });
    let codes = found.warnings.iter().map(|of| of.code).collect();
    (lines.collect(), codes)
}

const TO_WEB: &str = "route: [{destination: {host: web}}]";

#[test]
fn servers_and_virtual_services_share_hosts() {
    let http = gateway(
        "edge",
        "istio: edge",
        "{port: {number: 80, name: a, protocol: HTTP}, hosts: ['shop/*.example']}, \
         {port: {number: 443, name: b, protocol: HTTPS}, hosts: ['b.example'], tls: {mode: SIMPLE}}",
    );
    let routes = format!(
        "http: [{{name: part, match: [{{uri: {{prefix: /a}}}}], {TO_WEB}}}, {{match: [{{port: 443}}], redirect: {{}}}}]"
    );
    let bound = service(
        "v",
        &format!("hosts: [a.example, b.example, c.other], gateways: [infra/edge], {routes}"),
    );
    assert_eq!(
        hosts(&format!("{http}{bound}")),
        (
            vec![
                "http.80 a.example: part 80:1;  404".to_owned(),
                "http.80 b.example: part 80:1;  404".to_owned(),
                "https.443.b.edge.infra b.example: part 80:1;  301".to_owned(),
            ],
            vec![]
        )
    );
    // Routes of another namespace than that of the host, of sidecars, and of another gateway have no effect.
    for spec in [
        "hosts: [a.other], gateways: [infra/edge]",
        "hosts: [a.example]",
        "hosts: [a.example], gateways: [edge]",
        "hosts: [a.example], gateways: [infra/edge], exportTo: ['.']",
    ] {
        let other = service("v", &format!("{spec}, http: [{{{TO_WEB}}}]"));
        let (found, codes) = hosts(&format!("{http}{other}"));
        assert_eq!(found.first().unwrap(), "http.80 *:  404", "{spec}");
        assert_eq!(codes, ["mesh/unbound-virtual-service"], "{spec}");
    }
}

#[test]
fn rules_for_all_requests_come_after_those_of_other_virtual_services() {
    let http = gateway(
        "edge",
        "istio: edge",
        "{port: {number: 80, name: a, protocol: HTTP}, hosts: ['*']}",
    );
    let all = service(
        "a",
        &format!("hosts: [a.example], gateways: [infra/edge], http: [{{{TO_WEB}}}]"),
    );
    let some = service(
        "b",
        "hosts: [a.example], gateways: [infra/edge], http: [{name: some, match: [{uri: {prefix: /a}}], route: \
         [{destination: {host: web, subset: v1}, weight: 3}, {destination: {host: web, subset: v2}, weight: 1}]}]",
    );
    assert_eq!(
        hosts(&format!("{http}{all}{some}")),
        (
            vec!["http.80 a.example: some 80v1:3 80v2:1;  80:1".to_owned()],
            vec!["mesh/unknown-subset"]
        )
    );
}

#[test]
fn requests_are_redirected_to_https() {
    let http = gateway(
        "edge",
        "istio: edge",
        "{port: {number: 80, name: a, protocol: HTTP}, hosts: ['*.example'], tls: {httpsRedirect: true}}",
    );
    let bound = service(
        "v",
        &format!("hosts: [a.example], gateways: [infra/edge], http: [{{{TO_WEB}}}]"),
    );
    let (found, _) = hosts(&format!("{http}{bound}"));
    let expected = ["http.80 a.example:  301", "http.80 *.example:  301"];
    assert_eq!(found, expected);
}

#[test]
fn a_gateway_has_the_locality_of_its_pod() {
    let http = gateway(
        "edge",
        "istio: edge",
        "{port: {number: 80, name: a, protocol: HTTP}, hosts: ['*']}",
    );
    assert_eq!(
        outbound(&http, PointOfView::Gateway("infra/edge".into())).zone,
        "r/b"
    );
    // The Pod alone is a gateway, too.
    let pod = outbound(&http, PointOfView::Name("edge-1".into()));
    assert_eq!(pod.destinations[0].listener, "http.80");
    assert_eq!(pod.warnings[0].code, "mesh/gateway-proxy");
    let other = gateway("edge", "istio: other", "");
    let unknown = outbound(&other, PointOfView::Gateway("edge".into()));
    assert_eq!(unknown.zone, "");
    assert_eq!(unknown.warnings[0].code, "mesh/gateway-locality");
    let documents = read(&format!("{MESH}{http}"), Format::Yaml, 0).unwrap();
    let view = PointOfView::Gateway("edgy".into());
    let fault = MeshOutbound::new(&documents, MeshKind::Istio, &view, Compat::Kuma).unwrap_err();
    assert!(
        fault.to_string().contains("expected one of infra/edge"),
        "{fault}"
    );
}

#[test]
fn routes_have_the_retries_of_istio() {
    let routes = |more: &str| {
        let spec = format!("hosts: [web], http: [{{{more}{TO_WEB}}}]");
        let found = outbound(&service("v", &spec), PointOfView::Zone("r/a".into()));
        found.destinations[0].rules[0].retry.clone()
    };
    let default = routes("");
    assert_eq!((default.retries, default.host_selection_attempts), (2, 5));
    assert_eq!(default.predicates, [HostPredicate::PreviousHosts]);
    assert!(default.retries_failed_connections());
    assert_eq!(routes("retries: {attempts: 0}, ").retries, 0);
    let own = routes("retries: {attempts: 3, retryOn: '503,reset', retryRemoteLocalities: true}, ");
    assert_eq!((own.retries, own.previous_priorities), (3, Some(2)));
    assert_eq!(own.retry_on, "reset,retriable-status-codes");
}
