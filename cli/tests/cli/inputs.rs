//! Several files, folders and the standard input as one configuration.

use std::fs;

use serde_json::Value;

use crate::run::{Ran, fixtures, scratch, spillgate, spillgate_with};

/// The files of one proxy, from the folder of the fixtures.
const PARTS: &str = "../examples/parts";

fn part(name: &str) -> String {
    format!("{PARTS}/{name}.yaml")
}

fn text(name: &str) -> String {
    fs::read_to_string(fixtures().join(part(name))).unwrap()
}

#[track_caller]
fn answered(ran: Ran) -> String {
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    ran.stdout
}

#[track_caller]
fn refused(args: &[&str]) -> String {
    let ran = spillgate(args);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
    ran.stderr
}

#[test]
fn all_commands_join_files() {
    let (clusters, endpoints) = (part("clusters"), part("endpoints"));
    let (bootstrap, routes) = (part("bootstrap"), part("routes"));
    let split = answered(spillgate(&[
        "split", &endpoints, &clusters, "--format", "csv",
    ]));
    assert_eq!(split.lines().count(), 4, "{split}");
    for args in [
        &["explain", &bootstrap, &clusters, &endpoints, &routes][..],
        &["what-if", &clusters, &endpoints, "--lose", "zone=a:1"],
        &["link", "encode", &clusters, &endpoints],
        &["export", &clusters, &endpoints, "--to", "csv"],
    ] {
        answered(spillgate(args));
    }
    let row = br#"{"i":0,"path":"/"}"#;
    let picked = spillgate_with(
        &["pick", &bootstrap, &clusters, &endpoints, &routes, "-"],
        row,
    );
    assert!(answered(picked).contains("10.0.0.3:80"));
}

#[test]
fn the_standard_input_is_one_of_several_files() {
    let args = ["split", &part("clusters"), "-", "--format", "csv"];
    let split = answered(spillgate_with(&args, text("endpoints").as_bytes()));
    assert_eq!(split.lines().count(), 4, "{split}");
    let twice = refused(&["split", "-", "-"]);
    assert!(twice.contains("input/twice"), "{twice}");
}

#[test]
fn explain_quotes_the_file_of_each_setting() {
    let folder = ["explain", PARTS];
    let shown = answered(spillgate(&folder));
    for place in [
        "routes.yaml:8:7  - match: {prefix: /}",
        "clusters.yaml:2:3  - '@type': type.googleapis.com/envoy.config.cluster.v3.Cluster",
        "endpoints.yaml:9:7  - endpoint",
    ] {
        assert!(shown.contains(&format!("--> {PARTS}/{place}")), "{shown}");
    }
    let json = answered(spillgate(&["explain", PARTS, "--format", "json"]));
    let json: Value = serde_json::from_str(&json).unwrap();
    let at = &json["steps"][0]["at"];
    assert_eq!(at["file"], part("routes").as_str(), "{at}");
    assert_eq!(at["line"], 8);
}

#[test]
fn lint_names_the_file_of_each_finding_and_change() {
    let folder = scratch("lint-files");
    let clusters = text("clusters").replace("ROUND_ROBIN", "RANDOM");
    let endpoints = text("endpoints").replace(
        "    - endpoint: {address: {socket_address: {address: 10.0.0.2",
        "    - load_balancing_weight: 5\n      endpoint: {address: {socket_address: {address: 10.0.0.2",
    );
    fs::write(folder.join("clusters.yaml"), clusters).unwrap();
    fs::write(folder.join("endpoints.yaml"), endpoints).unwrap();
    let folder = folder.to_str().unwrap();
    let json = answered(spillgate(&[
        "lint",
        folder,
        "--format",
        "json",
        "--fix-plan",
    ]));
    let rows: Vec<Value> = serde_json::from_str(&json).unwrap();
    let row = rows
        .iter()
        .find(|row| row["rule"] == "random-ignores-weights")
        .unwrap();
    assert_eq!(row["file"], format!("{folder}/endpoints.yaml"));
    assert_eq!((&row["line"], &row["column"]), (&9.into(), &30.into()));
    assert_eq!(row["plan"][0]["file"], format!("{folder}/clusters.yaml"));
    let text = answered(spillgate(&["lint", folder, "--fix-plan"]));
    assert!(text.contains("endpoints.yaml:9:30"), "{text}");
    assert!(
        text.contains(&format!(
            "in {folder}/clusters.yaml: set resources[0].lb_policy"
        )),
        "{text}"
    );
    let sarif = answered(spillgate(&["lint", folder, "--format", "sarif"]));
    assert!(sarif.contains("endpoints.yaml"), "{sarif}");
}

