//! Built-in gateways of Kuma: listeners, hosts, routes and policies.

use std::fmt::Write as _;

use spillgate_config::{
    envoy::Format,
    mesh::{MeshKind, MeshOutbound, OutboundForm, PointOfView, read},
};
use spillgate_core::{model::Policy, route::RouteAction};
use spillgate_mesh::Compat;

const EDGE: &str = "
{type: Dataplane, name: edge-1, mesh: default, networking: {address: 10.1.0.9, gateway: {type: BUILTIN, tags: {kuma.io/service: edge, kuma.io/zone: z1}}}}
---
{type: Dataplane, name: a, mesh: default, networking: {address: 10.0.0.1, inbound: [{port: 80, tags: {kuma.io/service: web, kuma.io/zone: z1}}]}}
---
{type: Dataplane, name: b, mesh: default, networking: {address: 10.0.0.2, inbound: [{port: 80, tags: {kuma.io/service: shop, kuma.io/zone: z1}}]}}
---
{type: MeshService, name: api, mesh: default, spec: {selector: {dataplaneTags: {kuma.io/service: web}}, ports: [{port: 8080, targetPort: 80}]}}
---
";
const GATEWAY: &str = "
{type: MeshGateway, name: edge, mesh: default, selectors: [{match: {kuma.io/service: edge}}], conf: {listeners: [
  {port: 80, protocol: HTTP, hostname: '*.example.com'}, {port: 8080, protocol: HTTP, tags: {port: admin}}, {port: 9000, protocol: TCP}]}}
---
";

fn route(name: &str, target: &str, to: &str) -> String {
    format!(
        "{{type: MeshHTTPRoute, name: {name}, mesh: default, spec: {{targetRef: {{kind: MeshGateway, name: edge{target}}}, to: [{to}]}}}}\n---\n"
    )
}

fn rule(matches: &str, backends: &str) -> String {
    format!(
        "{{matches: [{{path: {{type: PathPrefix, value: {matches}}}}}], default: {{backendRefs: [{backends}]}}}}"
    )
}

fn to(more: &str, rules: &str) -> String {
    format!("{{targetRef: {{kind: Mesh}}{more}, rules: [{rules}]}}")
}

fn outbound(text: &str) -> MeshOutbound {
    let documents = read(text.trim_end().trim_end_matches("---"), Format::Yaml, 0).unwrap();
    let view = PointOfView::Name("edge-1".into());
    MeshOutbound::new(&documents, MeshKind::Kuma, &view, Compat::Kuma).unwrap()
}

/// The rules as `host: condition -> cluster weight, ...`, one a line.
fn rules(outbound: &MeshOutbound) -> String {
    let mut text = String::new();
    for destination in &outbound.destinations {
        for rule in &destination.rules {
            write!(text, "{}: {}", destination.name, rule.matches).unwrap();
            if let Some(status) = rule.responds {
                write!(text, " {status}").unwrap();
            }
            for split in &rule.splits {
                let cluster = &outbound.clusters[split.cluster];
                write!(text, " {} {}", cluster.name, split.weight).unwrap();
            }
            text.push('\n');
        }
    }
    text
}

const WEB: &str = "{kind: MeshService, name: web}";

#[test]
fn a_gateway_has_the_hosts_and_rules_of_its_routes() {
    let split =
        "{kind: MeshService, name: web, weight: 9}, {kind: MeshService, name: shop, weight: 1}";
    let rules_of = to("", &[rule("/a", WEB), rule("/", split)].join(", "));
    let found = outbound(&(EDGE.to_owned() + GATEWAY + &route("r", "", &rules_of)));
    assert_eq!(
        rules(&found),
        "*.example.com: PathPrefix /a web 1\n\
         *.example.com:  web 9 shop 1\n\
         *: PathPrefix /a web@8080 1\n\
         *:  web@8080 9 shop@8080 1\n"
    );
    assert_eq!(found.clusters[0].hosts[0].address.as_str(), "10.0.0.1:80");
    assert_eq!(found.warnings, []);
}

