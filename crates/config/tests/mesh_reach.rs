//! Which zones, destinations and backends a proxy of Kuma reaches.

use spillgate_config::{
    DiagnosticSeverity,
    mesh::{MeshKind, MeshOutbound, PointOfView},
};
use spillgate_mesh::Compat;

use crate::mesh_kuma::{
    SERVICES, dataplane, documents, endpoints, from_zone, ingress, inputs, warnings,
};

#[test]
fn other_zones_need_mtls() {
    let mesh = |more: &str| format!("{{type: Mesh, name: default{more}}}\n");
    let behind = dataplane("a", "z1", "10.0.0.1") + &ingress("z2", "192.0.2.1", 3);
    let without = from_zone(&(mesh("") + &behind), "z1");
    // The ingress does not count for the weights either.
    let two = mesh("") + &behind + &ingress("z2", "192.0.2.2", 3);
    assert_eq!(
        endpoints(&from_zone(&two, "z1"), "web"),
        ["10.0.0.1:80 z1 1"]
    );
    assert_eq!(endpoints(&without, "web"), ["10.0.0.1:80 z1 1"]);
    assert_eq!(warnings(&without), ["mesh/no-mtls"]);
    let with = mesh(", mtls: {enabledBackend: ca-1}") + &behind;
    assert_eq!(
        endpoints(&from_zone(&with, "z1"), "web"),
        ["192.0.2.1:10001 z2 3", "10.0.0.1:80 z1 1"]
    );
    assert_eq!(warnings(&from_zone(&with, "z1")), [""; 0]);
    // A zone without own endpoints keeps the destination, without hosts.
    let remote = mesh("") + &ingress("z2", "192.0.2.1", 3);
    assert_eq!(endpoints(&from_zone(&remote, "z1"), "web"), [""; 0]);
    // Proxies of other zones replace an ingress that is not given.
    let proxies = mesh("") + &dataplane("b", "z2", "10.0.0.2") + SERVICES;
    let found = from_zone(&proxies, "z1");
    assert_eq!(endpoints(&found, "web"), [""; 0]);
    assert_eq!(endpoints(&found, "default_web-all___mzsvc_8080"), [""; 0]);
    // MeshServices need an identity only.
    let identity = proxies + "---\n{type: MeshIdentity, name: i, mesh: default}\n";
    let found = from_zone(&identity, "z1");
    assert_eq!(endpoints(&found, "web"), [""; 0]);
    assert_eq!(
        endpoints(&found, "default_web-all___mzsvc_8080"),
        ["10.0.0.2:80 z2 1"]
    );
}

#[test]
fn only_tags_need_the_egress() {
    let mesh =
        "{type: Mesh, name: default, mtls: {enabledBackend: ca}, routing: {zoneEgress: true}}\n";
    let text = mesh.to_owned() + &dataplane("b", "z2", "10.0.0.2") + SERVICES;
    let found = from_zone(&text, "z1");
    assert_eq!(warnings(&found), ["mesh/unknown-zone", "mesh/no-egress"]);
    assert_eq!(endpoints(&found, "web"), [""; 0]);
    assert_eq!(
        endpoints(&found, "default_web-all___mzsvc_8080"),
        ["10.0.0.2:80 z2 1"]
    );
    // An egress of another zone does not help.
    let text = text
        + "---\n{type: ZoneEgress, name: f, zone: z3, networking: {address: 10.0.9.3, port: 10002}}\n";
    assert_eq!(endpoints(&from_zone(&text, "z1"), "web"), [""; 0]);
}

#[test]
fn without_a_mesh_the_assumption_is_stated_if_it_matters() {
    let own = dataplane("a", "z1", "10.0.0.1");
    assert_eq!(warnings(&from_zone(&own, "z1")), [""; 0]);
    let two = own + &dataplane("b", "z2", "10.0.0.2");
    assert_eq!(warnings(&from_zone(&two, "z1")), ["mesh/assumed"]);
}

/// Every destination.
const NAMES: &str = "default_web-all___mzsvc_8080 default_web__z1_msvc_8080 default_web__z1_msvc_81 \
                     default_web__z2_msvc_8080 default_web__z3_msvc_8080 web";

