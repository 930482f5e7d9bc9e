//! `layered_runtime`: which values count, and what is named. The values are those of Envoy 1.40.

use spillgate_config::{
    Affects, DiagnosticSeverity,
    envoy::{EnvoyConfig, ReadOptions, SourceText, has_messages, read_sources},
    runtime::{KeyEffect, RUNTIME_KEYS, key_effect},
};
use spillgate_core::model::{ClusterKind, LocalityLb, PlainCluster, Policy};

use crate::common::{config, findings, plain};

/// The keys in Envoy's binary.
const KEYS: &str = include_str!("runtime_keys/envoy-1.40.txt");

/// A bootstrap with a cluster that has these further fields, and with these layers.
fn bootstrap(fields: &str, layers: &str) -> String {
    format!(
        "{{static_resources: {{clusters: [{{name: c, {fields}load_assignment: {{cluster_name: c, policy: \
         {{drop_overloads: [{{category: a, drop_percentage: {{numerator: 60}}}}]}}, endpoints: \
         [{{lb_endpoints: [{{endpoint: {{address: {{socket_address: {{address: 10.0.0.1, port_value: \
         80}}}}}}}}]}}]}}}}]}}, layered_runtime: {{layers: [{layers}]}}}}"
    )
}

/// One static layer.
fn layer(values: &str) -> String {
    format!("{{name: s, static_layer: {{{values}}}}}")
}

fn threshold(layers: &str) -> u32 {
    let config = config(&bootstrap("", layers));
    plain(&config).panic_threshold.percent()
}

#[test]
fn later_layers_and_nested_maps_set_values() {
    for (layers, expected) in [
        (layer("upstream.healthy_panic_threshold: 7"), 7),
        (layer("upstream: {healthy_panic_threshold: 7}"), 7),
        (layer("upstream.healthy_panic_threshold: '7.9'"), 7),
        (layer("upstream.healthy_panic_threshold: 1000"), 100),
        // Other types and negative numbers leave the setting.
        (layer("upstream.healthy_panic_threshold: true"), 50),
        (layer("upstream.healthy_panic_threshold: -1"), 50),
        (
            layer("upstream.healthy_panic_threshold: {numerator: 7}"),
            50,
        ),
        (
            layer("upstream: {numerator: 1, healthy_panic_threshold: 7}"),
            50,
        ),
        (
            layer("upstream.healthy_panic_threshold: 90")
                + ", {name: t, static_layer: {upstream.healthy_panic_threshold: 7}}",
            7,
        ),
        (
            layer("upstream.healthy_panic_threshold: 7")
                + ", {name: t, static_layer: {upstream.healthy_panic_threshold: abc}}",
            50,
        ),
    ] {
        assert_eq!(threshold(&layers), expected, "{layers}");
    }
}

#[test]
fn every_cluster_reads_the_threshold() {
    let text = bootstrap(
        "common_lb_config: {healthy_panic_threshold: {value: 30}}, ",
        &layer("upstream.healthy_panic_threshold: 0"),
    );
    assert_eq!(plain(&config(&text)).panic_threshold.percent(), 0);
    let text = "{static_resources: {clusters: [{name: a, lb_policy: CLUSTER_PROVIDED, cluster_type: {name: \
                envoy.clusters.aggregate, typed_config: {\"@type\": \
                type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [b]}}}, \
                {name: b, load_assignment: {cluster_name: b}}]}, layered_runtime: {layers: [{name: s, \
                static_layer: {upstream.healthy_panic_threshold: 0}}]}}";
    let config = config(text);
    let ClusterKind::Aggregate(aggregate) = &config.model.clusters()[0].kind else {
        panic!("{config:#?}");
    };
    assert_eq!(aggregate.panic_threshold.percent(), 0);
}

/// The cluster of a bootstrap with this layer.
fn cluster(fields: &str, values: &str) -> PlainCluster {
    plain(&config(&bootstrap(fields, &layer(values)))).clone()
}

