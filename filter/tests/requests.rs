//! Requests through the shipped filter: the hosts, the cluster, and the cost.

use crate::common::*;
use serde_json::json;
use spillgate_testhost::{FilterRequest, Property, TestHost};
use std::collections::BTreeMap;

// === output ===

#[test]
fn the_host_list_is_distinct_and_the_owner_is_named() {
    let mut host = serving(&plain("MAGLEV", &[healthy(0, 8)]));
    for n in 0..50 {
        let exchange = host.request(user(&format!("u{n}"))).unwrap();
        let mut listed = hosts(&exchange);
        listed.sort_unstable();
        listed.dedup();
        assert_eq!(listed.len(), 3, "{exchange:?}");
        assert_eq!(exchange.request_headers.text(CLUSTER_HEADER), Some("shop"));
        assert_eq!(exchange.local_response, None);
    }
}

#[test]
fn as_many_candidates_as_configured_under_the_configured_names() {
    let mut configuration = plain("ROUND_ROBIN", &[healthy(0, 8)]);
    configuration["output"] =
        json!({"candidates": 5, "host_header": "x-to", "cluster_header": "x-of"});
    let mut host = serving(&configuration);
    let exchange = host.request(user("u1")).unwrap();
    let listed = exchange.request_headers.text("x-to").unwrap();
    assert_eq!(listed.split(',').count(), 5, "{listed}");
    assert_eq!(exchange.request_headers.text("x-of"), Some("shop"));
    assert!(!exchange.request_headers.has(HOST_HEADER));
}

#[test]
fn candidates_include_lower_priorities() {
    let mut host = serving(&plain("MAGLEV", &[healthy(0, 1), healthy(1, 1)]));
    let exchange = host.request(user("u1")).unwrap();
    assert_eq!(hosts(&exchange), ["10.0.0.1:80", "10.1.0.1:80"]);
}

#[test]
fn an_aggregate_names_the_member_that_owns_the_host() {
    let unhealthy_primary = vec![unhealthy("10.0.0.1:80"), unhealthy("10.0.0.2:80")];
    let mut host = serving(&two_clusters("MAGLEV", unhealthy_primary, healthy(1, 3)));
    let exchange = host.request(user("u1")).unwrap();
    assert_eq!(
        exchange.request_headers.text(CLUSTER_HEADER),
        Some("secondary")
    );
    assert!(
        hosts(&exchange)
            .iter()
            .all(|host| host.starts_with("10.1."))
    );
}

// === choice ===

#[test]
fn the_same_user_gets_the_same_host_on_every_worker() {
    let configuration = plain("RING_HASH", &[healthy(0, 8)]);
    let mut workers = [
        serving_seeded(&configuration, 1),
        serving_seeded(&configuration, 2),
    ];
    for n in 0..100 {
        let request = user(&format!("u{n}"));
        let [first, second] = workers
            .each_mut()
            .map(|worker| worker.request(request.clone()).unwrap());
        assert_eq!(hosts(&first), hosts(&second));
    }
}

#[test]
fn every_value_of_a_repeated_header_is_hashed() {
    let mut host = serving(&plain("MAGLEV", &[healthy(0, 50)]));
    let mut pick = |values: &[&str]| {
        let request = values
            .iter()
            .fold(FilterRequest::get("/"), |request, value| {
                request.header("X-User", value)
            });
        let exchange = host.request(request).unwrap();
        hosts(&exchange)[0].to_owned()
    };
    assert_eq!(pick(&["a", "b"]), pick(&["b", "a"]));
    let others: Vec<_> = ["b", "c", "d", "e"].map(|other| pick(&["a", other])).into();
    assert!(
        others.iter().any(|host| *host != pick(&["a"])),
        "{others:?}"
    );
}

#[test]
fn shares_follow_the_priorities() {
    // Half of P0 is unhealthy: it keeps 70 % of the requests.
    let priority_0 = vec![endpoint("10.0.0.1:80"), unhealthy("10.0.0.2:80")];
    let mut host = serving(&plain("RANDOM", &[priority_0, healthy(1, 2)]));
    let counts = first_hosts(&mut host, 20_000);
    let share = counts["10.0.0.1:80"];
    // Standard deviation 65.
    assert!((13_700..=14_300).contains(&share), "{counts:?}");
    assert!(!counts.contains_key("10.0.0.2:80"), "{counts:?}");
    let metrics = host.metrics();
    let priority = |n| {
        metrics.value(&format!(
            "spillgate.decisions.cluster.shop.priority.{n}.reason.chosen"
        ))
    };
    assert_eq!(priority(0), share);
    assert_eq!(priority(0) + priority(1), 20_000);
}

