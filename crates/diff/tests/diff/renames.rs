//! Clusters with another name, and what names them.

use spillgate_diff::{ClusterVerdict, DiffReport};

use super::common;

/// A cluster with one host.
fn cluster(name: &str, host: &str) -> String {
    format!(
        "{{name: {name}, type: STATIC, load_assignment: {{cluster_name: {name}, endpoints: [{{lb_endpoints: [{{endpoint: \
         {{address: {{socket_address: {{address: {host}, port_value: 80}}}}}}}}]}}]}}}}"
    )
}

/// An aggregate cluster.
fn aggregate(name: &str, members: &str) -> String {
    format!(
        "{{name: {name}, lb_policy: CLUSTER_PROVIDED, cluster_type: {{name: envoy.clusters.aggregate, typed_config: \
         {{'@type': type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig, clusters: [{members}]}}}}}}"
    )
}

fn compared(old: (&[String], &str), new: (&[String], &str)) -> DiffReport {
    let [old, new] =
        [old, new].map(|(clusters, routes)| common::config(&clusters.join(", "), r#""*""#, routes));
    common::compare(&old, &new)
}

/// The clusters that differ, with their old name.
fn clusters(report: &DiffReport) -> Vec<(&str, Option<&str>, ClusterVerdict)> {
    let each = report.clusters.iter();
    each.map(|of| (of.name.as_str(), of.renamed_from.as_deref(), of.status))
        .collect()
}

fn renamed<'a>(from: &'a str, to: &'a str) -> (&'a str, Option<&'a str>, ClusterVerdict) {
    (to, Some(from), ClusterVerdict::Renamed)
}

#[test]
fn routes_and_aggregates_that_follow_a_new_name_do_not_differ() {
    let routes = |name: &str, users: &str| {
        format!(
            "{{match: {{path: /one}}, route: {{cluster: {name}}}}}, {{match: {{path: /split}}, route: {{weighted_clusters: \
             {{clusters: [{{name: {name}, weight: 1}}, {{name: b, weight: 3}}]}}}}}}, {{match: {{prefix: /}}, route: \
             {{cluster: {users}}}}}"
        )
    };
    let side = |name: &str, users: &str| {
        [
            cluster(name, "10.0.0.1"),
            cluster("b", "10.0.0.2"),
            aggregate(users, &format!("{name}, b")),
        ]
    };
    let report = compared(
        (&side("a", "users"), &routes("a", "users")),
        (&side("c", "users"), &routes("c", "users")),
    );
    assert_eq!(clusters(&report), [renamed("a", "c")]);
    assert_eq!(report.equal_clusters, ["b", "users"]);
    assert!(report.routes.is_empty(), "{:?}", report.routes);
    assert_eq!(report.equal_listeners, 1);

    // An aggregate of it that has a new name, too.
    let report = compared(
        (&side("a", "users"), &routes("a", "users")),
        (&side("c", "all"), &routes("c", "all")),
    );
    assert_eq!(
        clusters(&report),
        [renamed("a", "c"), renamed("users", "all")]
    );
    assert!(report.routes.is_empty(), "{:?}", report.routes);
}

#[test]
fn other_changes_of_a_route_are_shown_with_the_names_of_each_side() {
    let side = |name: &str| [cluster(name, "10.0.0.1"), cluster("b", "10.0.0.2")];
    let split = |name: &str, weight: u32| {
        format!(
            "{{match: {{prefix: /}}, route: {{weighted_clusters: {{clusters: [{{name: {name}, weight: {weight}}}, {{name: b, \
             weight: 10}}]}}}}}}"
        )
    };
    let report = compared((&side("a"), &split("a", 90)), (&side("c"), &split("c", 30)));
    let texts = |report: &DiffReport| {
        let route = report.routes.first().unwrap();
        [route.before.clone(), route.after.clone()]
    };
    assert_eq!(
        texts(&report),
        [
            "10 % cluster b, 90 % cluster a",
            "25 % cluster b, 75 % cluster c"
        ]
    );

    let hashed = |name: &str, header: &str| {
        format!(
            "{{match: {{prefix: /}}, route: {{cluster: {name}, hash_policy: [{{header: {{header_name: {header}}}}}]}}}}"
        )
    };
    let report = compared(
        (&side("a"), &hashed("a", "x-old")),
        (&side("c"), &hashed("c", "x-new")),
    );
    assert_eq!(
        texts(&report),
        ["cluster a", "cluster c, but other hash policies"]
    );
}

/// Requests to a cluster that did not exist got a 503.
#[test]
fn the_name_of_a_missing_cluster_is_not_a_new_name() {
    let routes = |first: &str| {
        format!(
            "{{match: {{path: /one}}, route: {{cluster: {first}}}}}, {{match: {{prefix: /}}, route: {{cluster: c}}}}"
        )
    };
    let [a, c] = [cluster("a", "10.0.0.1"), cluster("c", "10.0.0.1")];
    let mut old = common::config(&format!("{a}, {c}"), r#""*""#, &routes("a"));
    old.model.retain(|cluster| cluster.name == "a");
    let new = common::config(&c, r#""*""#, &routes("c"));
    let report = common::compare(&old, &new);
    assert_eq!(
        clusters(&report),
        [
            ("a", None, ClusterVerdict::Removed),
            ("c", None, ClusterVerdict::Added)
        ]
    );
    assert_eq!(report.equal_listeners, 0);

    let routes = "{match: {prefix: /}, route: {cluster: users}}";
    let users = aggregate("users", "c, b");
    let side = |name: &str| {
        [
            cluster(name, "10.0.0.1"),
            cluster("b", "10.0.0.2"),
            users.clone(),
        ]
    };
    let report = compared((&side("a"), routes), (&side("c"), routes));
    let users = report.clusters.iter().find(|of| of.name == "users");
    assert_eq!(users.unwrap().status, ClusterVerdict::Changed);
}
