//! Session cookies, headers and envelopes that an upstream host sets itself.

use crate::common::sessions::*;
use crate::common::{answered, hosts, serving};
use serde_json::{Value, json};
use spillgate_testhost::{Exchange, FilterRequest, FilterResponse, Property, TestHost};

const STRIPPED: &str = "spillgate.sessions.stripped";

/// A request to which the first host of its list responds with these headers.
fn planted(host: &mut TestHost, request: FilterRequest, headers: &[(&str, &[u8])]) -> Exchange {
    let flight = host.begin(request).unwrap();
    let list = flight
        .request_headers
        .text(crate::common::HOST_HEADER)
        .unwrap_or(A);
    let first = list.split(',').next().unwrap().to_owned();
    host.set_property(&["upstream", "address"], Property::Value(first.into()));
    let response = headers
        .iter()
        .fold(FilterResponse::new(200), |response, (name, value)| {
            response.header(name, value)
        });
    host.finish(flight, response).unwrap()
}

fn received<'e>(exchange: &'e Exchange, name: &str) -> Vec<&'e [u8]> {
    exchange.response_headers.values(name).collect()
}

#[test]
fn planted_cookies_are_removed_and_others_stay_in_order() {
    for (cookie, prefix) in [
        (json!({}), "spillgate="),
        (json!({"host_prefix": true}), "__Host-spillgate="),
    ] {
        let mut host = serving(&cookies(json!({"cookie": cookie})));
        let first = answered(&mut host, FilterRequest::get("/"), None);
        let (own, _) = set_cookie(&first).unwrap();
        assert!(own.starts_with(prefix), "{own}");
        let others = format!("{own}; path=/shop; SAMESITE=none").into_bytes();
        let nameless = format!("={own}").into_bytes();
        // A cookie of the application need not be UTF-8.
        let latin: &[u8] = b"name=J\xf6rg; Path=/";
        let response: [(&str, &[u8]); 5] = [
            ("set-cookie", b"b=1"),
            ("set-cookie", &others),
            ("set-cookie", latin),
            ("set-cookie", &nameless),
            ("set-cookie", b"a=2"),
        ];
        let request = FilterRequest::get("/").header("cookie", &own);
        let kept = planted(&mut host, request, &response);
        assert_eq!(hosts(&kept)[0], hosts(&first)[0]);
        assert_eq!(received(&kept, "set-cookie"), [&b"b=1"[..], latin, b"a=2"]);
        assert_eq!(count(&host, STRIPPED), 1);
        // A new session gets one cookie, ours, after the others.
        let new = planted(&mut host, FilterRequest::get("/"), &response);
        let values = received(&new, "set-cookie");
        assert_eq!(values[..3], [&b"b=1"[..], latin, b"a=2"]);
        assert_eq!(values.len(), 4);
        assert!(values[3].starts_with(prefix.as_bytes()));
        assert_eq!(count(&host, STRIPPED), 2);
    }
}

#[test]
fn a_response_with_other_cookies_only_is_not_written() {
    let mut host = serving(&cookies(json!({})));
    let first = answered(&mut host, FilterRequest::get("/"), None);
    let (own, _) = set_cookie(&first).unwrap();
    let request = || FilterRequest::get("/").header("cookie", &own);
    // The first kept session defines a metric.
    planted(&mut host, request(), &[]);
    let without = planted(&mut host, request(), &[]);
    let with = planted(&mut host, request(), &[("set-cookie", b"a=1")]);
    assert_eq!(received(&with, "set-cookie"), [b"a=1"]);
    let calls = |exchange: &Exchange| exchange.calls.values().sum::<u32>();
    assert_eq!(calls(&with), calls(&without) + 1, "one copy of the headers");
    assert_eq!(count(&host, STRIPPED), 0);
}

#[test]
fn planted_header_tokens_are_removed() {
    let mut host = serving(&healthy(json!({})));
    let own = token(&request(&mut host, None)).unwrap();
    let with = || FilterRequest::get("/").header(TOKEN, &own);
    let response: [(&str, &[u8]); 2] = [(TOKEN, own.as_bytes()), (TOKEN, b"other")];
    let kept = planted(&mut host, with(), &response);
    assert!(!kept.response_headers.has(TOKEN));
    assert_eq!(count(&host, STRIPPED), 1);
    let new = planted(&mut host, FilterRequest::get("/"), &response);
    assert_eq!(received(&new, TOKEN).len(), 1);
    assert_ne!(received(&new, TOKEN), [own.as_bytes()]);
}

#[test]
fn planted_tokens_are_removed_where_requests_pass_through() {
    let unmatched = |mut config: Value| {
        config.as_object_mut().unwrap().remove("target");
        config["targets"] = json!([{"match": {"prefix": "/steered"}, "cluster": "shop"}]);
        serving(&config)
    };
    let mut by_cookie = unmatched(cookies(json!({})));
    let response: [(&str, &[u8]); 2] = [("set-cookie", b"spillgate=x"), ("set-cookie", b"a=1")];
    let passing = planted(&mut by_cookie, FilterRequest::get("/"), &response);
    assert_eq!(received(&passing, "set-cookie"), [b"a=1"]);
    assert_eq!(count(&by_cookie, STRIPPED), 1);
    let mut by_header = unmatched(healthy(json!({})));
    let passing = planted(&mut by_header, FilterRequest::get("/"), &[(TOKEN, b"x")]);
    assert!(!passing.response_headers.has(TOKEN));
    assert_eq!(count(&by_header, STRIPPED), 1);
}

#[test]
fn a_planted_envelope_is_sealed_again() {
    let mut config = healthy(json!({"envelope": {"name": "mcp-session-id"}}));
    config["affinity"].as_object_mut().unwrap().remove("header");
    let mut host = serving(&config);
    let mcp = "mcp-session-id";
    let mut start = || {
        let exchange = planted(&mut host, FilterRequest::get("/"), &[(mcp, b"server-7")]);
        let at = hosts(&exchange)[0].to_owned();
        (at, exchange.response_headers.text(mcp).unwrap().to_owned())
    };
    let (at, own) = start();
    let mut others = start();
    while others.0 == at {
        others = start();
    }
    let (elsewhere, others) = others;
    assert_ne!(at, elsewhere);
    let request = FilterRequest::get("/").header(mcp, &own);
    let kept = planted(&mut host, request, &[(mcp, others.as_bytes())]);
    let given = kept.response_headers.text(mcp).unwrap().to_owned();
    assert_ne!(given, others);
    let again = planted(&mut host, FilterRequest::get("/").header(mcp, &given), &[]);
    assert_eq!(hosts(&again)[0], at, "the client stays on its host");
    assert_eq!(again.request_headers.text(mcp), Some(&*others));
    // No token is due for a host that no configuration has.
    let flight = host
        .begin(FilterRequest::get("/").header(mcp, &own))
        .unwrap();
    let unknown = Property::Value("10.9.9.9:80".into());
    host.set_property(&["upstream", "address"], unknown);
    let response = FilterResponse::new(200).header(mcp, &others);
    let unknown = host.finish(flight, response).unwrap();
    assert!(!unknown.response_headers.has(mcp));
    assert_eq!(count(&host, STRIPPED), 1);
}
