//! Session affinity in the shipped filter.

use std::time::Duration;

use crate::common::sessions::*;
use crate::common::{
    aggregate, answered, cluster, endpoint, hosts, serving, serving_seeded, unhealthy,
};
use serde_json::{Value, json};
use spillgate_testhost::{Exchange, FilterRequest, FilterResponse, Property, TestHost};

#[test]
fn a_session_stays_on_its_host() {
    let mut host = serving(&healthy(json!({})));
    let first = request(&mut host, None);
    let (at, text) = (hosts(&first)[0].to_owned(), token(&first).unwrap());
    assert_eq!(text.len(), 120);
    for _ in 0..20 {
        let next = request(&mut host, Some(&text));
        assert_eq!(hosts(&next)[0], at);
        assert_eq!(token(&next), None, "nothing has changed");
        assert!(!next.request_headers.has(TOKEN), "hosts see no token");
    }
    assert_eq!(count(&host, "spillgate.sessions.kept"), 20);
    assert_eq!(count(&host, "spillgate.sessions.new"), 1);
}

#[test]
fn a_session_moves_when_its_host_is_down_and_does_not_return() {
    let mut host = serving(&healthy(json!({})));
    let mut sessions = Vec::new();
    while sessions.len() < 8 {
        let first = request(&mut host, None);
        if hosts(&first)[0] == A {
            sessions.push(token(&first).unwrap());
        }
    }
    let mut down = serving(&sticky(json!([shop(unhealthy(A), endpoint(B))]), json!({})));
    for text in sessions {
        let moved = request(&mut down, Some(&text));
        assert_ne!(hosts(&moved)[0], A);
        let (at, fresh) = (hosts(&moved)[0].to_owned(), token(&moved).unwrap());
        assert_eq!(
            hosts(&request(&mut host, Some(&fresh)))[0],
            at,
            "the session does not return"
        );
        // Another gateway with another seed chooses the same host.
        let mut other = serving_seeded(
            &sticky(json!([shop(unhealthy(A), endpoint(B))]), json!({})),
            99,
        );
        assert_eq!(hosts(&request(&mut other, Some(&text)))[0], at);
    }
    assert_eq!(count(&down, "spillgate.sessions.moved.reason.unhealthy"), 8);
}

#[test]
fn a_retry_to_another_host_moves_the_session() {
    let mut host = serving(&healthy(json!({})));
    let first = answered(&mut host, FilterRequest::get("/"), Some(C));
    let next = request(&mut host, Some(&token(&first).unwrap()));
    assert_eq!(hosts(&next)[0], C, "the host that responded");
    let unknown = answered(&mut host, FilterRequest::get("/"), Some("10.9.9.9:80"));
    assert_eq!(token(&unknown), None, "unknown host");
}

#[test]
fn a_session_stays_in_its_cluster_across_failover_and_weights() {
    let primary = |down: bool| {
        let a = if down { unhealthy(A) } else { endpoint(A) };
        let mut primary = cluster("primary", "ROUND_ROBIN", &[vec![a]]);
        primary["common_lb_config"] = json!({"healthy_panic_threshold": {"value": 0}});
        primary
    };
    let secondary = || cluster("secondary", "ROUND_ROBIN", &[vec![endpoint(C)]]);
    let all = |down| {
        let clusters = json!([
            primary(down),
            secondary(),
            aggregate("shop", &["primary", "secondary"])
        ]);
        serving(&sticky(clusters, json!({})))
    };
    let (mut healthy_all, mut failed) = (all(false), all(true));
    let old = token(&request(&mut healthy_all, None)).unwrap();
    let moved = request(&mut failed, Some(&old));
    assert_eq!(hosts(&moved)[0], C);
    let after = request(&mut healthy_all, Some(&token(&moved).unwrap()));
    assert_eq!(hosts(&after)[0], C, "the session does not return");
    assert_eq!(
        after.request_headers.text(crate::common::CLUSTER_HEADER),
        Some("secondary")
    );

    let mut split = sticky(json!([primary(false), secondary()]), json!({}));
    let split = split.as_object_mut().unwrap();
    split.remove("target");
    split.insert(
        "weighted".to_owned(),
        json!([{"cluster": "primary", "weight": 50}, {"cluster": "secondary", "weight": 50}]),
    );
    let mut host = serving(&json!(split));
    let mut clusters = std::collections::BTreeSet::new();
    for _ in 0..30 {
        let first = request(&mut host, None);
        let text = token(&first).unwrap();
        clusters.insert(
            first
                .request_headers
                .text(crate::common::CLUSTER_HEADER)
                .map(str::to_owned),
        );
        for _ in 0..5 {
            assert_eq!(hosts(&request(&mut host, Some(&text)))[0], hosts(&first)[0]);
        }
    }
    assert_eq!(clusters.len(), 2, "both clusters get new sessions");
}