#[test]
fn zones_drops_and_named_keys_use_their_values() {
    let zones = |fields: &str, values: &str| match cluster(fields, values).locality_lb {
        LocalityLb::ZoneAware(zones) => zones,
        LocalityLb::Weighted => panic!("{values}"),
    };
    let typed = "load_balancing_policy: {policies: [{typed_extension_config: {name: p, typed_config: \
                 {\"@type\": type.googleapis.com/envoy.extensions.load_balancing_policies.round_robin.v3.RoundRobin, \
                 locality_lb_config: {zone_aware_lb_config: {routing_enabled: {value: 0}, force_local_zone: \
                 {min_size: 2}}}}}}]}, ";
    let read = zones(
        typed,
        "upstream.zone_routing: {enabled: 40.9, min_cluster_size: 7}",
    );
    assert_eq!((read.routing_enabled, read.min_cluster_size), (40, 7));
    for (size, expected) in [(3, Some(3)), (0, Some(2))] {
        let values = format!("upstream.zone_routing.force_local_zone.min_size: {size}");
        assert_eq!(zones(typed, &values).force_local_zone, expected);
    }
    assert_eq!(
        zones("", "upstream.zone_routing.enabled: 150").routing_enabled,
        100
    );

    for (limit, dropped) in [
        ("20.9", 200_000),
        ("0", 0),
        ("100", 600_000),
        ("abc", 600_000),
    ] {
        let values = format!("load_balancing_policy.drop_overload_limit: {limit}");
        assert_eq!(
            cluster("", &values).drop_overload.millionths(),
            dropped,
            "{limit}"
        );
    }
    let found = findings(&bootstrap(
        "",
        &layer("load_balancing_policy.drop_overload_limit: 150"),
    ));
    assert!(found[0].contains("exceeds 100 %"), "{found:?}");

    let bias = "lb_policy: LEAST_REQUEST, least_request_lb_config: {active_request_bias: {default_value: 1, \
                runtime_key: my.bias}, slow_start_config: {slow_start_window: 60s, aggression: \
                {default_value: 1, runtime_key: my.aggression}}}, ";
    let read = cluster(bias, "my: {bias: '2.5', aggression: 3}");
    let Policy::LeastRequest(policy) = read.policy else {
        panic!("{read:?}");
    };
    assert_eq!(policy.active_request_bias(), 2.5);
    assert_eq!(read.slow_start.unwrap().aggression(), 3.0);
}

#[test]
fn layers_that_envoy_rejects_are_errors() {
    for (layers, expected) in [
        ("{name: s, static_layer: {k: [1]}}", "invalid runtime value"),
        (
            "{name: s, static_layer: {k: null}}",
            "invalid runtime value",
        ),
        ("{static_layer: {}}", "name: required field is missing"),
        ("{name: s}", "layer without a kind"),
        (
            "{name: s, static_layer: {}, admin_layer: {}}",
            "mutually exclusive",
        ),
        (
            "{name: s, static_layer: {}}, {name: s, admin_layer: {}}",
            "duplicate layer name",
        ),
        (
            "{name: s, admin_layer: {}}, {name: t, admin_layer: {}}",
            "more than one admin_layer",
        ),
    ] {
        let found = findings(&bootstrap("", layers));
        assert!(found[0].contains(expected), "{layers}: {found:?}");
    }
}

#[test]
fn unknown_values_and_keys_that_decide_are_named() {
    for (layers, effect, affects) in [
        (
            "{name: a, admin_layer: {}}".into(),
            "admin_layer a can set",
            Affects::Everything,
        ),
        (
            "{name: d, disk_layer: {symlink_root: /x}}".into(),
            "disk_layer d reads",
            Affects::Everything,
        ),
        (
            "{name: r, rtds_layer: {name: r}}".into(),
            "rtds_layer r gets",
            Affects::Everything,
        ),
        (
            layer("k: 1, k.a: 2, k: {a: 3}"),
            "two values for runtime key k.a",
            Affects::Everything,
        ),
        (
            layer("upstream.maintenance_mode.c: 30"),
            "upstream.maintenance_mode.c = 30",
            Affects::Cluster("c".into()),
        ),
        (
            layer("circuit_breakers.c.default.max_retries: 0"),
            "circuit breakers",
            Affects::Cluster("c".into()),
        ),
        (
            layer("envoy.reloadable_features.new_in_version_2: true"),
            "unknown behavior",
            Affects::Everything,
        ),
    ] {
        let config = config(&bootstrap("", &layers));
        let limits: Vec<_> = config.limits().collect();
        assert_eq!(limits.len(), 1, "{layers}: {limits:#?}");
        assert!(limits[0].message.contains(effect), "{layers}: {limits:#?}");
        assert_eq!(limits[0].affects, affects, "{layers}");
    }
    for silent in [
        "tracing.random_sampling: 0",
        "my.own.key: 3",
        // Other values than 0 refuse by load.
        "overload.global_downstream_max_connections: 50000",
        "envoy.resource_limits.listener.l.connection_limit: 100",
        "envoy.reloadable_features.http2_use_oghttp2: false",
        "envoy.reloadable_features.http_reject_path_with_fragment: false",
        // A feature of earlier versions.
        "envoy.reloadable_features.no_extension_lookup_by_name: false",
    ] {
        let config = config(&bootstrap("", &layer(silent)));
        assert!(
            config.warnings.is_empty(),
            "{silent}: {:#?}",
            config.warnings
        );
    }
}

