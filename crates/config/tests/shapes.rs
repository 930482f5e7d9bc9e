//! Every shape that control planes print gives the model of the plain bootstrap, or a message that
//! explains why it is not read.

use std::{fmt::Write as _, fs, path::PathBuf};

use spillgate_config::envoy::{
    EnvoyConfig, Format, ReadOptions, read, read_clusters_only, read_for_lint,
};
use spillgate_core::model::Model;

/// The fixtures without endpoints or without routes, with the parts that they have.
const PARTIAL: [(&str, &str); 23] = [
    ("clusters-output.json", "clusters"),
    ("clusters-output.txt", "clusters"),
    ("dump-entries.json", "clusters"),
    ("dump-section-untyped.json", "clusters"),
    ("dump-section.json", "routes"),
    ("egctl-config-cluster.yaml", "clusters"),
    ("gateway-patch-policy.json", "clusters"),
    ("gateway-patch-policy.yaml", "clusters"),
    ("istioctl-clusters.json", "clusters"),
    ("istioctl-clusters.yaml", "clusters"),
    ("istioctl-endpoints.json", "clusters"),
    ("istioctl-endpoints.yaml", "clusters"),
    ("istioctl-listeners.json", "routes"),
    ("istioctl-listeners.yaml", "routes"),
    ("istioctl-routes.json", "routes"),
    ("istioctl-routes.yaml", "routes"),
    ("xds-bare.yaml", "clusters"),
    ("xds-file.json", "routes"),
    ("xds-file.yaml", "clusters"),
    ("xds-mixed-names.json", "clusters"),
    ("xds-resource.json", "clusters"),
    ("xds-response.json", "clusters"),
    ("xds-response.yaml", "clusters"),
];

/// The files of a folder of fixtures, by name.
fn fixtures(folder: &str) -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/shapes")
        .join(folder);
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|file| {
            let path = file.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect();
    files.sort();
    files
}

fn fixture(name: &str) -> String {
    let found = fixtures("read").into_iter().find(|(file, _)| file == name);
    found.unwrap_or_else(|| panic!("{name}")).1
}

fn config(name: &str, text: &str) -> EnvoyConfig {
    read(text, Format::guess(name, text)).unwrap_or_else(|faults| panic!("{name}: {faults:#?}"))
}

/// The hosts of each cluster with priority and weight.
fn hosts(model: &Model) -> Vec<String> {
    let mut rows = Vec::new();
    for cluster in model.clusters() {
        for (number, priority) in cluster.priorities().iter().enumerate() {
            for host in &priority.endpoints {
                let (address, weight) = (&host.address, host.weight.get());
                rows.push(format!("{} P{number} {address} {weight}", cluster.name));
            }
        }
    }
    rows
}

/// The virtual hosts of each listener with the actions of their routes.
fn routes(config: &EnvoyConfig) -> Vec<String> {
    let hosts = config
        .listeners
        .iter()
        .flat_map(|listener| &listener.routes.virtual_hosts);
    hosts
        .flat_map(|host| host.routes.iter().map(move |route| (&host.domains, route)))
        .map(|(domains, route)| format!("{domains:?} {:?} {:?}", route.matcher, route.action))
        .collect()
}

#[test]
fn every_shape_gives_the_model_of_the_plain_bootstrap() {
    let plain = config("plain.yaml", &fixture("plain.yaml"));
    let (expected_hosts, expected_routes) = (hosts(&plain.model), routes(&plain));
    assert_eq!((expected_hosts.len(), expected_routes.len()), (3, 1));
    for (name, text) in fixtures("read") {
        // A retry policy is part of the action.
        if name == "dump-old.json" {
            continue;
        }
        let found = config(&name, &text);
        let parts = PARTIAL.iter().find(|(file, _)| *file == name);
        let parts = parts.map_or("clusters and routes", |(_, parts)| parts);
        let expected = |part: &str, rows: &Vec<String>| {
            if parts.contains(part) {
                rows.clone()
            } else {
                Vec::new()
            }
        };
        assert_eq!(
            hosts(&found.model),
            expected("clusters", &expected_hosts),
            "{name}"
        );
        assert_eq!(
            routes(&found),
            expected("routes", &expected_routes),
            "{name}"
        );
        let format = Format::guess(&name, &text);
        let for_lint = read_for_lint(&text, format, &ReadOptions::default()).unwrap();
        assert_eq!(hosts(&for_lint.model), hosts(&found.model), "{name}");
        let clusters = read_clusters_only(&text, format).unwrap();
        assert_eq!(hosts(&clusters.model), hosts(&found.model), "{name}");
    }
}

/// The warnings of a fixture, without those about missing parts.
fn warnings(name: &str) -> Vec<String> {
    let warnings = config(name, &fixture(name)).warnings.into_iter();
    warnings.map(|warning| warning.render("")).collect()
}

