//! Dumps of a running Envoy: whole dumps, parts of them, missing parts.

use serde_json::{Value, json};
use spillgate_config::{
    Diagnostic,
    envoy::{EnvoyConfig, Format, read},
};
use spillgate_core::model::{Cluster, ClusterKind, CoarseHealth, PlainCluster, Policy};

const WITH_EDS: &str = include_str!("fixtures/running/config_dump_include_eds.json");
const WITHOUT_EDS: &str = include_str!("fixtures/running/config_dump.json");
const WARMING: &str = include_str!("fixtures/running/config_dump_warming.json");

fn dump(text: &str) -> EnvoyConfig {
    read(text, Format::Json).unwrap()
}

fn plain<'c>(config: &'c EnvoyConfig, name: &str) -> &'c PlainCluster {
    match &config.model.cluster(name).unwrap().kind {
        ClusterKind::Plain(plain) => plain,
        other => panic!("{name}: {other:?}"),
    }
}

fn hosts(plain: &PlainCluster) -> Vec<(usize, &str, CoarseHealth)> {
    let priorities = plain.priorities.iter().enumerate();
    let endpoints =
        priorities.flat_map(|(at, priority)| priority.endpoints.iter().map(move |e| (at, e)));
    endpoints
        .map(|(at, e)| (at, e.address.as_str(), e.health.coarse()))
        .collect()
}

fn with_code<'w>(warnings: &'w [Diagnostic], code: &str) -> Vec<&'w Diagnostic> {
    warnings.iter().filter(|w| w.code == code).collect()
}

/// One section of a dump by the end of its type's name.
fn section(text: &str, kind: &str) -> Value {
    let dump: Value = serde_json::from_str(text).unwrap();
    let sections = dump["configs"].as_array().unwrap();
    let kind = format!(".{kind}");
    let is = |s: &&Value| s["@type"].as_str().unwrap().ends_with(&kind);
    sections.iter().find(is).unwrap().clone()
}

#[test]
fn resources_in_use_are_read_from_every_section() {
    let config = dump(WITH_EDS);
    let names: Vec<&str> = config
        .model
        .clusters()
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "agg::x",
            "dns",
            "hc",
            "ldns",
            "odst",
            "v6",
            "xds",
            "dyn-eds",
            "dyn-static"
        ]
    );
    let local = config.model.local().locality.clone().unwrap();
    assert_eq!((&*local.region, &*local.zone), ("r", "a"));
    let listeners: Vec<&str> = config.listeners.iter().map(|l| l.name.as_str()).collect();
    assert_eq!(listeners, ["stl", "dynl"]);
    assert!(matches!(
        plain(&config, "dyn-eds").policy,
        Policy::Maglev(_)
    ));
    // The filter that ECDS sent is one that is read.
    assert!(with_code(&config.warnings, "config/filter-not-modeled").is_empty());
}

#[test]
fn hosts_are_those_of_the_running_envoy() {
    use CoarseHealth::{Degraded, Healthy, Unhealthy};
    let config = dump(WITH_EDS);
    for (cluster, expected) in [
        (
            "dyn-eds",
            vec![
                (0, "127.0.0.1:1", Degraded),
                (0, "127.0.0.2:1", Unhealthy),
                (1, "127.0.0.3:1", Unhealthy),
                (1, "127.0.0.4:1", Unhealthy),
            ],
        ),
        (
            "dns",
            vec![(0, "[::1]:80", Healthy), (1, "127.0.0.9:80", Healthy)],
        ),
        ("ldns", vec![(0, "127.0.0.1:81", Healthy)]),
        // Their health checks failed; the configuration does not show that.
        (
            "hc",
            vec![(0, "127.0.0.1:2", Unhealthy), (0, "[::1]:2", Unhealthy)],
        ),
        ("dyn-static", vec![(0, "127.0.0.5:2", Healthy)]),
    ] {
        assert_eq!(hosts(plain(&config, cluster)), expected, "{cluster}");
    }
    let eds = plain(&config, "dyn-eds");
    // A weight of 0 was never set.
    let weights: Vec<_> = eds
        .priorities
        .iter()
        .map(|l| l.localities[0].weight)
        .collect();
    assert_eq!(weights, [Some(3), None]);
    assert_eq!(eds.priorities[0].endpoints[1].weight.get(), 4);
    assert_eq!(eds.priorities[0].endpoints[0].metadata.fields().len(), 3);
    assert_eq!(
        plain(&config, "dns").priorities[0].endpoints[0]
            .weight
            .get(),
        2
    );
    assert!(with_code(&config.warnings, "config/dns-name").is_empty());
    assert_eq!(with_code(&config.warnings, "config/dump-health").len(), 1);
}

