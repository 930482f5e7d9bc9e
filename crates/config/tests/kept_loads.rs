//! Routes whose retries use the loads of a cluster with more priorities.

use std::fmt::Write as _;

use spillgate_config::Affects;

use crate::common::config;

/// The clusters `one`, `two` and `three` with so many priorities, `ring` with a hash table, and `both`, an aggregate.
const CLUSTERS: [(&str, usize, &str); 4] = [
    ("one", 1, ""),
    ("two", 2, ""),
    ("three", 3, ""),
    ("ring", 1, "lb_policy: RING_HASH, "),
];

/// The limits of a route with these retries.
fn limits(members: &str, action: &str, (frequency, retries): (u32, u32)) -> Vec<String> {
    let mut text = String::new();
    for (name, priorities, policy) in CLUSTERS {
        let entries = (0..priorities).map(|priority| {
            format!(
                "{{priority: {priority}, lb_endpoints: [{{endpoint: {{address: {{socket_address: {{address: 10.0.0.{priority}, \
                 port_value: 80}}}}}}}}]}}"
            )
        });
        let entries = entries.collect::<Vec<_>>().join(", ");
        let _ = writeln!(
            text,
            "- {{name: {name}, {policy}load_assignment: {{cluster_name: {name}, endpoints: [{entries}]}}}}"
        );
    }
    let of_members = |name: &str, kind: &str, members: &str| {
        format!(
            "- {{name: {name}, lb_policy: CLUSTER_PROVIDED, cluster_type: {{name: envoy.clusters.{kind}, typed_config: {{'@type': \
             t/envoy.extensions.clusters.{kind}.v3.ClusterConfig, clusters: [{members}]}}}}}}\n"
        )
    };
    text += &of_members("both", "aggregate", "one, two");
    if !members.is_empty() {
        let each: Vec<String> = members
            .split(' ')
            .map(|name| format!("{{name: {name}}}"))
            .collect();
        text += &of_members("all", "composite", &each.join(", "));
    }
    let priorities = format!(
        "{{name: p, typed_config: {{'@type': t/envoy.extensions.retry.priority.previous_priorities.v3.PreviousPrioritiesConfig, \
         update_frequency: {frequency}}}}}"
    );
    let _ = writeln!(
        text,
        "- {{name: r, virtual_hosts: [{{name: v, domains: ['*'], routes: [{{match: {{prefix: /}}, route: {{{action}, retry_policy: \
         {{retry_on: 5xx, num_retries: {retries}, refresh_cluster_on_retry: true, retry_priority: {priorities}}}}}}}]}}]}}"
    );
    let read = config(&text);
    let limits = read
        .limits()
        .filter(|limit| limit.code == "config/retry-crash");
    let texts = limits.map(|limit| {
        let route = Affects::Route {
            listener: 0,
            route: 0,
        };
        assert_eq!(limit.affects, route);
        limit.message.clone()
    });
    texts.collect()
}

#[test]
fn members_of_a_composite_cluster_use_the_loads_of_the_last_update() {
    for (members, frequency, retries, crash) in [
        (
            "one one two one",
            2,
            3,
            Some("retry 3 of a request uses the loads of cluster \"two\""),
        ),
        ("one one two one", 2, 2, None),
        ("one one two one", 1, 3, None),
        ("one one two one", 3, 3, None),
        ("one one two two", 2, 3, None),
        ("one two one one", 2, 3, None),
        ("one one two ring", 2, 3, None),
        ("one one two ring one", 3, 4, None),
        (
            "one one two three one",
            3,
            4,
            Some("retry 4 of a request uses the loads of cluster \"three\""),
        ),
        // An aggregate has the priorities of its members.
        (
            "one one both two",
            2,
            3,
            Some("cluster \"both\" in cluster \"two\", which has fewer priorities (2, not 3)"),
        ),
        ("one one one two one one", 2, 5, None),
        ("one one one one two one", 2, 9, Some("retry 5")),
    ] {
        let found = limits(members, "cluster: all", (frequency, retries));
        match crash {
            Some(text) => assert!(
                found.len() == 1 && found[0].contains(text),
                "{members}: {found:?}"
            ),
            None => assert!(found.is_empty(), "{members}: {found:?}"),
        }
    }
}

#[test]
fn weighted_clusters_use_each_others_loads_if_retries_choose_again() {
    let weighted = |clusters: [(&str, u32); 2]| {
        let each = clusters.map(|(name, weight)| format!("{{name: {name}, weight: {weight}}}"));
        format!("weighted_clusters: {{clusters: [{}]}}", each.join(", "))
    };
    for (clusters, limits_found) in [
        ([("one", 1), ("two", 1)], 1),
        ([("one", 1), ("two", 0)], 0),
        ([("two", 1), ("ring", 1)], 0),
        ([("three", 1), ("two", 1)], 1),
    ] {
        let found = limits("", &weighted(clusters), (2, 3));
        assert_eq!(found.len(), limits_found, "{clusters:?}: {found:?}");
    }
    // As many retries as an update needs never come between two updates.
    assert_eq!(
        limits("", &weighted([("one", 1), ("two", 1)]), (3, 3)).len(),
        0
    );
    // A frequency of billions costs nothing.
    let rare = (i32::MAX as u32, u32::MAX);
    assert_eq!(
        limits("", &weighted([("one", 1), ("two", 1)]), rare).len(),
        1
    );
}
