//! Answers name the settings that are not modeled, each next to the figures that it concerns.

use serde_json::{Value, json};

use crate::run::{Ran, spillgate, spillgate_with};

/// An HTTP filter, a route condition and a cluster type that are not modeled.
const CONFIG: &str = "limits.yaml";

const LUA: &str = "HTTP filter lua is not modeled; assuming that it changes nothing";
const METADATA: &str =
    "a match with dynamic_metadata is not modeled; requests that reach it have an unknown result";

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
    let ran = spillgate(&["explain", CONFIG, "--path", "/metadata"]);
    let found = lines(&ran);
    assert!(
        found[0].contains(LUA) && found[1].contains(METADATA),
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
    let rows = "{\"i\": 0, \"path\": \"/metadata\"}\n{\"i\": 1, \"path\": \"/\"}\n{\"i\": 2, \"path\": \"/mail\"}\n";
    let ran = spillgate_with(&["pick", CONFIG, "-"], rows.as_bytes());
    let rows: Vec<Value> = ran
        .stdout
        .lines()
        .map(|row| serde_json::from_str(row).unwrap())
        .collect();
    assert_eq!(effects(&rows[0]), [LUA, METADATA]);
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
        HTTP filter lua, a match with dynamic_metadata, cluster type \"example.clusters.own\"";
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
    let clusters = "name: c\nhealth_checks: [{timeout: 1s, interval: 1s, unhealthy_threshold: 1, healthy_threshold: 1, \
                    tcp_health_check: {}}]\nlb_policy: CLUSTER_PROVIDED\ncluster_type: {name: example.own}\n";
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

/// A connection manager without TLS with these filters and the routes of one virtual host.
fn manager(filters: &str, host: &str, routes: &str, more: &str) -> String {
    let types = "type.googleapis.com/envoy.extensions.filters";
    format!(
        "{more}static_resources:\n  clusters: [{{name: c, lb_policy: RING_HASH}}]\n  listeners:\n  - name: l\n    \
         filter_chains: [{{filters: [{{name: h, typed_config: {{'@type': \
         {types}.network.http_connection_manager.v3.HttpConnectionManager, http_filters: [{filters}], route_config: \
         {{virtual_hosts: [{{name: v, domains: ['*'], {host}routes: [{routes}]}}]}}}}}}]}}]\n"
    )
}

/// The limits of a request for this path, as lines.
fn limits_of(config: &str, path: &str) -> String {
    let ran = spillgate_with(&["explain", "-", "--path", path], config.as_bytes());
    lines(&ran).join("\n")
}

/// Envoy 1.40.0: any override that does not disable the filter makes it run.
#[test]
fn a_disabled_filter_is_named_only_on_routes_that_enable_it() {
    let lua = "type.googleapis.com/envoy.extensions.filters.http.lua.v3";
    let switch = |setting: &str| {
        format!(
            "typed_per_filter_config: {{lua: {{'@type': type.googleapis.com/envoy.config.route.v3.FilterConfig, \
             {setting}}}}}"
        )
    };
    let route = |path: &str, more: &str| {
        format!("{{match: {{prefix: {path}}}, route: {{cluster: c}}, {more}}}")
    };
    let per_route = format!("typed_per_filter_config: {{lua: {{'@type': {lua}.LuaPerRoute}}}}");
    let routes = [
        route("/on", &switch("config: {}")),
        route("/off", &switch("disabled: true")),
        route("/own", &per_route),
        route("/", "name: all"),
    ];
    let filter = |more: &str| format!("{{name: lua, typed_config: {{'@type': {lua}.Lua}}{more}}}");
    let disabled = manager(&filter(", disabled: true"), "", &routes.join(", "), "");
    for (path, named) in [("/on", true), ("/off", false), ("/own", true), ("/", false)] {
        assert_eq!(limits_of(&disabled, path).contains(LUA), named, "{path}");
    }
    let enabled = manager(&filter(""), "", &routes.join(", "), "");
    assert!(limits_of(&enabled, "/").contains(LUA));
}

#[test]
fn a_generated_header_is_named_only_on_routes_that_depend_on_it() {
    let host = "request_headers_to_add: [{header: {key: x-start, value: '%START_TIME%'}}], ";
    let hashing = "{match: {prefix: /hash}, route: {cluster: c, hash_policy: [{header: {header_name: x-start}}]}}";
    let other = "{match: {prefix: /}, route: {cluster: c}}";
    let named = |host: &str, routes: &str, path: &str| {
        limits_of(&manager("", host, routes, ""), path).contains("%START_TIME%")
    };
    let routes = format!("{hashing}, {other}");
    assert!(named(host, &routes, "/hash"));
    assert!(!named(host, &routes, "/"));
    // A condition of one route decides about the next one.
    let filter = "{name: m, typed_config: {'@type': \
                  type.googleapis.com/envoy.extensions.filters.http.header_mutation.v3.HeaderMutation, mutations: \
                  {request_mutations: [{append: {header: {key: x-start, value: '%START_TIME%'}}}]}}}";
    let condition = "{match: {prefix: /hash, headers: [{name: x-start, present_match: true}]}, route: {cluster: c}}";
    let config = manager(filter, "", &format!("{condition}, {other}"), "");
    assert!(limits_of(&config, "/").contains("%START_TIME%"));
}

/// Envoy 1.40.0 without TLS: `presented: true` and `validated: true` match no request, the others all.
#[test]
fn certificates_of_clients_are_known_without_tls() {
    let route = |path: &str, context: &str| {
        format!(
            "{{name: tls, match: {{prefix: {path}, tls_context: {{{context}}}}}, route: {{cluster: c}}}}"
        )
    };
    let routes = [
        route("/yes", "presented: true"),
        route("/valid", "presented: false, validated: true"),
        route("/no", "presented: false, validated: false"),
        route("/any", ""),
        "{name: last, match: {prefix: /}, route: {cluster: c}}".to_owned(),
    ];
    let plain = manager("", "", &routes.join(", "), "");
    let with_tls = plain.replace(
        "{filters: [",
        "{transport_socket: {name: t, typed_config: {'@type': \
         type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext}}, filters: [",
    );
    for (path, taken) in [
        ("/yes", "last"),
        ("/valid", "last"),
        ("/no", "tls"),
        ("/any", "tls"),
    ] {
        let ran = spillgate_with(&["explain", "-", "--path", path], plain.as_bytes());
        assert_eq!(lines(&ran).len(), 0, "{path}: {}", ran.stdout);
        assert!(
            ran.stdout.contains(&format!("route {taken}")),
            "{path}: {}",
            ran.stdout
        );
        let ran = spillgate_with(&["explain", "-", "--path", path], with_tls.as_bytes());
        assert!(ran.stdout.contains("tls_context"), "{path}: {}", ran.stdout);
    }
}

#[test]
fn runtime_keys_of_circuit_breakers_concern_their_cluster() {
    let runtime = "layered_runtime: {layers: [{name: a, static_layer: {circuit_breakers.c.x.default.max_requests: 1}}]}\n";
    let routes = "{match: {prefix: /}, route: {cluster: c}}";
    let config = manager("", "", routes, runtime);
    assert_eq!(limits_of(&config, "/"), "");
    let of_cluster = config.replace("circuit_breakers.c.x.", "circuit_breakers.c.");
    assert!(limits_of(&of_cluster, "/").contains("circuit_breakers.c.default.max_requests"));
}