#[test]
fn addresses_of_a_mesh_replace_the_ingresses_of_a_zone_for_mesh_services() {
    let own = dataplane("a", "z1", "10.0.0.1") + SERVICES + &ingress("z2", "192.0.2.1", 3);
    let address = |name: &str, zone: &str, mesh: &str| {
        format!(
            "---\n{{type: MeshZoneAddress, name: {name}, mesh: {mesh}, labels: {{kuma.io/zone: {zone}}}, spec: {{address: {name}.example, port: 443}}}}\n"
        )
    };
    let of = |more: &str| {
        let found = from_zone(&(own.clone() + more), "z1");
        assert_eq!(endpoints(&found, "web")[0], "192.0.2.1:10001 z2 3");
        endpoints(&found, "default_web__z2_msvc_8080").join(" ")
    };
    assert_eq!(of(""), "192.0.2.1:10001 z2 1");
    assert_eq!(of(&address("a", "z3", "default")), "192.0.2.1:10001 z2 1");
    assert_eq!(of(&address("a", "z2", "other")), "192.0.2.1:10001 z2 1");
    let two = address("b", "z2", "default") + &address("c", "z2", "default");
    assert_eq!(of(&two), "b.example:443 z2 1 c.example:443 z2 1");
}

#[test]
fn an_ingress_without_instances_has_the_weight_1() {
    let text = dataplane("a", "z1", "10.0.0.1") + &ingress("z2", "192.0.2.1", 0);
    assert_eq!(
        endpoints(&from_zone(&text, "z1"), "web"),
        ["192.0.2.1:10001 z2 1", "10.0.0.1:80 z1 1"]
    );
}

#[test]
fn skipped_documents_that_change_figures_are_limits() {
    let effect = |text: &str| documents(text).skipped[0].diagnostic().to_string();
    let panic = "type: HealthCheck\nname: h\nconf: {healthyPanicThreshold: 10}";
    assert_eq!(
        effect(panic),
        "input/skipped: healthyPanicThreshold and failTrafficOnPanic are not modeled: showing panic \
         mode below 50 % of available hosts; found HealthCheck h"
    );
    let plain = documents("type: HealthCheck\nname: h\nconf: {interval: 1s}");
    assert_eq!(plain.skipped[0].effect, None);
    let external = "type: MeshExternalService\nname: e\nspec: {}";
    assert_eq!(
        effect(external),
        "input/skipped: external services are not modeled: the destination is not shown; found \
         MeshExternalService e"
    );
}

#[test]
fn a_proxy_has_only_the_destinations_that_it_names() {
    let text = |mode: &str, more: &str| {
        let own = dataplane("a", "z1", "10.0.0.1").replace("inbound:", &format!("{more}inbound:"));
        format!(
            "{{type: Mesh, name: default, mtls: {{enabledBackend: ca}}, meshServices: {{mode: {mode}}}}}\n"
        ) + &own
            + SERVICES
    };
    let found = |text: &str, view: PointOfView| {
        let found = inputs(text, view);
        let names = found.destinations.iter().map(|of| of.cluster.clone());
        let warnings = found.warnings.iter().map(|of| (of.code, of.severity));
        (names.collect::<Vec<_>>().join(" "), warnings.collect())
    };
    let with = |names: &str, severities: &[DiagnosticSeverity]| {
        let warnings = severities.iter().map(|of| ("mesh/reachable", *of));
        (names.to_owned(), warnings.collect::<Vec<_>>())
    };
    let (limit, warning) = (DiagnosticSeverity::Limit, DiagnosticSeverity::Warning);
    let as_a = |mode: &str, more: &str| found(&text(mode, more), PointOfView::Name("a".into()));
    let tproxy = |of: &str| format!("transparentProxying: {{redirectPortOutbound: 1, {of}}}, ");
    let backends = |refs: &str| tproxy(&format!("reachableBackends: {{refs: [{refs}]}}"));
    let all = as_a("Everywhere", "").0;
    assert_eq!(all, NAMES);

    let cases: [(String, &str, &[DiagnosticSeverity]); 9] = [
        (tproxy("reachableServices: [web]"), "web", &[warning]),
        (
            tproxy("reachableServices: [other]"),
            "",
            &[warning, warning],
        ),
        (
            backends("{kind: MeshService, name: web, port: 8080}"),
            "default_web__z1_msvc_8080 web",
            &[],
        ),
        // A port that the service does not have selects all ports.
        (
            backends("{kind: MeshService, name: web, port: 1}"),
            "default_web__z1_msvc_8080 default_web__z1_msvc_81 web",
            &[],
        ),
        // The name of a service of all zones is not one of the zone.
        (
            backends("{kind: MeshMultiZoneService, name: web-all}"),
            "web",
            &[warning],
        ),
        (backends(""), "web", &[]),
        (
            "outbound: [{port: 1, tags: {kuma.io/service: web}}], ".into(),
            "web",
            &[],
        ),
        (
            "outbound: [{port: 1, backendRef: {kind: MeshService, name: web, port: 8080}}], "
                .into(),
            "default_web__z1_msvc_8080",
            &[],
        ),
        (tproxy(""), NAMES, &[]),
    ];
    for (more, names, severities) in cases {
        assert_eq!(as_a("Everywhere", &more), with(names, severities), "{more}");
    }
    assert_eq!(
        as_a("ReachableBackends", &tproxy("")),
        with("web", &[warning])
    );
    let zone = PointOfView::Zone("z1".into());
    let any = text("ReachableBackends", &tproxy("reachableServices: [other]"));
    assert_eq!(found(&any, zone), with(NAMES, &[limit]));
}