#[test]
fn refused_tokens_have_no_effect() {
    let mut host = serving(&healthy(json!({"max_life": "100s"})));
    let text = token(&request(&mut host, None)).unwrap();
    let refused = |host: &mut TestHost, text: &str, reason: &str| {
        let name = format!("spillgate.sessions.refused.reason.{reason}");
        let before = count(host, &name);
        let exchange = request(host, Some(text));
        assert_eq!(count(host, &name), before + 1, "{reason}");
        assert!(token(&exchange).is_some(), "a new session begins: {reason}");
    };
    refused(&mut host, "10.0.0.1:80", "malformed");
    let flipped = |at: usize| {
        let mut bytes = text.clone().into_bytes();
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        String::from_utf8(bytes).unwrap()
    };
    refused(&mut host, &flipped(60), "forged");
    let twice = FilterRequest::get("/")
        .header(TOKEN, &text)
        .header(TOKEN, &text);
    answered(&mut host, twice, None);
    assert_eq!(count(&host, "spillgate.sessions.refused.reason.several"), 1);
    let elsewhere = FilterRequest::get("/").header(TOKEN, &text);
    let mut scoped = serving(&healthy(json!({"scope": "other"})));
    answered(&mut scoped, elsewhere, None);
    assert_eq!(count(&scoped, "spillgate.sessions.refused.reason.scope"), 1);
    let mut foreign = serving(&healthy(json!({"keys": [{"id": 1, "secret": NEW}]})));
    refused(&mut foreign, &text, "forged");
    let mut unknown = serving(&healthy(json!({"keys": [{"id": 2, "secret": NEW}]})));
    refused(&mut unknown, &text, "unknown_key");
    let mut later = serving(&healthy(json!({"epoch": 1})));
    refused(&mut later, &text, "epoch");
    host.advance(Duration::from_secs(101)).unwrap();
    refused(&mut host, &text, "too_old");
}

#[test]
fn a_session_of_another_subset_is_refused() {
    let labeled = |address: &str, tenant: &str| {
        let mut endpoint = endpoint(address);
        endpoint["metadata"] = json!({"filter_metadata": {"envoy.lb": {"tenant": tenant}}});
        endpoint
    };
    let hosts_of = json!([cluster(
        "shop",
        "ROUND_ROBIN",
        &[vec![labeled(A, "a"), labeled(B, "b")]]
    )]);
    let mut config = sticky(hosts_of, json!({}));
    config["criteria"] = json!([{"key": "tenant", "header": "x-tenant"}]);
    config["subset_chain"] = json!([{"keys": ["tenant"]}]);
    let mut host = serving(&config);
    let of = |tenant: &str| FilterRequest::get("/").header("x-tenant", tenant);
    let first = answered(&mut host, of("a"), None);
    assert_eq!(hosts(&first), [A]);
    let text = token(&first).unwrap();
    let crossed = answered(&mut host, of("b").header(TOKEN, &text), None);
    assert_eq!(hosts(&crossed), [B]);
    assert_eq!(count(&host, "spillgate.sessions.refused.reason.subset"), 1);
    assert!(token(&crossed).is_some());
}

#[test]
fn keys_rotate_without_losing_a_session() {
    let keys = |list: &[(u8, &str)]| {
        let list: Vec<Value> = list
            .iter()
            .map(|(id, secret)| json!({"id": id, "secret": secret}))
            .collect();
        serving(&healthy(json!({"keys": list})))
    };
    let mut old = keys(&[(1, OLD)]);
    let mut added = keys(&[(1, OLD), (2, NEW)]);
    let mut promoted = keys(&[(2, NEW), (1, OLD)]);
    let mut dropped = keys(&[(2, NEW)]);
    let first = request(&mut old, None);
    let (at, text) = (hosts(&first)[0].to_owned(), token(&first).unwrap());
    assert_eq!(
        token(&request(&mut added, Some(&text))),
        None,
        "the old key still seals"
    );
    let fresh = request(&mut promoted, Some(&text));
    assert_eq!(hosts(&fresh)[0], at);
    let fresh = token(&fresh).unwrap();
    for gateway in [&mut added, &mut promoted, &mut dropped] {
        assert_eq!(hosts(&request(gateway, Some(&fresh)))[0], at);
        assert_eq!(
            count(gateway, "spillgate.sessions.refused.reason.unknown_key"),
            0
        );
    }
}

