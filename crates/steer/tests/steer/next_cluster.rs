//! Later attempts in another cluster (`output.attempts_per_cluster`).

use std::collections::BTreeSet;

use crate::{
    environment::{Exchange, Proxy, cluster},
    sessions::first_of,
};

const OUTPUT: &str = r#""output": {"candidates": 2, "attempts_per_cluster": 1}"#;
const KEYS: &str = r#""keys": [{"id": 1, "secret": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}],
    "header": {"name": "x-session"}"#;

/// The clusters a, b and c with one host each, by the status of the host. Hosts of any health serve.
fn clusters(statuses: [&str; 3]) -> String {
    let of = |(at, name): (usize, &str)| {
        let host = format!("10.0.{at}.1:80");
        cluster(name, &[(&*host, statuses[at], "1")])
            .replace(r#"{"value": 0}"#, r#"{"value": 100}"#)
    };
    let clusters = ["a", "b", "c"].into_iter().enumerate().map(of);
    clusters.collect::<Vec<_>>().join(", ")
}

/// An aggregate of all three.
fn aggregate(statuses: [&str; 3], more: &str) -> String {
    let clusters = clusters(statuses);
    format!(
        r#"{{"clusters": [{clusters}, {{"name": "all", "lb_policy": "CLUSTER_PROVIDED",
            "cluster_type": {{"name": "envoy.clusters.aggregate", "typed_config": {{
                "@type": "type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig",
                "clusters": ["a", "b", "c"]}}}}}}], "target": "all", {OUTPUT}{more}}}"#
    )
}

/// Weighted clusters.
fn weighted(statuses: [&str; 3], weights: [u32; 3], more: &str) -> String {
    let clusters = clusters(statuses);
    let weights = ["a", "b", "c"]
        .iter()
        .zip(weights)
        .map(|(name, weight)| format!(r#"{{"cluster": "{name}", "weight": {weight}}}"#));
    let weights: Vec<String> = weights.collect();
    let weights = weights.join(", ");
    format!(r#"{{"clusters": [{clusters}], "weighted": [{weights}], {OUTPUT}{more}}}"#)
}

/// The clusters of later attempts, by the first one.
fn following(exchange: &Exchange<'_>) -> Vec<(String, String)> {
    exchange.following.clone()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |(a, b): &(&str, &str)| ((*a).to_owned(), (*b).to_owned());
    expected.iter().map(owned).collect()
}

const HEALTHY: [&str; 3] = ["HEALTHY"; 3];

#[test]
fn later_attempts_go_to_the_next_member_and_then_to_the_ones_before() {
    let proxy = Proxy::serving(&aggregate(HEALTHY, ""));
    let exchange = proxy.request(&[]);
    assert_eq!(exchange.hosts(), Some("10.0.0.1:80,10.0.1.1:80"));
    let all = [("a", "b"), ("b", "c"), ("c", "a")];
    assert_eq!(following(&exchange), pairs(&all));
}

#[test]
fn without_a_limit_all_attempts_stay_in_the_cluster() {
    let config = aggregate(HEALTHY, "").replace(r#", "attempts_per_cluster": 1"#, "");
    let proxy = Proxy::serving(&config);
    let exchange = proxy.request(&[]);
    assert_eq!(exchange.hosts(), Some("10.0.0.1:80"));
    assert_eq!(following(&exchange), []);
}

#[test]
fn a_member_of_unhealthy_hosts_only_gets_no_later_attempts() {
    for (status, serves) in [("DEGRADED", true), ("UNHEALTHY", false)] {
        let proxy = Proxy::serving(&aggregate(["HEALTHY", status, "HEALTHY"], ""));
        let exchange = proxy.request(&[]);
        let next = if serves { "b" } else { "c" };
        assert_eq!(following(&exchange)[0], ("a".into(), next.into()));
    }
    let proxy = Proxy::serving(&aggregate(["HEALTHY", "UNHEALTHY", "UNHEALTHY"], ""));
    let exchange = proxy.request(&[]);
    assert_eq!(exchange.hosts(), Some("10.0.0.1:80"), "there is no other");
}

#[test]
fn later_attempts_of_a_split_go_to_its_other_clusters() {
    // No request draws b.
    let proxy = Proxy::serving(&weighted(HEALTHY, [1, 0, 1], ""));
    for _ in 0..20 {
        let exchange = proxy.request(&[]);
        let hosts = exchange.hosts().unwrap();
        let expected = if hosts.starts_with("10.0.0.1") {
            "10.0.0.1:80,10.0.1.1:80"
        } else {
            "10.0.2.1:80,10.0.0.1:80"
        };
        assert_eq!(hosts, expected);
        // A cluster that no request draws follows from the present draw.
        let by_draw = if hosts.starts_with("10.0.0.1") {
            [("a", "b"), ("a", "b"), ("b", "a"), ("c", "a")]
        } else {
            [("c", "a"), ("a", "b"), ("b", "c"), ("c", "a")]
        };
        assert_eq!(following(&exchange), pairs(&by_draw));
    }
}

#[test]
fn a_session_that_must_not_move_is_not_retried_elsewhere() {
    for (lost, moves) in [(r#""on_lost": {"status": 410}, "#, false), ("", true)] {
        let affinity = format!(r#", "affinity": {{{lost}{KEYS}}}"#);
        let proxy = Proxy::serving(&aggregate(HEALTHY, &affinity));
        let begun = proxy.request(&[(":authority", "shop")]);
        assert_eq!(begun.hosts(), Some("10.0.0.1:80,10.0.1.1:80"), "{lost}");
        let token = begun.received("x-session")[0].to_owned();
        let kept = proxy.request(&[(":authority", "shop"), ("x-session", &*token)]);
        let hosts = if moves {
            "10.0.0.1:80,10.0.1.1:80"
        } else {
            "10.0.0.1:80"
        };
        assert_eq!(kept.hosts(), Some(hosts), "{lost}");
        assert_eq!(following(&kept).is_empty(), !moves, "{lost}");
    }
}

#[test]
fn a_kept_session_of_a_split_may_have_any_draw_unless_its_key_determines_it() {
    for (fallback, is_free) in [("policy", true), ("rendezvous", false)] {
        let affinity = format!(r#", "affinity": {{"fallback": "{fallback}", {KEYS}}}"#);
        let proxy = Proxy::serving(&weighted(HEALTHY, [1, 0, 1], &affinity));
        for _ in 0..20 {
            let begun = proxy.request(&[(":authority", "shop")]);
            let token = begun.received("x-session")[0].to_owned();
            let kept = proxy.request(&[(":authority", "shop"), ("x-session", &*token)]);
            assert_eq!(first_of(&kept), first_of(&begun));
            let of_a: BTreeSet<String> = following(&kept)
                .into_iter()
                .filter(|(owner, _)| owner == "a")
                .map(|(_, next)| next)
                .collect();
            let is_on_a = first_of(&kept) == "10.0.0.1:80";
            let expected: &[&str] = if is_free && is_on_a {
                &["b", "c"]
            } else {
                &["b"]
            };
            assert!(of_a.iter().eq(expected), "{fallback} {of_a:?}");
            // An attempt never stays in the cluster of the first one.
            assert!(following(&kept).iter().all(|(owner, next)| owner != next));
        }
    }
}
