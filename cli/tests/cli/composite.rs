//! Composite clusters: the members by attempt, as measured on Envoy 1.40.0.

use serde_json::{Value, json};

use crate::run::{scratch, spillgate_with};

/// A cluster with these hosts, each with its priority, and further settings.
fn plain(name: &str, hosts: &[(u8, u32)], settings: &str) -> String {
    let groups: Vec<String> = hosts
        .iter()
        .map(|(last, priority)| {
            format!(
                "{{priority: {priority}, lb_endpoints: [{{endpoint: {{address: {{socket_address: \
                 {{address: 10.0.0.{last}, port_value: 80}}}}}}}}]}}"
            )
        })
        .collect();
    format!(
        "- {{name: {name}, {settings}load_assignment: {{cluster_name: {name}, endpoints: [{}]}}}}\n",
        groups.join(", ")
    )
}

fn with_members(name: &str, kind: &str, members: &[&str]) -> String {
    let members: Vec<String> = members
        .iter()
        .map(|member| match kind {
            "composite" => format!("{{name: {member}}}"),
            _ => (*member).to_owned(),
        })
        .collect();
    format!(
        "- {{name: {name}, lb_policy: CLUSTER_PROVIDED, cluster_type: {{name: envoy.clusters.{kind}, typed_config: \
         {{'@type': type.googleapis.com/envoy.extensions.clusters.{kind}.v3.ClusterConfig, clusters: [{}]}}}}}}\n",
        members.join(", ")
    )
}

/// Routes to composite clusters, one for each path.
fn config(composites: &[(&str, &[&str])]) -> String {
    let refused = "common_lb_config: {healthy_panic_threshold: {value: 0}}, ";
    let none =
        "lb_subset_config: {fallback_policy: NO_FALLBACK, subset_selectors: [{keys: [v]}]}, ";
    let empty_ring =
        "lb_policy: RING_HASH, ring_hash_lb_config: {minimum_ring_size: 0, maximum_ring_size: 0}, ";
    let mut text = plain("a", &[(1, 0)], "")
        + &plain("b", &[(2, 0)], "")
        + &plain("c", &[(3, 0)], "")
        + &plain("two", &[(4, 0), (5, 1)], "")
        + &plain("three", &[(6, 0), (7, 1), (8, 2)], "")
        + &plain("empty", &[], "")
        + &plain("dead", &[(1, 0)], refused).replace("lb_endpoints: [{", "lb_endpoints: [{health_status: UNHEALTHY, ")
        + &plain("subset", &[(1, 0)], none)
        + &plain("ring", &[(1, 0)], empty_ring)
        + &plain("drops", &[(1, 0)], "").replace(
            "drops, endpoints:",
            "drops, policy: {drop_overloads: [{category: x, drop_percentage: {numerator: 100}}]}, endpoints:",
        )
        + &with_members("aggregate", "aggregate", &["empty", "b"])
        + &with_members("aggregate-empty", "aggregate", &["empty"]);
    let mut routes = Vec::new();
    for (name, members) in composites {
        text += &with_members(name, "composite", members);
        routes.push(format!(
            "{{match: {{path: /{name}}}, route: {{cluster: {name}, retry_policy: {{retry_on: 5xx, num_retries: 6, \
             retry_priority: {{name: envoy.retry_priorities.previous_priorities, typed_config: {{'@type': \
             type.googleapis.com/envoy.extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig, \
             update_frequency: 1}}}}}}}}}}"
        ));
    }
    text + &format!(
        "- {{name: r, virtual_hosts: [{{name: v, domains: ['*'], routes: [{}]}}]}}\n",
        routes.join(", ")
    )
}

/// The last byte of the address of each attempt until one has no host. Each attempt has tried the hosts
/// of those before it.
fn attempts(name: &str, config: &str, path: &str) -> Vec<u8> {
    let folder = scratch(name);
    let requests = folder.join("requests.jsonl");
    let mut tried: Vec<String> = Vec::new();
    loop {
        let row = json!({
            "i": 0, "path": format!("/{path}"), "headers": [], "attempt": tried.len(), "tried": tried,
        });
        std::fs::write(&requests, row.to_string()).unwrap();
        let ran = spillgate_with(
            &["pick", "-", requests.to_str().unwrap()],
            config.as_bytes(),
        );
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
        match answer["endpoint"].as_str() {
            Some(address) => tried.push(address.to_owned()),
            None => {
                assert_eq!(answer["status"], 503, "{answer}");
                break;
            }
        }
    }
    let last = |address: &String| {
        let address = address.trim_end_matches(":80");
        address.rsplit('.').next().unwrap().parse().unwrap()
    };
    tried.iter().map(last).collect()
}

