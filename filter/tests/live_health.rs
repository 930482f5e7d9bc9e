//! Live health from the admin interface: changes of health and hosts, and failed polls.

use crate::common::live::*;
use crate::common::*;
use serde_json::{Value, json};
use spillgate_testhost::{CalloutReply, FilterRequest, GuestLogLevel, Shared, TestHost};
use std::collections::BTreeSet;
use std::time::Duration;

const A: &str = "10.0.0.1:80";
const B: &str = "10.0.0.2:80";
const C: &str = "10.0.0.3:80";

/// Round robin over A and B, with panic mode disabled.
fn pair() -> Value {
    let mut value = followed(plain("ROUND_ROBIN", &[vec![endpoint(A), endpoint(B)]]));
    value["clusters"][0]["common_lb_config"] = json!({"healthy_panic_threshold": {"value": 0}});
    value["output"] = json!({"candidates": 1});
    value
}

/// Round robin over the hosts that the admin reports.
fn discovered() -> Value {
    let mut value = pair();
    value["clusters"][0]["type"] = json!("EDS");
    value["clusters"][0]["eds_cluster_config"] = json!({"eds_config": {"ads": {}}});
    let cluster = value["clusters"][0].as_object_mut().unwrap();
    cluster.remove("load_assignment");
    value
}

/// The hosts of twelve requests.
fn served(host: &mut TestHost) -> BTreeSet<String> {
    (0..12)
        .filter_map(|_| {
            let exchange = host.request(FilterRequest::get("/")).unwrap();
            let list = exchange.request_headers.text(HOST_HEADER)?;
            Some(list.to_owned())
        })
        .collect()
}

fn set(hosts: &[&str]) -> BTreeSet<String> {
    hosts.iter().map(|host| (*host).to_owned()).collect()
}

#[test]
fn a_change_of_health_applies_from_the_next_tick_on() {
    let mut envoy = Envoy::start(&["shop"], &pair());
    envoy.respond(&clusters("shop", &[(A, 0, "healthy"), (B, 0, "healthy")]));
    assert_eq!(served(&mut envoy.worker), set(&[A, B]));
    for flag in [
        "/failed_active_hc",
        "/failed_outlier_check",
        "/failed_eds_health",
        "/eds_status_draining",
    ] {
        envoy.respond_next(&clusters("shop", &[(A, 0, flag), (B, 0, "healthy")]));
        assert_eq!(served(&mut envoy.worker), set(&[B]), "{flag}");
        envoy.respond_next(&clusters("shop", &[(A, 0, "healthy"), (B, 0, "healthy")]));
        assert_eq!(served(&mut envoy.worker), set(&[A, B]), "{flag}");
    }
    envoy.respond_next(&clusters(
        "shop",
        &[(A, 0, "/degraded_active_hc"), (B, 0, "healthy")],
    ));
    let both = served(&mut envoy.worker);
    assert!(both.contains(B), "{both:?}");
}

#[test]
fn unlike_unhealthy_hosts_draining_ones_cause_no_spillover() {
    let third = "10.0.1.1:80";
    let mut value = followed(plain(
        "ROUND_ROBIN",
        &[vec![endpoint(A), endpoint(B)], vec![endpoint(third)]],
    ));
    value["output"] = json!({"candidates": 1});
    let mut envoy = Envoy::start(&["shop"], &value);
    let reported = |flag| {
        clusters(
            "shop",
            &[(A, 0, flag), (B, 0, "healthy"), (third, 1, "healthy")],
        )
    };
    envoy.respond(&reported("/eds_status_draining"));
    assert_eq!(served(&mut envoy.worker), set(&[B]));
    envoy.respond_next(&reported("/failed_eds_health"));
    // P0 keeps 50 % times 1.4; the rest spills over.
    let spilled: BTreeSet<String> = (0..10).flat_map(|_| served(&mut envoy.worker)).collect();
    assert_eq!(spilled, set(&[B, third]));
}