#[test]
fn a_folder_is_read_recursively_without_hidden_and_other_files() {
    let folder = scratch("folder");
    fs::create_dir_all(folder.join("b/.hidden")).unwrap();
    fs::write(
        folder.join("b/eds.json"),
        "{\"cluster_name\": \"shop\", \"endpoints\": []}",
    )
    .unwrap();
    fs::write(folder.join("b/.hidden/cds.yaml"), text("clusters")).unwrap();
    fs::write(folder.join(".cds.yaml"), text("clusters")).unwrap();
    fs::write(folder.join("cds.yml"), text("clusters")).unwrap();
    fs::write(folder.join("notes.txt"), "no configuration").unwrap();
    fs::write(folder.join("app.yaml"), text("deployment")).unwrap();
    let name = folder.to_str().unwrap();
    let ran = spillgate(&["split", name]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let skipped = format!(
        "warning: {name}: input/skipped: files without Envoy configuration are skipped; \
         found {name}/app.yaml\n"
    );
    assert!(ran.stderr.ends_with(&skipped), "{}", ran.stderr);
    // In the arguments, its documents are named.
    let app = folder.join("app.yaml");
    let ran = spillgate(&["split", name, app.to_str().unwrap()]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let document =
        "app.yaml:1:1: input/skipped: document of another kind is skipped; found Deployment shop\n";
    assert!(ran.stderr.contains(document), "{}", ran.stderr);
    // Alone, nothing is left.
    let found = refused(&["split", app.to_str().unwrap()]);
    assert!(found.contains("app.yaml: config/no-resources"), "{found}");
}

#[test]
fn a_folder_without_configuration_is_an_error() {
    let folder = scratch("empty-folder");
    let name = folder.to_str().unwrap();
    let found = refused(&["split", name]);
    assert!(
        found.contains(": input/no-files: the folder has no files"),
        "{found}"
    );
    fs::write(folder.join("app.yaml"), text("deployment")).unwrap();
    let found = refused(&["split", name]);
    assert!(
        found.contains(": input/no-files: no file of the folder"),
        "{found}"
    );
}

#[test]
fn root_finds_the_files_that_a_bootstrap_names() {
    let bootstrap = part("bootstrap");
    let args = ["split", &bootstrap, "--root", PARTS, "--format", "csv"];
    let split = answered(spillgate(&args));
    assert_eq!(split.lines().count(), 4, "{split}");
    // A file that is also in the arguments is read once.
    let routes = part("routes");
    answered(spillgate(&[
        "explain", &bootstrap, &routes, "--root", PARTS,
    ]));
    let empty = scratch("empty-root");
    let found = refused(&["split", &bootstrap, "--root", empty.to_str().unwrap()]);
    for (line, file) in [(3, "clusters"), (16, "routes")] {
        let place = format!("{bootstrap}:{line}:");
        let path = format!("found \"/etc/envoy/{file}.yaml\"");
        assert!(
            found
                .lines()
                .any(|fault| fault.starts_with(&place) && fault.ends_with(&path)),
            "{found}"
        );
    }
}

#[test]
fn documents_of_a_mesh_can_be_a_folder() {
    let folder = scratch("mesh-folder");
    for name in ["policy.yaml", "dataplanes.yaml"] {
        let from = fixtures().join("../examples").join(name);
        fs::copy(from, folder.join(name)).unwrap();
    }
    fs::write(folder.join("app.yaml"), text("deployment")).unwrap();
    let folder = folder.to_str().unwrap();
    answered(spillgate(&["convert", folder, "--as", "zone-1"]));
    let ran = spillgate(&["split", folder, "--as", "zone-1"]);
    assert!(
        ran.stderr.contains("without mesh documents are skipped"),
        "{}",
        ran.stderr
    );
    answered(ran);
}
