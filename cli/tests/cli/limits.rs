//! Answers name the settings that are not modeled, each next to the figures that it concerns.

use serde_json::{Value, json};

use crate::run::{Ran, spillgate, spillgate_with};

/// An HTTP filter, a route condition and a cluster type that are not modeled.
const CONFIG: &str = "limits.yaml";

const LUA: &str = "HTTP filter lua is not modeled; assuming that it changes nothing";
const TLS: &str =
    "a match with tls_context is not modeled; requests that reach it have an unknown result";

fn json_of(args: &[&str]) -> Value {
    let ran = spillgate(args);
    assert!(ran.status < 2, "{args:?}: {}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

/// The effects under the key `limits`.
fn effects(value: &Value) -> Vec<&str> {
    let limits = value["limits"].as_array().into_iter().flatten();
    limits
        .map(|limit| limit["effect"].as_str().unwrap())
        .collect()
}

/// The lines about limits in an output.
fn lines(ran: &Ran) -> Vec<&str> {
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(!ran.stderr.contains("not modeled"), "{}", ran.stderr);
    let lines = ran.stdout.lines();
    lines
        .filter(|line| line.starts_with("can differ: "))
        .collect()
}

#[test]
fn split_names_limits_of_its_clusters_only() {
    let ran = spillgate(&["split", CONFIG]);
    let lines = lines(&ran);
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains("cluster_type"), "{lines:?}");
    let place = "(limits.yaml:35:19 static_resources.clusters[1].cluster_type)";
    assert!(lines[0].ends_with(place), "{lines:?}");
    let after = ran.stdout.split("\nmail (").nth(1).unwrap();
    assert!(after.contains(lines[0]), "{}", ran.stdout);

    let shop = json_of(&["split", CONFIG, "--cluster", "shop", "--format", "json"]);
    assert_eq!(shop.get("limits"), None);
    let all = json_of(&["split", CONFIG, "--format", "json"]);
    assert_eq!(effects(&all).len(), 1);
    assert_eq!(all["limits"][0]["line"], 35);

    // A list of values has no place for them.
    let ran = spillgate(&["split", CONFIG, "--format", "csv"]);
    assert!(ran.stderr.contains("can differ: "), "{}", ran.stderr);
}

#[test]
fn explain_names_limits_of_the_route_and_the_listener() {
    let ran = spillgate(&["explain", CONFIG, "--path", "/tls"]);
    let found = lines(&ran);
    assert!(
        found[0].contains(LUA) && found[1].contains(TLS),
        "{found:?}"
    );
    assert_eq!(found.len(), 2);

    let ran = spillgate(&["explain", CONFIG, "--path", "/"]);
    assert_eq!(lines(&ran).len(), 1);
    let other = json_of(&["explain", CONFIG, "--path", "/", "--format", "json"]);
    assert_eq!(effects(&other), [LUA]);
    // No listener routes this request.
    let direct = json_of(&["explain", CONFIG, "--cluster", "shop", "--format", "json"]);
    assert_eq!(direct.get("limits"), None);
}

#[test]
fn rows_of_pick_have_the_limits_of_their_requests() {
    let rows = "{\"i\": 0, \"path\": \"/tls\"}\n{\"i\": 1, \"path\": \"/\"}\n{\"i\": 2, \"path\": \"/mail\"}\n";
    let ran = spillgate_with(&["pick", CONFIG, "-"], rows.as_bytes());
    let rows: Vec<Value> = ran
        .stdout
        .lines()
        .map(|row| serde_json::from_str(row).unwrap())
        .collect();
    assert_eq!(effects(&rows[0]), [LUA, TLS]);
    assert_eq!(effects(&rows[1]), [LUA]);
    let mail = effects(&rows[2]);
    assert!(
        mail.len() == 2 && mail[1].contains("cluster type"),
        "{mail:?}"
    );
}

#[test]
fn what_if_names_limits_of_the_cluster() {
    let mail = [
        "what-if",
        CONFIG,
        "--cluster",
        "shop",
        "--lose",
        "priority=0:1",
    ];
    assert_eq!(lines(&spillgate(&mail)), Vec::<&str>::new());
    let value = json_of(&[&mail[..], &["--format", "json"]].concat());
    assert_eq!(value.get("limits"), None);
}

#[test]
fn lint_does_not_claim_that_nothing_is_wrong() {
    let ran = spillgate(&["lint", CONFIG]);
    assert_eq!(lines(&ran).len(), 3);
    let last = "limits.yaml: no problems found in what is modeled; not modeled: \
        HTTP filter lua, a match with tls_context, cluster type \"example.clusters.own\"";
    assert_eq!(ran.stdout.lines().last(), Some(last), "{}", ran.stdout);

    let findings = json_of(&["lint", CONFIG, "--format", "json"]);
    let rules: Vec<&Value> = findings
        .as_array()
        .unwrap()
        .iter()
        .map(|f| &f["rule"])
        .collect();
    assert_eq!(rules, ["not-modeled"; 3]);
    assert_eq!(findings[0]["severity"], "info");
    let sarif = json_of(&["lint", CONFIG, "--format", "sarif"]);
    let results = &sarif["runs"][0]["results"];
    assert_eq!(results[0]["ruleId"], "not-modeled");
    assert_eq!(results[0]["level"], "note");
    let rules = &sarif["runs"][0]["tool"]["driver"]["rules"];
    let index = results[0]["ruleIndex"].as_u64().unwrap() as usize;
    assert_eq!(rules[index]["id"], "not-modeled");
}

#[test]
fn commands_without_figures_of_the_limit_warn() {
    let ran = spillgate(&["link", "encode", CONFIG]);
    assert!(ran.stderr.contains("cluster_type"), "{}", ran.stderr);
    assert!(
        ran.stderr.lines().all(|line| line.starts_with("warning: ")),
        "{}",
        ran.stderr
    );
}

#[test]
fn export_says_what_it_does_not_write() {
    let clusters = "name: c\nhealth_checks: [{}]\nlb_policy: CLUSTER_PROVIDED\ncluster_type: {name: example.own}\n";
    let ran = spillgate_with(&["export", "-", "--to", "envoy-yaml"], clusters.as_bytes());
    let comments: Vec<&str> = ran
        .stdout
        .lines()
        .filter(|line| line.starts_with("# not written"))
        .collect();
    assert_eq!(comments.len(), 2, "{}", ran.stdout);
    assert_eq!(comments[0], "# not written: health_checks");
    assert!(
        comments[1].contains("example.own") && comments[1].ends_with("(-:4:15 cluster_type)"),
        "{comments:?}"
    );
    assert_eq!(ran.stderr, "");
    for args in [
        &["--to", "envoy-json"][..],
        &["--to", "envoy-yaml", "--replace-names"],
    ] {
        let ran = spillgate_with(&[&["export", "-"], args].concat(), clusters.as_bytes());
        assert!(
            ran.stderr.contains("warning: not written: health_checks"),
            "{}",
            ran.stderr
        );
        assert!(!ran.stdout.contains("example.own"), "{}", ran.stdout);
    }
}

#[test]
fn limits_in_several_files_name_their_file() {
    let more = "name: other\nlb_policy: CLUSTER_PROVIDED\ncluster_type: {name: example.more}\n";
    let args = [
        "split",
        CONFIG,
        "-",
        "--cluster",
        "other",
        "--format",
        "json",
    ];
    let ran = spillgate_with(&args, more.as_bytes());
    let value: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(value["limits"][0]["file"], json!("-"));
    assert_eq!(value["limits"][0]["line"], json!(3));
}

/// A cluster with hosts in two zones, and a local cluster; `node` are the fields of the node.
fn zones(node: &str, local: &str) -> String {
    let in_zone = |zone: &str, last: u8| {
        format!(
            "{{locality: {{zone: {zone}}}, lb_endpoints: [{{endpoint: {{address: {{socket_address: {{address: 10.0.0.{last}, \
             port_value: 80}}}}}}}}]}}"
        )
    };
    let zone_aware = "common_lb_config: {zone_aware_lb_config: {min_cluster_size: 1}}, ";
    let cluster = |name: &str, more: &str, first: u8| {
        format!(
            "{{name: {name}, {more}load_assignment: {{cluster_name: {name}, endpoints: [{}, {}]}}}}",
            in_zone("a", first),
            in_zone("b", first + 1)
        )
    };
    let me = match local {
        "" => cluster("me", "", 1),
        local => local.to_owned(),
    };
    format!(
        "node: {{id: proxy{node}}}\ncluster_manager: {{local_cluster_name: me}}\n\
         static_resources: {{clusters: [{me}, {}, {}]}}\n",
        cluster("c", zone_aware, 3),
        cluster("small", "", 5)
    )
}

/// Envoy 1.40.0 with `--service-zone a`: all requests go to zone a if the local cluster has hosts in
/// it and the locality has no region; otherwise zone-aware routing is off.
#[test]
fn a_zone_that_only_the_command_line_of_envoy_states_is_named() {
    let found = |config: &str, cluster: &str| {
        let ran = spillgate_with(&["split", "-", "--cluster", cluster], config.as_bytes());
        lines(&ran).join("\n")
    };
    let option = "--service-zone sets it to \"a\", \"b\", zone-aware routing can prefer that zone";
    let without = zones("", "");
    assert!(
        found(&without, "c").contains(option),
        "{}",
        found(&without, "c")
    );
    // The local cluster itself, and one below min_cluster_size.
    assert_eq!(found(&without, "me"), "");
    assert_eq!(found(&without, "small"), "");
    for node in [
        ", locality: {zone: a}",
        ", locality: {zone: x}",
        ", locality: {region: r}",
        ", locality: {region: r, zone: a}",
    ] {
        assert_eq!(found(&zones(node, ""), "c"), "", "{node}");
    }
    let eds = "{name: me, type: EDS, eds_cluster_config: {eds_config: {ads: {}}}}";
    for node in ["", ", locality: {zone: a}"] {
        let text = found(&zones(node, eds), "c");
        let expected = "the hosts of the local cluster \"me\" are not known; zone-aware routing can \
                        prefer the proxy's own zone";
        assert!(text.contains(expected), "{node}: {text}");
    }
}