#[test]
fn each_attempt_goes_to_the_next_member_with_a_host_for_it() {
    // The members, and the hosts of the attempts of Envoy 1.40.0.
    let cases: [(&str, &[&str], &[u8]); 12] = [
        ("plain", &["a", "b", "c"], &[1, 2, 3]),
        ("repeated", &["a", "a", "b"], &[1, 1, 2]),
        ("behind-empty", &["empty", "aggregate", "c"], &[2, 2, 3]),
        ("empty-aggregate", &["aggregate-empty", "c"], &[3, 3]),
        ("nested", &["plain", "b"], &[1, 2]),
        ("missing", &["gone", "b"], &[2, 2]),
        ("missing-between", &["a", "gone", "c"], &[1, 3, 3]),
        ("unhealthy", &["dead", "b"], &[2, 2]),
        ("no-subset", &["subset", "b"], &[2, 2]),
        ("no-ring", &["ring", "b"], &[2, 2]),
        ("dropping", &["drops", "b"], &[1, 2]),
        ("nested-twice", &["empty", "nested", "b"], &[1, 2, 2]),
    ];
    let composites: Vec<(&str, &[&str])> = cases.iter().map(|case| (case.0, case.1)).collect();
    let config = config(&composites);
    for (name, members, expected) in cases {
        assert_eq!(
            attempts("composite", &config, name),
            expected,
            "{members:?}"
        );
    }
}

#[test]
fn without_the_feature_an_attempt_ends_at_its_member() {
    let composites: [(&str, &[&str]); 2] = [
        ("behind-empty", &["empty", "b"]),
        ("missing-between", &["a", "gone", "c"]),
    ];
    let key = "envoy.reloadable_features.composite_cluster_skip_clusters_without_hosts";
    let config = config(&composites)
        + &format!(
            "- {{layered_runtime: {{layers: [{{name: s, static_layer: {{{key}: false}}}}]}}}}\n"
        );
    assert_eq!(
        attempts("composite_feature", &config, "behind-empty"),
        [0; 0]
    );
    assert_eq!(
        attempts("composite_feature", &config, "missing-between"),
        [1]
    );
}

/// Envoy 1.40.0: P0 of the first member excludes P0 of the second.
#[test]
fn previous_priorities_counts_priority_numbers_across_members() {
    let cases: [(&str, &[&str], &[u8]); 3] = [
        ("one-then-two", &["a", "two", "two"], &[1, 5, 4]),
        ("same", &["two", "two", "two"], &[4, 5, 4]),
        ("reset", &["two", "two", "a", "three"], &[4, 5, 1, 7]),
    ];
    let composites: Vec<(&str, &[&str])> = cases.iter().map(|case| (case.0, case.1)).collect();
    let config = config(&composites);
    for (name, members, expected) in cases {
        assert_eq!(
            attempts("composite_previous", &config, name),
            expected,
            "{members:?}"
        );
    }
}

#[test]
fn split_shows_the_first_attempt() {
    let composites: [(&str, &[&str]); 1] = [("shop", &["empty", "b", "c"])];
    let arguments = ["split", "-", "--cluster", "shop", "--format", "json"];
    let ran = spillgate_with(&arguments, config(&composites).as_bytes());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let value: Value = serde_json::from_str(&ran.stdout).unwrap();
    let shop = &value["clusters"][0];
    assert_eq!(shop["kind"], "composite");
    let members = shop["members"].as_array().unwrap();
    let shares: Vec<_> = members
        .iter()
        .map(|one| one["share"].as_f64().unwrap())
        .collect();
    assert_eq!(shares, [0.0, 100.0, 0.0]);
    assert_eq!(shop["endpoints"][0]["address"], "10.0.0.2:80");
}

/// Envoy 1.40.0: an attempt takes the next host of the list that its own member has.
#[test]
fn members_with_override_host_walk_one_list() {
    let policy = "load_balancing_policy: {policies: [{typed_extension_config: {name: o, typed_config: {'@type': \
                  type.googleapis.com/envoy.extensions.load_balancing_policies.override_host.v3.OverrideHost, \
                  override_host_sources: [{header: x-hosts}], fallback_policy: {policies: [{typed_extension_config: \
                  {name: r, typed_config: {'@type': \
                  type.googleapis.com/envoy.extensions.load_balancing_policies.random.v3.Random}}}]}}}}]}, ";
    let route = "- {name: r, virtual_hosts: [{name: v, domains: ['*'], routes: [{match: {prefix: /}, route: \
                 {cluster: both, retry_policy: {retry_on: 5xx, num_retries: 2}}}]}]}\n";
    let text = plain("a", &[(1, 0), (2, 0)], policy)
        + &plain("b", &[(3, 0), (4, 0)], policy)
        + &with_members("both", "composite", &["a", "b", "b"])
        + route;
    let list = "10.0.0.2:80,10.0.0.1:80,10.0.0.4:80,10.0.0.3:80";
    let requests = scratch("composite_list").join("requests.jsonl");
    let hosts = ["10.0.0.2:80", "10.0.0.4:80", "10.0.0.3:80"];
    for (attempt, host) in hosts.iter().enumerate() {
        let row = json!({
            "i": 0, "path": "/", "headers": [["x-hosts", list]],
            "attempt": attempt, "tried": hosts[..attempt],
        });
        std::fs::write(&requests, row.to_string()).unwrap();
        let ran = spillgate_with(&["pick", "-", requests.to_str().unwrap()], text.as_bytes());
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(answer["endpoint"], *host, "{answer}");
    }
}