#[test]
fn annotations_of_a_pod_name_its_destinations() {
    let pod = |annotation: &str| {
        let pod = "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: n, labels: {kuma.io/zone: z1}, annotations: {A}}, status: {podIP: 10.0.0.7}}\n---\n";
        let text = pod.replace('A', annotation)
            + &dataplane("a", "z1", "10.0.0.1")
            + &dataplane("b", "z1", "10.0.0.2").replace("service: web", "service: shop");
        let found = inputs(&text, PointOfView::Name("p".into()));
        let names = found.destinations.iter().map(|of| of.cluster.clone());
        (
            names.collect::<Vec<_>>().join(" "),
            warnings(&found).join(" "),
        )
    };
    let name = "kuma.io/transparent-proxying-reachable-services: 'shop,x'";
    assert_eq!(pod(name), ("shop".into(), "mesh/reachable".into()));
    let refs = "kuma.io/reachable-backends: 'refs: []'";
    assert_eq!(pod(refs), ("shop web".into(), "mesh/reachable".into()));
}

#[test]
fn unknown_backends_are_left_out_of_http_routes() {
    let route = |kind: &str, backends: &str| {
        let matches = match kind {
            "MeshHTTPRoute" => "matches: [{path: {type: PathPrefix, value: /}}], ",
            _ => "",
        };
        dataplane("a", "z1", "10.0.0.1")
            + &format!(
                "---\n{{type: {kind}, name: r, mesh: default, spec: {{to: [{{targetRef: {{kind: MeshService, name: web}}, rules: [{{{matches}default: {{backendRefs: [{backends}]}}}}]}}]}}}}\n"
            )
    };
    let shares = |text: &str| {
        let documents = documents(text);
        let view = PointOfView::Zone("z1".into());
        let found = MeshOutbound::new(&documents, MeshKind::Kuma, &view, Compat::Kuma).unwrap();
        let rule = found.destinations[0].default_rule().unwrap();
        let shares = rule.shares().map(|(at, share)| {
            let cluster = &found.clusters[at];
            format!("{} {} {share}", cluster.name, cluster.hosts.len())
        });
        let mut warnings = found.warnings.iter();
        let unknown = warnings
            .find(|of| of.code == "mesh/unknown-backend")
            .unwrap();
        let effect = unknown.message.rsplit("; ").next().unwrap().to_owned();
        (shares.collect::<Vec<_>>(), effect)
    };
    let both =
        "{kind: MeshService, name: web, weight: 1}, {kind: MeshService, name: gone, weight: 1}";
    let (found, effect) = shares(&route("MeshHTTPRoute", both));
    assert_eq!(found, ["web 1 100"]);
    assert_eq!(effect, "its share goes to the other backends");
    // Nothing is left for requests that match no other rule.
    let (found, effect) = shares(&route("MeshHTTPRoute", "{kind: MeshService, name: gone}"));
    assert_eq!(found, ["gone 0 100"]);
    assert_eq!(effect, "its requests find no host");
    // A rule with a condition is left out as a whole.
    let text =
        route("MeshHTTPRoute", "{kind: MeshService, name: gone}").replace("value: /", "value: /a");
    let (found, effect) = shares(&text);
    assert_eq!(found, ["web 1 100"]);
    assert_eq!(effect, "Kuma leaves the rule out");
    // Connections need no protocol: a tag without endpoints is a cluster.
    let (found, effect) = shares(&route("MeshTCPRoute", both));
    assert_eq!(found, ["web 1 50", "gone 0 50"]);
    assert_eq!(effect, "its share finds no host");
    // With a port, it is a resource, and no value of the tag.
    let port = both.replace("name: web,", "name: web, port: 80,");
    let (found, _) = shares(&route("MeshTCPRoute", &port));
    assert_eq!(found, ["gone 0 100"]);
}

