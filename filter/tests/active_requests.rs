//! Active requests: least request and bounded load count a request from its start to its end,
//! however it ends.

use crate::common::live::*;
use crate::common::*;
use serde_json::{Value, json};
use spillgate_testhost::{FilterRequest, FilterResponse, InFlight, TestHost};

const A: &str = "10.0.0.1:80";
const B: &str = "10.0.0.2:80";

/// Least request with a full scan, so that the host with fewer active requests is always chosen.
fn least() -> Value {
    let mut value = plain("LEAST_REQUEST", &[vec![endpoint(A), endpoint(B)]]);
    let cluster = value["clusters"][0].as_object_mut().unwrap();
    cluster.remove("lb_policy");
    cluster.insert("load_balancing_policy".into(), json!({"policies": [{"typed_extension_config": {
        "name": "p", "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest",
            "selection_method": "FULL_SCAN"}}}]}));
    value["output"] = json!({"candidates": 1});
    value
}

fn begin(host: &mut TestHost) -> InFlight {
    host.begin(user("u")).unwrap()
}

fn chosen(in_flight: &InFlight) -> String {
    in_flight
        .request_headers
        .text(HOST_HEADER)
        .unwrap()
        .to_owned()
}

#[test]
fn active_requests_are_spread_evenly() {
    let mut host = serving(&least());
    let open: Vec<InFlight> = (0..200).map(|_| begin(&mut host)).collect();
    let on_a = open.iter().filter(|one| chosen(one) == A).count();
    assert_eq!(on_a, 100, "of 200");
}

#[test]
fn an_ended_request_no_longer_counts() {
    let mut host = serving(&least());
    let stays = begin(&mut host);
    let busy = chosen(&stays);
    for _ in 0..50 {
        let other = begin(&mut host);
        assert_ne!(chosen(&other), busy, "the busy host has one more");
        host.finish(other, FilterResponse::new(200)).unwrap();
    }
    host.finish(stays, FilterResponse::new(503)).unwrap();
    let mut counts = [0, 0];
    for _ in 0..200 {
        let one = begin(&mut host);
        counts[usize::from(chosen(&one) == A)] += 1;
        host.finish(one, FilterResponse::new(200)).unwrap();
    }
    assert!(
        counts.iter().all(|count| *count > 50),
        "{counts:?}: both are idle"
    );
}

#[test]
fn active_requests_count_across_configurations() {
    let mut host = serving(&least());
    let open: Vec<InFlight> = (0..9).map(|_| begin(&mut host)).collect();
    let mut other = least();
    other["reserved_headers"] = json!(["x-more"]);
    // In the same root context, as in proxies that keep one context per plugin.
    assert!(host.reconfigure_in_place(&bytes(&other)).unwrap().accepted);
    let on_a = open.iter().filter(|one| chosen(one) == A).count();
    let next = begin(&mut host);
    let idle = if on_a == 5 { B } else { A };
    assert_eq!(chosen(&next), idle, "5 to 4 before");
    for one in open {
        host.finish(one, FilterResponse::new(200)).unwrap();
    }
    for _ in 0..20 {
        let one = begin(&mut host);
        assert_ne!(chosen(&one), idle, "only one request is left, on {idle}");
        host.finish(one, FilterResponse::new(200)).unwrap();
    }
}

#[test]
fn bounded_load_skips_a_host_above_its_share() {
    let mut value = plain("RING_HASH", &[vec![endpoint(A), endpoint(B)]]);
    let cluster = value["clusters"][0].as_object_mut().unwrap();
    cluster.remove("lb_policy");
    cluster.insert("load_balancing_policy".into(), json!({"policies": [{"typed_extension_config": {
        "name": "p", "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash",
            "consistent_hashing_lb_config": {"hash_balance_factor": 150}}}}]}));
    value["output"] = json!({"candidates": 1});
    let mut host = serving(&value);
    let open: Vec<InFlight> = (0..40).map(|_| begin(&mut host)).collect();
    let on_a = open.iter().filter(|one| chosen(one) == A).count();
    // One key: 40 without the bound; with 150 %, at most three quarters.
    assert!((9..=31).contains(&on_a), "{on_a} of 40");
}

#[test]
fn the_admin_can_report_active_requests() {
    let mut value = followed(least());
    value["least_request"] = json!({"source": "admin"});
    let mut envoy = Envoy::start(&["shop"], &value);
    let text = clusters("shop", &[(A, 0, "healthy"), (B, 0, "healthy")]);
    envoy.respond(&text.replace(&format!("{A}::rq_active::0"), &format!("{A}::rq_active::9")));
    for _ in 0..20 {
        assert_eq!(chosen(&begin(&mut envoy.worker)), B);
    }
    envoy.respond_next(&text.replace(&format!("{B}::rq_active::0"), &format!("{B}::rq_active::9")));
    for _ in 0..20 {
        assert_eq!(chosen(&begin(&mut envoy.worker)), A);
    }
}

#[test]
fn other_policies_do_not_count_active_requests() {
    let mut host = serving(&plain("MAGLEV", &[vec![endpoint(A)]]));
    let one = host
        .begin(FilterRequest::get("/").header("x-user", "u"))
        .unwrap();
    host.finish(one, FilterResponse::new(200)).unwrap();
}