#[test]
fn configured_health_of_the_same_class_is_kept() {
    let host = json!({"endpoint": {"address": {"socket_address": {"address": "10.0.0.1", "port_value": 80}}}});
    let with = |status: &str| {
        let mut host = host.clone();
        host["health_status"] = json!(status);
        json!({"cluster_name": "c", "endpoints": [{"lb_endpoints": [host]}]})
    };
    for (stated, live, expected) in [
        ("DRAINING", "UNHEALTHY", "DRAINING"),
        ("TIMEOUT", "UNHEALTHY", "TIMEOUT"),
        ("UNKNOWN", "HEALTHY", "UNKNOWN"),
        ("HEALTHY", "UNHEALTHY", "HEALTHY"),
        ("DRAINING", "HEALTHY", "HEALTHY"),
    ] {
        let text = json!({"configs": [
            {"@type": "type.googleapis.com/envoy.admin.v3.ClustersConfigDump", "static_clusters": [
                {"cluster": {"name": "c", "load_assignment": with(stated)}}]},
            {"@type": "type.googleapis.com/envoy.admin.v3.EndpointsConfigDump", "static_endpoint_configs": [
                {"endpoint_config": with(live)}]},
        ]});
        let config = dump(&text.to_string());
        let endpoint = &plain(&config, "c").priorities[0].endpoints[0];
        assert_eq!(
            endpoint.health.status.name(),
            expected,
            "{stated} and {live}"
        );
        let unhealthy = live == "UNHEALTHY";
        assert_eq!(
            endpoint.health.coarse() == CoarseHealth::Unhealthy,
            unhealthy
        );
    }
}

