//! Internal headers that a client or an upstream host sends are always stripped.

use crate::common::*;
use serde_json::{Value, json};
use spillgate_testhost::{FilterRequest, FilterResponse};

/// A request that forges every internal header, several times and in mixed case.
fn forged() -> FilterRequest {
    user("u1")
        .header("X-Spillgate-Host", "6.6.6.6:666")
        .header("x-spillgate-host", "6.6.6.6:666")
        .header("x-SPILLGATE-host", "6.6.6.6:666")
        .header("X-Spillgate-Cluster", "evil")
        .header("x-spillgate-cluster", "evil")
        .header("X-Spillgate-Trace", "forged")
        .header("x-spillgate-trace", "forged")
        .header("X-Gateway-Destination-Endpoint", "6.6.6.6:666")
        .header("x-gateway-destination-endpoint", "6.6.6.6:666")
}

fn configuration() -> Value {
    let mut configuration = plain("MAGLEV", &[healthy(0, 4)]);
    configuration["reserved_headers"] = json!(["x-gateway-destination-endpoint"]);
    configuration["trace"] =
        json!({"header": TRACE_HEADER, "when": {"header": "x-debug", "value": "0123456789abcdef"}});
    configuration
}

#[test]
fn forged_values_are_replaced_by_the_decision() {
    let mut host = serving(&configuration());
    let honest = host.request(user("u1")).unwrap();
    let exchange = host.request(forged()).unwrap();
    assert_eq!(exchange.request_headers, honest.request_headers);
    assert_eq!(exchange.request_headers.values(HOST_HEADER).count(), 1);
    assert_eq!(exchange.request_headers.values(CLUSTER_HEADER).count(), 1);
    assert!(!exchange.request_headers.has(TRACE_HEADER));
    assert!(
        !exchange
            .request_headers
            .has("x-gateway-destination-endpoint")
    );
}

#[test]
fn forged_values_are_stripped_under_configured_names() {
    let mut configuration = configuration();
    configuration["output"] = json!({"host_header": "X-To", "cluster_header": "X-Of"});
    let mut host = serving(&configuration);
    let request = user("u1")
        .header("x-to", "6.6.6.6:666")
        .header("X-TO", "6.6.6.6:666")
        .header("x-of", "evil");
    let exchange = host.request(request).unwrap();
    assert_eq!(exchange.request_headers.values("x-to").count(), 1);
    assert_ne!(exchange.request_headers.text("x-to"), Some("6.6.6.6:666"));
    assert_eq!(exchange.request_headers.text("x-of"), Some("shop"));
}

#[test]
fn forged_values_are_stripped_without_a_host() {
    let mut configuration = configuration();
    configuration["clusters"] = json!([without_hosts("shop")]);
    let mut host = serving(&configuration);
    let exchange = host.request(forged()).unwrap();
    assert_eq!(exchange.local_response.unwrap().status, 503);
    for name in [
        HOST_HEADER,
        CLUSTER_HEADER,
        TRACE_HEADER,
        "x-gateway-destination-endpoint",
    ] {
        assert!(!exchange.request_headers.has(name), "{name}");
    }
}

#[test]
fn forged_values_are_stripped_without_a_target() {
    let mut configuration = configuration();
    configuration.as_object_mut().unwrap().remove("target");
    configuration["targets"] = json!([{"match": {"prefix": "/shop"}, "cluster": "shop"}]);
    let mut host = serving(&configuration);
    let exchange = host.request(forged()).unwrap();
    assert_eq!(exchange.local_response, None);
    for name in [
        HOST_HEADER,
        CLUSTER_HEADER,
        TRACE_HEADER,
        "x-gateway-destination-endpoint",
    ] {
        assert!(!exchange.request_headers.has(name), "{name}");
    }
    assert_eq!(host.metrics().value("spillgate.pass_through"), 1);
    let exchange = host.request(FilterRequest::get("/shop/1")).unwrap();
    assert!(exchange.request_headers.has(HOST_HEADER));
}

#[test]
fn internal_headers_do_not_reach_the_client() {
    let mut host = serving(&configuration());
    let echo = FilterResponse::new(200)
        .header("x-spillgate-host", "10.0.0.1:80")
        .header("X-Spillgate-Host", "10.0.0.2:80")
        .header("x-spillgate-cluster", "shop")
        .header("x-spillgate-trace", "forged")
        .header("x-other", "stays");
    let exchange = host.request_answered(user("u1"), echo).unwrap();
    for name in [HOST_HEADER, CLUSTER_HEADER, TRACE_HEADER] {
        assert!(!exchange.response_headers.has(name), "{name}");
    }
    assert_eq!(exchange.response_headers.text("x-other"), Some("stays"));
}

/// With `route_strips_response_headers`, the route strips them before the filter sees the response.
#[test]
fn responses_are_left_to_the_route_only_if_configured() {
    let mut by_route = configuration();
    by_route["output"]["route_strips_response_headers"] = json!(true);
    let mut host = serving(&by_route);
    let echo = || FilterResponse::new(200).header("x-spillgate-host", "10.0.0.1:80");
    let forged = user("u1").header(HOST_HEADER, "6.6.6.6:666");
    let exchange = host.request_answered(forged, echo()).unwrap();
    assert_eq!(
        exchange.response_headers.text(HOST_HEADER),
        Some("10.0.0.1:80")
    );
    assert!(!hosts(&exchange).contains(&"6.6.6.6:666"));
    let mut by_filter = configuration();
    by_filter["output"]["route_strips_response_headers"] = json!(false);
    let exchange = serving(&by_filter).request_answered(user("u1"), echo());
    assert!(!exchange.unwrap().response_headers.has(HOST_HEADER));
}

#[test]
fn the_debug_secret_does_not_reach_the_upstream_host() {
    let mut host = serving(&configuration());
    for value in ["secret", "guess"] {
        let request = user("u1").header("X-Debug", value).header("x-debug", value);
        let exchange = host.request(request).unwrap();
        assert!(!exchange.request_headers.has("x-debug"));
    }
}

#[test]
fn values_that_are_not_utf8_have_no_effect() {
    let mut host = serving(&configuration());
    let request = FilterRequest::get("/")
        .header("x-user", [0xff, 0xfe, 0x80])
        .header("x-debug", [0xc3, 0x28])
        .header("x-other", "");
    let exchange = host.request(request).unwrap();
    assert_eq!(hosts(&exchange).len(), 3);
    assert!(!exchange.response_headers.has(TRACE_HEADER));
}
