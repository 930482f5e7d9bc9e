//! Refused requests, and routes that need no host.

use crate::common::sessions::*;
use crate::common::{endpoint, hosts, plain, serving, unhealthy, user, without_hosts};
use serde_json::{Value, json};
use spillgate_testhost::{Exchange, FilterRequest, FilterResponse, Property, TestHost};

/// The property that a request on a route without a cluster does not have.
const CLUSTER: [&str; 2] = ["xds", "cluster_name"];

/// A request on a route without a cluster, to which Envoy responds.
fn answered_by_envoy(
    host: &mut TestHost,
    request: FilterRequest,
    (status, details): (u16, &str),
) -> Exchange {
    host.remove_property(&CLUSTER);
    host.remove_property(&["upstream", "address"]);
    let flight = host.begin(request).unwrap();
    let details = Property::Value(details.into());
    host.set_property(&["response", "code_details"], details);
    host.finish(flight, FilterResponse::new(status)).unwrap()
}

/// A configuration without a host that may serve.
fn down() -> Value {
    let mut config = plain("MAGLEV", &[]);
    config["clusters"] = json!([without_hosts("shop")]);
    config
}

fn refusal(exchange: &Exchange) -> Option<(u16, &str)> {
    let local = exchange.local_response.as_ref()?;
    Some((local.status, &local.details))
}

#[test]
fn direct_responses_and_redirects_are_left_alone() {
    let mut host = serving(&down());
    for (status, details) in [
        (200, "direct_response"),
        (301, "direct_response"),
        (404, "route_not_found"),
    ] {
        let exchange = answered_by_envoy(&mut host, user("u1"), (status, details));
        assert_eq!(refusal(&exchange), None, "{details}");
        let seen = exchange.response_headers.text(":status");
        assert_eq!(seen, Some(&*status.to_string()));
        assert!(hosts(&exchange).is_empty());
    }
}

#[test]
fn a_route_by_cluster_header_refuses_with_the_response() {
    let mut host = serving(&down());
    let found_none = (503, "cluster_not_found");
    let exchange = answered_by_envoy(&mut host, user("u1"), found_none);
    assert_eq!(refusal(&exchange), Some((503, "spillgate_no_host")));
    let body = exchange.local_response.unwrap().body;
    assert_eq!(body, b"no healthy upstream");
    let mut unknown = down();
    unknown["clusters"] = json!([{"name": "shop", "lb_policy": "MAGLEV"}]);
    unknown["health"] = json!({"source": "admin", "cluster": "admin", "on_unknown": "refuse"});
    let mut host = serving(&unknown);
    let exchange = answered_by_envoy(&mut host, user("u1"), found_none);
    assert_eq!(refusal(&exchange), Some((503, "spillgate_hosts_unknown")));
}

#[test]
fn a_route_to_a_cluster_refuses_at_once() {
    let mut host = serving(&down());
    let flight = host.begin(user("u1")).unwrap();
    let local = flight.local_response.as_ref().unwrap();
    assert_eq!((local.status, &*local.details), (503, "spillgate_no_host"));
}

#[test]
fn a_lost_session_ends_with_the_response() {
    let lost = json!({"on_lost": {"status": 410}});
    let mut host = serving(&cookies(lost.clone()));
    let own = loop {
        let first = crate::common::answered(&mut host, FilterRequest::get("/"), None);
        if hosts(&first)[0] == A {
            break set_cookie(&first).unwrap().0;
        }
    };
    let mut config = cookies(lost);
    config["clusters"] = json!([shop(unhealthy(A), endpoint(B))]);
    let mut down = serving(&config);
    let request = || FilterRequest::get("/").header("cookie", &own);
    let exchange = answered_by_envoy(&mut down, request(), (503, "cluster_not_found"));
    assert_eq!(refusal(&exchange), Some((410, "spillgate_session_lost")));
    let (pair, attributes) = set_cookie(&exchange).unwrap();
    assert!(pair == "spillgate=" && attributes.contains("Max-Age=0"));
    let exchange = answered_by_envoy(&mut down, request(), (200, "direct_response"));
    assert_eq!((refusal(&exchange), set_cookie(&exchange)), (None, None));
}

#[test]
fn stripped_headers_cannot_make_a_route_one_without_a_cluster() {
    let mut host = serving(&down());
    for name in ["x-spillgate-host", "X-Spillgate-Cluster"] {
        host.remove_property(&CLUSTER);
        let request = user("u1").header(name, "any");
        let flight = host.begin(request).unwrap();
        assert!(flight.local_response.is_some(), "{name}");
    }
}
