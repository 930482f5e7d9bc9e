//! Sessions: new, kept, moved, lost, refused; the tokens that clients get.

use spillgate_steer::{Next, RouteSettings, port::TokenOutcome};

use crate::environment::{Exchange, Proxy, cluster};

pub(crate) const FIRST: &str = "10.0.0.1:80";
pub(crate) const SECOND: &str = "10.0.0.2:80";
/// Two keys, each of 32 bytes.
const KEY: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const OTHER_KEY: &str = "Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=";

/// Two hosts with these statuses, and sessions with these settings.
pub(crate) fn config(statuses: [&str; 2], affinity: &str) -> String {
    with_key(KEY, statuses, affinity)
}

fn with_key(key: &str, [first, second]: [&str; 2], affinity: &str) -> String {
    let cluster = cluster("c", &[(FIRST, first, "1"), (SECOND, second, "2")]);
    format!(
        r#"{{"clusters": [{cluster}], "target": "c",
            "criteria": [{{"key": "v", "header": "x-v"}}],
            "affinity": {{"keys": [{{"id": 1, "secret": "{key}"}}], {affinity}}}}}"#
    )
}

pub(crate) const HEALTHY: [&str; 2] = ["HEALTHY", "HEALTHY"];
pub(crate) const HEADER: &str = r#""header": {"name": "x-session"}"#;

/// Starts a session. Returns its host and its token.
fn begin(proxy: &Proxy) -> (String, String) {
    let exchange = proxy.request(&[(":authority", "shop")]);
    assert_eq!(exchange.token, Some(TokenOutcome::Absent));
    let host = exchange.hosts().unwrap().split(',').next().unwrap();
    (
        host.to_owned(),
        exchange.received("x-session")[0].to_owned(),
    )
}

pub(crate) fn resume<'p>(proxy: &'p Proxy, token: &str) -> Exchange<'p> {
    proxy.request(&[(":authority", "shop"), ("x-session", token)])
}

pub(crate) fn first_of<'e>(exchange: &'e Exchange<'_>) -> &'e str {
    exchange.hosts().unwrap().split(',').next().unwrap()
}

/// Starts a session on the first host. Returns its token.
pub(crate) fn on_first(proxy: &Proxy) -> String {
    let sessions = (0..100).map(|_| begin(proxy));
    let mut on_first = sessions.filter(|(host, _)| host == FIRST);
    on_first.next().unwrap().1
}

#[test]
fn a_token_that_is_hidden_is_no_failure() {
    let proxy = Proxy::serving(&config(HEALTHY, HEADER));
    let (_, token) = begin(&proxy);
    resume(&proxy, &token);
    assert_eq!(proxy.worker.metric("spillgate.host_failures"), 0);
}

#[test]
fn a_session_stays_and_its_host_does_not_see_the_token() {
    let proxy = Proxy::serving(&config(HEALTHY, HEADER));
    let (host, token) = begin(&proxy);
    for _ in 0..5 {
        let exchange = resume(&proxy, &token);
        assert_eq!(first_of(&exchange), host);
        assert_eq!(exchange.token, Some(TokenOutcome::Accepted));
        assert_eq!(exchange.sent("x-session"), [""; 0]);
        assert_eq!(
            exchange.received("x-session"),
            [""; 0],
            "the token stays valid"
        );
    }
    assert_eq!(proxy.worker.metric("spillgate.sessions.kept"), 5);
    assert_eq!(proxy.worker.metric("spillgate.sessions.new"), 1);
}

