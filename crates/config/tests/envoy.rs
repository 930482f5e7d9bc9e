//! Envoy configurations: what is read, and its positions.

use spillgate_config::envoy::{EnvoyConfig, Format, read};
use spillgate_core::{
    model::{ClusterKind, HashFunction, HealthStatus, PlainCluster, Policy},
    route::{Connection, HashSource, HeaderList, RouteAction, RouteOutcome},
};

const SHOP: &str = include_str!("fixtures/shop.yaml");

fn shop() -> EnvoyConfig {
    read(SHOP, Format::Yaml).unwrap()
}

fn plain<'c>(config: &'c EnvoyConfig, name: &str) -> &'c PlainCluster {
    match &config.model.cluster(name).unwrap().kind {
        ClusterKind::Plain(plain) => plain,
        other => panic!("{name} is not plain: {other:?}"),
    }
}

#[test]
fn clusters_are_read() {
    let config = shop();
    let primary = plain(&config, "shop-primary");
    let Policy::Maglev(maglev) = primary.policy else {
        panic!("{:?}", primary.policy);
    };
    assert_eq!(maglev.table_size(), 251);
    assert_eq!(primary.panic_threshold.percent(), 33);
    assert_eq!(primary.overprovisioning_factor.0, 120);
    assert!(primary.weighted_priority_health);
    assert!(primary.locality_lb.is_weighted());
    assert_eq!(primary.priorities.len(), 3);
    assert!(primary.priorities[1].endpoints.is_empty());

    let priority = &primary.priorities[0];
    let endpoints: Vec<_> = priority
        .endpoints
        .iter()
        .map(|e| {
            (
                e.address.as_str(),
                e.weight.get(),
                e.health.status,
                e.locality,
                e.hash_key(),
            )
        })
        .collect();
    assert_eq!(
        endpoints,
        [
            ("10.0.0.1:80", 3, HealthStatus::Healthy, 0, "10.0.0.1:80"),
            ("[::1]:80", 1, HealthStatus::Draining, 0, "six"),
            ("10.0.0.3:80", 1, HealthStatus::Unknown, 1, "10.0.0.3:80"),
            ("10.0.0.4:80", 1, HealthStatus::Unknown, 0, "10.0.0.4:80"),
        ]
    );
    // Entries of one locality are merged, and the later weight is used.
    let localities: Vec<_> = priority
        .localities
        .iter()
        .map(|l| {
            (
                l.locality.region.as_str(),
                l.locality.zone.as_str(),
                l.weight,
            )
        })
        .collect();
    assert_eq!(localities, [("eu", "a", Some(5)), ("eu", "b", None)]);

    let secondary = plain(&config, "shop-secondary");
    let Policy::RingHash(ring) = secondary.policy else {
        panic!("{:?}", secondary.policy);
    };
    assert_eq!(ring.minimum_ring_size(), 2048);
    assert_eq!(ring.hash_function(), HashFunction::MurmurHash2);
    assert_eq!(secondary.panic_threshold.percent(), 50);

    let ClusterKind::Aggregate(shop) = &config.model.cluster("shop").unwrap().kind else {
        panic!("not an aggregate");
    };
    assert_eq!(shop.members, ["shop-primary", "shop-secondary"]);
}

#[test]
fn places_are_kept() {
    let config = shop();
    let line_of = |text: &str| {
        let found = SHOP.lines().position(|line| line.contains(text)).unwrap();
        u32::try_from(found + 1).unwrap()
    };
    let primary = config.marks.cluster("shop-primary").unwrap();
    assert_eq!(primary.cluster.line, line_of("name: shop-primary"));
    assert_eq!(
        primary.lb_policy.unwrap().line,
        line_of("lb_policy: MAGLEV")
    );
    assert_eq!(primary.lb_policy.unwrap().column, 16);
    assert_eq!(
        primary.healthy_panic_threshold.unwrap().line,
        line_of("healthyPanicThreshold")
    );
    assert_eq!(
        primary.overprovisioning_factor.unwrap().line,
        line_of("overprovisioning_factor")
    );
    assert_eq!(primary.members, None);
    let draining = config.marks.endpoint("shop-primary", 0, 1).unwrap();
    assert_eq!(draining.health_status.unwrap().line, line_of("DRAINING"));
    let last = config.marks.endpoint("shop-primary", 0, 3).unwrap();
    assert_eq!(last.endpoint.line, line_of("10.0.0.4"));
    assert_eq!(last.health_status, None);
    let degraded = config.marks.endpoint("shop-primary", 2, 0).unwrap();
    assert_eq!(degraded.endpoint.line, line_of("10.0.2.1"));
    let secondary = config.marks.cluster("shop-secondary").unwrap();
    assert_eq!(
        secondary.lb_policy.unwrap().line,
        line_of("- typed_extension_config")
    );
    let shop = config.marks.cluster("shop").unwrap();
    assert_eq!(
        shop.members.unwrap().line,
        line_of("clusters: [shop-primary")
    );
    assert!(config.marks.cluster("nope").is_none());
}

#[test]
fn fields_that_are_not_modeled_get_a_warning() {
    let warnings: Vec<_> = shop()
        .warnings
        .iter()
        .map(|w| w.render("shop.yaml"))
        .collect();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains("outlier_detection"), "{warnings:?}");
}

