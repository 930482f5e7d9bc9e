//! What a proxy of Istio receives: services, endpoints, localities and labels.

use spillgate_config::{
    envoy::Format,
    mesh::{IstioInputs, MeshDocuments, MeshKind, MeshOutbound, PointOfView, read},
};
use spillgate_core::model::HealthStatus;
use spillgate_mesh::{
    Compat,
    istio::{IstioEndpoint, IstioResolution},
};

fn documents(text: &str) -> MeshDocuments {
    match read(text, Format::Yaml, 0) {
        Ok(documents) => documents,
        Err(faults) => panic!("{text}: {faults:#?}"),
    }
}

fn inputs(text: &str, view: PointOfView) -> IstioInputs {
    IstioInputs::new(&documents(text), &view).unwrap()
}

/// The endpoints of a cluster as `address locality weight`.
fn endpoints(inputs: &IstioInputs, cluster: &str) -> Vec<String> {
    let found = inputs.services.iter().find(|s| s.cluster == cluster);
    let names: Vec<&str> = inputs.services.iter().map(|s| s.cluster.as_str()).collect();
    let found = found.unwrap_or_else(|| panic!("{cluster}: {names:?}"));
    let text = |endpoint: &IstioEndpoint| {
        let host = &endpoint.host;
        let health = match host.health {
            HealthStatus::Unknown => String::new(),
            health => format!(" {health:?}"),
        };
        let weight = host.weight.get();
        format!("{} {} {weight}{health}", host.address, endpoint.locality)
    };
    found.endpoints.iter().map(text).collect()
}

