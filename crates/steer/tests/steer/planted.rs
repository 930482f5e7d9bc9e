//! Session cookies, headers and envelopes that an upstream host sets itself.

use spillgate_steer::{RouteSettings, port::TokenOutcome};

use crate::{
    environment::{Exchange, Proxy},
    sessions::{FIRST, HEADER, HEALTHY, SECOND, config, first_of, on_first, resume},
};

const STRIPPED: &str = "spillgate.sessions.stripped";
const COOKIE: &str = r#""cookie": {"name": "s"}"#;
const ENVELOPE: &str = r#""envelope": {"name": "mcp-session-id"}"#;
const MCP: &str = "mcp-session-id";

/// A request to which a host responds with these headers.
fn answered<'p>(
    proxy: &'p Proxy,
    request: &[(&str, &str)],
    response: &[(&str, &str)],
) -> Exchange<'p> {
    proxy.exchange(prepared(proxy, request, response))
}

fn prepared<'p>(
    proxy: &'p Proxy,
    request: &[(&str, &str)],
    response: &[(&str, &str)],
) -> Exchange<'p> {
    let mut exchange = Exchange::new(&proxy.worker, request);
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    exchange.response = response.iter().map(owned).collect();
    exchange
}

/// The cookies of two new sessions: one on the first host, one on the second.
fn cookies(proxy: &Proxy) -> [String; 2] {
    let of = |host: &str| {
        let mut started = (0..100).map(|_| proxy.request(&[(":authority", "shop")]));
        let on_host = started.find(|exchange| first_of(exchange) == host).unwrap();
        let cookie = on_host.received("set-cookie")[0];
        cookie.split(';').next().unwrap().to_owned()
    };
    [of(FIRST), of(SECOND)]
}