#[test]
fn an_unchanged_response_causes_no_rebuild() {
    let mut envoy = Envoy::start(&["shop"], &pair());
    let text = clusters("shop", &[(A, 0, "healthy"), (B, 0, "healthy")]);
    envoy.respond(&text);
    let built = envoy.counter("health.rebuilds");
    for _ in 0..10 {
        envoy.respond_next(&text);
    }
    assert_eq!(envoy.counter("health.rebuilds"), built);
    assert_eq!(envoy.counter("health.updates"), 0);
    assert_eq!(
        envoy.main.metrics().value("spillgate.health.poll_failures"),
        0
    );
    envoy.respond_next(&text.replacen("healthy", "/failed_active_hc", 1));
    assert_eq!(
        envoy.counter("health.rebuilds"),
        built,
        "only health changed"
    );
    assert_eq!(envoy.counter("health.updates"), 1);
}

#[test]
fn a_failed_poll_keeps_the_last_known_state() {
    let good = clusters("shop", &[(A, 0, "/failed_active_hc"), (B, 0, "healthy")]);
    let cases = [
        ("no response", CalloutReply::failed()),
        ("status 500", CalloutReply::new(500, good.clone())),
        ("not UTF-8", CalloutReply::new(200, [0xff, 0xfe])),
        ("HTML", CalloutReply::new(200, "<html>not the admin</html>")),
        ("empty", CalloutReply::new(200, "")),
        (
            "another cluster",
            CalloutReply::new(200, clusters("other", &[(A, 0, "healthy")])),
        ),
        (
            "truncated",
            CalloutReply::new(200, good.get(..good.len() / 2).unwrap()),
        ),
        (
            "health that is not a flag",
            CalloutReply::new(200, good.replace("/failed_active_hc", "unhealthy")),
        ),
    ];
    for (name, reply) in cases {
        let mut envoy = Envoy::start(&["shop"], &pair());
        envoy.respond(&good);
        for _ in 0..3 {
            envoy.advance(SECOND);
            assert_eq!(
                respond_to(&mut envoy.main, "/clusters", &reply),
                1,
                "{name}"
            );
            assert_eq!(served(&mut envoy.worker), set(&[B]), "{name}");
        }
        let failures = envoy.main.metrics().value("spillgate.health.poll_failures");
        assert_eq!(failures, 3, "{name}");
        let warned = |level| {
            let logs = envoy.main.logs().iter();
            logs.filter(|line| line.level == level).count()
        };
        assert_eq!(
            warned(GuestLogLevel::Warn),
            1,
            "{name}: {:#?}",
            envoy.main.logs()
        );
        envoy.advance(SECOND);
        respond_to(
            &mut envoy.main,
            "/clusters",
            &CalloutReply::new(200, good.clone()),
        );
        assert!(
            envoy
                .main
                .logs()
                .last()
                .unwrap()
                .message
                .contains("succeeded again"),
            "{name}: {:#?}",
            envoy.main.logs()
        );
    }
}

#[test]
fn alternating_failures_are_logged_once_a_minute() {
    let mut envoy = Envoy::start(&["shop"], &pair());
    let good = clusters("shop", &[(A, 0, "healthy"), (B, 0, "healthy")]);
    for _ in 0..25 {
        respond_to(&mut envoy.main, "/clusters", &CalloutReply::failed());
        envoy.advance(SECOND);
        respond_to(
            &mut envoy.main,
            "/clusters",
            &CalloutReply::new(200, good.clone()),
        );
        envoy.advance(SECOND);
    }
    assert_eq!(envoy.main.logs().len(), 2, "{:#?}", envoy.main.logs());
    envoy.advance(SECOND * 20);
    respond_to(&mut envoy.main, "/clusters", &CalloutReply::failed());
    assert_eq!(envoy.main.logs().len(), 3, "logged again after a minute");
}

#[test]
fn an_unknown_admin_cluster_counts_as_a_failed_poll() {
    let shared = Shared::default();
    let poll = json!({"poll": [{"cluster": "unknown", "targets": ["shop"]}]});
    let main = poller(&shared, &poll);
    assert_eq!(main.metrics().value("spillgate.health.poll_failures"), 1);
    let mut worker = worker(&shared, 1, &pair());
    assert_eq!(served(&mut worker), set(&[A, B]), "as configured");
}