const MESH: &str = "
{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {topology.kubernetes.io/region: us, topology.kubernetes.io/zone: us-a}}}
---
{apiVersion: v1, kind: Node, metadata: {name: n2, labels: {topology.kubernetes.io/region: eu, topology.kubernetes.io/zone: eu-a, topology.istio.io/subzone: rack1}}}
---
{apiVersion: v1, kind: Service, metadata: {name: shop, namespace: ns, annotations: {networking.istio.io/traffic-distribution: PreferClose}}, spec: {selector: {app: shop}, ports: [{name: http, port: 80, targetPort: web}, {name: admin, port: 81, targetPort: 9090}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: s1, namespace: ns, labels: {app: shop, version: v1}}, spec: {nodeName: n1, containers: [{ports: [{name: web, containerPort: 8080}]}]}, status: {podIP: 10.0.0.1}}
---
{apiVersion: v1, kind: Pod, metadata: {name: s2, namespace: ns, labels: {app: shop, version: v2}}, spec: {nodeName: n2, containers: [{ports: [{name: web, containerPort: 8081}]}]}, status: {podIP: 10.0.0.2}}
---
{apiVersion: v1, kind: Pod, metadata: {name: s3, namespace: ns, labels: {app: shop, istio-locality: ap.x.y}}, spec: {nodeName: n2, containers: [{ports: [{name: web, containerPort: 8080}]}]}, status: {podIP: 10.0.0.3, conditions: [{type: Ready, status: 'False'}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: client, namespace: ns, labels: {app: client}}, spec: {nodeName: n2, containers: []}, status: {podIP: 10.0.0.9}}
---
{host: shop, trafficPolicy: {outlierDetection: {}}}
";

const HTTP: &str = "outbound|80||shop.ns.svc.cluster.local";

#[test]
fn pods_of_a_service() {
    let view = inputs(MESH, PointOfView::Name("client".into()));
    assert_eq!(view.proxy.locality, "eu/eu-a/rack1");
    assert_eq!(view.proxy.namespace, "ns");
    assert_eq!(view.proxy.labels["topology.kubernetes.io/zone"], "eu-a");
    assert_eq!(view.proxy.labels["kubernetes.io/hostname"], "n2");
    assert_eq!(
        endpoints(&view, HTTP),
        [
            "10.0.0.1:8080 us/us-a 1",
            "10.0.0.2:8081 eu/eu-a/rack1 1",
            "10.0.0.3:8080 ap/x/y 1 Unhealthy",
        ]
    );
    assert_eq!(
        endpoints(&view, "outbound|81||shop.ns.svc.cluster.local"),
        [
            "10.0.0.1:9090 us/us-a 1",
            "10.0.0.2:9090 eu/eu-a/rack1 1",
            "10.0.0.3:9090 ap/x/y 1 Unhealthy",
        ]
    );
    let service = &view.services[0];
    assert_eq!(
        service.service.traffic_distribution.as_deref(),
        Some("PreferClose")
    );
    assert_eq!(service.endpoints[1].labels["version"], "v2");
    assert_eq!(
        service.endpoints[1].labels["topology.istio.io/subzone"],
        "rack1"
    );
    assert_eq!(
        service.subset_cluster("v1"),
        "outbound|80|v1|shop.ns.svc.cluster.local"
    );
    assert_eq!(
        (view.rules.len(), view.root_namespace.as_str()),
        (1, "istio-system")
    );
}

#[test]
fn endpoint_slices_replace_the_selector() {
    let slice = |more: &str| {
        format!(
            "{MESH}---\n{{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {{name: shop-x, namespace: ns, labels: {{kubernetes.io/service-name: shop}}}}, ports: [{{name: http, port: 8080}}], endpoints: [{more}]}}\n"
        )
    };
    let text = slice(
        "{addresses: [10.0.0.1], targetRef: {kind: Pod, name: s1}}, \
         {addresses: [10.0.0.3], conditions: {ready: true}, targetRef: {kind: Pod, name: s3}}, \
         {addresses: [10.1.0.1], nodeName: n1, targetRef: {kind: Pod, name: g1}}, \
         {addresses: [10.1.0.2], zone: eu-b, targetRef: {kind: Pod, name: g2}}, \
         {addresses: [10.1.0.3], conditions: {ready: false, terminating: false}}",
    );
    let view = inputs(&text, PointOfView::Zone("us/us-a".into()));
    assert_eq!(
        endpoints(&view, HTTP),
        [
            "10.0.0.1:8080 us/us-a 1",
            "10.0.0.3:8080 ap/x/y 1",
            "10.1.0.1:8080 us/us-a 1",
            "10.1.0.2:8080 /eu-b 1",
            "10.1.0.3:8080  1 Unhealthy",
        ]
    );
    // The slice has no port for `admin`.
    assert_eq!(
        endpoints(&view, "outbound|81||shop.ns.svc.cluster.local"),
        [""; 0]
    );
}

#[test]
fn service_entries_and_workloads() {
    let text = "
{apiVersion: networking.istio.io/v1, kind: ServiceEntry, metadata: {name: e, namespace: ns}, spec: {hosts: [a.example, b.example], resolution: STATIC, ports: [{number: 443, name: https}],
  endpoints: [{address: 10.0.0.1, locality: us/a, weight: 3, ports: {https: 8443}}, {address: '2001:db8::1', labels: {istio-locality: eu/b}, network: net}]}}
---
{apiVersion: networking.istio.io/v1, kind: ServiceEntry, metadata: {name: f, namespace: ns}, spec: {hosts: [vm.example], resolution: STATIC, ports: [{number: 80, name: http, targetPort: 8080}], workloadSelector: {labels: {app: vm}}}}
---
{apiVersion: networking.istio.io/v1, kind: ServiceEntry, metadata: {name: g}, spec: {hosts: [dns.example], resolution: DNS, ports: [{number: 80, name: http}]}}
---
{apiVersion: networking.istio.io/v1, kind: WorkloadEntry, metadata: {name: w, namespace: ns}, spec: {address: 10.0.0.7, locality: us/a/r, labels: {app: vm}}}
---
{apiVersion: networking.istio.io/v1, kind: WorkloadEntry, metadata: {name: x, namespace: other}, spec: {address: 10.0.0.8, labels: {app: vm}}}
";
    let view = inputs(text, PointOfView::Name("w".into()));
    assert_eq!(view.proxy.locality, "us/a/r");
    for cluster in ["outbound|443||a.example", "outbound|443||b.example"] {
        assert_eq!(
            endpoints(&view, cluster),
            ["10.0.0.1:8443 us/a 3", "[2001:db8::1]:443 eu/b 1"]
        );
    }
    assert_eq!(
        endpoints(&view, "outbound|80||vm.example"),
        ["10.0.0.7:8080 us/a/r 1"]
    );
    assert_eq!(
        endpoints(&view, "outbound|80||dns.example"),
        ["dns.example:80  1"]
    );
    let dns = view
        .services
        .iter()
        .find(|s| s.service.host == "dns.example");
    assert_eq!(dns.unwrap().service.resolution, IstioResolution::Dns);
}

#[test]
fn a_proxy_of_a_name_in_several_namespaces_needs_its_namespace() {
    let pods = "
{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: one}, status: {podIP: 10.0.0.1}}
---
{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: two}, status: {podIP: 10.0.0.2}}
";
    let seen_from = |name: &str| {
        IstioInputs::new(&documents(pods), &PointOfView::Name(name.into()))
            .map(|view| view.proxy.namespace)
            .map_err(|fault| fault.to_string())
    };
    assert_eq!(seen_from("two/web"), Ok("two".into()));
    assert_eq!(seen_from("web.two"), Ok("two".into()));
    assert_eq!(
        seen_from("web"),
        Err("mesh/ambiguous-proxy: several proxies have this name; found \"web\", expected a name with its namespace, such as one/web or two/web".into())
    );
}

