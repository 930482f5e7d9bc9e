//! Target clusters: weighted splits, and `cluster_choice: hash`.

use crate::common::*;
use serde_json::{Value, json};
use spillgate_testhost::TestHost;
use std::collections::BTreeMap;

fn weighted(weights: &[(&str, u32)], choice: &str) -> Value {
    let clusters: Vec<Value> = (0_u8..)
        .zip(weights)
        .map(|(net, (name, _))| cluster(name, "MAGLEV", &[healthy(net, 3)]))
        .collect();
    let entries: Vec<Value> = weights
        .iter()
        .map(|(name, weight)| json!({"cluster": name, "weight": weight}))
        .collect();
    json!({
        "clusters": clusters,
        "weighted": entries,
        "cluster_choice": choice,
        "hash_policy": [{"header": {"header_name": "x-user"}}],
    })
}

/// The cluster of each of many users.
fn clusters(host: &mut TestHost, users: usize) -> Vec<String> {
    (0..users)
        .map(|number| {
            let exchange = host.request(user(&format!("u{number}"))).unwrap();
            exchange
                .request_headers
                .text(CLUSTER_HEADER)
                .unwrap()
                .to_owned()
        })
        .collect()
}

fn counts(clusters: &[String]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for cluster in clusters {
        *counts.entry(cluster.as_str()).or_default() += 1;
    }
    counts
}

#[test]
fn weights_share_the_requests() {
    for choice in ["random", "hash"] {
        let mut host = serving(&weighted(&[("a", 90), ("b", 10), ("c", 0)], choice));
        let chosen = clusters(&mut host, 2000);
        let counts = counts(&chosen);
        assert!((1740..1860).contains(&counts["a"]), "{choice}: {counts:?}");
        assert!(!counts.contains_key("c"));
    }
}

#[test]
fn a_hash_moves_only_to_the_cluster_whose_weight_grows() {
    let mut before = serving(&weighted(&[("a", 90), ("b", 10)], "hash"));
    let first = clusters(&mut before, 1000);
    assert_eq!(clusters(&mut before, 1000), first);
    // A replica with another seed chooses the same clusters.
    assert_eq!(
        clusters(
            &mut serving_seeded(&weighted(&[("a", 90), ("b", 10)], "hash"), 9),
            1000
        ),
        first
    );
    let after = clusters(
        &mut serving(&weighted(&[("a", 90), ("b", 30)], "hash")),
        1000,
    );
    for (before, after) in first.iter().zip(&after) {
        assert!(before == after || after == "b", "{before} to {after}");
    }
}

#[test]
fn the_hash_can_choose_the_member_of_an_aggregate() {
    let mut half = healthy(0, 4);
    for endpoint in half.iter_mut().take(2) {
        endpoint["health_status"] = json!("UNHEALTHY");
    }
    let mut value = two_clusters("MAGLEV", half, healthy(1, 4));
    let members = |host: &mut TestHost| clusters(host, 400);
    let (mut one, mut two) = (serving_seeded(&value, 1), serving_seeded(&value, 2));
    assert_ne!(
        members(&mut one),
        members(&mut two),
        "at random, as Envoy does"
    );
    value["cluster_choice"] = json!("hash");
    let (mut one, mut two) = (serving_seeded(&value, 1), serving_seeded(&value, 2));
    let stable = members(&mut one);
    assert_eq!(stable, members(&mut two));
    // 2 of 4 hosts are healthy, times 1.4.
    let primary = counts(&stable)["primary"];
    assert!(
        (240..320).contains(&primary),
        "{primary} of 400, 280 expected"
    );
}