#[test]
fn stale_health_is_kept_or_requests_are_refused_or_pass_through() {
    for (on_stale, steers, cluster) in [
        ("keep", true, Some("shop")),
        ("pass_through", false, Some("shop")),
        ("refuse", false, None),
    ] {
        let mut value = pair();
        value["health"]["stale_after"] = json!("5s");
        value["health"]["on_stale"] = json!(on_stale);
        let mut envoy = Envoy::start(&["shop"], &value);
        envoy.respond(&clusters(
            "shop",
            &[(A, 0, "/failed_active_hc"), (B, 0, "healthy")],
        ));
        envoy.advance(Duration::from_secs(4));
        assert_eq!(served(&mut envoy.worker), set(&[B]));
        envoy.advance(Duration::from_secs(2));
        assert_eq!(envoy.counter("health.cluster.shop.stale"), 1);
        let exchange = envoy.worker.request(FilterRequest::get("/")).unwrap();
        let headers = &exchange.request_headers;
        assert_eq!(headers.text(HOST_HEADER), steers.then_some(B), "{on_stale}");
        assert_eq!(headers.text(CLUSTER_HEADER), cluster, "{on_stale}");
        let details = exchange.local_response.map(|local| local.details);
        let refused = (on_stale == "refuse").then_some("spillgate_hosts_unknown");
        assert_eq!(details.as_deref(), refused, "{on_stale}");
        let counter = match on_stale {
            "keep" => "health.stale_decisions",
            "refuse" => "hosts_unknown",
            _ => "pass_through",
        };
        assert_eq!(envoy.counter(counter), 1, "{on_stale}");
        envoy.respond(&clusters(
            "shop",
            &[(A, 0, "healthy"), (B, 0, "/failed_active_hc")],
        ));
        assert_eq!(served(&mut envoy.worker), set(&[A]), "{on_stale}");
        assert_eq!(envoy.counter("health.cluster.shop.stale"), 0);
        let logged = envoy.worker.logs().len();
        assert_eq!(logged, 2, "stale, then current again");
    }
}

#[test]
fn requests_pass_through_before_the_first_poll() {
    let mut envoy = Envoy::start(&["shop"], &discovered());
    let exchange = envoy
        .worker
        .request(FilterRequest::get("/").header(HOST_HEADER, "1.1.1.1:1"))
        .unwrap();
    assert_eq!(exchange.request_headers.text(HOST_HEADER), None);
    assert_eq!(exchange.request_headers.text(CLUSTER_HEADER), Some("shop"));
    assert!(exchange.local_response.is_none());
    envoy.respond(&clusters("shop", &[(A, 0, "healthy")]));
    assert_eq!(served(&mut envoy.worker), set(&[A]));
}

#[test]
fn requests_that_select_hosts_are_refused_before_the_first_poll() {
    let criteria = json!([{"key": "tenant", "header": "x-tenant"}]);
    let refusing = [
        ("criteria", criteria),
        ("subset_chain", json!([{"any": true}])),
        (
            "metadata_match",
            json!({"filter_metadata": {"envoy.lb": {"tenant": "a"}}}),
        ),
    ];
    for (field, rules) in refusing {
        let mut value = discovered();
        if field != "subset_chain" {
            value["subset_chain"] = json!([{"keys": ["tenant"]}]);
        }
        value[field] = rules;
        let mut envoy = Envoy::start(&["shop"], &value);
        let request = || FilterRequest::get("/").header("x-tenant", "a");
        let exchange = envoy.worker.request(request()).unwrap();
        let local = exchange.local_response.unwrap();
        assert_eq!(
            (local.status, &*local.details),
            (503, "spillgate_hosts_unknown"),
            "{field}"
        );
        for header in [HOST_HEADER, CLUSTER_HEADER] {
            assert_eq!(exchange.request_headers.text(header), None, "{field}");
        }
        assert_eq!(envoy.counter("hosts_unknown"), 1, "{field}");
        value["health"]["on_unknown"] = json!("pass_through");
        let mut open = Envoy::start(&["shop"], &value);
        let exchange = open.worker.request(request()).unwrap();
        assert_eq!(exchange.local_response, None, "{field}");
        assert_eq!(exchange.request_headers.text(CLUSTER_HEADER), Some("shop"));
    }
}