#[test]
fn a_zone_is_found_among_the_endpoints() {
    let short = "
[{address: '10.0.0.1:80', locality: us/a/1}, {address: '10.0.0.2:80', locality: us/b}, {address: '10.0.0.3:80', locality: eu/b}, {address: '10.0.0.4:80', locality: ap}]
---
{host: shop, trafficPolicy: {outlierDetection: {}}}
";
    let seen_from = |zone: &str| {
        IstioInputs::new(&documents(short), &PointOfView::Zone(zone.into()))
            .map(|view| view.proxy.locality)
            .map_err(|fault| fault.to_string())
    };
    assert_eq!(seen_from("a"), Ok("us/a".into()));
    assert_eq!(seen_from("eu/b"), Ok("eu/b".into()));
    assert_eq!(seen_from("ap"), Ok("ap".into()));
    assert_eq!(
        seen_from("b"),
        Err("mesh/ambiguous-zone: several regions have a zone with this name; found \"b\", expected a locality such as eu/b or us/b".into())
    );
    assert_eq!(
        seen_from("x"),
        Err(
            "mesh/unknown-zone: no endpoint is in this zone; found \"x\", expected one of a, b"
                .into()
        )
    );
    let view = inputs(short, PointOfView::Zone("a".into()));
    assert_eq!(view.services[0].cluster, "outbound|80||shop");
    assert_eq!(
        view.services[0].endpoints[0].labels["topology.kubernetes.io/region"],
        "us"
    );
}

#[test]
fn a_short_proxy_gets_the_labels_of_its_locality() {
    let own = documents("{locality: us/a, labels: {app: client}}");
    let view = inputs(MESH, PointOfView::Documents(own));
    assert_eq!(view.proxy.labels["topology.kubernetes.io/zone"], "a");
    assert_eq!(view.proxy.labels["app"], "client");
}