#[test]
fn missing_endpoints_and_routes_name_the_query_for_them() {
    let config = dump(WITHOUT_EDS);
    let missing = with_code(&config.warnings, "config/eds-endpoints");
    assert_eq!(missing.len(), 1);
    assert!(
        missing[0].message.contains("/config_dump?include_eds"),
        "{}",
        missing[0]
    );
    assert!(missing[0].position.is_some());
    assert!(
        with_code(&config.warnings, "config/no-endpoints").is_empty(),
        "{:#?}",
        config.warnings
    );

    let listeners = section(WITH_EDS, "ListenersConfigDump").to_string();
    let config = dump(&listeners);
    let missing = with_code(&config.warnings, "config/rds-routes");
    assert_eq!(missing.len(), 1, "{:#?}", config.warnings);
    let text = missing[0].to_string();
    assert!(
        text.contains("\"dynroutes\"") && text.contains("/config_dump"),
        "{text}"
    );
    let unseen = with_code(&config.warnings, "config/filter-not-modeled");
    assert!(unseen[0].message.contains("/config_dump"), "{unseen:?}");

    // An EDS cluster of a bootstrap, which never has them.
    let config =
        dump(r#"{"name": "c", "type": "EDS", "eds_cluster_config": {"service_name": "s"}}"#);
    let missing = with_code(&config.warnings, "config/eds-endpoints");
    assert!(missing[0].message.contains("ClusterLoadAssignment"));
}

#[test]
fn warming_resources_are_skipped_with_a_warning() {
    let config = dump(WARMING);
    let names: Vec<&str> = config
        .model
        .clusters()
        .iter()
        .map(|c| c.name.as_str())
        .collect();
    assert_eq!(names, ["dyn-eds", "dyn-static"]);
    assert!(config.listeners.is_empty());
    let warming: Vec<String> = with_code(&config.warnings, "config/dump-warming")
        .iter()
        .map(|w| w.to_string())
        .collect();
    assert_eq!(warming.len(), 3, "{warming:#?}");
    for name in ["\"dyn-warming\"", "\"dynl\"", "\"warml\""] {
        assert!(warming.iter().any(|w| w.contains(name)), "{warming:#?}");
    }
}

#[test]
fn a_rejected_update_gets_a_warning() {
    let text = json!({"configs": [{"@type": "type.googleapis.com/envoy.admin.v3.ClustersConfigDump",
        "dynamic_active_clusters": [{"cluster": {"name": "c"}, "error_state":
            {"failed_configuration": {"name": "c"}, "details": "no such policy"}}]}]});
    let config = dump(&text.to_string());
    let refused = with_code(&config.warnings, "config/dump-refused");
    assert_eq!(refused[0].found.as_deref(), Some("\"no such policy\""));
}

#[test]
fn parts_of_a_dump_read_like_the_whole() {
    let whole = dump(WITH_EDS);
    // As in the answer to /config_dump?resource=dynamic_active_clusters.
    let resources = |kind: &str, item: &str, field: &str| -> Vec<Value> {
        let items = section(WITH_EDS, kind)[field].as_array().unwrap().clone();
        let type_name = format!("type.googleapis.com/envoy.admin.v3.{kind}.{item}");
        let typed = items.into_iter().map(|mut item| {
            item["@type"] = json!(type_name);
            item
        });
        typed.collect()
    };
    let clusters = resources(
        "ClustersConfigDump",
        "DynamicCluster",
        "dynamic_active_clusters",
    );
    let endpoints = resources(
        "EndpointsConfigDump",
        "DynamicEndpointConfig",
        "dynamic_endpoint_configs",
    );
    let routes = resources(
        "RoutesConfigDump",
        "DynamicRouteConfig",
        "dynamic_route_configs",
    );
    let listeners = resources(
        "ListenersConfigDump",
        "DynamicListener",
        "dynamic_listeners",
    );
    let filters = resources("EcdsConfigDump", "EcdsFilterConfig", "ecds_filters");
    let all: Vec<Value> = [clusters, endpoints.clone(), routes, listeners, filters].concat();
    let part = dump(&json!({ "configs": all }).to_string());
    for name in ["dyn-eds", "dyn-static"] {
        assert_eq!(part.model.cluster(name), whole.model.cluster(name));
    }
    assert_eq!(part.listeners.len(), 1);
    let routes = [&part.listeners[0], &whole.listeners[1]].map(|l| format!("{:?}", l.routes));
    assert_eq!(routes[0], routes[1]);

    // Endpoints alone are clusters of their names.
    let alone = dump(&json!({ "configs": endpoints }).to_string());
    let service: &Cluster = alone.model.cluster("svc").unwrap();
    let ClusterKind::Plain(service) = &service.kind else {
        panic!("{service:?}");
    };
    assert_eq!(service.priorities, plain(&whole, "dyn-eds").priorities);

    // A standalone section, and the bootstrap if no section lists the resources in use.
    let clusters = dump(&section(WITH_EDS, "ClustersConfigDump").to_string());
    assert_eq!(
        clusters.model.clusters().len(),
        whole.model.clusters().len()
    );
    let bootstrap = dump(&section(WITH_EDS, "BootstrapConfigDump").to_string());
    assert_eq!(bootstrap.model.clusters().len(), 7);
    assert_eq!(bootstrap.listeners[0].name, "stl");
    let routes = dump(&section(WITH_EDS, "RoutesConfigDump").to_string());
    let names: Vec<&str> = routes.listeners.iter().map(|l| l.name.as_str()).collect();
    assert_eq!(names, ["dynroutes", "inline"]);
}

/// Converts every field name to JSON's spelling. Metadata keys stay as they are.
fn camel_case(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, mut value) in std::mem::take(fields) {
                if name != "filter_metadata" {
                    camel_case(&mut value);
                }
                let mut camel = String::new();
                for part in name.split('_') {
                    let mut chars = part.chars();
                    match chars.next() {
                        Some(first) if !camel.is_empty() => camel.push(first.to_ascii_uppercase()),
                        Some(first) => camel.push(first),
                        None => {}
                    }
                    camel.extend(chars);
                }
                fields.insert(camel, value);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(camel_case),
        _ => {}
    }
}