#[test]
fn hosts_are_added_and_removed() {
    let mut envoy = Envoy::start(&["shop"], &discovered());
    envoy.respond(&clusters("shop", &[(A, 0, "healthy"), (B, 0, "healthy")]));
    assert_eq!(served(&mut envoy.worker), set(&[A, B]));
    envoy.respond_next(&clusters(
        "shop",
        &[(C, 0, "healthy"), (A, 0, "/failed_active_hc")],
    ));
    assert_eq!(served(&mut envoy.worker), set(&[C]));
    envoy.respond_next(&clusters(
        "shop",
        &[(C, 0, "/failed_active_hc"), (A, 0, "healthy")],
    ));
    assert_eq!(served(&mut envoy.worker), set(&[A]));
    envoy.respond_next(&clusters("shop", &[]));
    let exchange = envoy.worker.request(FilterRequest::get("/")).unwrap();
    assert_eq!(exchange.local_response.unwrap().status, 503);
    envoy.respond_next(&clusters("shop", &[(B, 1, "healthy")]));
    assert_eq!(served(&mut envoy.worker), set(&[B]));
}

#[test]
fn the_next_step_serves_if_a_subset_loses_its_last_host() {
    let staged = |address: &str, stage: &str| {
        let mut endpoint = endpoint(address);
        endpoint["metadata"] = json!({"filter_metadata": {"envoy.lb": {"stage": stage}}});
        endpoint
    };
    let mut value = pair();
    value["clusters"][0]["load_assignment"]["endpoints"][0]["lb_endpoints"] =
        json!([staged(A, "canary"), staged(B, "prod")]);
    value["criteria"] = json!([{"key": "stage", "value": "canary"}]);
    value["subset_chain"] = json!([{"keys": ["stage"]}, {"any": true}]);
    let mut envoy = Envoy::start(&["shop"], &value);
    envoy.respond(&clusters("shop", &[(A, 0, "healthy"), (B, 0, "healthy")]));
    assert_eq!(served(&mut envoy.worker), set(&[A]));
    envoy.respond_next(&clusters("shop", &[(B, 0, "healthy")]));
    assert_eq!(served(&mut envoy.worker), set(&[B]));
    envoy.respond_next(&clusters("shop", &[(B, 0, "healthy"), (A, 0, "healthy")]));
    assert_eq!(served(&mut envoy.worker), set(&[A]));
}

#[test]
fn without_configured_hosts_metadata_comes_from_config_dump() {
    let mut value = discovered();
    value["criteria"] = json!([{"key": "stage", "header": "x-stage"}]);
    value["subset_chain"] = json!([{"keys": ["stage"]}]);
    let mut envoy = Envoy::start(&["shop"], &value);
    envoy.respond(&clusters("shop", &[(A, 0, "healthy"), (B, 0, "healthy")]));
    let mut staged = endpoint(B);
    staged["metadata"] = json!({"filter_metadata": {"envoy.lb": {"stage": "dev"}}});
    let dump = json!({"configs": [{"endpoint_config": {
        "cluster_name": "shop", "endpoints": [{"lb_endpoints": [endpoint(A), staged]}]}}]});
    let request = || FilterRequest::get("/").header("x-stage", "dev");
    let none = envoy.worker.request(request()).unwrap();
    assert_eq!(
        none.local_response.unwrap().status,
        503,
        "the stage is unknown"
    );
    let calls = respond_to(
        &mut envoy.main,
        "/config_dump",
        &CalloutReply::new(200, dump.to_string()),
    );
    assert_eq!(calls, 2);
    envoy.worker.advance(SECOND).unwrap();
    let exchange = envoy.worker.request(request()).unwrap();
    assert_eq!(exchange.request_headers.text(HOST_HEADER), Some(B));
    assert_eq!(envoy.worker.logs(), []);
}