/// The rules of the first destination for a client in the namespace `ns`, a line each: condition, status
/// or clusters with weights.
fn rules(more: &str) -> (Vec<String>, Vec<&'static str>) {
    let documents = read(&format!("{MESH}{more}"), Format::Yaml, 0).unwrap();
    let view = PointOfView::Name("client".into());
    let found = MeshOutbound::new(&documents, MeshKind::Istio, &view, Compat::Kuma).unwrap();
    let rules = found.destinations[0].rules.iter().map(|rule| {
        let clusters = rule.splits.iter().map(|split| {
            let mut name = found.clusters[split.cluster].name.split('|');
            let subset = name.nth(2).unwrap_or_default();
            format!(" {subset}:{}", split.weight)
        });
        let status = rule.responds.map(|status| format!(" {status}"));
        let line = format!("{}{}", rule.matches, status.unwrap_or_default());
        line + &clusters.collect::<String>()
    });
    (
        rules.collect(),
        found.warnings.iter().map(|of| of.code).collect(),
    )
}

const SUBSETS: &str = "---
{host: shop, subsets: [{name: v1, labels: {version: v1}}, {name: v2, labels: {version: v2}}]}
";

#[test]
fn routes_of_a_virtual_service_replace_the_default_one() {
    let service = |http: &str| {
        rules(&format!(
            "{SUBSETS}---\n{{apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: {{name: v, \
             namespace: ns}}, spec: {{hosts: [shop], http: [{http}]}}}}\n"
        ))
    };
    // Requests that meet no condition have no route.
    let (found, _) = service(
        "{match: [{uri: {prefix: /a}}], route: [{destination: {host: shop, subset: v1}}]}, \
         {match: [{uri: {exact: /b}}], redirect: {uri: /c}}, \
         {match: [{method: {exact: PUT}}], directResponse: {status: 403}}",
    );
    assert_eq!(
        found,
        [
            r#"match [{"uri":{"prefix":"/a"}}] v1:1"#,
            r#"match [{"uri":{"exact":"/b"}}] 301"#,
            r#"match [{"method":{"exact":"PUT"}}] 403"#,
            " 404",
        ]
    );
    // Conditions on the proxy and the port are known.
    let (found, _) = service(
        "{match: [{sourceLabels: {app: other}}], route: [{destination: {host: shop, subset: v1}}]}, \
         {match: [{port: 9}], route: [{destination: {host: shop, subset: v1}}]}, \
         {match: [{gateways: [edge]}], route: [{destination: {host: shop, subset: v1}}]}, \
         {match: [{sourceLabels: {app: client}, sourceNamespace: ns, port: 80}], \
          route: [{destination: {host: shop, subset: v2}}]}",
    );
    assert_eq!(found, [" v2:1"]);
    let (found, warnings) = service(
        "{route: [{destination: {host: shop, subset: v9}, weight: 40}, \
         {destination: {host: nowhere}, weight: 60}]}",
    );
    assert_eq!(found, [" v9:40 :60"]);
    assert_eq!(warnings, ["mesh/unknown-subset", "mesh/unknown-backend"]);
}

#[test]
fn the_most_specific_visible_virtual_service_applies() {
    let service = |name: &str, spec: &str, subset: &str| {
        format!(
            "---\n{{apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: {{name: {name}, \
             namespace: ns}}, spec: {{{spec}, http: [{{route: [{{destination: {{host: shop, subset: {subset}}}}}]}}]}}}}\n"
        )
    };
    let other = service("a", "hosts: [shop], gateways: [edge]", "v1");
    assert_eq!(rules(&format!("{SUBSETS}{other}")).0, [" :1"]);
    let hidden = service("b", "hosts: [shop], exportTo: [elsewhere]", "v1");
    assert_eq!(rules(&format!("{SUBSETS}{hidden}")).0, [" :1"]);
    let wide = service("c", "hosts: ['*.ns.svc.cluster.local']", "v1");
    let exact = service("d", "hosts: [shop], gateways: [mesh, edge]", "v2");
    assert_eq!(rules(&format!("{SUBSETS}{wide}{exact}")).0, [" v2:1"]);
    assert_eq!(rules(&format!("{SUBSETS}{wide}")).0, [" v1:1"]);
}