#[test]
fn requests_without_a_rule_or_a_host_get_404() {
    let names = to(", hostnames: [a.example.com]", &rule("/a", WEB));
    let listener = GATEWAY.replace(", {port: 8080, protocol: HTTP, tags: {port: admin}}", "");
    let found = outbound(&(EDGE.to_owned() + &listener + &route("r", "", &names)));
    assert_eq!(
        rules(&found),
        "a.example.com: PathPrefix /a web 1\na.example.com:  404\n*:  404\n"
    );
    let (_, listeners, _) = found.envoy(OutboundForm::Envoy).unwrap();
    let hosts = &listeners[0].routes.virtual_hosts;
    assert_eq!(
        (hosts[0].domains.as_slice(), hosts.len()),
        (&["a.example.com".into()][..], 2)
    );
}

#[test]
fn narrower_host_names_come_first_and_keep_wider_rules() {
    let wide = to(", hostnames: ['*.example.com']", &rule("/wide", WEB));
    let narrow = to(", hostnames: [a.example.com]", &rule("/narrow", WEB));
    let outside = to(", hostnames: [a.example.org]", &rule("/outside", WEB));
    let listener = GATEWAY.replace(", {port: 8080, protocol: HTTP, tags: {port: admin}}", "");
    let text = EDGE.to_owned() + &listener + &route("r", "", &[wide, narrow, outside].join(", "));
    assert_eq!(
        rules(&outbound(&text)),
        "a.example.com: PathPrefix /narrow web 1\n\
         a.example.com: PathPrefix /wide web 1\n\
         a.example.com:  404\n\
         *.example.com: PathPrefix /wide web 1\n\
         *.example.com:  404\n\
         *:  404\n"
    );
}

#[test]
fn tags_select_listeners() {
    let text = EDGE.to_owned()
        + GATEWAY
        + &route("r", ", tags: {port: admin}", &to("", &rule("/", WEB)))
        + "{type: MeshLoadBalancingStrategy, name: p, mesh: default, spec: {targetRef: {kind: MeshGateway, name: edge, tags: {port: admin}}, to: [{targetRef: {kind: Mesh}, default: {loadBalancer: {type: Random}}}]}}\n---\n"
        + "{type: MeshLoadBalancingStrategy, name: q, mesh: default, spec: {targetRef: {kind: MeshGateway, name: other}, to: [{targetRef: {kind: Mesh}, default: {loadBalancer: {type: Maglev}}}]}}\n";
    let found = outbound(&text);
    assert_eq!(rules(&found), "*:  web@8080 1\n");
    assert_eq!(found.clusters[0].settings.policy, Policy::Random);
    assert_eq!(found.clusters[0].policies, ["p"]);
}

#[test]
fn connections_of_a_gateway_use_tcp_routes() {
    let tcp = "{type: MeshTCPRoute, name: t, mesh: default, spec: {targetRef: {kind: MeshGateway, name: edge}, to: [{targetRef: {kind: Mesh}, rules: [{default: {backendRefs: [{kind: MeshService, name: api, port: 8080}]}}]}]}}\n";
    let found = outbound(&(EDGE.to_owned() + GATEWAY + tcp));
    assert_eq!(rules(&found), "*:  default_api___msvc_8080 1\n");
}

