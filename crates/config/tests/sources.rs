//! Several texts are read as one input.

use spillgate_config::envoy::{
    EnvoyConfig, ReadOptions, SourceText, has_messages, read_sources, referenced_files,
};

const BOOTSTRAP: &str = include_str!("../../../cli/tests/cli/examples/parts/bootstrap.yaml");
const CLUSTERS: &str = include_str!("../../../cli/tests/cli/examples/parts/clusters.yaml");
const ENDPOINTS: &str = include_str!("../../../cli/tests/cli/examples/parts/endpoints.yaml");
const ROUTES: &str = include_str!("../../../cli/tests/cli/examples/parts/routes.yaml");

/// Texts with their names.
fn sources<'a>(texts: &[(&'a str, &'a str)]) -> Vec<SourceText<'a>> {
    let texts = texts.iter();
    texts
        .map(|(name, text)| SourceText::guess(name, text))
        .collect()
}

fn joined(texts: &[(&str, &str)]) -> EnvoyConfig {
    read_sources(&sources(texts), &ReadOptions::default()).unwrap()
}

/// Every error, with its file.
fn refused(texts: &[(&str, &str)]) -> Vec<String> {
    let sources = sources(texts);
    let faults = read_sources(&sources, &ReadOptions::default()).unwrap_err();
    let map = SourceText::map(&sources);
    faults.iter().map(|fault| map.render(fault)).collect()
}

fn warnings(config: &EnvoyConfig) -> Vec<String> {
    let warnings = config.warnings.iter();
    warnings.map(|w| config.sources.render(w)).collect()
}

#[test]
fn resources_of_different_files_are_joined_by_name_in_any_order() {
    let texts = [
        ("bootstrap.yaml", BOOTSTRAP),
        ("clusters.yaml", CLUSTERS),
        ("endpoints.yaml", ENDPOINTS),
        ("routes.yaml", ROUTES),
    ];
    let reversed: Vec<_> = texts.iter().rev().copied().collect();
    for texts in [&texts[..], &reversed] {
        let config = joined(texts);
        let hosts = &config.model.clusters()[0].priorities()[0].endpoints;
        assert_eq!(hosts.len(), 3);
        let listener = &config.listeners[0];
        assert_eq!(listener.name, "edge");
        assert_eq!(listener.routes.virtual_hosts[0].routes.len(), 1);
        let eds = warnings(&config);
        assert!(!eds.iter().any(|w| w.contains("eds-endpoints")), "{eds:?}");

        let place = |position| {
            let place = config.sources.place(position);
            (place.name, place.position.line, place.position.column)
        };
        let marks = config.marks.cluster("shop").unwrap();
        assert_eq!(place(marks.cluster), ("clusters.yaml", 2, 3));
        assert_eq!(place(marks.lb_policy.unwrap()), ("clusters.yaml", 5, 14));
        let host = marks.priorities[0][2].endpoint;
        assert_eq!(place(host), ("endpoints.yaml", 13, 7));
        assert_eq!(place(listener.marks[0].route), ("routes.yaml", 8, 7));
    }
}

#[test]
fn json_and_yaml_are_one_input() {
    let json = r#"{"name": "shop",
        "type": "EDS"}"#;
    let config = joined(&[("c.json", json), ("e.yaml", ENDPOINTS), ("r.yaml", ROUTES)]);
    assert_eq!(
        config.model.clusters()[0].priorities()[0].endpoints.len(),
        3
    );
    let route = config.listeners[0].marks[0].route;
    assert_eq!(config.sources.place(route).position.line, 8);
}

#[test]
fn errors_of_all_files_have_their_files() {
    let found = refused(&[
        ("a.yaml", "name: a\nlb_policy: MAGLEF\n"),
        ("b.json", "{\"name\": 7}"),
        ("c.yaml", "# nothing\n"),
    ]);
    let starts = [
        "a.yaml:2:12: config/unknown-value: lb_policy: ",
        "b.json:1:10: config/type: name: ",
        "c.yaml:1:1: config/empty: ",
    ];
    assert_eq!(found.len(), starts.len(), "{found:#?}");
    for (found, start) in found.iter().zip(starts) {
        assert!(found.starts_with(start), "{found}");
    }
}

