//! `spillgate diff`.

use std::{fs, path::Path, process::Command};

use serde_json::Value;

use crate::{
    page_comparison::assert_page_agrees,
    run::{Ran, assert_golden, scratch, spillgate, spillgate_with},
};

const OLD: &str = "../examples/envoy.yaml";
const NEW: &str = "../examples/changed.yaml";

pub(crate) fn diff(args: &[&str]) -> Ran {
    spillgate(&[&["diff"], args].concat())
}

/// Compares two configurations, whose files are in a new folder. The playground must say the same.
pub(crate) fn diff_of(folder: &str, sides: [&Value; 2], args: &[&str]) -> Ran {
    let folder = scratch(folder);
    let files = ["old.json", "new.json"].map(|file| folder.join(file));
    for (file, side) in files.iter().zip(sides) {
        fs::write(file, side.to_string()).unwrap();
    }
    let files = files.map(|file| file.display().to_string());
    assert_page_agrees(sides, [&files[0], &files[1]]);
    diff(&[&[files[0].as_str(), &files[1]], args].concat())
}

/// The listener `web` with this route configuration.
pub(crate) fn web(routes: &Value) -> Value {
    serde_json::json!({
        "name": "web",
        "address": {"socket_address": {"address": "127.0.0.1", "port_value": 8080}},
        "filter_chains": [{"filters": [{"name": "http", "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager",
            "stat_prefix": "web",
            "http_filters": [{
                "name": "router",
                "typed_config": {"@type": "type.googleapis.com/envoy.extensions.filters.http.router.v3.Router"},
            }],
            "route_config": routes,
        }}]}],
    })
}

