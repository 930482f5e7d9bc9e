//! HTTPRoutes and GRPCRoutes with a service as parent, as sidecars of Istio use them.

use spillgate_config::{
    envoy::{Format, RegexCompiler},
    mesh::{MeshKind, MeshOutbound, PointOfView, read_text},
};
use spillgate_core::route::PathMatch;
use spillgate_mesh::Compat;

const MESH: &str = "
{apiVersion: v1, kind: Service, metadata: {name: web, namespace: shop}, spec: {selector: {app: web}, ports: [{name: http, port: 80}, {name: http-b, port: 81}]}}
---
{apiVersion: v1, kind: Service, metadata: {name: new, namespace: shop}, spec: {selector: {app: new}, ports: [{name: http, port: 80}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: w, namespace: shop, labels: {app: web, istio-locality: r.a}}, status: {podIP: 10.0.0.1}}
---
{apiVersion: v1, kind: Pod, metadata: {name: client, namespace: front, labels: {app: client, istio-locality: r.a}}, status: {podIP: 10.0.0.2}}
";

fn route(kind: &str, namespace: &str, parent: &str, rules: &str) -> String {
    format!(
        "---\n{{apiVersion: gateway.networking.k8s.io/v1, kind: {kind}, metadata: {{name: r, namespace: {namespace}}}, \
         spec: {{parentRefs: [{{{parent}}}], rules: [{rules}]}}}}\n"
    )
}

fn outbound(more: &str) -> MeshOutbound {
    let regex: Option<RegexCompiler> = None;
    let text = format!("{MESH}{more}");
    let documents = read_text(&text, Format::Yaml, 0, regex).documents.unwrap();
    let view = PointOfView::Name("client".into());
    MeshOutbound::new(&documents, MeshKind::Istio, &view, Compat::Kuma).unwrap()
}

/// The rules for port 80 of `web`, a line each, and the codes of the warnings.
fn rules(more: &str) -> (Vec<String>, Vec<&'static str>) {
    let found = outbound(more);
    let name = "outbound|80||web.shop.svc.cluster.local";
    let web = found
        .destinations
        .iter()
        .find(|of| of.name == name)
        .unwrap();
    let lines = web.rules.iter().map(|rule| {
        let clusters = rule.splits.iter().map(|split| {
            let cluster = &found.clusters[split.cluster];
            let host = cluster
                .name
                .rsplit('|')
                .next()
                .unwrap()
                .split('.')
                .next()
                .unwrap();
            let gone = if cluster.exists { "" } else { "!" };
            format!(" {gone}{host}:{}", split.weight)
        });
        let status = rule.responds.map(|status| format!(" {status}"));
        format!(
            "{}{}{}",
            rule.matches,
            status.unwrap_or_default(),
            clusters.collect::<String>()
        )
    });
    let codes = found.warnings.iter().map(|of| of.code);
    (lines.collect(), codes.collect())
}

const WEB: &str = "kind: Service, group: '', name: web, namespace: shop";
const OWN: &str = "kind: Service, group: '', name: web";

#[test]
fn rules_are_sorted_by_their_conditions() {
    let to = |name: &str, matches: &str| {
        format!("{{name: {name}, matches: [{matches}], backendRefs: [{{name: new, port: 80}}]}}")
    };
    let all = [
        to("all", "{path: {type: PathPrefix, value: /}}"),
        to("prefix", "{path: {type: PathPrefix, value: /a/}}"),
        to("long", "{path: {type: PathPrefix, value: /a/b}}"),
        to(
            "header",
            "{path: {value: /a/b}, headers: [{name: X-A, value: b}]}",
        ),
        to("method", "{path: {value: /a/b}, method: GET}"),
        to("exact", "{path: {type: Exact, value: /a}}"),
    ];
    let (found, codes) = rules(&route("HTTPRoute", "shop", OWN, &all.join(", ")));
    assert_eq!(
        found,
        [
            "exact new:1",
            "method new:1",
            "header new:1",
            "long new:1",
            "prefix new:1",
            " new:1",
        ]
    );
    assert_eq!(codes, [""; 0]);
    let found = outbound(&route(
        "HTTPRoute",
        "shop",
        OWN,
        &to("p", "{path: {value: /a/}}"),
    ));
    let rule = found
        .destinations
        .iter()
        .find_map(|of| of.rules.iter().find(|of| of.matches == "p"));
    let path = &rule.unwrap().requests[0].path;
    assert_eq!(*path, PathMatch::PathSeparatedPrefix("/a".into()));
}

#[test]
fn backends_have_weights_and_missing_ones_get_500() {
    let rule = "{backendRefs: [{name: web, port: 80, weight: 3}, {name: new, port: 80}, {name: old, port: 80}, \
                {name: new, port: 80, weight: 0}]}";
    let (found, codes) = rules(&route("HTTPRoute", "shop", OWN, rule));
    assert_eq!(found, [" web:3 new:1 !old:1"]);
    assert_eq!(codes, ["mesh/unknown-backend"]);
    let with = outbound(&route("HTTPRoute", "shop", OWN, rule));
    let web = with.destinations.iter().find(|of| of.name.contains("web"));
    assert_eq!(web.unwrap().rules[0].without_cluster, Some(500));
    assert!(
        with.model()
            .unwrap()
            .cluster("outbound|80||old.shop.svc.cluster.local")
            .is_none()
    );
    for rule in ["{}", "{backendRefs: [{name: new, port: 80, weight: 0}]}"] {
        assert_eq!(
            rules(&route("HTTPRoute", "shop", OWN, rule)).0,
            [" 500"],
            "{rule}"
        );
    }
    let redirect = "{filters: [{type: RequestRedirect, requestRedirect: {scheme: https}}]}";
    assert_eq!(
        rules(&route("HTTPRoute", "shop", OWN, redirect)).0,
        [" 302"]
    );
}

#[test]
fn routes_of_the_client_replace_those_of_the_service() {
    let to = |name: &str| format!("{{backendRefs: [{{name: {name}, namespace: shop, port: 80}}]}}");
    let of_service = route("HTTPRoute", "shop", OWN, &to("web"));
    let of_client = route("HTTPRoute", "front", WEB, &to("new"));
    assert_eq!(rules(&format!("{of_service}{of_client}")).0, [" new:1"]);
    // Those of a third namespace do not apply here.
    let of_other = route("HTTPRoute", "other", WEB, &to("new"));
    assert_eq!(rules(&of_other).0, [" web:1"]);
    let of_port = |port: u16| {
        route(
            "HTTPRoute",
            "shop",
            &format!("{OWN}, port: {port}"),
            &to("new"),
        )
    };
    assert_eq!(rules(&of_port(80)).0, [" new:1"]);
    assert_eq!(rules(&of_port(81)).0, [" web:1"]);
}

#[test]
fn grpc_routes_have_paths_of_methods() {
    let rule = "{name: one, matches: [{method: {service: a.B, method: C}}, {method: {service: a.B}}], \
                backendRefs: [{name: new, port: 80}]}, {backendRefs: [{name: web, port: 80}]}";
    let text = route("GRPCRoute", "shop", OWN, rule);
    assert_eq!(rules(&text).0, ["one new:1", "one new:1", " web:1"]);
    let found = outbound(&text);
    let web = found
        .destinations
        .iter()
        .find(|of| of.name.contains("80||web"));
    let paths = web
        .unwrap()
        .rules
        .iter()
        .filter_map(|of| Some(of.requests.first()?.path.clone()));
    let paths: Vec<PathMatch> = paths.collect();
    let expected = [
        PathMatch::Exact("/a.B/C".into()),
        PathMatch::PathSeparatedPrefix("/a.B".into()),
    ];
    assert_eq!(paths, expected);
}

#[test]
fn routes_that_istio_does_not_use_are_named() {
    let to = "{backendRefs: [{name: new, port: 80}]}";
    for text in [
        route("HTTPRoute", "shop", "name: edge", to),
        route("HTTPRoute", "shop", "kind: Service, name: gone", to),
        route("HTTPRoute", "shop", OWN, "{backendRefs: [{name: new}]}"),
        route(
            "HTTPRoute",
            "shop",
            OWN,
            "{filters: [{type: ExtensionRef, extensionRef: {group: a, kind: b, name: c}}]}",
        ),
    ] {
        assert_eq!(
            rules(&text),
            (vec![" web:1".into()], vec!["mesh/route-left-out"]),
            "{text}"
        );
    }
}

#[test]
fn proxies_in_ambient_mode_have_no_figures() {
    let namespace = "---\n{apiVersion: v1, kind: Namespace, metadata: {name: front, labels: {istio.io/dataplane-mode: ambient}}}\n";
    let text = format!("{MESH}{namespace}");
    let documents = read_text(&text, Format::Yaml, 0, None).documents.unwrap();
    let found = |view| {
        MeshOutbound::new(&documents, MeshKind::Istio, &view, Compat::Kuma)
            .map_err(|fault| fault.code)
    };
    let fault = found(PointOfView::Name("client".into())).unwrap_err();
    assert_eq!(fault, "mesh/ambient-proxy");
    let zone = found(PointOfView::Zone("r/a".into())).unwrap();
    assert_eq!(zone.warnings[0].code, "mesh/ambient");
    assert!(found(PointOfView::Name("w".into())).is_ok());
}