#[test]
fn a_session_that_must_not_move_is_refused() {
    let lost = json!({"on_lost": {"status": 410, "retry_after": "5s"}});
    let mut host = serving(&healthy(lost.clone()));
    let mut text = None;
    while text.is_none() {
        let first = request(&mut host, None);
        text = (hosts(&first)[0] == A).then(|| token(&first).unwrap());
    }
    let text = text.unwrap();
    assert_eq!(
        hosts(&request(&mut host, Some(&text))),
        [A],
        "no other host may be tried"
    );
    let mut down = serving(&sticky(json!([shop(unhealthy(A), endpoint(B))]), lost));
    let refused = request(&mut down, Some(&text));
    let response = refused.local_response.unwrap();
    assert_eq!(
        (response.status, response.details.as_str()),
        (410, "spillgate_session_lost")
    );
    assert_eq!(response.headers.text("retry-after"), Some("5"));
    assert_eq!(response.headers.text("cache-control"), Some("no-store"));
    assert_eq!(
        refused.response_headers.text(TOKEN),
        Some(""),
        "the client keeps no token"
    );
    assert_eq!(count(&down, "spillgate.sessions.lost.reason.unhealthy"), 1);
    assert_eq!(hosts(&request(&mut down, None))[0], B, "a new session");
}

#[test]
fn only_a_response_of_a_host_issues_a_token() {
    let mut host = serving(&healthy(json!({})));
    let mut respond = |status: u16, details: &str| {
        let flight = host.begin(FilterRequest::get("/")).unwrap();
        let details = Property::Value(details.into());
        host.set_property(&["upstream", "address"], Property::Value(A.into()));
        host.set_property(&["response", "code_details"], details);
        let exchange = host.finish(flight, FilterResponse::new(status)).unwrap();
        (token(&exchange), exchange.calls["proxy_get_property"])
    };
    for details in [
        "upstream_reset_before_response_started{remote_connection_failure}",
        "upstream_response_timeout",
        "cluster_not_found",
    ] {
        assert_eq!(respond(503, details).0, None, "{details}");
    }
    let (issued, calls) = respond(503, "via_upstream");
    assert!(issued.is_some(), "the host itself responded with 503");
    assert_eq!(calls, 2);
    // A kept session costs no second call.
    let flight = FilterRequest::get("/").header(TOKEN, issued.unwrap());
    let kept = answered(&mut host, flight, Some(A));
    assert_eq!((token(&kept), kept.calls["proxy_get_property"]), (None, 1));
}

#[test]
fn with_a_request_hash_all_replicas_choose_the_same_host() {
    let mut config = healthy(json!({}));
    config["hash_policy"] = json!([{"header": {"header_name": "x-user"}}]);
    let (mut one, mut other) = (serving_seeded(&config, 1), serving_seeded(&config, 2));
    for user in 0..50 {
        let request = || FilterRequest::get("/").header("x-user", user.to_string());
        let first = answered(&mut one, request(), None);
        assert_eq!(
            hosts(&answered(&mut other, request(), None))[0],
            hosts(&first)[0]
        );
    }
}

#[test]
fn new_sessions_avoid_a_host_above_max_share() {
    let mut host = serving(&healthy(json!({"max_share": 60})));
    let first = request(&mut host, None);
    let (at, text) = (hosts(&first)[0].to_owned(), token(&first).unwrap());
    for _ in 0..150 {
        assert_eq!(
            hosts(&request(&mut host, Some(&text)))[0],
            at,
            "kept sessions stay"
        );
    }
    for _ in 0..50 {
        assert_ne!(hosts(&request(&mut host, None))[0], at);
    }
}

#[test]
fn a_token_above_its_limit_has_no_effect() {
    let limit = json!({"max_requests_per_token": {"requests": 2, "window": "60s"}});
    let mut host = serving(&healthy(limit));
    let text = token(&request(&mut host, None)).unwrap();
    for _ in 0..2 {
        assert_eq!(token(&request(&mut host, Some(&text))), None);
    }
    let over = request(&mut host, Some(&text));
    assert_ne!(token(&over).unwrap(), text, "a new session");
    assert_eq!(count(&host, "spillgate.sessions.overused"), 1);
    assert_eq!(count(&host, "spillgate.sessions.new"), 2);
}

/// Envelopes in `mcp-session-id`.
fn enveloped(affinity: Value) -> Value {
    let mut config = healthy(json!({"envelope": {"name": "mcp-session-id"}}));
    let all = config["affinity"].as_object_mut().unwrap();
    all.remove("header");
    all.extend(affinity.as_object().unwrap().clone());
    config
}

const MCP: &str = "mcp-session-id";