pub(crate) fn json(args: &[&str]) -> Value {
    let ran = diff(&[args, &["--format", "json"]].concat());
    assert!(ran.status < 2, "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

#[test]
fn answers_match_the_golden_files() {
    let question = [
        &[OLD, NEW][..],
        &[
            "--expect",
            "moved <= 30%",
            "--expect",
            "share_change(zone=a) <= 50",
        ],
        &[
            "--expect",
            "no new panic",
            "--expect",
            "no new 503",
            "--expect",
            "no route change",
        ],
    ]
    .concat();
    for (format, golden) in [
        ("text", "diff.txt"),
        ("json", "diff.json"),
        ("markdown", "diff.md"),
    ] {
        let ran = diff(&[&question[..], &["--format", format]].concat());
        assert_eq!(ran.status, 1, "{}", ran.stderr);
        assert_golden(golden, &ran.stdout);
    }
}

#[test]
fn a_comment_and_an_order_are_proved_to_change_nothing() {
    let folder = scratch("diff_order");
    let old = fs::read_to_string(repository_example("envoy.yaml")).unwrap();
    let host = |number| {
        format!(
            "        - endpoint: {{address: {{socket_address: {{address: 10.0.0.{number}, port_value: 80}}}}}}\n"
        )
    };
    let new = old.replace(
        &(host(1) + &host(2)),
        &format!("{}        # comment\n{}", host(2), host(1)),
    );
    assert_ne!(old, new);
    let (a, b) = (folder.join("a.yaml"), folder.join("b.yaml"));
    fs::write(&a, old).unwrap();
    fs::write(&b, new).unwrap();
    let ran = diff(&[a.to_str().unwrap(), b.to_str().unwrap()]);
    assert_eq!(ran.status, 0);
    assert_eq!(
        ran.stdout,
        "No request differs (proved for 2 clusters and 1 listener)\n"
    );
    let same = json(&[OLD, OLD]);
    assert_eq!(same["proved_equal"], true);
}

pub(crate) fn repository_example(name: &str) -> std::path::PathBuf {
    spillgate_testkit::repository()
        .join("cli/tests/cli/examples")
        .join(name)
}

#[test]
fn expectations_set_the_exit_status() {
    for (expectation, status) in [
        ("moved <= 60%", 0),
        ("moved <= 50%", 1),
        ("share_change(zone=a) <= 30", 0),
        ("share_change(zone=a) < 30", 1),
        ("no new panic", 0),
        ("no new 503", 0),
        ("no route change", 1),
    ] {
        assert_eq!(
            diff(&[OLD, NEW, "--expect", expectation]).status,
            status,
            "{expectation}"
        );
        assert_eq!(
            diff(&[OLD, OLD, "--expect", expectation]).status,
            0,
            "{expectation}"
        );
    }
    let chosen = json(&[OLD, NEW, "--cluster", "*-canary"]);
    assert_eq!(chosen["clusters"].as_array().unwrap().len(), 0);
    assert_eq!(chosen["equal_clusters"], serde_json::json!(["shop-canary"]));
}

#[test]
fn chosen_clusters_prove_nothing_about_the_others() {
    let folder = scratch("diff_chosen");
    let old = fs::read_to_string(repository_example("envoy.yaml")).unwrap();
    let changed = folder.join("changed.yaml");
    fs::write(&changed, old.replacen("10.0.0.4", "10.0.0.9", 1)).unwrap();
    let changed = changed.to_str().unwrap();
    let ran = diff(&[OLD, changed, "--cluster", "*-canary"]);
    let first = "No request to the chosen clusters differs (proved for 1 cluster); not shown: 1 other cluster with differences";
    assert_eq!(ran.stdout.lines().next(), Some(first));
    let chosen = json(&[OLD, changed, "--cluster", "*-canary"]);
    assert_eq!(chosen["proved_equal"], false);
    let all = diff(&[OLD, changed, "--cluster", "shop*"]);
    assert!(!all.stdout.contains("not shown"), "{}", all.stdout);
}

/// The opposite change has the opposite figures.
#[test]
fn both_directions_have_the_same_size() {
    let (there, back) = (json(&[OLD, NEW]), json(&[NEW, OLD]));
    let moved = |answer: &Value| {
        answer["clusters"][0]["requests"][0]["moved"]
            .as_f64()
            .unwrap()
    };
    assert!((moved(&there) - moved(&back)).abs() < 1e-9);
    assert_eq!(
        there["clusters"][0]["hosts"]["added"],
        back["clusters"][0]["hosts"]["removed"]
    );
    assert_eq!(there["routes"][0]["before"], back["routes"][0]["after"]);
}

#[test]
fn unusable_sides_are_all_named() {
    let ran = diff(&["no-such.yaml", "other.yaml"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("no-such.yaml") && ran.stderr.contains("other.yaml"));
    for (args, code) in [
        (&[OLD][..], "diff/sides"),
        (&[OLD, NEW, NEW], "diff/sides"),
        (&["-", "-"], "input/twice"),
        (&[OLD, NEW, "--cluster", "shap*"], "diff/unknown-cluster"),
        (&[OLD, NEW, "--expect", "moves < 1"], "diff/expectation"),
        (
            &[OLD, NEW, "--expect", "share_change(zone=x) < 1"],
            "what-if/no-host",
        ),
        (&["--git", "--output=x", OLD], "error"),
        (&["--git=-x", OLD], "diff/git"),
    ] {
        let ran = diff(args);
        assert_eq!(ran.status, 2, "{args:?}: {}", ran.stdout);
        assert!(ran.stderr.contains(code), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn standard_input_and_links_are_sides() {
    let old = fs::read(repository_example("envoy.yaml")).unwrap();
    let piped = spillgate_with(&["diff", "-", OLD], &old);
    assert_eq!(
        piped.stdout,
        "No request differs (proved for 2 clusters and 1 listener)\n"
    );
    let link = spillgate(&[
        "link",
        "encode",
        OLD,
        "--include-addresses",
        "--page",
        "http://127.0.0.1:8080/",
    ]);
    let ran = json(&[OLD, link.stdout.trim()]);
    // A link has no listeners, and clusters without the metadata that nothing reads here.
    let equal = serde_json::json!(["shop", "shop-canary"]);
    assert_eq!(ran["equal_clusters"], equal, "{ran:#}");
    assert_eq!(ran["routes"][0]["after"], "no listener");
}

fn git(folder: &Path, args: &[&str]) {
    let identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    let output = Command::new("git")
        .current_dir(folder)
        .args(identity)
        .args(args)
        .output()
        .unwrap();
    assert!(output.status.success(), "{args:?}: {output:?}");
}

#[test]
fn a_revision_of_git_is_the_old_side() {
    let folder = scratch("diff_git");
    let below = folder.join("parts");
    fs::create_dir_all(&below).unwrap();
    let file = below.join("envoy.yaml");
    let old = fs::read_to_string(repository_example("envoy.yaml")).unwrap();
    fs::write(&file, &old).unwrap();
    fs::write(below.join("notes.json"), "{}").unwrap();
    git(&folder, &["init", "--quiet"]);
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "--quiet", "--message", "first"]);
    fs::write(&file, old.replace("weight: 9", "weight: 4")).unwrap();
    for path in [&file, &below] {
        let path = path.to_str().unwrap();
        let found = json(&["--git", "HEAD", path]);
        assert_eq!(found["routes"].as_array().unwrap().len(), 1, "{path}");
        assert_eq!(found["old"], format!("HEAD:{path}"));
    }
    let explained = json(&["--git", "HEAD", file.to_str().unwrap()]);
    assert_explains(&explained, &folder);
    for (revision, path) in [("no-such", "envoy.yaml"), ("HEAD", "missing.yaml")] {
        let path = below.join(path);
        let ran = diff(&["--git", revision, path.to_str().unwrap()]);
        assert_eq!(ran.status, 2, "{}", ran.stdout);
        assert!(ran.stderr.contains("diff/git"), "{}", ran.stderr);
    }
}

/// The commands of the first route explain its request, wherever they run.
fn assert_explains(found: &Value, folder: &Path) {
    let program = Path::new(env!("CARGO_BIN_EXE_spillgate"));
    let programs = program.parent().unwrap().display();
    let commands = found["routes"][0]["explain"].as_array().unwrap();
    for command in commands {
        let command = command.as_str().unwrap();
        let ran = Command::new("sh")
            .args(["-c", &format!("PATH={programs}:$PATH; {command}")])
            .current_dir(folder)
            .output()
            .unwrap();
        let shown = String::from_utf8_lossy(&ran.stdout);
        let said = String::from_utf8_lossy(&ran.stderr);
        assert!(shown.contains("route"), "{command}: {shown}{said}");
    }
    assert_eq!(commands.len(), 2);
}

#[test]
fn renamed_and_new_files_are_compared_with_a_revision() {
    let folder = scratch("diff_git_renamed");
    let (first, second) = (folder.join("first.yaml"), folder.join("second.yaml"));
    let old = fs::read_to_string(repository_example("envoy.yaml")).unwrap();
    fs::write(&first, &old).unwrap();
    git(&folder, &["init", "--quiet"]);
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "--quiet", "--message", "first"]);
    git(&folder, &["mv", "first.yaml", "second.yaml"]);
    fs::write(&second, old.replace("weight: 9", "weight: 4")).unwrap();
    let second = second.to_str().unwrap();
    let renamed = json(&["--git", "HEAD", second]);
    assert_eq!(renamed["routes"].as_array().unwrap().len(), 1);
    assert_explains(&renamed, &std::env::temp_dir());

    // Clusters of a new file are added; a new file alone has no old side.
    let added = folder.join("added.yaml");
    let cluster = "static_resources: {clusters: [{name: extra, load_assignment: {cluster_name: extra, endpoints: \
                   [{lb_endpoints: [{endpoint: {address: {socket_address: {address: 10.9.9.9, port_value: 80}}}}]}]}}]}";
    fs::write(&added, cluster).unwrap();
    let added = added.to_str().unwrap();
    let both = json(&["--git", "HEAD", second, added]);
    let clusters = both["clusters"].as_array().unwrap();
    assert!(
        clusters
            .iter()
            .any(|of| of["name"] == "extra" && of["status"] == "added"),
        "{both:#}"
    );
    assert_eq!(diff(&["--git", "HEAD", added]).status, 2);
}

/// A control plane can send other hosts for another resource, or from another server.
#[test]
fn hosts_of_another_source_are_not_known_to_be_the_same() {
    let folder = scratch("diff_sources");
    let file = |name: &str, clusters: &str| {
        let path = folder.join(name);
        fs::write(&path, format!("static_resources:\n  clusters:\n{clusters}")).unwrap();
        path.display().to_string()
    };
    let eds = |name: &str, source: &str| {
        format!(
            "  - {{name: {name}, type: EDS, eds_cluster_config: {{{source}eds_config: {{ads: {{}}}}}}}}\n"
        )
    };
    let own = |name: &str| eds(name, "");
    let aggregate = |name: &str| {
        let config = concat!(
            r#"{"@type": type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, "#,
            "clusters: [inner]}"
        );
        format!(
            "  - {{name: {name}, lb_policy: CLUSTER_PROVIDED, cluster_type: {{name: envoy.clusters.aggregate, typed_config: {}}}}}\n",
            config.replace("inner", if name == "outer" { "middle" } else { "a" })
        )
    };
    let aggregates = aggregate("outer") + &aggregate("middle");
    let old = file("old.yaml", &(own("a") + &aggregates));
    let statuses = |new: &str| -> Vec<(String, String)> {
        let found = json(&[&old, new]);
        let clusters = found["clusters"].as_array().unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let mut found: Vec<_> = clusters
            .iter()
            .map(|of| (text(&of["name"]), text(&of["status"])))
            .collect();
        found.sort();
        found
    };
    assert_eq!(statuses(&old), []);
    let unknown = |names: &[&str]| -> Vec<(String, String)> {
        let names = names.iter();
        names
            .map(|name| ((*name).into(), "unknown".into()))
            .collect()
    };
    // The aggregate of the aggregate reads its hosts, too.
    let other = file("other.yaml", &(eds("a", "service_name: b, ") + &aggregates));
    assert_eq!(statuses(&other), unknown(&["a", "middle", "outer"]));
    let custom =
        "  - {name: a, cluster_type: {name: envoy.clusters.redis}, lb_policy: CLUSTER_PROVIDED}\n";
    let custom = file("custom.yaml", &(custom.to_owned() + &aggregates));
    assert_eq!(statuses(&custom), unknown(&["a", "middle", "outer"]));
    let expected = diff(&[&old, &other, "--expect", "moved <= 0%"]);
    assert_eq!(expected.status, 1, "{}", expected.stdout);
    // EDS sends hosts by the name of the cluster.
    let (before, after) = (
        file("before.yaml", &own("a")),
        file("after.yaml", &own("b")),
    );
    let renamed = json(&[&before, &after]);
    assert_eq!(renamed["clusters"][0]["status"], "unknown", "{renamed:#}");
    assert_eq!(renamed["clusters"][0]["renamed_from"], "a");
    assert_eq!(renamed["proved_equal"], false);
}

#[test]
fn sarif_has_the_new_findings_only() {
    let folder = scratch("diff_sarif");
    let old = fs::read_to_string(repository_example("envoy.yaml")).unwrap();
    let new = old.replace(
        "lb_policy: MAGLEV",
        "lb_policy: RANDOM\n    common_lb_config: {healthy_panic_threshold: {value: 0}}",
    );
    let path = folder.join("new.yaml");
    fs::write(&path, new).unwrap();
    let results = |new: &str| {
        let log: Value =
            serde_json::from_str(&diff(&[OLD, new, "--format", "sarif"]).stdout).unwrap();
        log["runs"][0]["results"].as_array().unwrap().clone()
    };
    assert_eq!(results(OLD), Vec::<Value>::new());
    let found = results(path.to_str().unwrap());
    assert!(!found.is_empty());
    assert!(
        found
            .iter()
            .all(|result| result["ruleId"] != "hash-lb-no-hash-policy"),
        "{found:?}"
    );
}

/// Documents of a mesh are compared as each zone sees them.
#[test]
fn a_mesh_has_an_answer_for_each_zone() {
    const MESH: &str = "../examples/mesh.yaml";
    let old = fs::read_to_string(repository_example("mesh.yaml")).unwrap();
    let same = diff(&[MESH, MESH]);
    assert_eq!(same.status, 0, "{}", same.stderr);
    assert!(same.stdout.lines().count() > 1, "{}", same.stdout);
    assert!(
        same.stdout
            .lines()
            .all(|line| line.ends_with("no request differs (proved)"))
    );
    let folder = scratch("diff_mesh");
    let path = folder.join("mesh.yaml");
    let less = old.replacen("zone-1", "zone-9", 1);
    assert_ne!(old, less);
    fs::write(&path, less).unwrap();
    let changed = json(&[MESH, path.to_str().unwrap()]);
    let zones = changed["zones"].as_array().unwrap();
    assert!(
        zones.iter().any(|zone| zone["proved_equal"] == false),
        "{changed:#}"
    );
    let one = json(&[MESH, path.to_str().unwrap(), "--as", "zone-2"]);
    let of_zone = zones.iter().find(|zone| zone["zone"] == "zone-2").unwrap();
    assert_eq!(one["clusters"], of_zone["clusters"]);

    // A revision of git has the same answers.
    fs::copy(repository_example("mesh.yaml"), &path).unwrap();
    git(&folder, &["init", "--quiet"]);
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "--quiet", "--message", "first"]);
    fs::write(&path, old.replacen("zone-1", "zone-9", 1)).unwrap();
    let since = json(&["--git", "HEAD", path.to_str().unwrap()]);
    assert_eq!(since["zones"].as_array().unwrap().len(), zones.len());
    for (since, zone) in since["zones"].as_array().unwrap().iter().zip(zones) {
        assert_eq!(since["clusters"], zone["clusters"]);
        assert_eq!(
            since["routes"].as_array().map(Vec::len),
            zone["routes"].as_array().map(Vec::len)
        );
    }
}