#[test]
fn routes_are_read() {
    let config = shop();
    assert_eq!(config.listeners.len(), 1);
    assert_eq!(config.listeners[0].name, "main");
    let to = |path: &str, more: &[(&str, &str)]| {
        let mut headers = vec![(":authority", "shop.example.org"), (":path", path)];
        headers.extend_from_slice(more);
        let headers = HeaderList(&headers);
        let routes = &config.listeners[0].routes;
        match routes.route(&routes.receive(&headers, Connection::default())) {
            RouteOutcome::Forward(routed) => routed.choose(0).cluster.unwrap_or("none").to_owned(),
            RouteOutcome::Respond { status, .. } => status.to_string(),
            other => panic!("{other:?}"),
        }
    };
    let gold = [("x-tenant", "gold"), ("x-any", ""), ("accept", "text/html")];
    assert_eq!(to("/static", &[]), "404");
    assert_eq!(to("/static/a", &[]), "404");
    assert_eq!(to("/statics", &[]), "shop");
    assert_eq!(to("/OLD?q", &[]), "308");
    assert_eq!(to("/primary", &gold), "shop-primary");
    assert_eq!(to("/primary", &gold[..1]), "shop");
    assert_eq!(
        to("/primary", &[gold[0], gold[1], ("accept", "x/JSON")]),
        "shop"
    );
    assert_eq!(
        to("/primary", &[gold[0], gold[1], gold[2], ("x-debug", "1")]),
        "shop"
    );

    let route = config.listeners[0].routes.virtual_hosts[0]
        .routes
        .iter()
        .find(|route| route.name == "primary")
        .unwrap();
    let RouteAction::Forward(forward) = &route.action else {
        panic!("{route:?}");
    };
    let policies: Vec<_> = forward
        .hash_policies
        .iter()
        .map(|policy| match &policy.source {
            HashSource::Header { name, .. } => (name.as_str(), policy.terminal),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(policies, [("x-user", true), (":path", false)]);
}

#[test]
fn json_and_yaml_are_equivalent() {
    let json = yaml_to_json(SHOP);
    let (from_json, from_yaml) = (read(&json, Format::Json).unwrap(), shop());
    assert_eq!(from_json.model, from_yaml.model);
    assert_eq!(from_json.warnings.len(), from_yaml.warnings.len());
}

/// Through the tree, so that the test needs no other YAML reader.
fn yaml_to_json(text: &str) -> String {
    use spillgate_config::node::{Node, NodeValue, Scalars, Writer, read_yaml};
    fn write(node: &Node<'_>, w: &mut Writer) {
        match &node.value {
            NodeValue::Null => w.null(),
            NodeValue::Bool(value) => w.bool(*value),
            NodeValue::Int(value) => w.int(*value),
            NodeValue::Uint(value) => w.uint(*value),
            NodeValue::Decimal(text) => panic!("YAML has no decimals: {text}"),
            NodeValue::String(text) => w.string(text),
            NodeValue::List(items) => {
                w.begin_list();
                items.iter().for_each(|item| write(item, w));
                w.end_list();
            }
            NodeValue::Map(entries) => {
                w.begin_object();
                for entry in entries {
                    w.key(&entry.key.name);
                    write(&entry.node, w);
                }
                w.end_object();
            }
        }
    }
    let mut writer = Writer::new();
    write(
        &read_yaml(text, Scalars::Envoy).unwrap().roots[0],
        &mut writer,
    );
    writer.finish()
}

#[test]
fn single_messages_lists_and_documents() {
    let cluster = "name: c\ntype: EDS\neds_cluster_config: {service_name: s}\n";
    let assignment = "cluster_name: s\nendpoints: [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.0.0.1, port_value: 1}}}}]}]\n";
    let routes = "name: r\nvirtual_hosts: [{name: v, domains: ['*'], routes: [{match: {prefix: /}, route: {cluster: c}}]}]\n";

    let config = read(
        &format!("{cluster}---\n{assignment}---\n{routes}"),
        Format::Yaml,
    )
    .unwrap();
    assert_eq!(
        plain(&config, "c").priorities[0].endpoints[0].address,
        "10.0.0.1:1"
    );
    assert_eq!(config.listeners[0].name, "r");
    assert_eq!(config.warnings, []);

    let alone = read(assignment, Format::Yaml).unwrap();
    assert_eq!(plain(&alone, "s").policy, Policy::RoundRobin);

    let list = read(
        "[{\"name\": \"a\", \"type\": 0}, {\"name\": \"b\", \"type\": \"STATIC\"}]",
        Format::Json,
    )
    .unwrap();
    assert_eq!(list.model.clusters().len(), 2);

    let routes_alone = read(routes, Format::Yaml).unwrap();
    assert_eq!(routes_alone.listeners.len(), 1);
}

#[test]
fn numbers_in_every_spelling_that_envoy_reads() {
    for (text, factor) in [
        ("120", 120),
        ("\"120\"", 120),
        ("120.0", 120),
        ("1.2e2", 120),
        ("0x78", 120),
        ("{value: 120}", 120),
        ("~", 140),
    ] {
        let yaml = format!(
            "name: c\nload_assignment: {{cluster_name: c, policy: {{overprovisioning_factor: {text}}}}}\n"
        );
        let config = read(&yaml, Format::Yaml).unwrap();
        assert_eq!(
            plain(&config, "c").overprovisioning_factor.0,
            factor,
            "{text}"
        );
    }
}

#[test]
fn enums_by_name_in_any_case_and_by_number() {
    for text in ["MAGLEV", "maglev", "Maglev", "5", "\"5\""] {
        let config = read(&format!("name: c\nlb_policy: {text}\n"), Format::Yaml).unwrap();
        assert!(
            matches!(plain(&config, "c").policy, Policy::Maglev(_)),
            "{text}"
        );
    }
}
