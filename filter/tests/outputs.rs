//! The output modes, and the header values that reach Envoy.

use crate::common::*;
use serde_json::{Value, json};
use spillgate_testhost::{FilterRequest, FilterResponse};

const A: &str = "10.0.0.1:80";

fn one_host() -> Value {
    plain("ROUND_ROBIN", &[vec![endpoint(A)]])
}

#[test]
fn a_session_header_names_one_host_in_base64() {
    let mut value = one_host();
    value["output"] = json!({"mode": "stateful_session", "host_header": "x-session"});
    let mut host = serving(&value);
    let request = FilterRequest::get("/")
        .header("x-session", "forged")
        .header("X-Session", "again");
    let answered = FilterResponse::new(200).header("x-session", "added by stateful_session");
    let exchange = host.request_answered(request, answered).unwrap();
    let values: Vec<_> = exchange.request_headers.values("x-session").collect();
    assert_eq!(values, [b"MTAuMC4wLjE6ODA=".as_slice()]);
    assert_eq!(exchange.response_headers.text("x-session"), None);
}

/// Criteria in headers for Envoy's own subset load balancer.
fn native(chain: Option<Value>, healthy: bool) -> Value {
    let mut host = if healthy { endpoint(A) } else { unhealthy(A) };
    host["metadata"] =
        json!({"filter_metadata": {"envoy.lb": {"stage": "prod", "v": 2, "new": true}}});
    let mut value = plain("ROUND_ROBIN", &[vec![host]]);
    value["criteria"] = json!([
        {"key": "stage", "value": "prod"},
        {"key": "v", "value": 2},
        {"key": "new", "value": true},
    ]);
    value["output"] = json!({"mode": "subset_headers", "subset_headers": {
        "stage": "x-stage", "v": "x-v", "new": "x-new"}});
    if let Some(chain) = chain {
        value["subset_chain"] = chain;
    }
    value
}

#[test]
fn subset_headers_carry_the_criteria() {
    let mut host = serving(&native(None, true));
    let request = FilterRequest::get("/")
        .header("x-stage", "forged")
        .header(HOST_HEADER, "1.1.1.1:1");
    let exchange = host.request(request).unwrap();
    let headers = &exchange.request_headers;
    for (name, value) in [
        ("x-stage", Some("prod")),
        ("x-v", Some("2")),
        ("x-new", Some("true")),
        (CLUSTER_HEADER, Some("shop")),
        (HOST_HEADER, None),
    ] {
        assert_eq!(headers.text(name), value, "{name}");
        assert!(headers.values(name).count() <= 1, "{name}");
    }
}

#[test]
fn a_criterion_that_no_header_can_express_is_refused() {
    let mut value = native(None, true);
    value["criteria"][2] = json!({"key": "new", "header": "x-wanted"});
    let with = |copies: &[&[u8]]| {
        let mut request = FilterRequest::get("/");
        for copy in copies {
            request = request.header("x-wanted", *copy);
        }
        request
    };
    let mut host = serving(&value);
    let refused = [&[&b"\xff"[..]][..], &[b"a", b"b"]];
    for copies in refused {
        let exchange = host.request(with(copies)).unwrap();
        let local = exchange.local_response.unwrap();
        assert_eq!((local.status, &*local.details), (503, "spillgate_no_host"));
        assert_eq!(exchange.request_headers.text("x-stage"), None);
    }
    assert_eq!(host.metrics().value("spillgate.no_host"), 2);
    for (copies, written) in [(&[&b"a"[..], b"a"][..], Some("a")), (&[], None)] {
        let exchange = host.request(with(copies)).unwrap();
        assert_eq!(exchange.local_response, None);
        assert_eq!(exchange.request_headers.text("x-new"), written);
    }
    // A step that does not use the key can serve.
    value["subset_chain"] = json!([{"keys": ["stage", "v", "new"]}, {"keys": ["stage"]}]);
    let mut host = serving(&value);
    for copies in refused {
        let exchange = host.request(with(copies)).unwrap();
        let headers = &exchange.request_headers;
        assert_eq!(
            (headers.text("x-stage"), headers.text("x-new")),
            (Some("prod"), None)
        );
    }
}