#[test]
fn workers_that_poll_share_the_responses() {
    let shared = Shared::default();
    let mut value = pair();
    value["health"]["poller"] = json!("worker");
    let mut workers: Vec<TestHost> = (1..=4).map(|seed| worker(&shared, seed, &value)).collect();
    let text = clusters("shop", &[(A, 0, "/failed_active_hc"), (B, 0, "healthy")]);
    let mut polls = 0;
    // Ten seconds in steps of a tick; every poll gets an immediate response.
    for _ in 0..100 {
        for worker in &mut workers {
            worker.advance(Duration::from_millis(100)).unwrap();
            polls += respond_to(worker, "/clusters", &CalloutReply::new(200, text.clone()));
        }
    }
    assert!((9..=16).contains(&polls), "{polls} polls in ten seconds");
    for worker in &mut workers {
        assert_eq!(served(worker), set(&[B]));
    }
}

#[test]
fn a_new_poller_without_changes_causes_no_rebuild() {
    let mut envoy = Envoy::start(&["shop"], &pair());
    let text = clusters("shop", &[(A, 0, "healthy"), (B, 0, "healthy")]);
    envoy.respond(&text);
    let built = envoy.counter("health.rebuilds");
    let poll = json!({"poll": [{"cluster": ADMIN, "targets": ["shop"]}]});
    let configured = envoy.main.add_root(&bytes(&poll)).unwrap();
    assert!(configured.accepted);
    envoy.respond(&text);
    envoy.respond_next(&text);
    assert_eq!(envoy.counter("health.rebuilds"), built);
    assert_eq!(envoy.counter("health.updates"), 0);
}

#[test]
fn a_new_configuration_uses_published_health_immediately() {
    let mut envoy = Envoy::start(&["shop"], &pair());
    envoy.respond(&clusters(
        "shop",
        &[(A, 0, "/failed_active_hc"), (B, 0, "healthy")],
    ));
    let mut other = pair();
    other["tick"] = json!("60s");
    assert!(envoy.worker.configure(&bytes(&other)).unwrap().accepted);
    assert_eq!(served(&mut envoy.worker), set(&[B]));
}

#[test]
fn unreadable_shared_data_is_ignored() {
    let shared = Shared::default();
    for piece in ["versions", "hosts", "active", "assignment", "poller"] {
        shared.put(&format!("spillgate.3.{piece}.{ADMIN}/shop"), [7; 50]);
    }
    let mut worker = worker(&shared, 1, &pair());
    worker.advance(SECOND).unwrap();
    assert_eq!(served(&mut worker), set(&[A, B]));
}

#[test]
fn an_aggregate_fails_over_to_its_second_member() {
    let other = "10.1.0.1:80";
    let mut value = followed(two_clusters(
        "MAGLEV",
        vec![endpoint(A)],
        vec![endpoint(other)],
    ));
    value["output"] = json!({"candidates": 1});
    let mut envoy = Envoy::start(&["primary", "secondary"], &value);
    let respond = |envoy: &mut Envoy, primary: &str| {
        envoy.advance(SECOND);
        let text = clusters("primary", &[(A, 0, primary)])
            + &clusters("secondary", &[(other, 0, "healthy")]);
        let path = "/clusters?filter=%5E%28primary%7Csecondary%29%24";
        assert_eq!(
            respond_to(&mut envoy.main, path, &CalloutReply::new(200, text)),
            1
        );
        envoy.advance(Duration::from_millis(100));
    };
    for (flags, host, cluster) in [
        ("healthy", A, "primary"),
        ("/failed_active_hc", other, "secondary"),
        ("healthy", A, "primary"),
    ] {
        respond(&mut envoy, flags);
        let exchange = envoy.worker.request(user("u")).unwrap();
        assert_eq!(hosts(&exchange), [host], "{flags}");
        assert_eq!(exchange.request_headers.text(CLUSTER_HEADER), Some(cluster));
    }
}