#[test]
fn both_spellings_of_names_are_equivalent() {
    let mut text: Value = serde_json::from_str(WITH_EDS).unwrap();
    camel_case(&mut text);
    let camel = text.to_string();
    assert!(camel.contains("dynamicActiveClusters") && camel.contains("lbEndpoints"));
    let (snake, camel) = (dump(WITH_EDS), dump(&camel));
    assert_eq!(snake.model, camel.model);
    assert_eq!(snake.listeners.len(), camel.listeners.len());
    assert_eq!(snake.warnings.len(), camel.warnings.len());
}

#[test]
fn version_2_is_rejected_everywhere() {
    let refused = |text: Value| {
        let faults = read(&text.to_string(), Format::Json).unwrap_err();
        let codes: Vec<&str> = faults.iter().map(|fault| fault.code).collect();
        assert_eq!(codes, ["config/api-version"], "{faults:#?}");
    };
    let admin = "type.googleapis.com/envoy.admin.v2alpha.ClustersConfigDump";
    refused(json!({"configs": [{"@type": admin}, {"@type": admin}]}));
    let cluster = json!({"@type": "type.googleapis.com/envoy.api.v2.Cluster", "name": "c"});
    refused(cluster.clone());
    refused(
        json!({"configs": [{"@type": "type.googleapis.com/envoy.admin.v3.ClustersConfigDump",
            "static_clusters": [{"cluster": cluster}]}]}),
    );
    let manager = "type.googleapis.com/envoy.config.filter.network.http_connection_manager.v2.HttpConnectionManager";
    refused(
        json!({"static_resources": {"listeners": [{"filter_chains": [{"filters": [
            {"name": "hcm", "typed_config": {"@type": manager}}]}]}]}}),
    );
}

#[test]
fn faults_in_a_dump_have_positions() {
    let text = "{\"configs\": [\n {\"@type\": \"type.googleapis.com/envoy.admin.v3.ClustersConfigDump\",\n  \"static_clusters\": [\n   {\"cluster\": {\"name\": \"c\", \"lb_polici\": \"MAGLEV\"}},\n   {\"cluster\": {\"name\": \"d\", \"lb_policy\": \"MAGLEF\"}}]}]}";
    let config = dump(text);
    let lines = config.warnings.iter().map(|f| f.render("dump.json"));
    let lines: Vec<String> = lines
        .filter(|line| !line.contains("no-endpoints"))
        .collect();
    assert_eq!(lines.len(), 3, "{lines:#?}");
    assert_eq!(
        lines[0],
        "dump.json:4:30: config/unknown-field: configs[0].static_clusters[0].cluster.lb_polici: unknown field in Cluster (did you mean lb_policy?)"
    );
    assert!(lines[1].contains("cluster \"d\" has unreadable values; skipped"));
    assert!(lines[2].starts_with("dump.json:5:43: config/unknown-value: "));
    // Without a readable cluster, the faults are errors.
    let faults = read(&text.replace("lb_polici", "lb_policy"), Format::Json);
    assert!(faults.is_ok());
    let faults = read(
        &text.replace("lb_polici\": \"MAGLEV", "lb_policy\": \"MAGLEF"),
        Format::Json,
    )
    .unwrap_err();
    let codes: Vec<&str> = faults.iter().map(|fault| fault.code).collect();
    assert_eq!(codes, ["config/unknown-value"; 2]);
}