#[test]
fn round_robin_takes_turns() {
    let mut host = serving(&plain("ROUND_ROBIN", &[healthy(0, 4)]));
    let counts = first_hosts(&mut host, 400);
    assert_eq!(counts.len(), 4);
    assert!(counts.values().all(|&count| count == 100), "{counts:?}");
}

fn first_hosts(host: &mut TestHost, requests: u64) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for _ in 0..requests {
        let exchange = host.request(FilterRequest::get("/")).unwrap();
        *counts.entry(hosts(&exchange)[0].to_owned()).or_default() += 1;
    }
    counts
}

// === no host ===

#[test]
fn the_response_without_a_host_is_that_of_envoy() {
    let mut configuration = plain("MAGLEV", &[]);
    configuration["clusters"] = json!([without_hosts("shop")]);
    let mut host = serving(&configuration);
    let exchange = host.request(user("u1")).unwrap();
    let local = exchange.local_response.unwrap();
    assert_eq!(local.status, 503);
    assert_eq!(local.body, b"no healthy upstream");
    assert_eq!(local.details, "spillgate_no_host");
    assert!(!exchange.request_headers.has(HOST_HEADER));
    assert_eq!(host.metrics().value("spillgate.no_host"), 1);
    assert_eq!(
        host.metrics()
            .value("spillgate.decisions.cluster.shop.priority.0.reason.no_host"),
        1
    );
}

// === cost ===

#[test]
fn headers_are_not_read_if_no_setting_depends_on_them() {
    let mut configuration = plain("RANDOM", &[healthy(0, 5)]);
    configuration.as_object_mut().unwrap().remove("hash_policy");
    let mut host = serving(&configuration);
    // For the first request, the filter asks which host responds.
    host.request(user("u0")).unwrap();
    let exchange = host.request(user("u1")).unwrap();
    assert_eq!(exchange.data_calls(), 0, "{:?}", exchange.calls);
    assert_eq!(hosts(&exchange).len(), 3);
}

#[test]
fn memory_does_not_grow_with_requests() {
    let mut host = serving(&plain("MAGLEV", &[healthy(0, 20)]));
    for n in 0..200 {
        host.request(user(&format!("u{n}"))).unwrap();
    }
    let before = host.memory_bytes();
    for n in 0..20_000 {
        host.request(user(&format!("u{n}"))).unwrap();
    }
    assert_eq!(host.memory_bytes(), before);
}

#[test]
fn a_request_costs_the_same_with_a_thousand_hosts() {
    for policy in ["MAGLEV", "RANDOM"] {
        let [few, many] = [10, 1000].map(|count| {
            let mut host = serving(&plain(policy, &[healthy(0, count)]));
            host.request(user("u1")).unwrap();
            let total: u64 = (0..100)
                .map(|n| host.request(user(&format!("u{n}"))).unwrap().fuel)
                .sum();
            total / 100
        });
        assert!(
            many < few * 3 / 2,
            "{policy}: {few} for ten hosts, {many} for a thousand"
        );
    }
}

#[test]
fn hostile_requests_do_not_fill_the_log() {
    const REQUESTS: usize = 100_000;
    let mut value = plain("ROUND_ROBIN", &[healthy(0, 2)]);
    value["criteria"] = json!([{"key": "tenant", "header": "x-tenant"}, {"route_metadata": true}]);
    value["subset_chain"] = json!([{"keys": ["tenant"]}]);
    let mut host = serving(&value);
    let unreadable = Property::Value(vec![0xff; 8]);
    host.set_property(&["xds", "route_metadata"], unreadable);
    for number in 0..REQUESTS {
        if number == REQUESTS / 2 {
            host.remove_property(&["xds", "route_metadata"]);
        }
        let request = FilterRequest::get("/").header("x-tenant", [0xff, number as u8]);
        let exchange = host.request(request).unwrap();
        assert_eq!(exchange.local_response.map(|local| local.status), Some(503));
    }
    let logs = host.logs();
    assert!(
        logs.len() <= 100,
        "{} lines: {:?}",
        logs.len(),
        logs.first()
    );
}