#[test]
fn a_cookie_carries_the_token() {
    let proxy = Proxy::serving(&config(HEALTHY, r#""cookie": {"name": "s"}"#));
    let exchange = proxy.request(&[(":authority", "shop"), (":method", "GET")]);
    let cookie = exchange.received("set-cookie")[0];
    let (pair, attributes) = cookie.split_once(';').unwrap();
    assert!(pair.starts_with("s=") && attributes.contains("Max-Age=3600"));
    let again = proxy.request(&[(":authority", "shop"), ("cookie", pair)]);
    assert_eq!(again.token, Some(TokenOutcome::Accepted));
    assert_eq!(first_of(&again), first_of(&exchange));
    assert_eq!(again.received("set-cookie"), [""; 0]);
}

#[test]
fn a_session_moves_with_a_new_token_and_does_not_return() {
    let mut proxy = Proxy::serving(&config(HEALTHY, HEADER));
    let token = on_first(&proxy);
    assert!(proxy.configure(&config(["UNHEALTHY", "HEALTHY"], HEADER)));
    let moved = resume(&proxy, &token);
    assert_eq!(moved.hosts(), Some(SECOND));
    let next = moved.received("x-session")[0].to_owned();
    let reason = "spillgate.sessions.moved.reason.unhealthy";
    assert_eq!(proxy.worker.metric(reason), 1);
    assert!(proxy.configure(&config(HEALTHY, HEADER)));
    assert_eq!(first_of(&resume(&proxy, &next)), SECOND);
}

#[test]
fn a_session_that_must_not_move_is_lost() {
    let refuse = format!(r#"{HEADER}, "on_lost": {{"status": 410, "retry_after": "7s"}}"#);
    let mut proxy = Proxy::serving(&config(HEALTHY, &refuse));
    let token = on_first(&proxy);
    let kept = resume(&proxy, &token);
    assert_eq!(kept.hosts(), Some(FIRST), "no other host may be tried");
    assert!(proxy.configure(&config(["UNHEALTHY", "HEALTHY"], &refuse)));
    let lost = resume(&proxy, &token);
    let (status, details, headers) = lost.local.clone().unwrap();
    assert_eq!((status, &*details), (410, "spillgate_session_lost"));
    let ends = ["retry-after: 7", "x-session: ", "cache-control: no-store"];
    assert_eq!(headers, ends);
    let reason = "spillgate.sessions.lost.reason.unhealthy";
    assert_eq!(proxy.worker.metric(reason), 1);
    // A client that repeats what it received begins a new session.
    let next = resume(&proxy, "");
    assert_eq!(next.token, Some(TokenOutcome::Absent));
    assert_eq!(next.hosts(), Some(SECOND));
    assert_eq!(next.received("x-session").len(), 1);
}

#[test]
fn a_lost_session_ends_at_a_client_with_cookies() {
    let cookie = r#""cookie": {"name": "s", "path": "/shop"}, "on_lost": {"status": 410}"#;
    let mut proxy = Proxy::serving(&config(["HEALTHY", "UNHEALTHY"], cookie));
    let first = proxy.request(&[(":authority", "shop"), (":path", "/shop")]);
    let given = first.received("set-cookie")[0];
    let pair = given.split(';').next().unwrap().to_owned();
    assert!(proxy.configure(&config(["UNHEALTHY", "HEALTHY"], cookie)));
    let lost = proxy.request(&[(":authority", "shop"), ("cookie", &pair)]);
    let (status, _, headers) = lost.local.unwrap();
    assert_eq!(status, 410);
    let removal = "set-cookie: s=; Path=/shop; Max-Age=0; HttpOnly; Secure; SameSite=Lax";
    assert_eq!(headers, [removal, "cache-control: no-store"]);
}

#[test]
fn only_a_response_of_a_host_issues_a_token() {
    let proxy = Proxy::serving(&config(HEALTHY, HEADER));
    let mut local = Exchange::new(&proxy.worker, &[(":authority", "shop")]);
    local.unreachable = true;
    let local = proxy.exchange(local);
    assert!(local.upstream.is_some(), "a host was tried");
    assert_eq!(local.received("x-session"), [""; 0]);
    // An accepted token stays valid, and is not replaced either.
    let token = on_first(&proxy);
    let headers = [(":authority", "shop"), ("x-session", &*token)];
    let mut local = Exchange::new(&proxy.worker, &headers);
    local.upstream = Some(SECOND.to_owned());
    local.unreachable = true;
    let local = proxy.exchange(local);
    assert_eq!(local.token, Some(TokenOutcome::Accepted));
    assert_eq!(local.received("x-session"), [""; 0]);
}

#[test]
fn tokens_of_other_keys_scopes_and_subsets_are_refused() {
    let proxy = Proxy::serving(&config(HEALTHY, HEADER));
    let (_, token) = begin(&proxy);
    let foreign = Proxy::serving(&with_key(OTHER_KEY, HEALTHY, HEADER));
    let cases = [
        (resume(&foreign, &token), "forged"),
        (
            proxy.request(&[(":authority", "other"), ("x-session", &token)]),
            "scope",
        ),
        (
            proxy.request(&[(":authority", "shop"), ("x-v", "1"), ("x-session", &token)]),
            "subset",
        ),
        (
            proxy.request(&[
                (":authority", "shop"),
                ("x-session", &token),
                ("x-session", &token),
            ]),
            "several",
        ),
    ];
    for (exchange, reason) in cases {
        assert_eq!(exchange.token, Some(TokenOutcome::Refused(reason)));
        assert_eq!(
            exchange.sent("x-session"),
            [""; 0],
            "{reason}: hidden from the upstream host"
        );
        assert_eq!(
            exchange.received("x-session").len(),
            1,
            "{reason}: a new one"
        );
    }
    proxy.worker.now.set(proxy.worker.now.get() + 100 * 86_400);
    let late = resume(&proxy, &token);
    assert!(matches!(late.token, Some(TokenOutcome::Refused(_))));
    let counter = "spillgate.sessions.refused.reason.scope";
    assert_eq!(proxy.worker.metric(counter), 1);
}

#[test]
fn the_token_names_the_host_that_responded() {
    let proxy = Proxy::serving(&config(HEALTHY, HEADER));
    let token = on_first(&proxy);
    let retried = |upstream: &str| {
        let headers = [(":authority", "shop"), ("x-session", &*token)];
        let mut exchange = Exchange::new(&proxy.worker, &headers);
        exchange.upstream = Some(upstream.to_owned());
        proxy.exchange(exchange)
    };
    let other = retried(SECOND);
    assert_eq!(
        first_of(&resume(&proxy, other.received("x-session")[0])),
        SECOND
    );
    let unknown = retried("10.9.9.9:80");
    assert_eq!(
        unknown.received("x-session"),
        [""; 0],
        "no token for an unknown host"
    );
}

#[test]
fn an_envelope_hides_the_hosts_own_id() {
    let envelope = r#""envelope": {"name": "mcp-session-id"}, "on_lost": {"status": 404}"#;
    let proxy = Proxy::serving(&config(HEALTHY, envelope));
    let mut first = Exchange::new(&proxy.worker, &[(":authority", "shop")]);
    first.response = vec![("mcp-session-id".to_owned(), "server-7".to_owned())];
    let first = proxy.exchange(first);
    let sealed = first.received("mcp-session-id")[0];
    assert!(!sealed.contains("server-7"));
    let again = proxy.request(&[(":authority", "shop"), ("mcp-session-id", sealed)]);
    assert_eq!(again.sent("mcp-session-id"), ["server-7"]);
    assert_eq!(first_of(&again), first_of(&first));
    let forged = proxy.request(&[(":authority", "shop"), ("mcp-session-id", "server-7")]);
    assert_eq!(forged.local.unwrap().0, 404, "the host's own id is unknown");
}

#[test]
fn an_envelope_hides_the_hosts_own_id_even_if_the_proxy_does_not_refuse_the_request() {
    let envelope = r#""envelope": {"name": "mcp-session-id"}, "on_lost": {"status": 404}"#;
    let proxy = Proxy::serving(&config(HEALTHY, envelope));
    let headers = [(":authority", "shop"), (MCP, "server-7")];
    let mut exchange = Exchange::new(&proxy.worker, &headers);
    let mut request = proxy.instance.request();
    exchange.read_only = true;
    assert_eq!(request.on_request_headers(&mut exchange), Next::Forward);
    assert_eq!(exchange.local.as_ref().unwrap().0, 404, "the proxy failed");
    exchange.read_only = false;
    exchange.response = vec![(MCP.to_owned(), "server-8".to_owned())];
    exchange.upstream = Some(FIRST.to_owned());
    request.on_response_headers(&mut exchange);
    assert_eq!(exchange.received(MCP), [""; 0]);
}

/// Hosts of these numbers, in this order.
fn many(numbers: impl Iterator<Item = usize>, fallback: &str) -> String {
    let addresses: Vec<String> = numbers.map(|host| format!("10.0.1.{host}:80")).collect();
    let hosts = addresses.iter();
    let hosts: Vec<_> = hosts.map(|host| (&**host, "HEALTHY", "1")).collect();
    let cluster = cluster("c", &hosts);
    format!(
        r#"{{"clusters": [{cluster}], "target": "c", "output": {{"candidates": 4}},
            "affinity": {{"keys": [{{"id": 1, "secret": "{KEY}"}}], {HEADER},
                          "fallback": "{fallback}"}}}}"#
    )
}

#[test]
fn gateways_that_list_hosts_in_different_orders_try_the_same_hosts() {
    let one = Proxy::serving(&many(1..41, "rendezvous"));
    let other = Proxy::serving(&many((1..41).rev(), "rendezvous"));
    let mut seconds = std::collections::BTreeSet::new();
    for _ in 0..100 {
        let (_, token) = begin(&one);
        let (first, again) = (resume(&one, &token), resume(&other, &token));
        let list = first.hosts().unwrap();
        assert_eq!(list.split(',').count(), 4, "{list}");
        assert_eq!(again.hosts(), Some(list));
        seconds.insert(list.split(',').nth(1).unwrap().to_owned());
    }
    assert!(seconds.len() > 20, "{seconds:?}");
}

#[test]
fn the_sessions_of_one_host_try_different_hosts_whatever_the_fallback() {
    for fallback in ["rendezvous", "policy"] {
        let proxy = Proxy::serving(&many(1..21, fallback));
        let mut seconds = std::collections::BTreeSet::new();
        for _ in 0..400 {
            let (host, token) = begin(&proxy);
            if host == "10.0.1.7:80" {
                let kept = resume(&proxy, &token);
                let second = kept.hosts().unwrap().split(',').nth(1);
                seconds.insert(second.unwrap().to_owned());
            }
        }
        assert!(seconds.len() > 5, "{fallback}: {seconds:?}");
    }
}

/// Moves a session from the first host at a gateway of this configuration. Returns its new token.
fn moved_at(config_of: impl Fn([&str; 2]) -> String, token: &str) -> String {
    let mut proxy = Proxy::serving(&config_of(HEALTHY));
    assert!(proxy.configure(&config_of(["UNHEALTHY", "HEALTHY"])));
    let moved = resume(&proxy, token);
    assert_eq!(moved.token, Some(TokenOutcome::Accepted));
    assert_eq!(moved.hosts(), Some(SECOND));
    moved.received("x-session")[0].to_owned()
}

#[test]
fn a_gateway_does_not_seal_below_the_epoch_of_the_token() {
    let of = |epoch: u16| {
        move |statuses: [&str; 2]| config(statuses, &format!(r#"{HEADER}, "epoch": {epoch}"#))
    };
    let new = Proxy::serving(&of(2)(HEALTHY));
    let token = on_first(&new);
    let moved = moved_at(of(1), &token);
    let back = resume(&new, &moved);
    assert_eq!(back.token, Some(TokenOutcome::Accepted));
    assert_eq!(first_of(&back), SECOND);
    // A higher epoch still revokes it.
    let newest = Proxy::serving(&of(3)(HEALTHY));
    let refused = Some(TokenOutcome::Refused("epoch"));
    assert_eq!(resume(&newest, &moved).token, refused);
    // A gateway seals with its own epoch if that is higher.
    let raised = moved_at(of(2), &on_first(&Proxy::serving(&of(2)(HEALTHY))));
    assert_eq!(resume(&new, &raised).token, Some(TokenOutcome::Accepted));
}

const MCP: &str = "mcp-session-id";

/// A request on a route, to which `upstream` responds with its own session id `returned`.
fn on_route<'p>(
    proxy: &'p Proxy,
    route: &RouteSettings,
    sent: Option<&str>,
    (upstream, returned): (&str, Option<&str>),
) -> Exchange<'p> {
    let mut headers = vec![(":authority", "shop"), (":path", "/")];
    headers.extend(sent.map(|sent| (MCP, sent)));
    let mut exchange = Exchange::new(&proxy.worker, &headers);
    exchange.route = route.clone();
    exchange.upstream = Some(upstream.to_owned());
    let returned = returned.map(|id| (MCP.to_owned(), id.to_owned()));
    exchange.response.extend(returned);
    proxy.exchange(exchange)
}

#[test]
fn an_envelope_is_sealed_and_opened_where_requests_pass_through() {
    let envelope = r#""envelope": {"name": "mcp-session-id"}, "on_lost": {"status": 404}"#;
    let steered = config(HEALTHY, envelope);
    let by_route = steered.replacen('{', r#"{"route_settings": true, "#, 1);
    let unmatched = steered.replacen(
        r#""target": "c""#,
        r#""targets": [{"match": {"prefix": "/steered"}, "cluster": "c"}]"#,
        1,
    );
    let disabled = RouteSettings {
        disabled: true,
        ..RouteSettings::default()
    };
    let open = RouteSettings::default();
    for (config, route) in [(&by_route, &disabled), (&unmatched, &open)] {
        let proxy = Proxy::serving(config);
        for upstream in [FIRST, "10.9.9.9:80"] {
            let first = on_route(&proxy, route, None, (upstream, Some("server-7")));
            assert_eq!(first.hosts(), None, "the request passes through");
            let sealed = first.received(MCP)[0].to_owned();
            assert!(!sealed.contains("server-7"), "{sealed}");
            let again = on_route(&proxy, route, Some(&sealed), (upstream, Some("server-7")));
            assert_eq!(again.sent(MCP), ["server-7"]);
            assert_eq!(
                again.received(MCP),
                [&*sealed],
                "the envelope does not change"
            );
            let renamed = on_route(&proxy, route, Some(&sealed), (upstream, Some("server-8")));
            assert_ne!(renamed.received(MCP), [&*sealed]);
            // The server's own id, from a client, never reaches a server.
            let forged = on_route(&proxy, route, Some("server-7"), (upstream, None));
            assert_eq!(forged.local.unwrap().0, 404);
            // Where requests are steered, the session stays on a known host.
            let steered = Proxy::serving(&steered);
            let steered = resume_with(&steered, &sealed);
            match upstream {
                FIRST => assert_eq!(steered.hosts(), Some(FIRST)),
                _ => assert_eq!(steered.local.unwrap().0, 404),
            }
        }
    }
}

fn resume_with<'p>(proxy: &'p Proxy, id: &str) -> Exchange<'p> {
    proxy.request(&[(":authority", "shop"), (MCP, id)])
}

