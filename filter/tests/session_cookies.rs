//! Sessions in cookies: lost ones, several copies, and cookies of other proxies.

use std::time::Duration;

use crate::common::sessions::*;
use crate::common::{answered, endpoint, hosts, serving, unhealthy};
use serde_json::{Value, json};
use spillgate_testhost::{FilterRequest, TestHost};

#[test]
fn a_client_whose_session_is_lost_gets_through_with_its_next_visit() {
    let lost = json!({"on_lost": {"status": 410}});
    let mut host = serving(&cookies(lost.clone()));
    let mut jar = CookieJar::default();
    while jar.at != A {
        jar = CookieJar::default();
        jar.visit(&mut host);
    }
    let mut config = cookies(lost);
    config["clusters"] = json!([shop(unhealthy(A), endpoint(B))]);
    let mut down = serving(&config);
    assert_eq!(jar.visit(&mut down), 410);
    assert_eq!(jar.visit(&mut down), 200);
    assert_eq!(jar.at, B);
    assert_eq!(jar.visit(&mut down), 200, "the new session is kept");
    assert_eq!(count(&down, "spillgate.sessions.kept"), 1);
}

/// A client that keeps one cookie until a response removes it.
#[derive(Default)]
struct CookieJar {
    pair: Option<String>,
    /// The host of the last response.
    at: String,
}

impl CookieJar {
    /// One request: the status of its response.
    fn visit(&mut self, host: &mut TestHost) -> u16 {
        let mut request = FilterRequest::get("/");
        if let Some(pair) = &self.pair {
            request = request.header("cookie", pair);
        }
        let exchange = answered(host, request, None);
        if let Some((pair, attributes)) = set_cookie(&exchange) {
            let removed = attributes.split("; ").any(|one| one == "Max-Age=0");
            self.pair = (!removed).then_some(pair);
        }
        self.at = hosts(&exchange).first().unwrap_or(&"").to_string();
        exchange.local_response.map_or(200, |reply| reply.status)
    }
}

/// The fuel of a request with these cookies of our name, and its host.
fn fuel(host: &mut TestHost, cookies: &[&str]) -> (u64, String) {
    let jar = cookies.join("; ");
    let request = FilterRequest::get("/").header("cookie", jar);
    let exchange = answered(host, request, None);
    (exchange.fuel, hosts(&exchange)[0].to_owned())
}

#[test]
fn the_work_for_several_cookies_does_not_show_which_one_is_genuine() {
    let mut host = serving(&cookies(json!({})));
    let first = answered(&mut host, FilterRequest::get("/"), None);
    let (genuine, at) = (set_cookie(&first).unwrap().0, hosts(&first)[0].to_owned());
    let forged: Vec<String> = (1..4)
        .map(|n| {
            let mut forged = genuine.clone();
            forged.replace_range(40..40 + n, &"A".repeat(n));
            forged
        })
        .collect();
    let mut fuels = Vec::new();
    for round in 0..2 {
        for place in 0..4 {
            let mut jar: Vec<&str> = forged.iter().map(String::as_str).collect();
            jar.insert(place, &genuine);
            let (fuel, chosen) = fuel(&mut host, &jar);
            assert_eq!(chosen, at, "place {place}");
            // The first round defines metrics.
            if round > 0 {
                fuels.push(fuel);
            }
        }
    }
    let (least, most) = (fuels.iter().min().unwrap(), fuels.iter().max().unwrap());
    println!("fuel by the place of the genuine cookie: {fuels:?}");
    assert!(most - least < least / 200, "{fuels:?}");
    // A fifth cookie is not tried.
    let mut jar: Vec<&str> = forged.iter().map(String::as_str).collect();
    jar.extend([&*forged[0], &*genuine]);
    fuel(&mut host, &jar);
    assert_eq!(count(&host, "spillgate.sessions.refused.reason.several"), 1);
    assert_eq!(count(&host, "spillgate.sessions.kept"), 8);
}

