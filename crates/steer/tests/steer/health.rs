//! Live health: polling, publication, staleness.

use spillgate_steer::Configuration;

use crate::environment::{Exchange, Proxy, cluster};

const POLLER: &str = r#"{"poll": [{"cluster": "admin", "targets": ["c"], "interval": "1s"}]}"#;
const STATE: &str = "spillgate.3.hosts.admin/c";
const VERSIONS: &str = "spillgate.3.versions.admin/c";

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
    for protected in [STATE, "spillgate.3.versions."] {
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

/// A cluster whose hosts only the admin knows.
fn discovered(name: &str) -> String {
    format!(
        r#"{{"name": "{name}", "lb_policy": "ROUND_ROBIN", "type": "EDS",
            "eds_cluster_config": {{"eds_config": {{"ads": {{}}}}}},
            "common_lb_config": {{"healthy_panic_threshold": {{"value": 0}}}}}}"#
    )
}

/// A configuration of two clusters whose hosts only the admin knows, `c` and `d`.
fn unknown(more: &str, health: &str) -> String {
    let clusters = [discovered("c"), discovered("d")].join(", ");
    format!(
        r#"{{"clusters": [{clusters}, {AGGREGATE}], {more},
            "health": {{"source": "admin", "cluster": "admin", "stale_after": "10s"{health}}}}}"#
    )
}

const AGGREGATE: &str = r#"{"name": "both", "lb_policy": "CLUSTER_PROVIDED",
    "cluster_type": {"name": "envoy.clusters.aggregate", "typed_config": {
        "@type": "type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig",
        "clusters": ["c", "d"]}}}"#;
const CRITERIA: &str = r#""criteria": [{"key": "v", "header": "x-v"}],
    "subset_chain": [{"keys": ["v"]}]"#;
const CHAIN: &str = r#""subset_chain": [{"any": true}]"#;
const LOST: &str = r#""affinity": {"on_lost": {"status": 410},
    "keys": [{"id": 1, "secret": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}],
    "header": {"name": "x-session"}}"#;