#[test]
fn unknown_backends_of_a_gateway_keep_their_shares() {
    let refs = "{kind: MeshService, name: web, weight: 1}, {kind: MeshService, name: gone, port: 80, weight: 1}, {kind: MeshService, name: lost, weight: 2}";
    let found = outbound(
        &(EDGE.to_owned()
            + GATEWAY
            + &route("r", ", tags: {port: admin}", &to("", &rule("/", refs)))),
    );
    assert_eq!(
        rules(&found),
        "*:  web@8080 1 kuma.io/unresolved-backend 1 lost 2\n"
    );
    let rule = &found.destinations[0].rules[0];
    let statuses = rule
        .splits
        .iter()
        .map(|of| rule.status_of(&found.clusters[of.cluster]));
    assert_eq!(statuses.collect::<Vec<_>>(), [None, Some(500), None]);
    let (model, listeners, _) = found.envoy(OutboundForm::Envoy).unwrap();
    assert_eq!(model.clusters().len(), 2);
    let table = &listeners[0].routes;
    let RouteAction::Forward(forward) = &table.virtual_hosts[0].routes[0].action else {
        panic!("the rule forwards");
    };
    assert_eq!(forward.cluster_not_found, 500);
    let effects = found.warnings.iter().map(ToString::to_string);
    assert_eq!(
        effects.collect::<Vec<_>>(),
        [
            "mesh/unknown-backend: no document describes a backend of the route; its share gets 500; found \"gone\", expected a destination with endpoints",
            "mesh/unknown-backend: no document describes a backend of the route; its share finds no host; found \"lost\", expected a destination with endpoints",
        ]
    );
}

#[test]
fn the_gateway_with_most_tags_of_a_proxy_wins() {
    let route = to("", &rule("/", WEB));
    let gateway = |name: &str, selectors: &str, port: u16| {
        format!(
            "{{type: MeshGateway, name: {name}, mesh: default, selectors: [{selectors}], conf: {{listeners: [{{port: {port}, protocol: HTTP}}]}}}}\n---\n"
        )
    };
    let text = EDGE.to_owned()
        + &gateway("any", "", 1)
        + &gateway("star", "{match: {kuma.io/service: '*'}}", 2)
        + &gateway("edge", "{match: {kuma.io/service: edge}}", 3)
        + &gateway("others", "{match: {kuma.io/service: other, a: b}}", 4);
    assert_eq!(
        rules(&outbound(&(text.clone() + &self::route("r", "", &route)))),
        "*:  web 1\n"
    );
    let text = text.replace("kuma.io/service: edge}}]", "kuma.io/service: else}}]");
    assert_eq!(
        rules(&outbound(&(text + &self::route("r", "", &route)))),
        "*:  404\n"
    );
}

#[test]
fn routes_of_the_mesh_for_a_service_are_a_limit_of_gateways() {
    let mesh = "{type: MeshHTTPRoute, name: m, mesh: default, spec: {to: [{targetRef: {kind: MeshService, name: web}, rules: [{default: {}}]}]}}\n";
    let of = |more: &str| outbound(&(EDGE.to_owned() + GATEWAY + more)).warnings;
    let codes = |found: Vec<spillgate_config::Diagnostic>| {
        let codes = found.iter().map(|of| (of.code, of.severity));
        codes.collect::<Vec<_>>()
    };
    let limit = spillgate_config::DiagnosticSeverity::Limit;
    assert_eq!(codes(of(mesh)), [("mesh/builtin-gateway", limit)]);
    let sidecars = mesh.replace("spec: {to", "spec: {targetRef: {kind: Dataplane}, to");
    assert_eq!(codes(of(&sidecars)), []);
}

#[test]
fn without_a_gateway_the_destinations_of_a_sidecar_are_shown() {
    let found = outbound(EDGE);
    let codes: Vec<_> = found.warnings.iter().map(|of| of.code).collect();
    assert_eq!(codes, ["mesh/builtin-gateway"]);
    assert_eq!(found.destinations.len(), 3);
}

#[test]
fn redirects_answer_without_a_host() {
    let redirect =
        "{default: {filters: [{type: RequestRedirect, requestRedirect: {statusCode: 307}}]}}";
    let found = outbound(
        &(EDGE.to_owned() + GATEWAY + &route("r", ", tags: {port: admin}", &to("", redirect))),
    );
    assert_eq!(rules(&found), "*:  307\n");
}