#[test]
fn cookies_carry_sessions_and_other_cookies_stay() {
    let mut host = serving(&cookies(json!({})));
    let first = answered(&mut host, FilterRequest::get("/"), None);
    let (pair, attributes) = set_cookie(&first).unwrap();
    assert!(pair.starts_with("spillgate="), "{pair}");
    assert_eq!(
        attributes,
        "Path=/; Max-Age=3600; HttpOnly; Secure; SameSite=Lax"
    );
    let jar = format!("theme=dark; {pair}; lang=en");
    let next = answered(
        &mut host,
        FilterRequest::get("/").header("cookie", &jar),
        None,
    );
    assert_eq!(hosts(&next)[0], hosts(&first)[0]);
    assert_eq!(set_cookie(&next), None);
    assert_eq!(next.request_headers.text("cookie"), Some(jar.as_str()));
    // More than half of the lifetime is over.
    host.advance(Duration::from_secs(1_801)).unwrap();
    let renewed = answered(
        &mut host,
        FilterRequest::get("/").header("cookie", &jar),
        None,
    );
    assert_eq!(hosts(&renewed)[0], hosts(&first)[0]);
    assert_ne!(set_cookie(&renewed).unwrap().0, pair);
    let mut prefixed = serving(&cookies(json!({
        "cookie": {"name": "s", "host_prefix": true, "ttl": "0s", "same_site": "Strict", "cache_control": "private"},
    })));
    let first = answered(&mut prefixed, FilterRequest::get("/"), None);
    let (pair, attributes) = set_cookie(&first).unwrap();
    assert!(pair.starts_with("__Host-s="), "{pair}");
    assert_eq!(attributes, "Path=/; HttpOnly; Secure; SameSite=Strict");
    assert_eq!(
        first.response_headers.text("cache-control"),
        Some("private")
    );
}

#[test]
fn post_only_sets_no_cookie_on_cacheable_responses() {
    let mut host = serving(&cookies(json!({"cookie": {"post_only": true}})));
    assert_eq!(
        set_cookie(&answered(&mut host, FilterRequest::get("/"), None)),
        None
    );
    let post = FilterRequest::of("POST", "/");
    assert!(set_cookie(&answered(&mut host, post, None)).is_some());
}

#[test]
fn accepted_cookies_of_other_proxies_are_used_and_replaced() {
    // {1: "10.0.1.1:80"}, {1: "10.0.1.1:80", 2: 1 (long ago)}, "10.0.1.1:80;shop".
    let envoys = "\"CgsxMC4wLjEuMTo4MA==\"";
    let expired = "CgsxMC4wLjEuMTo4MBAB";
    let grpcs = "MTAuMC4xLjE6ODA7c2hvcA==";
    let elsewhere = "MTAuMC4xLjE6ODA7b3RoZXI=";
    let try_cookie = |accept: Value, value: &str| {
        let mut host = serving(&cookies(json!({"accept": accept})));
        let cookie = format!("spillgate={value}");
        let exchange = answered(
            &mut host,
            FilterRequest::get("/").header("cookie", cookie),
            None,
        );
        assert!(
            set_cookie(&exchange).is_some(),
            "every response sets our cookie"
        );
        (
            hosts(&exchange)[0] == C,
            count(&host, "spillgate.sessions.kept") == 1,
        )
    };
    assert_eq!(try_cookie(json!([]), envoys), (false, false));
    assert_eq!(try_cookie(json!(["envoy_cookie"]), envoys), (true, true));
    assert_eq!(try_cookie(json!(["envoy_cookie"]), expired), (false, false));
    assert_eq!(try_cookie(json!(["envoy_cookie"]), grpcs), (false, false));
    assert_eq!(try_cookie(json!(["grpc_cookie"]), grpcs), (true, true));
    assert_eq!(
        try_cookie(json!(["grpc_cookie"]), elsewhere),
        (false, false)
    );
    let both = json!(["envoy_cookie", "grpc_cookie"]);
    assert_eq!(try_cookie(both.clone(), envoys), (true, true));
    assert_eq!(try_cookie(both, grpcs), (true, true));
}