/// A key of Envoy that the table lacks would be ignored silently.
#[test]
fn every_key_in_the_binary_is_modeled_named_or_irrelevant() {
    let mut keys = 0;
    for key in KEYS.lines().filter(|line| !line.starts_with('#')) {
        keys += 1;
        let key = key.replace("{}", "name");
        let Some((effect, _)) = key_effect(&key) else {
            panic!("{key} has no row in RUNTIME_KEYS");
        };
        let known = !matches!(effect, KeyEffect::Named(what) if what.starts_with("unknown"));
        assert!(known, "{key} is not in the lists of features");
        let value = match effect {
            KeyEffect::Named(_) => 1,
            KeyEffect::NamedAtZero(_) => 0,
            _ => continue,
        };
        let config = config(&bootstrap("", &layer(&format!("{key}: {value}"))));
        let limits = config
            .warnings
            .iter()
            .filter(|found| found.severity == DiagnosticSeverity::Limit);
        assert_eq!(limits.count(), 1, "{key}");
    }
    assert!(keys > 200, "{keys}");
    for row in &RUNTIME_KEYS {
        assert!(!row.evidence.is_empty());
    }
}

/// The response of Envoy 1.40 to `/runtime`. A struct is Protobuf's debug text.
const RUNNING: &str = r#"{"layers": ["s", "admin"], "entries": {
    "upstream.healthy_panic_threshold": {"layer_values": ["70", "20.9"], "final_value": "20.9"},
    "upstream.use_retry": {"layer_values": ["0", ""], "final_value": "0"},
    "my.fraction": {"final_value": "goo.gle/debugonly   \nfields {\n  key: \"denominator\"\n  value {\n    string_value: \"TEN_THOUSAND\"\n  }\n}\nfields {\n  key: \"numerator\"\n  value {\n    number_value: 25\n  }\n}\n", "layer_values": []},
    "my.empty": {"final_value": "goo.gle/debugonly   \n", "layer_values": []},
    "my.other": {"final_value": "goo.gle/debugonly   \nfields {\n  key: \"x\"\n  value {\n    number_value: 25\n  }\n}\n", "layer_values": []}
}}"#;

/// A route with a runtime key.
fn route(key: &str) -> String {
    format!(
        "{{name: r, virtual_hosts: [{{name: v, domains: ['*'], routes: [{{match: {{prefix: /, \
         runtime_fraction: {{runtime_key: {key}, default_value: {{numerator: 70}}}}}}, route: {{cluster: c}}}}]}}]}}"
    )
}

fn read_texts(texts: &[&str]) -> EnvoyConfig {
    let texts: Vec<SourceText<'_>> = texts
        .iter()
        .map(|text| SourceText::guess("a.yaml", text))
        .collect();
    read_sources(&texts, &ReadOptions::default()).unwrap()
}

#[test]
fn final_values_of_a_running_envoy_replace_the_layers() {
    let text = bootstrap(
        "",
        &(layer("upstream.healthy_panic_threshold: 70") + ", {name: admin, admin_layer: {}}"),
    );
    assert!(has_messages(&SourceText::guess("runtime.json", RUNNING)));
    for (key, numerator) in [
        ("my.fraction", 25),
        ("my.empty", 0),
        ("my.other", 70),
        ("my.unset", 70),
    ] {
        let config = read_texts(&[&text, &route(key), RUNNING]);
        assert_eq!(plain(&config).panic_threshold.percent(), 20);
        let limits: Vec<_> = config
            .limits()
            .map(|limit| limit.message.as_str())
            .collect();
        let [late, retry] = limits.as_slice() else {
            panic!("{limits:?}");
        };
        // The second layer can have changed since the last change of hosts.
        assert!(late.contains("layer sets upstream.healthy_panic_threshold"));
        assert!(retry.starts_with("runtime key upstream.use_retry = 0"));
        let routes = &config.listeners[0].routes.virtual_hosts[0].routes;
        let fraction = routes
            .first()
            .map_or(0, |route| route.matcher.fraction.unwrap().numerator);
        assert_eq!(fraction, numerator, "{key}");
    }
}

#[test]
fn a_capture_has_the_final_values_as_a_section() {
    let dump = format!(
        "{{\"configs\": [{{\"@type\": \"type.googleapis.com/envoy.admin.v3.ClustersConfigDump\", \
         \"static_clusters\": [{{\"cluster\": {{\"name\": \"c\", \"load_assignment\": {{\"cluster_name\": \
         \"c\"}}}}}}]}}, {RUNNING}]}}"
    );
    let config = read_texts(&[&dump]);
    assert_eq!(plain(&config).panic_threshold.percent(), 20);
}
