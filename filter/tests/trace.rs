//! The decision as a response header, for clients that send the secret.

use crate::common::*;
use serde_json::{Value, json};
use spillgate_testhost::{Exchange, FilterRequest, FilterResponse};

fn configuration(steps: bool) -> Value {
    let mut configuration = two_clusters("MAGLEV", healthy(0, 4), healthy(1, 4));
    configuration["trace"] = json!({
        "header": TRACE_HEADER,
        "when": {"header": "x-debug", "value": "open sesame, open sesame"},
        "steps": steps,
    });
    configuration
}

fn trace(exchange: &Exchange) -> Value {
    assert_eq!(exchange.response_headers.values(TRACE_HEADER).count(), 1);
    let text = exchange.response_headers.text(TRACE_HEADER).unwrap();
    assert!(text.bytes().all(|byte| byte >= 0x20), "{text:?}");
    serde_json::from_str(text).unwrap()
}

fn debugging(name: &str) -> FilterRequest {
    user(name).header("x-debug", "open sesame, open sesame")
}

#[test]
fn a_trace_has_the_decision() {
    let mut host = serving(&configuration(false));
    let exchange = host.request(debugging("u1")).unwrap();
    let trace = trace(&exchange);
    let keys: Vec<_> = trace.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "cluster",
            "owner",
            "priority",
            "degraded",
            "panic",
            "endpoint",
            "candidates",
            "reason"
        ]
    );
    assert_eq!(trace["cluster"], "shop");
    assert_eq!(trace["owner"], "primary");
    assert_eq!(trace["priority"], 0);
    assert_eq!(trace["panic"], false);
    assert_eq!(trace["reason"], "chosen");
    assert_eq!(trace["endpoint"], hosts(&exchange)[0]);
    let candidates: Vec<_> = trace["candidates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|candidate| candidate.as_str().unwrap())
        .collect();
    assert_eq!(candidates, hosts(&exchange));
}

#[test]
fn a_trace_has_steps_if_configured() {
    let mut host = serving(&configuration(true));
    let exchange = host.request(debugging("u1")).unwrap();
    let trace = trace(&exchange);
    let steps: Vec<_> = trace["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["step"].as_str().unwrap())
        .collect();
    assert_eq!(steps, ["route", "cluster", "priority", "host"]);
}

#[test]
fn a_trace_requires_the_secret() {
    let mut host = serving(&configuration(true));
    for guess in ["", "open", "open sesame ", "OPEN SESAME", "open sesamf"] {
        let exchange = host.request(user("u1").header("x-debug", guess)).unwrap();
        assert!(!exchange.response_headers.has(TRACE_HEADER), "{guess:?}");
    }
    let exchange = host.request(user("u1")).unwrap();
    assert!(!exchange.response_headers.has(TRACE_HEADER));
}

#[test]
fn without_a_configured_secret_there_is_no_trace() {
    let mut configuration = configuration(false);
    configuration.as_object_mut().unwrap().remove("trace");
    let mut host = serving(&configuration);
    let exchange = host.request(debugging("u1")).unwrap();
    assert!(!exchange.response_headers.has(TRACE_HEADER));
}

#[test]
fn a_trace_from_the_upstream_host_is_replaced() {
    let mut host = serving(&configuration(false));
    let response = FilterResponse::new(200)
        .header(TRACE_HEADER, "forged")
        .header(TRACE_HEADER, "twice");
    let exchange = host.request_answered(debugging("u1"), response).unwrap();
    assert_eq!(trace(&exchange)["reason"], "chosen");
}

#[test]
fn a_decision_without_a_host_is_traced() {
    let mut configuration = configuration(false);
    configuration["clusters"] = json!([without_hosts("shop")]);
    let mut host = serving(&configuration);
    let exchange = host.request(debugging("u1")).unwrap();
    assert_eq!(exchange.response_headers.text(":status"), Some("503"));
    let trace = trace(&exchange);
    assert_eq!(trace["reason"], "no_host");
    assert_eq!(trace["endpoint"], Value::Null);
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let run = || {
        let mut host = serving_seeded(&configuration(true), 7);
        let mut texts = Vec::new();
        for n in 0..50 {
            let exchange = host.request(debugging(&format!("u{n}"))).unwrap();
            texts.push(
                exchange
                    .response_headers
                    .text(TRACE_HEADER)
                    .unwrap()
                    .to_owned(),
            );
        }
        texts
    };
    assert_eq!(run(), run());
}