/// Publishes one healthy host of a cluster to the worker.
fn publish(proxy: &Proxy, cluster: &str, host: &str) {
    let target = format!(r#"{{"poll": [{{"cluster": "admin", "targets": ["{cluster}"]}}]}}"#);
    let mut poller = Proxy::polling(&target);
    poller.worker.now.set(proxy.worker.now.get());
    poller.worker.uptime.set(proxy.worker.uptime.get());
    poller.respond_with(&format!("{cluster}::{host}::health_flags::healthy\n"));
    let published = poller.worker.shared.borrow().clone();
    proxy.worker.shared.borrow_mut().extend(published);
}

/// The status and the details of a local response.
fn refused(exchange: &Exchange<'_>) -> Option<(u32, String)> {
    let (status, details, _) = exchange.local.as_ref()?;
    Some((*status, details.clone()))
}

fn hosts_unknown() -> Option<(u32, String)> {
    Some((503, "spillgate_hosts_unknown".to_owned()))
}

#[test]
fn unknown_hosts_refuse_requests_that_select_hosts() {
    for (rules, refuses) in [("", false), (CRITERIA, true), (CHAIN, true), (LOST, true)] {
        let comma = if rules.is_empty() { "" } else { ", " };
        let target = format!(r#""target": "c"{comma}{rules}"#);
        for (health, refuses) in [
            ("", refuses),
            (r#", "on_unknown": "pass_through""#, false),
            (r#", "on_unknown": "refuse""#, true),
        ] {
            let mut proxy = Proxy::serving(&unknown(&target, health));
            let exchange = proxy.request(&[(":authority", "a"), ("x-v", "1")]);
            assert_eq!(exchange.hosts(), None, "{rules} {health}");
            let counters = ["spillgate.hosts_unknown", "spillgate.pass_through"];
            let counts = counters.map(|counter| proxy.worker.metric(counter));
            if refuses {
                assert_eq!(refused(&exchange), hosts_unknown(), "{rules} {health}");
                assert_eq!(exchange.sent("x-spillgate-cluster"), [""; 0]);
            } else {
                assert_eq!(refused(&exchange), None, "{rules} {health}");
                assert_eq!(exchange.sent("x-spillgate-cluster"), ["c"]);
            }
            assert_eq!(counts, if refuses { [1, 0] } else { [0, 1] });
            if rules == CRITERIA {
                // Health is not enough: the metadata of the hosts are unknown.
                continue;
            }
            publish(&proxy, "c", "10.0.0.1:80");
            proxy.tick_after(0);
            assert_eq!(host(&proxy).as_deref(), Some("10.0.0.1:80"));
        }
    }
}

#[test]
fn nothing_is_built_before_the_first_report() {
    let rebuilds = "spillgate.health.rebuilds";
    for json in [config("keep"), unknown(r#""target": "c""#, "")] {
        let mut proxy = Proxy::serving(&json);
        proxy.tick_after(1);
        assert_eq!(proxy.worker.metric(rebuilds), 0);
    }
    let mut poller = Proxy::polling(POLLER);
    poller.respond(&[("10.0.0.1:80", "healthy")]);
    poller.tick_after(1);
    let standby = "spillgate.health.standby_polls";
    assert_eq!(
        poller.worker.metric(standby),
        0,
        "the poller stays in standby"
    );
}

#[test]
fn an_empty_host_list_is_known() {
    let mut poller = Proxy::polling(POLLER);
    let target = format!(r#""target": "c", {CHAIN}"#);
    let mut proxy = Proxy::serving_with(&poller, &unknown(&target, ""));
    proxy.tick_after(1);
    assert_eq!(refused(&proxy.request(&[])), hosts_unknown());
    poller.respond_with("c::default_priority::max_connections::1024\n");
    proxy.tick_after(1);
    let no_host = Some((503, "spillgate_no_host".to_owned()));
    assert_eq!(refused(&proxy.request(&[])), no_host);
}

#[test]
fn requests_that_pass_are_no_failures() {
    let rule = r#", "on_unknown": "pass_through""#;
    let proxy = Proxy::serving(&unknown(r#""target": "c""#, rule));
    proxy.request(&[]);
    let failures = || proxy.worker.metric("spillgate.host_failures");
    assert_eq!(failures(), 0);
    let mut exchange = Exchange::new(&proxy.worker, &[]);
    exchange.read_only = true;
    proxy.exchange(exchange);
    // Stripping headers and writing the cluster.
    assert_eq!(failures(), 2);
}

#[test]
fn an_unknown_member_removes_only_itself() {
    for (health, handling) in [("pass_through", None), ("refuse", hosts_unknown())] {
        let rules = format!(r#""target": "both", {CHAIN}"#);
        let rule = format!(r#", "on_stale": "{health}", "on_unknown": "{health}""#);
        let mut proxy = Proxy::serving(&unknown(&rules, &rule));
        let exchange = proxy.request(&[]);
        assert_eq!(exchange.hosts(), None, "no member is known");
        assert_eq!(refused(&exchange), handling);
        publish(&proxy, "d", "10.0.1.1:80");
        proxy.tick_after(0);
        assert_eq!(host(&proxy).as_deref(), Some("10.0.1.1:80"));
        proxy.tick_after(8);
        publish(&proxy, "c", "10.0.0.1:80");
        proxy.tick_after(0);
        assert_eq!(host(&proxy).as_deref(), Some("10.0.0.1:80"));
        // The second member is stale now, and then the first one.
        proxy.tick_after(8);
        let exchange = proxy.request(&[]);
        assert_eq!(exchange.hosts(), Some("10.0.0.1:80"));
        assert_eq!(exchange.sent("x-spillgate-cluster"), ["c"]);
        publish(&proxy, "d", "10.0.1.1:80");
        proxy.tick_after(8);
        let exchange = proxy.request(&[]);
        assert_eq!(exchange.hosts(), Some("10.0.1.1:80"));
        assert_eq!(exchange.sent("x-spillgate-cluster"), ["d"]);
        proxy.tick_after(8);
        let exchange = proxy.request(&[]);
        assert_eq!((exchange.hosts(), refused(&exchange)), (None, handling));
        publish(&proxy, "c", "10.0.0.1:80");
        proxy.tick_after(0);
        assert_eq!(host(&proxy).as_deref(), Some("10.0.0.1:80"));
    }
}

#[test]
fn only_the_chosen_cluster_of_several_targets_counts() {
    let targets = r#""targets": [{"match": {"prefix": "/c"}, "cluster": "c"},
        {"match": {"prefix": "/"}, "cluster": "d"}]"#;
    let weighted = r#""weighted": [{"cluster": "c", "weight": 1}, {"cluster": "d", "weight": 1}]"#;
    for targets in [targets, weighted] {
        let mut proxy = Proxy::serving(&unknown(&format!("{targets}, {CHAIN}"), ""));
        publish(&proxy, "d", "10.0.1.1:80");
        proxy.tick_after(0);
        let (mut served, mut unknown) = (0, 0);
        for path in ["/c", "/d"].into_iter().cycle().take(100) {
            let exchange = proxy.request(&[(":path", path)]);
            match exchange.hosts() {
                Some(host) => {
                    assert_eq!(host, "10.0.1.1:80");
                    served += 1;
                }
                None => {
                    assert_eq!(refused(&exchange), hosts_unknown());
                    unknown += 1;
                }
            }
        }
        assert!(served >= 25 && unknown >= 25, "{served} and {unknown}");
    }
}

#[test]
fn a_session_whose_cluster_is_unknown_is_not_lost() {
    let by_name = format!(r#""target": "both", {LOST}"#);
    let weighted = r#""weighted": [{"cluster": "c", "weight": 1}, {"cluster": "d", "weight": 1}]"#;
    let weighted = format!("{weighted}, {LOST}");
    for target in [by_name, weighted] {
        let mut proxy = Proxy::serving(&unknown(&target, r#", "on_stale": "refuse""#));
        publish(&proxy, "c", "10.0.0.1:80");
        proxy.tick_after(0);
        let mut begun = (0..20).map(|_| proxy.request(&[(":authority", "a")]));
        let begun = begun.find(|exchange| exchange.hosts().is_some()).unwrap();
        let token = begun.received("x-session")[0].to_owned();
        let resume = |proxy: &Proxy| {
            let headers = [(":authority", "a"), ("x-session", &*token)];
            let exchange = proxy.request(&headers);
            (exchange.hosts().map(str::to_owned), refused(&exchange))
        };
        let here = (Some("10.0.0.1:80".to_owned()), None);
        // In a weighted split, the session stays whichever cluster the weights choose.
        for _ in 0..20 {
            assert_eq!(resume(&proxy), here, "{target}");
        }
        proxy.tick_after(8);
        publish(&proxy, "d", "10.0.1.1:80");
        proxy.tick_after(8);
        for _ in 0..20 {
            assert_eq!(resume(&proxy), (None, hosts_unknown()), "{target}");
        }
        publish(&proxy, "c", "10.0.0.1:80");
        proxy.tick_after(0);
        for _ in 0..20 {
            assert_eq!(resume(&proxy), here, "{target}");
        }
        proxy.tick_after(1);
        publish(&proxy, "c", "10.0.0.2:80");
        proxy.tick_after(0);
        let lost = Some((410, "spillgate_session_lost".to_owned()));
        assert_eq!(resume(&proxy), (None, lost), "{target}");
    }
}

#[test]
fn stale_health_is_kept_or_requests_are_refused_or_pass_through() {
    for (mode, kept, refuses) in [
        ("keep", true, false),
        ("pass_through", false, false),
        ("refuse", false, true),
    ] {
        let (mut poller, mut proxy) = (Proxy::polling(POLLER), Proxy::serving(&config(mode)));
        poller.respond(&[("10.0.0.1:80", "healthy")]);
        deliver(&poller, &proxy);
        proxy.tick_after(1);
        assert!(host(&proxy).is_some());
        proxy.tick_after(30);
        let exchange = proxy.request(&[]);
        assert_eq!(exchange.hosts().is_some(), kept, "{mode}");
        let handling = if refuses { hosts_unknown() } else { None };
        assert_eq!(refused(&exchange), handling, "{mode}");
        let cluster = ["c"].into_iter().filter(|_| !refuses);
        let cluster: Vec<&str> = cluster.collect();
        assert_eq!(exchange.sent("x-spillgate-cluster"), cluster);
        let counters = [
            "spillgate.health.stale_decisions",
            "spillgate.pass_through",
            "spillgate.hosts_unknown",
        ];
        let counts = counters.map(|counter| proxy.worker.metric(counter));
        let passed = u64::from(!kept && !refuses);
        assert_eq!(counts, [u64::from(kept), passed, u64::from(refuses)]);
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
        poller.respond_with(&text);
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

#[test]
fn polls_begin_with_the_configuration_and_refused_calls_are_repeated_soon() {
    let config = Configuration::Poll(spillgate_config::filter::read_poller(POLLER).unwrap());
    let mut poller = Proxy::default();
    poller.worker.now.set(1_763_000_000);
    poller.worker.refuses_calls.set(true);
    let (worker, instance) = (&poller.worker, &mut poller.instance);
    assert!(worker.logs(|worker| instance.configure(worker, Ok(config))));
    let mut pauses = Vec::new();
    for _ in 0..6 {
        pauses.push(poller.worker.ticks.get().0.as_millis());
        poller.tick_after(1);
    }
    assert_eq!(pauses, [100, 200, 400, 800, 1000, 1000]);
    assert_eq!(poller.worker.log.borrow().len(), 1, "logged once");
    poller.worker.refuses_calls.set(false);
    let requested = poller.worker.ticks.get().1;
    for polls in 1..=3 {
        poller.tick_after(1);
        assert_eq!(poller.worker.calls.borrow().len(), polls);
        poller.respond(&[("10.0.0.1:80", "healthy")]);
    }
    let (period, again) = poller.worker.ticks.get();
    assert_eq!((period.as_millis(), again), (1000, requested));
}

#[test]
fn a_worker_that_polls_begins_with_its_configuration() {
    let config = config("keep").replace(r#""stale_after""#, r#""poller": "worker", "stale_after""#);
    let mut proxy = Proxy::serving(&config);
    assert_eq!(proxy.worker.calls.borrow().len(), 1);
    proxy.respond(&[("10.0.0.1:80", "healthy")]);
    assert_eq!(host(&proxy).as_deref(), Some("10.0.0.1:80"));
}