#[test]
fn the_cookie_of_another_client_does_not_reach_a_client() {
    for (affinity, prefix) in [
        (COOKIE, ""),
        (r#""cookie": {"name": "s", "host_prefix": true}"#, "__Host-"),
        (r#""cookie": {"name": "s", "post_only": true}"#, ""),
    ] {
        let proxy = Proxy::serving(&config(HEALTHY, affinity));
        let [own, others] = cookies(&proxy);
        assert!(own.starts_with(&format!("{prefix}s=")), "{own}");
        let planted = [
            ("set-cookie", "theme=dark; Path=/".to_owned()),
            ("set-cookie", format!("{others}; PATH=/; secure; HttpOnly")),
            ("set-cookie", "lang=en".to_owned()),
            ("set-cookie", format!("={others}")),
            ("set-cookie", format!(" {others};Max-Age=0")),
            ("x-app", "1".to_owned()),
        ];
        let planted: Vec<_> = planted.iter().map(|(name, of)| (*name, &**of)).collect();
        for method in ["GET", "POST"] {
            let headers = [
                (":authority", "shop"),
                (":method", method),
                ("cookie", &own),
            ];
            let kept = answered(&proxy, &headers, &planted);
            assert_eq!(first_of(&kept), FIRST);
            assert_eq!(
                kept.received("set-cookie"),
                ["theme=dark; Path=/", "lang=en"]
            );
            assert_eq!(kept.received("x-app"), ["1"]);
        }
        assert_eq!(proxy.worker.metric(STRIPPED), 2, "once for each response");
    }
}

#[test]
fn a_new_token_replaces_planted_cookies_of_every_path() {
    let proxy = Proxy::serving(&config(HEALTHY, COOKIE));
    let [_, others] = cookies(&proxy);
    let planted = format!("{others}; Path=/deeper");
    let response = [("set-cookie", &*planted), ("set-cookie", "a=1")];
    let new = answered(&proxy, &[(":authority", "shop")], &response);
    let received = new.received("set-cookie");
    assert_eq!(received.len(), 2, "{received:?}");
    assert_eq!(received[0], "a=1");
    assert!(received[1].starts_with("s=") && received[1].contains("Path=/;"));
    assert_eq!(proxy.worker.metric(STRIPPED), 1);
}

#[test]
fn other_cookies_are_not_touched() {
    let proxy = Proxy::serving(&config(HEALTHY, COOKIE));
    let [own, _] = cookies(&proxy);
    let others = ["S=1", "ss=1", "a=s=1", "s", "a=1; s=2", "==s=1"];
    let response = others.map(|cookie| ("set-cookie", cookie));
    let headers = [(":authority", "shop"), ("cookie", &*own)];
    let kept = answered(&proxy, &headers, &response);
    assert_eq!(kept.received("set-cookie"), others);
    assert_eq!(proxy.worker.metric(STRIPPED), 0);
}

#[test]
fn the_header_token_of_another_client_does_not_reach_a_client() {
    let proxy = Proxy::serving(&config(HEALTHY, HEADER));
    let token = on_first(&proxy);
    let mut others = (0..100).map(|_| proxy.request(&[(":authority", "shop")]));
    let others = others
        .find(|exchange| first_of(exchange) == SECOND)
        .unwrap()
        .received("x-session")[0]
        .to_owned();
    let planted = [("x-session", &*others), ("x-session", &*others)];
    let headers = [(":authority", "shop"), ("x-session", &*token)];
    let kept = answered(&proxy, &headers, &planted);
    assert_eq!(first_of(&kept), FIRST);
    assert_eq!(kept.received("x-session"), [""; 0]);
    assert_eq!(proxy.worker.metric(STRIPPED), 1);
    // A host that no configuration has gets no token, and gives none either.
    let mut unknown = prepared(&proxy, &headers, &planted);
    unknown.upstream = Some("10.9.9.9:80".to_owned());
    let unknown = proxy.exchange(unknown);
    assert_eq!(unknown.received("x-session"), [""; 0]);
    assert_eq!(proxy.worker.metric(STRIPPED), 2);
    // A new token replaces all values.
    let new = answered(&proxy, &[(":authority", "shop")], &planted);
    assert_eq!(new.received("x-session").len(), 1);
    assert_ne!(new.received("x-session"), [&*others]);
}

#[test]
fn planted_tokens_do_not_reach_clients_where_requests_pass_through() {
    let disabled = RouteSettings {
        disabled: true,
        ..RouteSettings::default()
    };
    for (affinity, name, planted) in [
        (COOKIE, "set-cookie", "s=planted"),
        (HEADER, "x-session", "planted"),
    ] {
        let config = config(HEALTHY, affinity).replacen('{', r#"{"route_settings": true, "#, 1);
        let proxy = Proxy::serving(&config);
        let mut passing = prepared(&proxy, &[(":authority", "shop")], &[(name, planted)]);
        passing.route = disabled.clone();
        passing.upstream = Some(SECOND.to_owned());
        let passing = proxy.exchange(passing);
        assert_eq!(passing.hosts(), None, "the request passes through");
        assert_eq!(passing.received(name), [""; 0]);
        assert_eq!(proxy.worker.metric(STRIPPED), 1);
        // The proxy's own response is not that of a host.
        let mut local = prepared(&proxy, &[(":authority", "shop")], &[(name, planted)]);
        local.route = disabled.clone();
        let local = proxy.exchange(local);
        assert_eq!(local.received(name), [planted]);
        assert_eq!(proxy.worker.metric(STRIPPED), 1);
    }
}

#[test]
fn a_planted_envelope_is_sealed_like_any_id_of_a_host() {
    let proxy = Proxy::serving(&config(HEALTHY, ENVELOPE));
    let start = || answered(&proxy, &[(":authority", "shop")], &[(MCP, "server-7")]);
    let sealed_on = |host: &str| {
        let mut started = (0..100).map(|_| start());
        let on_host = started.find(|exchange| first_of(exchange) == host).unwrap();
        on_host.received(MCP)[0].to_owned()
    };
    let (own, others) = (sealed_on(FIRST), sealed_on(SECOND));
    let headers = [(":authority", "shop"), (MCP, &*own)];
    let kept = answered(&proxy, &headers, &[(MCP, &others), (MCP, &others)]);
    let given = kept.received(MCP);
    assert_eq!(given.len(), 1, "{given:?}");
    assert_ne!(given, [&*others]);
    let again = proxy.request(&[(":authority", "shop"), (MCP, given[0])]);
    assert_eq!(first_of(&again), FIRST, "the client stays on its host");
    assert_eq!(again.sent(MCP), [&*others], "the host gets its own id");
    assert_eq!(proxy.worker.metric(STRIPPED), 0);
    // No token is due for a host that no configuration has.
    let mut unknown = prepared(&proxy, &headers, &[(MCP, &others)]);
    unknown.upstream = Some("10.9.9.9:80".to_owned());
    let unknown = proxy.exchange(unknown);
    assert_eq!(unknown.received(MCP), [""; 0]);
    assert_eq!(proxy.worker.metric(STRIPPED), 1);
}

#[test]
fn a_token_of_a_cookie_is_refused_in_a_header_and_the_reverse() {
    let by_cookie = Proxy::serving(&config(HEALTHY, COOKIE));
    let by_header = Proxy::serving(&config(HEALTHY, HEADER));
    let [cookie, _] = cookies(&by_cookie);
    let in_header = resume(&by_header, cookie.strip_prefix("s=").unwrap());
    let refused = Some(TokenOutcome::Refused("carrier"));
    assert_eq!(in_header.token, refused);
    let jar = format!("s={}", on_first(&by_header));
    let headers = [(":authority", "shop"), ("cookie", &*jar)];
    let in_cookie = by_cookie.request(&headers);
    assert_eq!(in_cookie.token, refused);
    assert_eq!(in_cookie.received("set-cookie").len(), 1, "a new session");
    let counter = "spillgate.sessions.refused.reason.carrier";
    assert_eq!(by_cookie.worker.metric(counter), 1);
}

#[test]
fn the_end_of_a_lost_session_reaches_the_client() {
    let lost = format!(r#"{HEADER}, "on_lost": {{"status": 410}}"#);
    let mut proxy = Proxy::serving(&config(HEALTHY, &lost));
    let token = on_first(&proxy);
    assert!(proxy.configure(&config(["UNHEALTHY", "HEALTHY"], &lost)));
    let refused = resume(&proxy, &token);
    let (_, _, headers) = refused.local.unwrap();
    assert!(headers.contains(&"x-session: ".to_owned()), "{headers:?}");
    assert_eq!(proxy.worker.metric(STRIPPED), 0);
}
