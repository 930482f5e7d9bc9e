//! The ledger of hostcalls: the calls into the host that one request makes, by configuration.
//!
//! `ledger.txt` has the recorded calls. A change that makes more or fewer calls also changes the
//! file, so that a review shows its cost; `SPILLGATE_WRITE_LEDGER=1` writes it. The fuel of the
//! same requests is in `fuel.txt`, which `cargo xtask test --only filter` compares.
#![allow(clippy::disallowed_methods)]

use crate::common::*;
use serde_json::{Value, json};
use spillgate_testhost::{Exchange, FilterRequest};
use std::fmt::Write as _;
use std::path::Path;

/// The maximum number of calls of one request that return data: each allocates in the guest and
/// copies.
const MOST_DATA_CALLS: u32 = 6;

/// One entry of the ledger: a configuration and a request.
struct Case {
    name: &'static str,
    configuration: Value,
    request: FilterRequest,
}

/// All typical configurations. A new feature adds an entry.
fn cases() -> Vec<Case> {
    let case = |name, configuration, request| Case {
        name,
        configuration,
        request,
    };
    let browser = || {
        user("u1")
            .header("accept", "*/*")
            .header("cookie", "a=1; b=2")
    };
    let mut random = plain("RANDOM", &[healthy(0, 5)]);
    random.as_object_mut().unwrap().remove("hash_policy");
    let mut routed = plain("MAGLEV", &[healthy(0, 5)]);
    routed.as_object_mut().unwrap().remove("target");
    routed["targets"] = json!([{"match": {"prefix": "/shop"}, "cluster": "shop"}]);
    let mut reserved = plain("MAGLEV", &[healthy(0, 5)]);
    reserved["reserved_headers"] =
        json!(["x-gateway-destination-endpoint", "x-envoy-original-dst"]);
    let mut traced = two_clusters("MAGLEV", healthy(0, 5), healthy(1, 5));
    traced["trace"] = json!({
        "header": TRACE_HEADER,
        "when": {"header": "x-debug", "value": "0123456789abcdef"},
        "steps": true,
    });
    let mut routed_back = two_clusters("MAGLEV", healthy(0, 5), healthy(1, 5));
    routed_back["output"] = json!({"route_strips_response_headers": true});
    let mut staged = endpoint("10.0.0.1:80");
    staged["metadata"] = json!({"filter_metadata": {"envoy.lb": {"stage": "prod"}}});
    let mut chain = plain("ROUND_ROBIN", &[vec![staged, endpoint("10.0.0.2:80")]]);
    chain["criteria"] = json!([{"key": "stage", "header": "x-stage"}]);
    chain["subset_chain"] = json!([{"keys": ["stage"]}, {"any": true}]);
    let mut by_route = chain.clone();
    by_route["criteria"] = json!([{"route_metadata": true}]);
    by_route["route_settings"] = json!(true);
    let mut by_headers = chain.clone();
    by_headers["output"] =
        json!({"mode": "subset_headers", "subset_headers": {"stage": "x-to-stage"}});
    let mut session = plain("LEAST_REQUEST", &[healthy(0, 5)]);
    session["output"] = json!({"mode": "stateful_session", "host_header": "x-session"});
    let mut sticky = plain("LEAST_REQUEST", &[healthy(0, 5)]);
    sticky["affinity"] = json!({
        "header": {"name": "x-token"},
        "keys": [{"id": 1, "secret": "AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA="}],
    });
    let mut limited = sticky.clone();
    limited["affinity"]["max_share"] = json!(40);
    limited["affinity"]["max_requests_per_token"] = json!({"requests": 1_000, "window": "60s"});
    let mut logged = plain("MAGLEV", &[healthy(0, 5)]);
    logged["access_log"] = json!({"percent": 100, "steps": true});
    let mut empty = plain("MAGLEV", &[]);
    empty["clusters"] = json!([without_hosts("shop")]);
    vec![
        case("random, headers not read", random, browser()),
        case(
            "hash by header",
            plain("MAGLEV", &[healthy(0, 5)]),
            browser(),
        ),
        case(
            "hash by header, internal headers forged",
            plain("MAGLEV", &[healthy(0, 5)]),
            browser()
                .header(HOST_HEADER, "6.6.6.6:666")
                .header(HOST_HEADER, "6.6.6.6:666")
                .header(CLUSTER_HEADER, "evil"),
        ),
        case(
            "aggregate",
            two_clusters("MAGLEV", healthy(0, 5), healthy(1, 5)),
            browser(),
        ),
        case(
            "aggregate, responses stripped by the route",
            routed_back,
            browser(),
        ),
        case("aggregate, traces configured", traced.clone(), browser()),
        case(
            "aggregate, trace requested",
            traced,
            browser().header("x-debug", "0123456789abcdef"),
        ),
        case(
            "subset chain, by a header",
            chain,
            browser().header("x-stage", "prod"),
        ),
        case("subset chain, by route metadata", by_route, browser()),
        case(
            "subset headers",
            by_headers,
            browser().header("x-stage", "prod"),
        ),
        case("least request, session header", session, browser()),
        case("new session", sticky.clone(), browser()),
        case("kept session", sticky.clone(), with_token(&sticky)),
        case("new session, with limits", limited.clone(), browser()),
        case(
            "kept session, with limits",
            limited.clone(),
            with_token(&limited),
        ),
        case("every decision stored for access logs", logged, browser()),
        case("two reserved headers", reserved, browser()),
        case("no target matches", routed, browser()),
        case("no host", empty, browser()),
    ]
}