#[test]
fn documents_of_other_kinds_are_named_once_each() {
    assert_eq!(
        warnings("kubernetes-documents.yaml"),
        [
            ":1:1: input/skipped: document of another kind is skipped; found Deployment shop",
            ":67:1: input/skipped: document of another kind is skipped; found Service shop",
        ]
    );
}

#[test]
fn patches_of_resources_outside_the_input_are_named() {
    let expected = "MERGE of CLUSTER changes a generated resource; patch skipped";
    assert!(warnings("istio-envoyfilter.json")[0].contains(expected));
    let expected =
        "replace of /address/socket_address/port_value in envoy.config.listener.v3.Listener";
    assert!(warnings("gateway-patch-policy.yaml")[0].contains(expected));
    let expected = "Patch of cluster changes a generated resource; patch skipped";
    assert!(warnings("kuma-meshproxypatch.yaml")[0].contains(expected));
    let expected = "remove of networkFilter changes a generated resource; patch skipped";
    assert!(warnings("kuma-proxytemplate.yaml")[0].contains(expected));
}

#[test]
fn a_text_of_another_program_in_a_config_map_is_named() {
    assert_eq!(
        warnings("kubernetes-configmap.yaml"),
        [":8:5: input/skipped: document of another kind is skipped; found data.mesh"]
    );
}

#[test]
fn the_output_of_istioctl_is_what_a_proxy_received() {
    let text = fixture("istioctl-routes.json");
    let faults = text.replacen("\"match\"", "\"perFilterConfig\": {}, \"match\"", 1);
    let found = config("istioctl-routes.json", &faults);
    assert_eq!(found.warnings[0].code, "config/unknown-field");
}

#[test]
fn of_several_proxies_the_first_is_read() {
    let warning = &warnings("egctl-config.yaml")[0];
    assert!(warning.contains("several proxies; reading only \"default/envoy-default-eg-7d4\""));
    assert!(warning.contains("also \"default/envoy-default-eg-9f2\""));
}

#[test]
fn faults_in_a_dump_are_warnings_and_its_old_fields_have_their_meaning() {
    let text = fixture("dump-old.json");
    let found = config("dump-old.json", &text);
    assert_eq!(hosts(&found.model).len(), 3);
    let codes: Vec<&str> = found.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, ["config/unknown-field", "config/missing"]);
    assert!(
        routes(&found)[0].contains("PreviousHosts"),
        "{:?}",
        routes(&found)
    );
}

#[test]
fn a_cluster_of_a_dump_with_unreadable_values_is_skipped() {
    let text = fixture("dump.json");
    let mut dump: serde_json::Value = serde_json::from_str(&text).unwrap();
    let clusters = dump["configs"][0]["dynamic_active_clusters"]
        .as_array_mut()
        .unwrap();
    let mut other = clusters[0].clone();
    other["cluster"]["name"] = "other".into();
    other["cluster"]["lb_policy"] = "FASTEST".into();
    clusters.push(other);
    let mut route = dump["configs"][3]["dynamic_route_configs"][0]["route_config"]["virtual_hosts"]
        [0]["routes"][0]
        .clone();
    route["route"]["cluster"] = "other".into();
    let routes_of = &mut dump["configs"][3]["dynamic_route_configs"][0]["route_config"]["virtual_hosts"]
        [0]["routes"];
    routes_of.as_array_mut().unwrap().push(route);
    let found = config("dump.json", &dump.to_string());
    assert_eq!(hosts(&found.model).len(), 3);
    let codes: Vec<&str> = found.warnings.iter().map(|warning| warning.code).collect();
    assert!(codes.contains(&"config/dump-unreadable"), "{codes:?}");
    // The result of its requests is unknown, not 503.
    assert!(
        routes(&found)[1].contains("Unmodeled"),
        "{:?}",
        routes(&found)
    );
}

#[test]
fn positions_in_a_text_of_a_field_are_those_of_the_file() {
    for name in [
        "kubernetes-configmap.yaml",
        "kubernetes-deployment.yaml",
        "kuma-meshproxypatch.yaml",
        "kuma-proxytemplate.yaml",
    ] {
        let text = fixture(name);
        let found = config(name, &text);
        let position = found.marks.endpoint("shop", 0, 0).unwrap().endpoint;
        let line = text.lines().nth(position.line as usize - 1).unwrap();
        let at: String = line.chars().skip(position.column as usize - 1).collect();
        assert_eq!(at, "endpoint:", "{name}");
    }
}

#[test]
fn refused_shapes_explain_themselves() {
    let mut messages = String::new();
    for (name, text) in fixtures("refused") {
        let faults = read(&text, Format::guess(&name, &text)).unwrap_err();
        writeln!(messages, "{name}").unwrap();
        for fault in &faults {
            writeln!(messages, "  {}", fault.render("")).unwrap();
        }
    }
    crate::common::assert_golden("refused.txt", &messages);
}