#[test]
fn every_file_with_a_syntax_error_is_reported() {
    let found = refused(&[
        ("a.yaml", "name: [a\n"),
        ("b.yaml", "name: b\n"),
        ("c.json", "{\n\"name\" 1}"),
    ]);
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found[0].starts_with("a.yaml:"), "{found:#?}");
    assert!(found[1].starts_with("c.json:2:8: "), "{found:#?}");
}

#[test]
fn a_cluster_in_two_files_is_an_error_with_both_places() {
    let cluster = "name: shop\ntype: EDS\n";
    assert_eq!(
        refused(&[("a.yaml", cluster), ("b.yaml", cluster)]),
        [
            "b.yaml:1:1: config/duplicate-cluster: duplicate cluster name \"shop\", first defined at a.yaml:1:1"
        ]
    );
}

#[test]
fn other_resources_in_two_files_get_a_warning_with_both_places() {
    let found = warnings(&joined(&[
        ("c.yaml", CLUSTERS),
        ("new.yaml", ENDPOINTS),
        ("old.yaml", ENDPOINTS),
    ]));
    let expected = "old.yaml:2:3: config/duplicate-resource: resources[0]: cluster_name is also in new.yaml:2:3; \
                    using the last one; found \"shop\", expected the files of one proxy";
    assert!(found.iter().any(|w| w == expected), "{found:#?}");
}

#[test]
fn missing_parts_name_the_file_that_has_them() {
    let bootstrap = ("bootstrap.yaml", BOOTSTRAP);
    let alone = warnings(&joined(&[bootstrap])).join("\n");
    let clusters = "the file /etc/envoy/clusters.yaml";
    assert!(alone.contains(clusters), "{alone}");
    let both = joined(&[bootstrap, ("clusters.yaml", CLUSTERS)]);
    let found = warnings(&both).join("\n");
    assert!(!found.contains(clusters), "{found}");
    for file in ["/etc/envoy/endpoints.yaml", "/etc/envoy/routes.yaml"] {
        assert!(found.contains(&format!("the file {file}")), "{found}");
    }
}

#[test]
fn the_files_of_dynamic_resources_are_found() {
    let paths = |text| {
        let files = referenced_files(&SourceText::guess("envoy.yaml", text)).into_iter();
        files.map(|file| file.path).collect::<Vec<_>>()
    };
    assert_eq!(
        paths(BOOTSTRAP),
        ["/etc/envoy/clusters.yaml", "/etc/envoy/routes.yaml"]
    );
    assert_eq!(paths(CLUSTERS), ["/etc/envoy/endpoints.yaml"]);
    let older =
        r#"{"dynamicResources": {"ldsConfig": {"path": "/lds"}, "cdsConfig": {"ads": {}}}}"#;
    assert_eq!(paths(older), ["/lds"]);
}

#[test]
fn documents_of_other_kinds_are_not_messages() {
    let has = |text| has_messages(&SourceText::guess("file.yaml", text));
    for text in [
        BOOTSTRAP,
        CLUSTERS,
        ENDPOINTS,
        ROUTES,
        include_str!("shapes/read/kubernetes-configmap.yaml"),
        include_str!("shapes/read/clusters-output.json"),
        "{configs: []}",
        "broken: [",
    ] {
        assert!(has(text), "{text}");
    }
    let deployment = include_str!("../../../cli/tests/cli/examples/parts/deployment.yaml");
    for text in [
        deployment,
        "name: ci\non: push\njobs: {}\n",
        "# nothing\n",
        "[1, 2]",
    ] {
        assert!(!has(text), "{text}");
    }
}