#[test]
fn subset_headers_are_those_of_the_step_that_serves() {
    // Every key needs a step that uses it; this one never has enough hosts.
    let unused = json!({"keys": ["stage", "v", "new"], "min_healthy_hosts": 9});
    let with_unused = |mut chain: Value| {
        chain.as_array_mut().unwrap().insert(0, unused.clone());
        chain
    };
    for (chain, healthy, stage, v) in [
        (
            json!([{"keys": ["stage", "v"]}]),
            true,
            Some("prod"),
            Some("2"),
        ),
        (json!([{"keys": ["stage"]}]), true, Some("prod"), None),
        (
            json!([{"match": {"stage": "dev"}}, {"match": {"v": 2}}]),
            true,
            None,
            Some("2"),
        ),
        (
            json!([{"keys": ["v"], "min_healthy_hosts": 2}, {"any": true}]),
            true,
            None,
            None,
        ),
    ] {
        let chain = with_unused(chain);
        let mut host = serving(&native(Some(chain.clone()), healthy));
        let exchange = host
            .request(FilterRequest::get("/").header("x-v", "9"))
            .unwrap();
        let headers = &exchange.request_headers;
        assert_eq!(
            (headers.text("x-stage"), headers.text("x-v")),
            (stage, v),
            "{chain}"
        );
        assert_eq!(headers.text("x-new"), None);
    }
    let chain = with_unused(json!([{"keys": ["stage"]}]));
    let mut host = serving(&native(Some(chain), false));
    let exchange = host.request(FilterRequest::get("/")).unwrap();
    assert_eq!(exchange.local_response.unwrap().status, 503);
}

#[test]
fn without_a_chain_envoy_chooses_by_health() {
    let mut value = native(None, false);
    value["clusters"][0]["common_lb_config"] = json!({"healthy_panic_threshold": {"value": 0}});
    let exchange = serving(&value).request(FilterRequest::get("/")).unwrap();
    assert!(exchange.local_response.is_none());
    assert_eq!(exchange.request_headers.text("x-stage"), Some("prod"));
}

#[test]
fn a_key_without_a_header_is_refused() {
    let mut value = native(Some(json!([{"keys": ["stage", "zone"]}])), true);
    value["criteria"] = json!([{"key": "tier", "value": 1}]);
    let message = refusal(&mut load(), &bytes(&value));
    for key in ["zone", "tier"] {
        let fault = format!("criteria key without a header; found \"{key}\"");
        assert!(message.contains(&fault), "{message}");
    }
}

#[test]
fn a_sample_of_decisions_is_stored_for_access_logs() {
    let property = ["spillgate.decision"];
    for (percent, stored) in [(json!(100), 40), (json!(0), 0)] {
        let mut value = one_host();
        value["access_log"] = json!({"percent": percent});
        let mut host = serving(&value);
        let mut seen = 0;
        for _ in 0..40 {
            host.request(FilterRequest::get("/")).unwrap();
            if let Some(text) = host.property(&property) {
                let decision: Value = serde_json::from_slice(&text).unwrap();
                assert_eq!(decision["endpoint"], A);
                assert_eq!(decision.get("steps"), None);
                host.remove_property(&property);
                seen += 1;
            }
        }
        assert_eq!(seen, stored, "{percent}");
    }
    let mut value = one_host();
    value["access_log"] = json!({"percent": 25.5, "steps": true});
    let mut host = serving(&value);
    let mut seen = 0;
    for _ in 0..1000 {
        host.request(FilterRequest::get("/")).unwrap();
        if let Some(text) = host.property(&property) {
            let decision: Value = serde_json::from_slice(&text).unwrap();
            assert_eq!(decision["steps"][0]["step"], "route");
            host.remove_property(&property);
            seen += 1;
        }
    }
    assert!((180..330).contains(&seen), "{seen} of 1000");
}
