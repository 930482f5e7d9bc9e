//! A weighted route that the dynamic module asks for its cluster again.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;

use common::routes::{route, split, table};
use spillgate_core::route::{
    CHOSEN_CLUSTER, Connection, HeaderList, RouteAction, RouteOutcome, RouteTable, SplitBy,
};

/// The clusters of an attempt of a request for which the filter has chosen a cluster. The earlier attempts fit
/// with this probability.
fn attempt(table: &RouteTable, wanted: &str, number: u32, fit: impl Fn(&str) -> f64) -> Parts {
    let headers = [
        (":authority", "shop"),
        (":path", "/"),
        (CHOSEN_CLUSTER, wanted),
    ];
    let headers = HeaderList(&headers);
    let received = table.receive(&headers, Connection::default());
    let RouteOutcome::Forward(routed) = table.route(&received) else {
        panic!("the route forwards");
    };
    let parts = routed.destinations_at(number, |to, _| fit(to.cluster.unwrap()));
    let parts = parts.into_iter();
    let mut parts: Parts = parts
        .map(|(to, part)| (to.cluster.unwrap().to_owned(), part))
        .collect();
    parts.sort_by(|a, b| a.0.cmp(&b.0));
    parts
}

type Parts = Vec<(String, f64)>;

/// The clusters of the first attempt. Those of later ones do not matter.
fn asked(clusters: &[(&str, u32)], wanted: &str) -> Parts {
    let parts = [false, true].map(|refreshes_cluster| {
        let mut route = route(split(clusters, SplitBy::Random));
        if let RouteAction::Forward(forward) = &mut route.action {
            forward.retry.refreshes_cluster = refreshes_cluster;
        }
        attempt(&table(vec![route]), wanted, 0, |_| 1.0)
    });
    let [parts, refreshed] = parts;
    assert_eq!(parts, refreshed);
    parts
}

#[track_caller]
fn near(found: &[(String, f64)], expected: &[(&str, f64)]) {
    let same = |((name, part), (expected, of)): (&(String, f64), &(&str, f64))| {
        name == expected && (part - of).abs() < 1e-9
    };
    let all = found.len() == expected.len() && found.iter().zip(expected).all(same);
    assert!(all, "{found:?} {expected:?}");
}

#[test]
fn of_two_clusters_all_requests_reach_the_chosen_one() {
    near(&asked(&[("a", 1), ("b", 3)], "a"), &[("a", 1.0)]);
    near(&asked(&[("a", 1), ("b", 3)], "b"), &[("b", 1.0)]);
    near(&asked(&[("a", 1), ("b", 0)], "b"), &[("a", 1.0)]);
}

#[test]
fn a_cluster_that_the_route_lacks_changes_nothing() {
    near(
        &asked(&[("a", 1), ("b", 3)], "c"),
        &[("a", 0.25), ("b", 0.75)],
    );
    near(
        &asked(&[("a", 1), ("b", 3)], ""),
        &[("a", 0.25), ("b", 0.75)],
    );
}

#[test]
fn the_same_number_chooses_among_the_clusters_that_are_left() {
    // The numbers 0 to 7: 0 is a, 1 and 2 are b, 3 to 7 are c. Without the first cluster, the number
    // counts modulo the weights that are left.
    let clusters = [("a", 1), ("b", 2), ("c", 5)];
    // From b, one of six numbers is that of a; from c, one of three.
    let from_b = 2.0 / 8.0 / 6.0;
    let from_c = 5.0 / 8.0 / 3.0;
    near(
        &asked(&clusters, "a"),
        &[
            ("a", 1.0 / 8.0 + from_b + from_c),
            ("b", 2.0 / 8.0 - from_b),
            ("c", 5.0 / 8.0 - from_c),
        ],
    );
}

#[test]
fn each_entry_of_the_chosen_cluster_counts() {
    let clusters = [("a", 1), ("b", 1), ("a", 2)];
    near(
        &asked(&clusters, "a"),
        &[("a", 0.25 + 1.0 / 12.0), ("a", 0.5 + 2.0 / 12.0)],
    );
}

#[test]
fn the_cluster_of_a_retry_is_weighed_by_what_is_known_of_the_first_attempt() {
    let table = table(vec![route(split(&[("a", 1), ("b", 3)], SplitBy::Random))]);
    let half_of_a = |to: &str| if to == "a" { 0.5 } else { 1.0 };
    let parts = attempt(&table, "", 1, half_of_a);
    near(&parts, &[("a", 1.0 / 7.0), ("b", 6.0 / 7.0)]);
}
