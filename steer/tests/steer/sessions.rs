//! Sessions: new, kept, moved, lost, refused; the tokens that clients get.

use spillgate_steer::port::TokenOutcome;

use crate::environment::{Exchange, Proxy, cluster};

const FIRST: &str = "10.0.0.1:80";
const SECOND: &str = "10.0.0.2:80";
/// Two keys, each of 32 bytes.
const KEY: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const OTHER_KEY: &str = "Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA=";

/// Two hosts in these states, sessions with these settings.
fn config(states: [&str; 2], affinity: &str) -> String {
    with_key(KEY, states, affinity)
}

fn with_key(key: &str, [first, second]: [&str; 2], affinity: &str) -> String {
    let cluster = cluster("c", &[(FIRST, first, "1"), (SECOND, second, "2")]);
    format!(
        r#"{{"clusters": [{cluster}], "target": "c",
            "criteria": [{{"key": "v", "header": "x-v"}}],
            "affinity": {{"keys": [{{"id": 1, "secret": "{key}"}}], {affinity}}}}}"#
    )
}

const WELL: [&str; 2] = ["HEALTHY", "HEALTHY"];
const HEADER: &str = r#""header": {"name": "x-session"}"#;

/// A new session: its host and its token.
fn begin(proxy: &Proxy) -> (String, String) {
    let exchange = proxy.request(&[(":authority", "shop")]);
    assert_eq!(exchange.token, Some(TokenOutcome::Absent));
    let host = exchange.hosts().unwrap().split(',').next().unwrap();
    (
        host.to_owned(),
        exchange.received("x-session")[0].to_owned(),
    )
}

fn go_on<'p>(proxy: &'p Proxy, token: &str) -> Exchange<'p> {
    proxy.request(&[(":authority", "shop"), ("x-session", token)])
}

fn first_of<'e>(exchange: &'e Exchange<'_>) -> &'e str {
    exchange.hosts().unwrap().split(',').next().unwrap()
}

/// A session on the first host.
fn on_first(proxy: &Proxy) -> String {
    let sessions = (0..100).map(|_| begin(proxy));
    let mut on_first = sessions.filter(|(host, _)| host == FIRST);
    on_first.next().unwrap().1
}

#[test]
fn a_session_stays_and_its_server_does_not_see_the_token() {
    let proxy = Proxy::serving(&config(WELL, HEADER));
    let (host, token) = begin(&proxy);
    for _ in 0..5 {
        let exchange = go_on(&proxy, &token);
        assert_eq!(first_of(&exchange), host);
        assert_eq!(exchange.token, Some(TokenOutcome::Accepted));
        assert_eq!(exchange.sent("x-session"), [""; 0]);
        assert_eq!(exchange.received("x-session"), [""; 0], "it holds");
    }
    assert_eq!(proxy.worker.metric("spillgate.sessions.kept"), 5);
    assert_eq!(proxy.worker.metric("spillgate.sessions.new"), 1);
}

#[test]
fn a_cookie_carries_the_token() {
    let proxy = Proxy::serving(&config(WELL, r#""cookie": {"name": "s"}"#));
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
fn a_session_moves_with_a_new_token_and_does_not_come_back() {
    let mut proxy = Proxy::serving(&config(WELL, HEADER));
    let token = on_first(&proxy);
    assert!(proxy.configure(&config(["UNHEALTHY", "HEALTHY"], HEADER)));
    let moved = go_on(&proxy, &token);
    assert_eq!(moved.hosts(), Some(SECOND));
    let next = moved.received("x-session")[0].to_owned();
    let reason = "spillgate.sessions.moved.reason.unhealthy";
    assert_eq!(proxy.worker.metric(reason), 1);
    assert!(proxy.configure(&config(WELL, HEADER)));
    assert_eq!(first_of(&go_on(&proxy, &next)), SECOND);
}

#[test]
fn a_session_that_must_not_move_is_lost() {
    let refuse = format!(r#"{HEADER}, "on_lost": {{"status": 410, "retry_after": "7s"}}"#);
    let mut proxy = Proxy::serving(&config(WELL, &refuse));
    let token = on_first(&proxy);
    let kept = go_on(&proxy, &token);
    assert_eq!(kept.hosts(), Some(FIRST), "no other host may be tried");
    assert!(proxy.configure(&config(["UNHEALTHY", "HEALTHY"], &refuse)));
    let lost = go_on(&proxy, &token);
    let (status, details, headers) = lost.local.clone().unwrap();
    assert_eq!((status, &*details), (410, "spillgate_session_lost"));
    assert_eq!(headers, ["retry-after: 7"]);
    let reason = "spillgate.sessions.lost.reason.unhealthy";
    assert_eq!(proxy.worker.metric(reason), 1);
}

#[test]
fn tokens_of_others_are_refused() {
    let proxy = Proxy::serving(&config(WELL, HEADER));
    let (_, token) = begin(&proxy);
    let foreign = Proxy::serving(&with_key(OTHER_KEY, WELL, HEADER));
    let cases = [
        (go_on(&foreign, &token), "forged"),
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
            "{reason}: it is hidden"
        );
        assert_eq!(
            exchange.received("x-session").len(),
            1,
            "{reason}: a new one"
        );
    }
    proxy.worker.now.set(proxy.worker.now.get() + 100 * 86_400);
    let late = go_on(&proxy, &token);
    assert!(matches!(late.token, Some(TokenOutcome::Refused(_))));
    let counter = "spillgate.sessions.refused.reason.scope";
    assert_eq!(proxy.worker.metric(counter), 1);
}

#[test]
fn the_token_names_the_host_that_responded() {
    let proxy = Proxy::serving(&config(WELL, HEADER));
    let token = on_first(&proxy);
    let retried = |upstream: &str| {
        let headers = [(":authority", "shop"), ("x-session", &*token)];
        let mut exchange = Exchange::new(&proxy.worker, &headers);
        exchange.upstream = Some(upstream.to_owned());
        proxy.exchange(exchange)
    };
    let other = retried(SECOND);
    assert_eq!(
        first_of(&go_on(&proxy, other.received("x-session")[0])),
        SECOND
    );
    let unknown = retried("10.9.9.9:80");
    assert_eq!(
        unknown.received("x-session"),
        [""; 0],
        "unknown hosts get none"
    );
}

#[test]
fn an_envelope_hides_the_servers_own_id() {
    let envelope = r#""envelope": {"name": "mcp-session-id"}, "on_lost": {"status": 404}"#;
    let proxy = Proxy::serving(&config(WELL, envelope));
    let mut first = Exchange::new(&proxy.worker, &[(":authority", "shop")]);
    first.response = vec![("mcp-session-id".to_owned(), "server-7".to_owned())];
    let first = proxy.exchange(first);
    let sealed = first.received("mcp-session-id")[0];
    assert!(!sealed.contains("server-7"));
    let again = proxy.request(&[(":authority", "shop"), ("mcp-session-id", sealed)]);
    assert_eq!(again.sent("mcp-session-id"), ["server-7"]);
    assert_eq!(first_of(&again), first_of(&first));
    let forged = proxy.request(&[(":authority", "shop"), ("mcp-session-id", "server-7")]);
    assert_eq!(
        forged.local.unwrap().0,
        404,
        "nobody can name it to a server"
    );
}