#[test]
fn an_empty_response_is_rejected() {
    for text in ["{}", "", "[{}]"] {
        let faults = read(text, Format::Yaml).unwrap_err();
        assert_eq!(faults[0].code, "config/empty", "{text:?}");
    }
}

/// A capture has the statuses of `/clusters` in a section of its own.
#[test]
fn statuses_in_a_dump_give_hosts_weights_and_exact_health() {
    let host = |address: &str, health: Value| {
        json!({
            "address": {"socket_address": {"address": address, "port_value": 80}},
            "health_status": health, "weight": 3,
        })
    };
    let hosts_of_c = [
        host("10.0.0.1", json!({"eds_health_status": "DRAINING"})),
        host("10.0.0.2", json!({"failed_active_health_check": true})),
    ];
    let text = json!({"configs": [
        {
            "@type": "type.googleapis.com/envoy.admin.v3.ClustersConfigDump",
            "static_clusters": [{"cluster": {"name": "c", "type": "EDS"}}],
        },
        {
            "@type": "type.googleapis.com/envoy.admin.v3.Clusters",
            "cluster_statuses": [{"name": "c", "host_statuses": hosts_of_c}],
        },
    ]});
    let config = dump(&text.to_string());
    assert_eq!(config.warnings, []);
    let plain = plain(&config, "c");
    assert_eq!(
        hosts(plain),
        [
            (0, "10.0.0.1:80", CoarseHealth::Unhealthy),
            (0, "10.0.0.2:80", CoarseHealth::Unhealthy),
        ]
    );
    let endpoints = &plain.priorities[0].endpoints;
    assert!(endpoints[0].health.excluded() && !endpoints[1].health.excluded());
    assert_eq!(endpoints[1].weight.get(), 3);

    let mut wrong = text;
    wrong["configs"][1]["cluster_statuses"][0]["host_statuses"][0]["weight"] = json!("x");
    let warnings = dump(&wrong.to_string()).warnings;
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let path = "configs[1].cluster_statuses[0].host_statuses[0].weight";
    assert_eq!(warnings[0].path, path);
}

#[test]
fn warnings_about_unknown_hosts_stay_while_a_cluster_has_no_status() {
    let cluster = |name: &str| json!({"cluster": {"name": name, "type": "EDS"}});
    let status = |name: &str| {
        let address = json!({"socket_address": {"address": "10.0.0.1", "port_value": 80}});
        json!({"name": name, "host_statuses": [{"address": address, "health_status": {}}]})
    };
    let codes = |statuses: &[Value]| {
        let text = json!({"configs": [
            {
                "@type": "type.googleapis.com/envoy.admin.v3.ClustersConfigDump",
                "static_clusters": [cluster("a"), cluster("b")],
            },
            {
                "@type": "type.googleapis.com/envoy.admin.v3.Clusters",
                "cluster_statuses": statuses,
            },
        ]});
        let warnings = dump(&text.to_string()).warnings;
        warnings.iter().map(|one| one.code).collect::<Vec<_>>()
    };
    assert_eq!(codes(&[status("a")]), ["config/eds-endpoints"]);
    assert_eq!(codes(&[status("a"), status("b")]), [""; 0]);
}

#[test]
fn a_status_does_not_replace_a_skipped_cluster() {
    let unreadable = json!({"cluster": {"name": "c", "type": "EDS", "lb_policy": "FASTEST"}});
    let other = json!({"cluster": {"name": "d", "type": "EDS"}});
    let text = json!({"configs": [
        {
            "@type": "type.googleapis.com/envoy.admin.v3.ClustersConfigDump",
            "static_clusters": [unreadable, other],
        },
        {
            "@type": "type.googleapis.com/envoy.admin.v3.Clusters",
            "cluster_statuses": [{"name": "c", "host_statuses": []}],
        },
    ]});
    let config = dump(&text.to_string());
    let names = config.model.clusters().iter().map(|cluster| &*cluster.name);
    assert_eq!(names.collect::<Vec<_>>(), ["d"]);
}