#[test]
fn an_envelope_is_sealed_while_the_health_of_its_cluster_is_unknown() {
    let envelope = r#""envelope": {"name": "mcp-session-id"}"#;
    let health = r#"{"health": {"source": "admin", "cluster": "admin", "stale_after": "10s",
        "on_stale": "pass_through"}, "#;
    let mut proxy = Proxy::serving(&config(HEALTHY, envelope).replacen('{', health, 1));
    proxy.tick_after(60);
    let route = RouteSettings::default();
    let first = on_route(&proxy, &route, None, (SECOND, Some("server-7")));
    assert_eq!(first.hosts(), None, "the request passes through");
    let sealed = first.received(MCP)[0].to_owned();
    let again = on_route(&proxy, &route, Some(&sealed), (SECOND, None));
    assert_eq!(again.sent(MCP), ["server-7"]);
    let fresh = Proxy::serving(&config(HEALTHY, envelope));
    assert_eq!(first_of(&resume_with(&fresh, &sealed)), SECOND);
}

#[test]
fn the_first_genuine_of_four_cookies_counts() {
    let proxy = Proxy::serving(&config(HEALTHY, r#""cookie": {"name": "s"}"#));
    let start = || {
        let first = proxy.request(&[(":authority", "shop")]);
        let cookie = first.received("set-cookie")[0];
        let pair = cookie.split(';').next().unwrap().to_owned();
        (first_of(&first).to_owned(), pair)
    };
    let sessions: Vec<_> = (0..100).map(|_| start()).collect();
    let on = |host: &str| sessions.iter().find(|(at, _)| at == host).unwrap();
    let (genuine, other) = (&on(FIRST).1, &on(SECOND).1);
    let forged = format!("{}AAAA", genuine.split_at(genuine.len() - 4).0);
    let cases = [
        (vec![&*forged, genuine], Some(FIRST)),
        (vec![genuine, other], Some(FIRST)),
        (vec![other, genuine], Some(SECOND)),
        (vec!["s=", &forged, "s=10.0.0.1:80", genuine], Some(FIRST)),
        (vec![&*forged; 2], None),
        (vec![&*forged, &forged, &forged, &forged, genuine], None),
    ];
    for (cookies, kept) in cases {
        let jar = cookies.join("; ");
        let exchange = proxy.request(&[(":authority", "shop"), ("cookie", &jar)]);
        let token = match kept {
            Some(_) => TokenOutcome::Accepted,
            None => TokenOutcome::Refused("several"),
        };
        assert_eq!(exchange.token, Some(token), "{jar}");
        if let Some(host) = kept {
            assert_eq!(first_of(&exchange), host, "{jar}");
        }
        assert_eq!(exchange.received("set-cookie").is_empty(), kept.is_some());
    }
}

#[test]
fn a_session_of_another_proxy_is_limited() {
    let accept = |form: &str, carrier: &str| {
        Proxy::serving(&config(
            HEALTHY,
            &format!(r#"{carrier}, "accept": ["{form}"]"#),
        ))
    };
    let list = |hosts: usize| {
        let others = (1..hosts).map(|host| format!("10.1.0.{host}:80,"));
        others.collect::<String>() + SECOND
    };
    let header = accept("envoy_header", HEADER);
    let cookie = accept("grpc_cookie", r#""cookie": {"name": "s"}"#);
    let base64 =
        |text: &str| spillgate_core::proto::Base64::STANDARD.encode_padded(text.as_bytes());
    for (hosts, outcome) in [
        (32, TokenOutcome::Accepted),
        (33, TokenOutcome::Refused("too_many_hosts")),
    ] {
        let by_header = resume(&header, &base64(&list(hosts)));
        assert_eq!(by_header.token, Some(outcome), "{hosts} hosts");
        let jar = format!("s={}", base64(&(list(hosts) + ";c")));
        let by_cookie = cookie.request(&[(":authority", "shop"), ("cookie", &jar)]);
        assert_eq!(by_cookie.token, Some(outcome), "{hosts} hosts");
        if outcome == TokenOutcome::Accepted {
            assert_eq!(first_of(&by_header), SECOND);
            assert_eq!(first_of(&by_cookie), SECOND);
        }
    }
    let long = |bytes: usize| base64(&format!("{:>width$}", SECOND, width = bytes / 4 * 3));
    let at_most = resume(&header, &long(8_192));
    assert_eq!(at_most.token, Some(TokenOutcome::Accepted));
    let too_long = resume(&header, &long(8_196));
    assert_eq!(too_long.token, Some(TokenOutcome::Refused("too_long")));
    let counter = "spillgate.sessions.refused.reason.too_many_hosts";
    assert_eq!(header.worker.metric(counter), 1);
    // Without `accept`, a long value is no token.
    let plain = Proxy::serving(&config(HEALTHY, r#""cookie": {"name": "s"}"#));
    let jar = format!("s={}", base64(&list(32)));
    let refused = plain.request(&[(":authority", "shop"), ("cookie", &jar)]);
    assert_eq!(refused.token, Some(TokenOutcome::Refused("too_long")));
}

#[test]
fn a_session_of_grpc_keeps_its_host_in_the_cluster_that_it_names() {
    let carrier = r#""cookie": {"name": "s"}, "accept": ["grpc_cookie"]"#;
    let proxy = Proxy::serving(&config(HEALTHY, carrier));
    for (cluster, stays) in [("", true), (";", true), (";c", true), (";other", false)] {
        let session = format!("{SECOND}{cluster}");
        let session = spillgate_core::proto::Base64::STANDARD.encode_padded(session.as_bytes());
        let jar = format!("s={session}");
        let hosts = (0..4).map(|_| {
            let exchange = proxy.request(&[(":authority", "shop"), ("cookie", &jar)]);
            assert_eq!(exchange.token, Some(TokenOutcome::Accepted), "{cluster}");
            first_of(&exchange).to_owned()
        });
        let hosts: Vec<_> = hosts.collect();
        assert_eq!(
            hosts.iter().all(|host| host == SECOND),
            stays,
            "{cluster}: {hosts:?}"
        );
    }
}
