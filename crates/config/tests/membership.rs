//! Endpoints, discovery and the proxy's own location: what is read, and what is rejected.

use crate::common::{assert_found, config, findings, plain};
use spillgate_config::envoy::EnvoyConfig;
use spillgate_core::model::{ClusterKind, Locality, OriginalDstCluster, Value};

fn host(last: u8, weight: u8) -> String {
    format!(
        "{{endpoint: {{address: {{socket_address: {{address: 10.0.0.{last}, port_value: 80}}}}}}, load_balancing_weight: {weight}}}"
    )
}

/// Duplicate addresses within a locality, across localities and across priorities.
fn repeated(kind: &str) -> String {
    let list = |hosts: &[(u8, u8)]| {
        let hosts: Vec<String> = hosts
            .iter()
            .map(|&(last, weight)| host(last, weight))
            .collect();
        hosts.join(", ")
    };
    format!(
        "name: c\ntype: {kind}\nload_assignment:\n  cluster_name: c\n  endpoints:\n  - {{locality: {{zone: z}}, lb_endpoints: [{}]}}\n  - {{priority: 1, locality: {{zone: z}}, lb_endpoints: [{}]}}\n  - {{locality: {{zone: a}}, lb_endpoints: [{}]}}\n",
        list(&[(1, 3), (2, 1), (1, 5)]),
        list(&[(2, 9), (4, 1)]),
        list(&[(1, 7), (4, 2)]),
    )
}

#[test]
fn eds_keeps_the_first_of_an_address_and_other_types_keep_all() {
    let hosts = |config: &EnvoyConfig| -> Vec<Vec<(String, u32)>> {
        let priorities = plain(config).priorities.iter();
        priorities
            .map(|priority| {
                let endpoints = priority.endpoints.iter();
                endpoints
                    .map(|e| (e.address[7..8].to_owned(), e.weight.get()))
                    .collect()
            })
            .collect()
    };
    let expect = |priorities: &[&[(&str, u32)]]| -> Vec<Vec<(String, u32)>> {
        let priorities = priorities.iter();
        priorities
            .map(|priority| {
                priority
                    .iter()
                    .map(|(a, w)| ((*a).to_owned(), *w))
                    .collect()
            })
            .collect()
    };
    for kind in ["STATIC", "STRICT_DNS"] {
        let config = config(&repeated(kind));
        let priority = [("1", 3), ("2", 1), ("1", 5), ("1", 7), ("4", 2)];
        assert_eq!(
            hosts(&config),
            expect(&[&priority, &[("2", 9), ("4", 1)]]),
            "{kind}"
        );
        assert_eq!(config.warnings, [], "{kind}");
    }
    let eds = repeated("EDS");
    let config_eds = config(&eds);
    assert_eq!(
        hosts(&config_eds),
        expect(&[&[("1", 3), ("2", 1)], &[("4", 1)]])
    );
    let marks = config_eds.marks.cluster("c").unwrap();
    assert_eq!(marks.priorities[0].len(), 2);
    let codes: Vec<_> = config_eds.warnings.iter().map(|w| w.code).collect();
    assert_eq!(codes, ["config/eds-assignment", "config/repeated-address"]);
    assert!(
        config_eds.warnings[1]
            .message
            .ends_with("(and in 3 more places)")
    );

    // A standalone assignment comes from EDS.
    let lone = eds.lines().skip(3).map(|line| format!("{}\n", &line[2..]));
    let lone = config(&lone.collect::<String>());
    assert_eq!(hosts(&lone), hosts(&config_eds));
}

#[test]
fn eds_uses_the_separate_assignment() {
    let separate = format!(
        "cluster_name: c\nendpoints: [{{lb_endpoints: [{}]}}]\n",
        host(9, 1)
    );
    let address = |kind| {
        let config = config(&format!("{}---\n{separate}", repeated(kind)));
        plain(&config).priorities[0].endpoints[0].address.clone()
    };
    assert_eq!(address("EDS"), "10.0.0.9:80");
    assert_eq!(address("STATIC"), "10.0.0.1:80");
}

fn assignment(policy: &str) -> String {
    format!(
        "name: c\nload_assignment:\n  cluster_name: c\n  endpoints: [{{lb_endpoints: [{}]}}]\n  policy: {policy}\n",
        host(1, 1)
    )
}