#[test]
fn http_routes_are_for_destinations_that_speak_http() {
    let found = |tags: &str, field: &str| {
        let route = "---\n{type: MeshHTTPRoute, name: r, mesh: default, spec: {to: [{targetRef: {kind: MeshService, name: web}, rules: [{default: {backendRefs: [{kind: MeshServiceSubset, name: web, tags: {v: '2'}}]}}]}]}}\n";
        let own = dataplane("a", "z1", "10.0.0.1").replace("app: web", &format!("app: web{tags}"));
        let text = own.replace("name: http", &format!("name: http{field}")) + route;
        let view = PointOfView::Zone("z1".into());
        let found =
            MeshOutbound::new(&documents(&text), MeshKind::Kuma, &view, Compat::Kuma).unwrap();
        let rule = found.destinations[0].default_rule().unwrap();
        let codes = found.warnings.iter().map(|of| of.code);
        let cluster = &found.clusters[rule.splits[0].cluster].name;
        (cluster == "web", codes.collect::<Vec<_>>())
    };
    assert_eq!(found(", kuma.io/protocol: grpc", ""), (false, vec![]));
    assert_eq!(found("", ", protocol: http2"), (false, vec![]));
    assert_eq!(
        found(", kuma.io/protocol: tcp", ""),
        (true, vec!["mesh/not-http"])
    );
    assert_eq!(found("", ""), (false, vec!["mesh/assumed"]));
}

#[test]
fn the_mode_of_the_mesh_decides_which_destinations_exist() {
    let names = |mode: &str| {
        let mesh = format!(
            "{{type: Mesh, name: default, mtls: {{enabledBackend: ca}}, meshServices: {{mode: {mode}}}}}\n"
        );
        let text = mesh + &dataplane("a", "z1", "10.0.0.1") + SERVICES;
        let found = from_zone(&text, "z1");
        let names = found
            .destinations
            .iter()
            .map(|of| of.cluster.contains("svc"));
        let services = names.clone().filter(|of| *of).count();
        (services, names.count() - services, found.warnings)
    };
    for mode in ["Disabled", "Everywhere"] {
        let (services, tags, warnings) = names(mode);
        assert_eq!((services, tags, warnings.len()), (5, 1, 0), "{mode}");
    }
    let (services, tags, warnings) = names("Exclusive");
    assert_eq!((services, tags), (5, 0));
    assert_eq!(
        (warnings[0].code, warnings[0].found.as_deref()),
        ("mesh/exclusive", Some("\"web\""))
    );
}

#[test]
fn the_zone_egress_replaces_the_ingresses() {
    let text = "{type: Mesh, name: default, mtls: {enabledBackend: ca}, routing: {zoneEgress: true, localityAwareLoadBalancing: true}}\n".to_owned()
        + &dataplane("a", "z1", "10.0.0.1")
        + &ingress("z2", "192.0.2.1", 3);
    let without = from_zone(&text, "z1");
    assert!(without.proxy.egress_enabled);
    assert_eq!(endpoints(&without, "web"), ["10.0.0.1:80 z1 1"]);
    assert_eq!(warnings(&without), ["mesh/no-egress"]);
    let text = text
        + "---\n{type: ZoneEgress, name: e, zone: z1, networking: {address: 10.0.9.1, port: 10002}}\n"
        + "---\n{type: ZoneEgress, name: f, zone: z3, networking: {address: 10.0.9.3, port: 10002}}\n";
    let with = from_zone(&text, "z1");
    assert_eq!(
        endpoints(&with, "web"),
        ["10.0.9.1:10002 z2 1", "10.0.0.1:80 z1 1"]
    );
    assert!(with.destinations[0].prefers_local_zone);
    assert_eq!(warnings(&with), [""; 0]);
}