#[test]
fn delegates_add_their_routes_under_the_condition_of_the_root() {
    let root = |name: &str| {
        format!(
            "{SUBSETS}---\n{{apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: {{name: v, \
             namespace: ns}}, spec: {{hosts: [shop], http: [{{name: a, match: [{{uri: {{prefix: /a}}}}], \
             delegate: {{name: {name}}}}}]}}}}\n---\n{{apiVersion: networking.istio.io/v1, kind: \
             VirtualService, metadata: {{name: part, namespace: ns}}, spec: {{http: [{{name: b, match: \
             [{{uri: {{prefix: /a/b}}}}], route: [{{destination: {{host: shop, subset: v1}}}}]}}, {{route: \
             [{{destination: {{host: shop, subset: v2}}}}]}}]}}}}\n"
        )
    };
    assert_eq!(rules(&root("part")).0, ["a and b v1:1", "a v2:1", " 404"]);
    let (found, warnings) = rules(&root("nowhere"));
    assert_eq!(
        (found, warnings),
        (vec![" :1".into()], vec!["mesh/unknown-delegate"])
    );
}

#[test]
fn sources_of_one_host_add_their_endpoints() {
    let entry = |name: &str, namespace: &str, port: &str, address: &str| {
        format!(
            "---\n{{apiVersion: networking.istio.io/v1, kind: ServiceEntry, metadata: {{name: {name}, namespace: \
             {namespace}}}, spec: {{hosts: [shop.ns.svc.cluster.local], resolution: STATIC, ports: \
             [{{number: 80, name: {port}}}], endpoints: [{{address: {address}, locality: eu/b}}]}}}}\n"
        )
    };
    let workload = "---\n{apiVersion: networking.istio.io/v1, kind: WorkloadEntry, metadata: {name: vm, namespace: \
        ns}, spec: {address: 10.5.0.1, labels: {app: shop}, ports: {web: 8443}}}\n";
    let text = [
        MESH,
        &entry("same", "ns", "http", "10.5.0.2"),
        &entry("other-port", "ns", "grpc", "10.5.0.3"),
        &entry("other-namespace", "data", "http", "10.5.0.4"),
        workload,
    ]
    .concat();
    let view = inputs(&text, PointOfView::Name("client".into()));
    let found = endpoints(&view, HTTP);
    assert_eq!(found[3..], ["10.5.0.1:8443  1", "10.5.0.2:80 eu/b 1"]);
    let codes: Vec<&str> = view.warnings.iter().map(|of| of.code).collect();
    assert_eq!(codes, ["mesh/unused-source"; 2]);
}

#[test]
fn a_short_endpoint_is_in_the_namespace_of_its_host() {
    let text = |rule: &str, service: &str| {
        format!(
            "{{kind: DestinationRule, apiVersion: networking.istio.io/v1, metadata: {{name: r, namespace: ml}}, \
             spec: {{host: {rule}}}}}\n---\n{{address: 10.0.0.1:80, locality: r/a, service: {service}}}\n"
        )
    };
    for (rule, service, namespace) in [
        ("x.example", "audit.ml.svc.cluster.local", "ml"),
        ("x.example", "audit.apps.svc.corp.example", "apps"),
        ("audit", "audit.apps.svc.cluster.local", "apps"),
        // The namespace of a rule that names it in the same way.
        ("audit", "audit", "ml"),
        ("bank.example", "bank.example", "ml"),
        ("x.example", "bank.example", "default"),
        ("x.example", "a.b.c", "default"),
        ("bank.example", "''", "ml"),
    ] {
        let found = inputs(&text(rule, service), PointOfView::Zone("r/a".into()));
        let of: Vec<&str> = found
            .services
            .iter()
            .map(|input| input.service.namespace.as_str())
            .collect();
        assert_eq!(of, [namespace], "{rule} {service}");
    }
}

