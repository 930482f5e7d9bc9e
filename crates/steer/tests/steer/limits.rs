//! `max_share` and `max_requests_per_token`: limits of a host's and of a token's load.

use spillgate_steer::port::TokenOutcome;

use crate::{
    environment::{Exchange, Proxy},
    sessions::{HEADER, HEALTHY, SECOND, config, first_of, on_first, resume},
};

const LIMITED: &str = r#""max_requests_per_token": {"requests": 3, "window": "60s"}"#;

#[test]
fn a_token_above_its_limit_has_no_effect_until_its_window_ends() {
    for carrier in [
        HEADER,
        r#""header": {"name": "x-session"}, "on_lost": {"status": 410}"#,
    ] {
        let proxy = Proxy::serving(&config(HEALTHY, &format!("{carrier}, {LIMITED}")));
        let token = on_first(&proxy);
        for _ in 0..3 {
            assert_eq!(resume(&proxy, &token).token, Some(TokenOutcome::Accepted));
        }
        let over = resume(&proxy, &token);
        assert_eq!(over.token, Some(TokenOutcome::Overused));
        assert!(over.local.is_none(), "the request is served");
        let other = over.received("x-session")[0].to_owned();
        assert_ne!(other, token, "the client gets a new session");
        assert_eq!(resume(&proxy, &other).token, Some(TokenOutcome::Accepted));
        assert_eq!(proxy.worker.metric("spillgate.sessions.overused"), 1);
        proxy.worker.now.set(proxy.worker.now.get() + 600);
        let jumped = resume(&proxy, &token);
        assert_eq!(jumped.token, Some(TokenOutcome::Overused), "the wall clock");
        proxy.worker.pass(60);
        assert_eq!(resume(&proxy, &token).token, Some(TokenOutcome::Accepted));
    }
}

#[test]
fn requests_in_different_seconds_of_a_window_count_together() {
    let proxy = Proxy::serving(&config(HEALTHY, &format!("{HEADER}, {LIMITED}")));
    let token = on_first(&proxy);
    for _ in 0..3 {
        assert_eq!(resume(&proxy, &token).token, Some(TokenOutcome::Accepted));
        proxy.worker.pass(5);
    }
    let over = resume(&proxy, &token);
    assert_eq!(over.token, Some(TokenOutcome::Overused));
}

#[test]
fn the_requests_above_the_limit_of_a_token_spread_over_the_hosts() {
    let affinity = format!("{HEADER}, {LIMITED}");
    let hashed = config(HEALTHY, &affinity).replace(
        r#""target""#,
        r#""hash_policy": [{"header": {"header_name": "x-user"}}], "target""#,
    );
    let proxy = Proxy::serving(&hashed);
    let send = |token: Option<&str>| {
        let mut headers = vec![(":authority", "shop"), ("x-user", "u")];
        headers.extend(token.map(|token| ("x-session", token)));
        let exchange = proxy.request(&headers);
        let token = exchange.received("x-session").first().copied();
        (first_of(&exchange).to_owned(), token.map(str::to_owned))
    };
    let (_, token) = send(None);
    let hosts: Vec<String> = (0..43).map(|_| send(token.as_deref()).0).collect();
    let second = hosts[3..].iter().filter(|host| *host == SECOND).count();
    assert!((10..=30).contains(&second), "{hosts:?}");
}

#[test]
fn an_envelope_above_its_limit_is_not_refused() {
    let envelope =
        format!(r#""envelope": {{"name": "x-session"}}, "on_lost": {{"status": 404}}, {LIMITED}"#);
    let proxy = Proxy::serving(&config(HEALTHY, &envelope));
    let mut first = Exchange::new(&proxy.worker, &[(":authority", "shop")]);
    first.response.push(("x-session".into(), "server-1".into()));
    let first = proxy.exchange(first);
    let token = first.received("x-session")[0].to_owned();
    for _ in 0..3 {
        assert_eq!(resume(&proxy, &token).sent("x-session"), ["server-1"]);
    }
    let over = resume(&proxy, &token);
    assert_eq!(over.token, Some(TokenOutcome::Overused));
    assert!(over.local.is_none() && over.hosts().is_some());
    assert_eq!(over.sent("x-session"), [""; 0], "the server gets no id");
}

/// Sends requests of these sessions, 100 for each second. Returns how many left their host.
fn load(proxy: &Proxy, tokens: &mut [String], seconds: u64) -> usize {
    let mut left = 0;
    for _ in 0..seconds {
        for at in 0..100 {
            let index = at % tokens.len();
            let exchange = resume(proxy, &tokens[index]);
            assert!(exchange.local.is_none());
            if let Some(token) = exchange.received("x-session").first() {
                tokens[index] = (*token).to_owned();
                left += 1;
            }
        }
        proxy.worker.pass(1);
    }
    left
}

#[test]
fn sessions_above_max_share_leave_their_host_unless_a_lost_session_is_refused() {
    for (on_lost, expected) in [("", 25..=55), (r#", "on_lost": {"status": 410}"#, 0..=0)] {
        let affinity = format!(r#"{HEADER}, "max_share": 60{on_lost}"#);
        let proxy = Proxy::serving(&config(HEALTHY, &affinity));
        let mut tokens: Vec<String> = (0..100).map(|_| on_first(&proxy)).collect();
        // A new window.
        proxy.worker.pass(20);
        let left = load(&proxy, &mut tokens, 30);
        assert!(expected.contains(&left), "{left}");
        let moved = proxy.worker.metric("spillgate.sessions.moved.reason.hot");
        assert_eq!(moved, left as u64);
        assert_eq!(load(&proxy, &mut tokens, 60), 0, "the host has recovered");
    }
}

#[test]
fn sessions_stay_on_a_hot_host_without_another_one() {
    let affinity = format!(r#"{HEADER}, "max_share": 30"#);
    let proxy = Proxy::serving(&config(["HEALTHY", "UNHEALTHY"], &affinity));
    let mut tokens: Vec<String> = (0..50).map(|_| on_first(&proxy)).collect();
    assert_eq!(load(&proxy, &mut tokens, 20), 0);
}