#[test]
fn an_invalid_poller_is_rejected_with_all_errors() {
    let mut main = TestHost::load(&wasm()).unwrap();
    let id = spillgate_testhost::Property::Value(b"spillgate-poller".to_vec());
    main.set_property(&["plugin_root_id"], id);
    let message = refusal(
        &mut main,
        br#"{"poll": [{"targets": ["a", "a", ""], "interval": "1ms"}, {"cluster": "x"}], "more": 1}"#,
    );
    for fault in [
        "poll[0].cluster: required field is missing",
        "poll[0].interval: out of range",
        "poll[0].targets: duplicate cluster; found \"a\"",
        "poll[0].targets: empty cluster name",
        "poll[1].targets: no targets",
        "more: unknown field",
    ] {
        assert!(message.contains(fault), "{fault}\n{message}");
    }
    let nothing = refusal(&mut main, br#"{"poll": []}"#);
    assert!(nothing.contains("empty poll list"), "{nothing}");
}

#[test]
fn unknown_flags_are_counted_and_failed_ones_mean_unhealthy() {
    let mut envoy = Envoy::start(&["shop"], &pair());
    let flags = [(A, 0, "/failed_by_something_new"), (B, 0, "/something_new")];
    envoy.respond(&clusters("shop", &flags));
    assert_eq!(served(&mut envoy.worker), set(&[B]));
    let count = |name: &str| {
        envoy
            .main
            .metrics()
            .value(&format!("spillgate.health.{name}"))
    };
    assert_eq!((count("unknown_values"), count("poll_failures")), (1, 0));
}

#[test]
fn steps_of_the_wall_clock_change_no_interval_and_no_age() {
    for (seconds, monotonic) in [
        (3_600, true),
        (-3_600, true),
        (3_600, false),
        (-3_600, false),
    ] {
        let mut value = pair();
        value["health"]["stale_after"] = json!("5s");
        let mut envoy = Envoy::start(&["shop"], &value);
        if !monotonic {
            envoy.main.deny_monotonic_clock();
            envoy.worker.deny_monotonic_clock();
        }
        let text = clusters("shop", &[(A, 0, "healthy"), (B, 0, "healthy")]);
        envoy.respond(&text);
        let step = |envoy: &mut Envoy, seconds| {
            envoy.main.step_wall_clock(seconds);
            envoy.worker.step_wall_clock(seconds);
        };
        step(&mut envoy, seconds);
        for _ in 0..4 {
            envoy.advance(SECOND);
            let reply = CalloutReply::new(200, text.clone());
            assert_eq!(
                respond_to(&mut envoy.main, "/clusters", &reply),
                1,
                "{seconds}"
            );
        }
        envoy.advance(SECOND);
        assert_eq!(envoy.counter("health.cluster.shop.stale"), 0, "{seconds}");
        step(&mut envoy, -seconds);
        envoy.advance(SECOND * 6);
        assert_eq!(envoy.counter("health.cluster.shop.stale"), 1, "{seconds}");
    }
}

#[test]
fn a_worker_replaces_a_poller_that_trapped() {
    let mut envoy = Envoy::start(&["shop"], &pair());
    envoy.respond(&clusters(
        "shop",
        &[(A, 0, "/failed_active_hc"), (B, 0, "healthy")],
    ));
    assert_eq!(served(&mut envoy.worker), set(&[B]));
    // The VM of the poller runs no more.
    let reply = CalloutReply::new(
        200,
        clusters("shop", &[(A, 0, "healthy"), (B, 0, "/failed_active_hc")]),
    );
    let mut tenths = 0;
    while served(&mut envoy.worker) != set(&[A]) {
        tenths += 1;
        assert!(tenths <= 50, "more than five intervals");
        envoy.worker.advance(Duration::from_millis(100)).unwrap();
        respond_to(&mut envoy.worker, "/clusters", &reply);
    }
    assert!(tenths >= 28, "the poller was only late: {tenths}");
    assert_eq!(envoy.counter("health.standby_polls"), 1);
}