#[test]
fn node_local_services_have_the_endpoints_of_the_node() {
    let mesh = MESH.replace(
        "spec: {selector: {app: shop}",
        "spec: {internalTrafficPolicy: Local, selector: {app: shop}",
    );
    let documents = documents(&mesh);
    let outbound =
        |view| MeshOutbound::new(&documents, MeshKind::Istio, &view, Compat::Kuma).unwrap();
    let from_node = outbound(PointOfView::Name("client".into()));
    let hosts = from_node.cluster(HTTP).unwrap().hosts.iter();
    let hosts: Vec<&str> = hosts.map(|host| host.address.as_str()).collect();
    assert_eq!(hosts, ["10.0.0.2:8081", "10.0.0.3:8080"]);
    let from_zone = outbound(PointOfView::Zone("us/us-a".into()));
    assert_eq!(from_zone.cluster(HTTP).unwrap().hosts.len(), 3);
    assert!(
        from_zone
            .warnings
            .iter()
            .any(|of| of.code == "mesh/node-local")
    );
}

#[test]
fn the_protocol_of_a_port_selects_the_routes() {
    let service = |port: &str| {
        format!(
            "{{apiVersion: v1, kind: Service, metadata: {{name: db, namespace: ns}}, spec: {{selector: {{app: shop}}, \
             ports: [{{{port}, port: 3306}}]}}}}\n---\n{{host: db, subsets: [{{name: http}}, {{name: tcp}}]}}\n---\n\
             {{apiVersion: networking.istio.io/v1, kind: VirtualService, metadata: {{name: v, namespace: ns}}, spec: \
             {{hosts: [db], http: [{{route: [{{destination: {{host: db, subset: http}}}}]}}], tcp: [{{route: \
             [{{destination: {{host: db, subset: tcp}}}}]}}]}}}}\n---\n{{name: client, namespace: ns, locality: us/a}}\n"
        )
    };
    for (port, subset) in [
        ("name: http", "http"),
        ("name: grpc-web-x", "http"),
        ("name: tcp-db", "tcp"),
        ("name: db, appProtocol: tcp", "tcp"),
        ("name: mysql", "tcp"),
        ("name: https", "tcp"),
        // Envoy detects HTTP.
        ("name: db", "http"),
    ] {
        let text = service(port).replace(
            "host: db, subsets",
            "host: db.ns.svc.cluster.local, subsets",
        );
        let view = PointOfView::Name("client".into());
        let found =
            MeshOutbound::new(&documents(&text), MeshKind::Istio, &view, Compat::Kuma).unwrap();
        let at = found.destinations[0].rules[0].splits[0].cluster;
        let expected = format!("outbound|3306|{subset}|db.ns.svc.cluster.local");
        assert_eq!(found.clusters[at].name, expected, "{port}");
    }
}

#[test]
fn names_without_a_port_are_those_of_port_80() {
    let text = MESH.replace("name: admin, port: 81", "name: http-admin, port: 8080");
    let outbound =
        |view| MeshOutbound::new(&documents(&text), MeshKind::Istio, &view, Compat::Kuma).unwrap();
    let domains = |found: &MeshOutbound| -> Vec<Vec<String>> {
        let destinations = found.destinations.iter();
        destinations.map(|of| of.domains.clone()).collect()
    };
    let names = [
        "shop.ns.svc.cluster.local",
        "shop.ns.svc.cluster.local.",
        "shop.ns.svc",
        "shop.ns",
    ];
    let with_port = |port: &str| names.map(|name| format!("{name}:{port}"));
    let from_zone = domains(&outbound(PointOfView::Zone("us/us-a".into())));
    assert_eq!(
        from_zone[1],
        [with_port("80").to_vec(), names.map(String::from).to_vec()].concat()
    );
    assert_eq!(from_zone[0], with_port("8080"));
    // In the namespace of the service, its name is enough.
    let from_client = domains(&outbound(PointOfView::Name("client".into())));
    assert_eq!(from_client[1].last().map(String::as_str), Some("shop"));
}