/// A request with the token of an earlier response.
fn with_token(configuration: &Value) -> FilterRequest {
    let mut host = serving(configuration);
    let exchange = answered(&mut host, user("u1"), None);
    let token = exchange.response_headers.text("x-token").unwrap();
    user("u1").header("x-token", token)
}

/// The second request of a case: the first one defines metrics.
fn second_request(case: &Case) -> Exchange {
    let mut host = serving(&case.configuration);
    answered(&mut host, case.request.clone(), None);
    let logged = host.logs().len();
    let exchange = answered(&mut host, case.request.clone(), None);
    assert_eq!(host.logs().len(), logged, "{}: a request logs", case.name);
    exchange
}

#[test]
fn hostcalls_are_those_of_the_ledger() {
    let mut text = String::new();
    for case in cases() {
        let exchange = second_request(&case);
        let data = exchange.data_calls();
        assert!(
            data <= MOST_DATA_CALLS,
            "{}: {data} calls return data, at most {MOST_DATA_CALLS} may: {:?}",
            case.name,
            exchange.calls
        );
        assert!(
            !exchange.calls.contains_key("proxy_define_metric"),
            "{}: a metric is defined again",
            case.name
        );
        let all: u32 = exchange.calls.values().sum();
        writeln!(text, "{}: {all} calls, {data} return data", case.name).unwrap();
        for (name, count) in &exchange.calls {
            writeln!(text, "  {count} {name}").unwrap();
        }
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ledger.txt");
    if std::env::var_os("SPILLGATE_WRITE_LEDGER").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    let ledger = std::fs::read_to_string(&file).unwrap();
    assert_eq!(
        text,
        ledger,
        "{} differs; SPILLGATE_WRITE_LEDGER=1 writes it",
        file.display()
    );
}

/// The number of measured requests of a case.
const REQUESTS: u64 = 8;

#[test]
fn requests_report_their_fuel() {
    let mut text = String::new();
    for case in cases() {
        let mut host = serving(&case.configuration);
        let mut burnt = || answered(&mut host, case.request.clone(), None).fuel;
        // The first requests define metrics and fill caches.
        for _ in 0..3 {
            burnt();
        }
        let fuel: u64 = (0..REQUESTS).map(|_| burnt()).sum();
        assert!(fuel > 0, "{}: the host counts no fuel", case.name);
        writeln!(text, "{:>9} {}", fuel / REQUESTS, case.name).unwrap();
    }
    if let Some(file) = std::env::var_os("SPILLGATE_FUEL_REPORT") {
        std::fs::write(file, text).unwrap();
    }
}

#[test]
fn calls_that_return_data_are_counted() {
    // This configuration reads the headers once. A broken count would be 0 or all calls.
    let case = cases().swap_remove(1);
    let exchange = second_request(&case);
    assert_eq!(exchange.data_calls(), 1, "{:?}", exchange.calls);
    assert!(exchange.calls.values().sum::<u32>() > 1);
}
