//! Live health: polling, publication, staleness.

use crate::environment::{Proxy, cluster};

const POLLER: &str = r#"{"poll": [{"cluster": "admin", "targets": ["c"], "interval": "1s"}]}"#;
const STATE: &str = "spillgate.2.hosts.admin/c";
const VERSIONS: &str = "spillgate.2.versions.admin/c";

fn config(on_stale: &str) -> String {
    let cluster = cluster("c", &[("10.0.0.9:80", "HEALTHY", "1")]);
    format!(
        r#"{{"clusters": [{cluster}], "target": "c", "health": {{"source": "admin",
            "cluster": "admin", "stale_after": "10s", "on_stale": "{on_stale}"}}}}"#
    )
}

/// Copies the shared data of the poller to the worker.
fn deliver(poller: &Proxy, worker: &Proxy) {
    let shared = poller.worker.shared.borrow().clone();
    worker.worker.shared.replace(shared);
}

fn host(proxy: &Proxy) -> Option<String> {
    proxy.request(&[]).hosts().map(str::to_owned)
}

#[test]
fn workers_apply_published_changes() {
    let (mut poller, mut proxy) = (Proxy::polling(POLLER), Proxy::serving(&config("keep")));
    assert_eq!(
        host(&proxy).as_deref(),
        Some("10.0.0.9:80"),
        "as configured"
    );
    for (hosts, chosen, counter) in [
        (&[("10.0.0.1:80", "healthy")][..], "10.0.0.1:80", "rebuilds"),
        (
            &[
                ("10.0.0.1:80", "healthy"),
                ("10.0.0.2:80", "/failed_active_hc"),
            ],
            "10.0.0.1:80",
            "rebuilds",
        ),
        (
            &[
                ("10.0.0.1:80", "/failed_active_hc"),
                ("10.0.0.2:80", "healthy"),
            ],
            "10.0.0.2:80",
            "updates",
        ),
    ] {
        let counter = format!("spillgate.health.{counter}");
        let before = proxy.worker.metric(&counter);
        poller.tick_after(1);
        poller.respond(hosts);
        deliver(&poller, &proxy);
        proxy.tick_after(1);
        assert_eq!(host(&proxy).as_deref(), Some(chosen));
        assert_eq!(proxy.worker.metric(&counter), before + 1, "{counter}");
    }
}

#[test]
fn an_unreadable_response_changes_nothing() {
    let (mut poller, mut proxy) = (Proxy::polling(POLLER), Proxy::serving(&config("keep")));
    poller.respond(&[("10.0.0.1:80", "healthy")]);
    let published = |poller: &Proxy| {
        let shared = poller.worker.shared.borrow();
        [VERSIONS, STATE].map(|key| shared[key].clone())
    };
    let before = published(&poller);
    poller.tick_after(1);
    poller.respond(&[("10.0.0.2:80", "fine")]);
    assert_eq!(published(&poller), before);
    assert_eq!(poller.worker.metric("spillgate.health.poll_failures"), 1);
    deliver(&poller, &proxy);
    proxy.tick_after(1);
    assert_eq!(host(&proxy).as_deref(), Some("10.0.0.1:80"));
}

#[test]
fn a_publication_that_fails_is_not_announced() {
    let (mut poller, mut proxy) = (Proxy::polling(POLLER), Proxy::serving(&config("keep")));
    poller.respond(&[("10.0.0.1:80", "healthy")]);
    for protected in [STATE, "spillgate.2.versions."] {
        let announced = poller.worker.shared.borrow()[VERSIONS].clone();
        let failures = poller.worker.metric("spillgate.health.poll_failures");
        poller.worker.write_protected.set(Some(protected));
        poller.tick_after(1);
        poller.respond(&[("10.0.0.2:80", "healthy")]);
        let shared = poller.worker.shared.borrow().clone();
        assert_eq!(shared[VERSIONS], announced, "{protected}");
        assert_eq!(
            poller.worker.metric("spillgate.health.poll_failures"),
            failures + 1
        );
        deliver(&poller, &proxy);
        proxy.tick_after(1);
        assert_eq!(host(&proxy).as_deref(), Some("10.0.0.1:80"), "{protected}");
    }
    // The next poll publishes again.
    poller.worker.write_protected.set(None);
    poller.tick_after(1);
    poller.respond(&[("10.0.0.2:80", "healthy")]);
    deliver(&poller, &proxy);
    proxy.tick_after(1);
    assert_eq!(host(&proxy).as_deref(), Some("10.0.0.2:80"));
}

#[test]
fn stale_health_is_kept_or_requests_pass_through() {
    for (mode, kept) in [("keep", true), ("pass_through", false)] {
        let (mut poller, mut proxy) = (Proxy::polling(POLLER), Proxy::serving(&config(mode)));
        poller.respond(&[("10.0.0.1:80", "healthy")]);
        deliver(&poller, &proxy);
        proxy.tick_after(1);
        assert!(host(&proxy).is_some());
        proxy.tick_after(30);
        let exchange = proxy.request(&[]);
        assert_eq!(exchange.hosts().is_some(), kept, "{mode}");
        assert_eq!(exchange.sent("x-spillgate-cluster"), ["c"]);
        let counters = ["spillgate.health.stale_decisions", "spillgate.pass_through"];
        let counts = counters.map(|counter| proxy.worker.metric(counter));
        assert_eq!(counts, if kept { [1, 0] } else { [0, 1] });
        assert_eq!(proxy.worker.metric("spillgate.health.cluster.c.stale"), 1);
        poller.tick_after(30);
        poller.respond(&[("10.0.0.1:80", "healthy")]);
        deliver(&poller, &proxy);
        proxy.tick_after(0);
        assert!(host(&proxy).is_some(), "{mode}: current again");
    }
}

#[test]
fn unknown_flags_and_lines_are_counted_and_do_not_freeze_health() {
    let (mut poller, mut proxy) = (Proxy::polling(POLLER), Proxy::serving(&config("keep")));
    for (flags, chosen) in [
        ("/failed_new_check", "10.0.0.2:80"),
        ("/pending_new_check", "10.0.0.1:80"),
    ] {
        poller.tick_after(1);
        let text = format!(
            "c::new_setting::1\nc::10.0.0.1:80::health_flags::{flags}\n\
             c::10.0.0.2:80::health_flags::/failed_active_hc\n"
        );
        let other = if chosen == "10.0.0.2:80" {
            "healthy"
        } else {
            "/failed_active_hc"
        };
        let text = text.replace("/failed_active_hc", other);
        poller.respond_with(poller.polls() - 1, &text);
        deliver(&poller, &proxy);
        proxy.tick_after(1);
        assert_eq!(host(&proxy).as_deref(), Some(chosen));
    }
    let metric = |name: &str| poller.worker.metric(&format!("spillgate.health.{name}"));
    assert_eq!((metric("unknown_values"), metric("poll_failures")), (2, 0));
    let log = poller.worker.log.borrow();
    assert_eq!(log.len(), 1, "{log:?}");
    assert!(log[0].contains("not a line of /clusters"), "{log:?}");
}