#[test]
fn a_comment_has_a_link_to_the_comparison() {
    let page = "https://example.org/play/";
    let ran = diff(&[OLD, NEW, "--format", "markdown", "--page", page]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let link = ran.stdout.lines().find(|line| line.starts_with("[Compare"));
    let link = link.unwrap_or_else(|| panic!("no link in {}", ran.stdout));
    let fragment = link.split(['#', ')']).nth(1).unwrap();
    let encoded = spillgate(&["link", "encode", "--diff", OLD, NEW, "--cluster", "shop"]);
    assert_eq!(format!("#{fragment}\n"), encoded.stdout);
    let wrong = diff(&[OLD, NEW, "--format", "markdown", "--page", "play"]);
    assert_eq!(wrong.status, 2);
    wrong.assert_error_has("--page: link/page: invalid URL");
}

#[test]
fn a_comment_without_room_for_the_comparison_says_so() {
    let folder = scratch("diff_large");
    let file = |name: &str, health: &str| {
        let clusters = (0..900).map(|number| {
            format!(
                "  - name: cluster-{number}\n    load_assignment:\n      cluster_name: cluster-{number}\n      endpoints:\n      \
                 - lb_endpoints:\n        - endpoint: {{address: {{socket_address: {{address: 10.0.0.1, port_value: 80}}}}}}\n          \
                 health_status: {health}\n"
            )
        });
        let path = folder.join(name);
        let text: String = clusters.collect();
        fs::write(&path, format!("static_resources:\n  clusters:\n{text}")).unwrap();
        path.display().to_string()
    };
    let (old, new) = (file("old.yaml", "HEALTHY"), file("new.yaml", "DEGRADED"));
    let page = "https://example.org/";
    let ran = diff(&[
        &old,
        &new,
        "--format",
        "markdown",
        "--page",
        page,
        "--include-addresses",
    ]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let line = "The sides do not fit into a link: import the files in the playground.";
    assert!(ran.stdout.contains(line), "{}", ran.stdout);
}