/// A request with the session id `sent`, and a response with the session id `returned`.
fn mcp(host: &mut TestHost, sent: Option<&str>, returned: Option<&str>) -> Exchange {
    let mut request = FilterRequest::of("POST", "/mcp");
    if let Some(sent) = sent {
        request = request.header(MCP, sent);
    }
    let flight = host.begin(request).unwrap();
    let list = flight
        .request_headers
        .text(crate::common::HOST_HEADER)
        .unwrap_or("");
    let first = list.split(',').next().unwrap().to_owned();
    host.set_property(&["upstream", "address"], Property::Value(first.into()));
    let mut response = FilterResponse::new(200);
    if let Some(returned) = returned {
        response = response.header(MCP, returned);
    }
    host.finish(flight, response).unwrap()
}

#[test]
fn an_envelope_hides_the_hosts_session_id() {
    let mut host = serving(&enveloped(json!({})));
    let own = "1868a90c-1234-4a0e-9d1e-0a1b2c3d4e5f";
    let first = mcp(&mut host, None, Some(own));
    let at = hosts(&first)[0].to_owned();
    let text = first.response_headers.text(MCP).unwrap().to_owned();
    assert!(!text.contains(own) && text.len() > own.len());
    for returned in [None, Some(own)] {
        let next = mcp(&mut host, Some(&text), returned);
        assert_eq!(next.request_headers.text(MCP), Some(own));
        assert_eq!(hosts(&next)[0], at);
        let seen = next.response_headers.text(MCP);
        assert_eq!(
            seen,
            returned.map(|_| text.as_str()),
            "the envelope does not change"
        );
    }
    // The upstream host may change its session id.
    let renamed = mcp(&mut host, Some(&text), Some("s2"));
    let other = renamed.response_headers.text(MCP).unwrap().to_owned();
    let next = mcp(&mut host, Some(&other), None);
    assert_eq!(next.request_headers.text(MCP), Some("s2"));
    assert_eq!(hosts(&next)[0], at);
    // An id that no gateway sealed does not reach the upstream host.
    let forged = mcp(&mut host, Some(own), None);
    assert!(!forged.request_headers.has(MCP));
    assert_eq!(
        count(&host, "spillgate.sessions.refused.reason.malformed"),
        1
    );
    // A token is not accepted as an envelope.
    let mut tokens = serving(&healthy(json!({})));
    let token = token(&request(&mut tokens, None)).unwrap();
    assert!(!mcp(&mut host, Some(&token), None).request_headers.has(MCP));
}

#[test]
fn a_refused_or_lost_envelope_gets_the_on_lost_status() {
    let lost = json!({"on_lost": {"status": 404}});
    let mut host = serving(&enveloped(lost.clone()));
    let mut text = None;
    while text.is_none() {
        let first = mcp(&mut host, None, Some("s1"));
        let own = first.response_headers.text(MCP).unwrap();
        text = (hosts(&first)[0] == A).then(|| own.to_owned());
    }
    let mut config = enveloped(lost);
    config["clusters"] = json!([shop(unhealthy(A), endpoint(B))]);
    let mut down = serving(&config);
    for id in [text.unwrap().as_str(), "unknown"] {
        let response = mcp(&mut down, Some(id), None).local_response.unwrap();
        assert_eq!(
            (response.status, response.details.as_str()),
            (404, "spillgate_session_lost")
        );
    }
}

#[test]
fn keys_come_from_an_environment_variable() {
    const NAME: &str = "SPILLGATE_KEYS";
    let mut config = healthy(json!({"keys_from_env": NAME}));
    let affinity = config["affinity"].as_object_mut().unwrap();
    let keys = affinity.remove("keys").unwrap().to_string();
    let mut host = crate::common::load();
    let unset = crate::common::refusal(&mut host, &crate::common::bytes(&config));
    assert!(
        unset.contains("affinity.keys_from_env: environment variable SPILLGATE_KEYS is not set"),
        "{unset}"
    );
    host.set_variable("A", "1");
    host.set_variable("SPILLGATE_KEYS_OLD", "[]");
    for value in [keys.replace(OLD, &OLD[1..]), OLD.to_owned(), String::new()] {
        host.set_variable(NAME, &value);
        let invalid = crate::common::refusal(&mut host, &crate::common::bytes(&config));
        assert!(
            invalid.contains("environment variable SPILLGATE_KEYS: "),
            "{invalid}"
        );
        assert!(!invalid.contains(&OLD[4..12]), "{invalid}");
    }
    host.set_variable(NAME, &keys);
    let configured = host.configure(&crate::common::bytes(&config)).unwrap();
    assert!(configured.accepted, "{:#?}", configured.logs);
    let text = token(&request(&mut host, None)).unwrap();
    // The same keys in a configuration open the token.
    let mut other = serving(&healthy(json!({})));
    request(&mut other, Some(&text));
    assert_eq!(count(&other, "spillgate.sessions.kept"), 1);
    let shown = format!("{:?}{:?}", host.logs(), configured.logs);
    assert!(!shown.contains(&OLD[4..12]), "{shown}");
}
