//! Sessions: new, kept, moved, lost, refused; the tokens that clients get.

use spillgate_steer::port::TokenOutcome;

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
    assert_eq!(headers, ["retry-after: 7"]);
    let reason = "spillgate.sessions.lost.reason.unhealthy";
    assert_eq!(proxy.worker.metric(reason), 1);
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