#[test]
fn drop_overload() {
    for (percent, millionths) in [
        ("{numerator: 30}", 300_000),
        ("{numerator: 100, denominator: HUNDRED}", 1_000_000),
        ("{numerator: 9001, denominator: TEN_THOUSAND}", 900_100),
        ("{numerator: 7, denominator: MILLION}", 7),
        ("{}", 0),
    ] {
        let text = assignment(&format!(
            "{{drop_overloads: [{{category: a, drop_percentage: {percent}}}]}}"
        ));
        let config = config(&text);
        assert_eq!(
            plain(&config).drop_overload.millionths(),
            millionths,
            "{percent}"
        );
        let mark = config.marks.cluster("c").unwrap().drop_overload.unwrap();
        assert_eq!(mark.line, 5);
    }
    for (policy, expected) in [
        (
            "{drop_overloads: [{category: a}, {category: b}]}",
            "config/drop-overload: load_assignment.policy.drop_overloads[1]: more than one drop_overloads category; expected one category",
        ),
        (
            "{drop_overloads: [{category: a, drop_percentage: {numerator: 101}}]}",
            "drop percentage exceeds 100 %; found 101, expected at most the denominator",
        ),
        (
            "{drop_overloads: [{category: a, drop_percentage: {numerator: 4294967295, denominator: MILLION}}]}",
            "drop percentage exceeds 100 %",
        ),
        (
            "{drop_overloads: [{}]}",
            "category: required field is missing",
        ),
        ("{endpoint_stale_after: 0s}", "expected more than \"0s\""),
    ] {
        let found = findings(&assignment(policy));
        assert_eq!(found.len(), 1, "{policy}: {found:#?}");
        assert!(found[0].contains(expected), "{policy}: {}", found[0]);
    }
}

#[test]
fn metadata_of_an_endpoint() {
    let text = |metadata: &str| {
        assignment("{}").replace(
            "load_balancing_weight: 1",
            &format!(
                "metadata: {{filter_metadata: {{envoy.lb: {{{metadata}}}, other: {{x: 1}}}}}}"
            ),
        )
    };
    let config = config(&text("v: 15, hash_key: h"));
    let endpoint = &plain(&config).priorities[0].endpoints[0];
    assert_eq!(endpoint.hash_key(), "h");
    assert_eq!(endpoint.metadata.get("v"), Some(&Value::Number(15.0)));
    assert_eq!(
        endpoint.metadata.get("hash_key"),
        Some(&Value::Text("h".into()))
    );
    assert_eq!(endpoint.metadata.get("x"), None);
    let found = findings(&text("hash_key: 7"));
    assert!(found[0].contains("invalid hash_key; ignored"), "{found:#?}");
}

#[test]
fn endpoints_that_envoy_rejects() {
    let text = |kind: &str, endpoints: &str| {
        format!(
            "name: c\ntype: {kind}\nload_assignment: {{cluster_name: c, endpoints: {endpoints}}}\n"
        )
    };
    let (one, two) = (host(1, 1), host(2, 1));
    let weight = "load_balancing_weight: 4294967295";
    for (text, expected) in [
        (
            text("STATIC", "[{lb_endpoints: [{endpoint_name: a}]}]"),
            "Envoy does not support endpoint_name",
        ),
        (
            text(
                "LOGICAL_DNS",
                &format!("[{{lb_endpoints: [{one}, {two}]}}]"),
            ),
            "a LOGICAL_DNS cluster requires exactly one endpoint",
        ),
        (
            text("LOGICAL_DNS", &format!("[{{lb_endpoints: [{one}]}}, {{}}]")),
            "a LOGICAL_DNS cluster requires exactly one endpoint",
        ),
        (
            format!(
                "{}eds_cluster_config: {{service_name: a}}\n",
                text("STATIC", &format!("[{{lb_endpoints: [{one}]}}]"))
            ),
            "requires a cluster of type EDS",
        ),
        (
            text(
                "STATIC",
                &format!(
                    "[{{locality: {{zone: a}}, {weight}, lb_endpoints: [{one}]}}, {{locality: {{zone: b}}, {weight}, lb_endpoints: [{two}]}}]"
                ),
            ),
            "sum of locality weights in priority 0 is too large; found 8589934590, expected at most 4294967295",
        ),
    ] {
        assert_found(&text, expected);
    }
}

#[test]
fn dns_clusters_are_strict_or_logical() {
    let text = |settings: &str| {
        format!(
            "name: c\ncluster_type: {{name: envoy.cluster.dns, typed_config: {{\"@type\": type.googleapis.com/envoy.extensions.clusters.dns.v3.DnsCluster{settings}}}}}\nload_assignment: {{cluster_name: c, endpoints: [{{lb_endpoints: [{}, {}]}}]}}\n",
            host(1, 1),
            host(2, 1)
        )
    };
    assert_eq!(findings(&text("")), Vec::<String>::new());
    let found = findings(&text(", all_addresses_in_single_endpoint: true"));
    assert!(
        found[0].contains("a LOGICAL_DNS cluster requires exactly one endpoint"),
        "{found:#?}"
    );
}

