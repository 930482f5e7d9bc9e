//! The host that responds, compared with the decision: sessions that a retry moves, and decisions without effect.

use crate::{
    environment::{Exchange, Proxy, cluster},
    sessions::{FIRST, HEADER, HEALTHY, SECOND, config, on_first},
};

const OTHER: &str = "10.9.9.9:80";
const NO_LIST: &str = "spillgate.decisions.not_followed.reason.";

fn count(proxy: &Proxy, reason: &str) -> u64 {
    proxy.worker.metric(&format!("{NO_LIST}{reason}"))
}

/// Three hosts, and these settings.
fn three(more: &str) -> String {
    let hosts = ["10.0.0.1:80", "10.0.0.2:80", "10.0.0.3:80"];
    let cluster = cluster("c", &hosts.map(|host| (host, "HEALTHY", "1")));
    format!(r#"{{"clusters": [{cluster}], "target": "c"{more}}}"#)
}

/// A request to which this host responds, after that many attempts.
fn answered(proxy: &Proxy, by: &str, attempts: Option<u64>) {
    let mut exchange = Exchange::new(&proxy.worker, &[]);
    exchange.upstream = Some(by.to_owned());
    exchange.attempts = attempts;
    proxy.exchange(exchange);
}

/// A request to which the proxy itself responds before it tried a host.
fn without_host(proxy: &Proxy, has_no_host: bool) {
    let mut exchange = Exchange::new(&proxy.worker, &[]);
    exchange.upstream = Some(String::new());
    (exchange.has_no_host, exchange.unreachable) = (has_no_host, true);
    proxy.exchange(exchange);
}

#[test]
fn a_host_outside_of_the_list_and_no_host_are_noticed() {
    let proxy = Proxy::serving(&three(""));
    for _ in 0..2 {
        proxy.worker.logs(|_| answered(&proxy, OTHER, Some(1)));
    }
    proxy.worker.logs(|_| without_host(&proxy, true));
    assert_eq!(
        (count(&proxy, "other_host"), count(&proxy, "no_host")),
        (2, 1)
    );
    proxy.worker.pass(61);
    proxy.worker.logs(|_| without_host(&proxy, true));
    let log = proxy.worker.log.borrow();
    assert_eq!(log.len(), 2, "one message a minute: {log:#?}");
    let begin = "spillgate: a decision had no effect: of 10.0.0.";
    assert!(log.iter().all(|line| line.starts_with(begin)), "{log:#?}");
    assert!(
        log[0].contains("10.9.9.9:80 responded; header_to_metadata must follow"),
        "{log:#?}"
    );
    assert!(log[1].contains(", no host responded; "), "{log:#?}");
}

#[test]
fn other_hosts_may_respond() {
    let short = r#", "output": {"candidates": 1}"#;
    let suggested = r#", "output": {"mode": "stateful_session", "host_header": "x-s"}"#;
    let subset = r#", "criteria": [{"key": "v", "value": "1"}],
        "output": {"mode": "subset_headers", "subset_headers": {"v": "x-v"}}"#;
    for (case, more, by, attempts) in [
        ("a retry beyond the list", "", OTHER, Some(4)),
        ("a retry within the list", "", "10.0.0.2:80", Some(2)),
        ("a retry that passes over the list", "", OTHER, Some(2)),
        ("unknown attempts", "", OTHER, None),
        ("a retry beyond a short list", short, OTHER, Some(2)),
        ("the proxy may refuse the host", suggested, OTHER, Some(1)),
        ("the proxy chooses the host", subset, OTHER, Some(1)),
    ] {
        let proxy = Proxy::serving(&three(more));
        proxy.worker.logs(|_| answered(&proxy, by, attempts));
        assert_eq!(count(&proxy, "other_host"), 0, "{case}");
        assert!(proxy.worker.log.borrow().is_empty(), "{case}");
    }
}

#[test]
fn requests_that_reach_no_host_for_other_reasons_are_not_counted() {
    let proxy = Proxy::serving(&three(""));
    // A direct response, a local response of another filter, a timeout.
    without_host(&proxy, false);
    assert_eq!(count(&proxy, "no_host"), 0);
    let passing = three("").replace(
        r#""target": "c""#,
        r#""targets": [{"match": {"path": "/x"}, "cluster": "c"}]"#,
    );
    let proxy = Proxy::serving(&passing);
    answered(&proxy, OTHER, Some(1));
    without_host(&proxy, true);
    assert_eq!(
        (count(&proxy, "other_host"), count(&proxy, "no_host")),
        (0, 0)
    );
}

/// A worker that polls the hosts of a cluster itself.
fn polled() -> Proxy {
    let health = r#", "health": {"source": "admin", "cluster": "admin", "poller": "worker"}"#;
    let mut proxy = Proxy::serving(&three(health));
    proxy.respond(&[("10.0.0.1:80", "healthy"), ("10.0.0.2:80", "healthy")]);
    proxy.tick_after_ms(100);
    proxy
}

/// Polls and ticks until the response has been applied.
fn poll(proxy: &mut Proxy, hosts: &[(&str, &str)]) {
    let before = proxy.polls();
    while proxy.polls() == before {
        proxy.tick_after_ms(100);
    }
    proxy.respond(hosts);
    proxy.tick_after_ms(100);
}

#[test]
fn polled_hosts_that_were_removed_are_no_fault() {
    let mut proxy = polled();
    // Envoy has removed both already.
    answered(&proxy, OTHER, Some(1));
    without_host(&proxy, true);
    for _ in 0..3 {
        poll(&mut proxy, &[(OTHER, "healthy")]);
    }
    assert_eq!(
        (count(&proxy, "other_host"), count(&proxy, "no_host")),
        (0, 0)
    );
    assert!(
        !proxy
            .worker
            .log
            .borrow()
            .iter()
            .any(|line| line.contains("no effect"))
    );
}

#[test]
fn polled_hosts_that_stay_confirm_the_fault() {
    let mut proxy = polled();
    let same = [
        ("10.0.0.1:80", "healthy"),
        ("10.0.0.2:80", "/failed_active_hc"),
    ];
    answered(&proxy, OTHER, Some(1));
    without_host(&proxy, true);
    assert_eq!(count(&proxy, "other_host"), 0, "a poll decides");
    for _ in 0..3 {
        poll(&mut proxy, &same);
    }
    assert_eq!(
        (count(&proxy, "other_host"), count(&proxy, "no_host")),
        (1, 1)
    );
    let log = proxy.worker.log.borrow();
    assert_eq!(
        log.iter().filter(|line| line.contains("no effect")).count(),
        1,
        "{log:#?}"
    );
}

#[test]
fn one_suspicion_of_a_kind_is_enough() {
    let same = [("10.0.0.1:80", "healthy"), ("10.0.0.2:80", "healthy")];
    for other_host in [true, false] {
        let mut proxy = polled();
        if other_host {
            answered(&proxy, OTHER, Some(1));
        } else {
            without_host(&proxy, true);
        }
        for _ in 0..3 {
            poll(&mut proxy, &same);
        }
        let counts = (count(&proxy, "other_host"), count(&proxy, "no_host"));
        let expected = (u64::from(other_host), u64::from(!other_host));
        assert_eq!(counts, expected);
    }
}

#[test]
fn a_message_follows_after_exactly_a_minute() {
    for (seconds, messages) in [(59, 1), (60, 2)] {
        let proxy = Proxy::serving(&three(""));
        proxy.worker.logs(|_| without_host(&proxy, true));
        proxy.worker.pass(seconds);
        proxy.worker.logs(|_| without_host(&proxy, true));
        assert_eq!(proxy.worker.log.borrow().len(), messages, "{seconds}");
    }
}

#[test]
fn a_session_counts_by_the_host_that_responds() {
    for (by, attempts, unreachable, counter) in [
        (FIRST, 1, false, "kept"),
        (SECOND, 2, false, "moved.reason.retry"),
        (OTHER, 3, false, "moved.reason.retry"),
        (OTHER, 1, false, "moved.reason.proxy"),
        (SECOND, 2, true, "kept"),
        ("", 1, true, "kept"),
    ] {
        let proxy = Proxy::serving(&config(HEALTHY, HEADER));
        let token = on_first(&proxy);
        let new = proxy.worker.metric("spillgate.sessions.new");
        let headers = [(":authority", "shop"), ("x-session", &*token)];
        let mut exchange = Exchange::new(&proxy.worker, &headers);
        exchange.upstream = Some(by.to_owned());
        (exchange.attempts, exchange.unreachable) = (Some(attempts), unreachable);
        let exchange = proxy.worker.logs(|_| proxy.exchange(exchange));
        for name in ["kept", "moved.reason.retry", "moved.reason.proxy"] {
            let found = proxy.worker.metric(&format!("spillgate.sessions.{name}"));
            assert_eq!(found, u64::from(name == counter), "{by}: {name}");
        }
        assert_eq!(proxy.worker.metric("spillgate.sessions.new"), new);
        // The token moves to a known host that responds.
        let moves = by == SECOND && !unreachable;
        assert_eq!(
            exchange.received("x-session").len(),
            usize::from(moves),
            "{by}"
        );
    }
}

#[test]
fn periodic_traffic_hides_no_fault() {
    for period in 2..=17 {
        let proxy = Proxy::serving(&three(""));
        for request in 0..1_000 {
            let by = if request % period == 1 {
                OTHER
            } else {
                "10.0.0.1:80"
            };
            proxy.worker.logs(|_| answered(&proxy, by, Some(1)));
        }
        assert!(count(&proxy, "other_host") > 0, "one of {period}");
    }
}

#[test]
fn requests_without_a_chosen_host_hide_no_fault() {
    let more = r#", "criteria": [{"key": "v", "header": "x-v"}]"#;
    let config = three(more).replace("ANY_ENDPOINT", "NO_FALLBACK");
    let proxy = Proxy::serving(&config);
    for request in 0..1_000 {
        let value = if request % 16 == 1 { "1" } else { "9" };
        let mut exchange = Exchange::new(&proxy.worker, &[("x-v", value)]);
        exchange.upstream = Some(OTHER.to_owned());
        exchange.attempts = Some(1);
        proxy.worker.logs(|_| proxy.exchange(exchange));
    }
    // The first decision is watched, and the suspicion watches all others.
    assert_eq!(count(&proxy, "other_host"), 63);
}