const ORIGINAL: &str = "name: c\ntype: ORIGINAL_DST\nlb_policy: CLUSTER_PROVIDED\n";

#[test]
fn original_destinations() {
    let read_one = |settings: &str| {
        let config = config(&format!(
            "{ORIGINAL}original_dst_lb_config: {{{settings}}}\n"
        ));
        assert_eq!(config.warnings[0].code, "config/original-dst");
        match &config.model.clusters()[0].kind {
            ClusterKind::OriginalDst(original) => original.clone(),
            other => panic!("{other:?}"),
        }
    };
    let expect = |header: Option<&str>, upstream_port| OriginalDstCluster {
        http_header: header.map(str::to_owned),
        upstream_port,
    };
    assert_eq!(read_one(""), expect(None, None));
    assert_eq!(
        read_one("use_http_header: true, upstream_port_override: 8080"),
        expect(Some("x-envoy-original-dst-host"), Some(8080))
    );
    assert_eq!(
        read_one("use_http_header: true, http_header_name: X-To"),
        expect(Some("x-to"), None)
    );
}

#[test]
fn original_destinations_that_envoy_rejects() {
    for (text, expected) in [
        (
            "name: c\ntype: ORIGINAL_DST\n".into(),
            "this cluster type requires CLUSTER_PROVIDED; expected CLUSTER_PROVIDED",
        ),
        (
            format!("{ORIGINAL}load_assignment: {{cluster_name: c}}\n"),
            "ORIGINAL_DST clusters must not have endpoints",
        ),
        (
            format!("{ORIGINAL}original_dst_lb_config: {{http_header_name: a}}\n"),
            "http_header_name requires use_http_header; found \"a\", expected use_http_header: true",
        ),
        (
            format!("{ORIGINAL}original_dst_lb_config: {{upstream_port_override: 70000}}\n"),
            "found 70000, expected a port from 0 to 65535",
        ),
        (
            format!("{ORIGINAL}original_dst_lb_config: {{metadata_key: {{key: a}}}}\n"),
            "original_dst_lb_config.metadata_key.path: required field is missing",
        ),
    ] {
        assert_found(&text, expected);
    }
}

fn bootstrap(more: &str) -> String {
    format!(
        "static_resources:\n  clusters:\n  - {{name: shop, load_assignment: {{cluster_name: shop, endpoints: [{{lb_endpoints: [{}]}}]}}}}\n  - {{name: spilled, load_assignment: {{cluster_name: spilled, endpoints: [{{priority: 1, lb_endpoints: [{}]}}]}}}}\n{more}\n",
        host(1, 1),
        host(2, 1)
    )
}

#[test]
fn location_of_the_proxy() {
    let config_of = |more: &str| config(&bootstrap(more));
    let nowhere = config_of("node: {id: a}\ncluster_manager: {local_cluster_name: ''}");
    assert_eq!(nowhere.model.local().locality, None);
    assert_eq!(nowhere.model.local().cluster, None);
    assert_eq!(nowhere.warnings, []);

    let here = config_of(
        "node: {id: a, locality: {region: r, zone: z}}\ncluster_manager: {local_cluster_name: shop}",
    );
    let locality = Locality {
        region: "r".into(),
        zone: "z".into(),
        sub_zone: String::new(),
    };
    assert_eq!(here.model.local().locality, Some(locality));
    assert_eq!(here.model.local().cluster.as_deref(), Some("shop"));
    assert_eq!(here.marks.local_locality.unwrap().line, 5);
    assert_eq!(here.marks.local_cluster.unwrap().line, 6);

    // Hosts without a locality are in an unnamed locality.
    let unnamed = config_of("node: {locality: {}}");
    assert_eq!(unnamed.model.local().locality, Some(Locality::default()));
}

#[test]
fn local_clusters_that_envoy_rejects() {
    for (more, expected) in [
        (
            "cluster_manager: {local_cluster_name: shopp}",
            "config/local-cluster: cluster_manager.local_cluster_name: unknown cluster; found \"shopp\" (did you mean shop?)",
        ),
        (
            "cluster_manager: {local_cluster_name: spilled}",
            "the local cluster has endpoints in priority 1; only priority 0 is allowed; found \"spilled\"",
        ),
        (
            "cluster_manager: {local_cluster: a}",
            "unknown field in ClusterManager",
        ),
        ("node: {locality: {zones: a}}", "unknown field in Locality"),
    ] {
        let found = findings(&bootstrap(more));
        assert_eq!(found.len(), 1, "{more}: {found:#?}");
        assert!(found[0].contains(expected), "{more}: {}", found[0]);
    }
}
