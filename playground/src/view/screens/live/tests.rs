//! The screen without a browser, with responses in the shape of Envoy's.

use crate::bridge::LiveReply;
use spillgate_core::model::{Health, HealthFlags, HealthStatus};
use spillgate_observe::{Agreement, EnvoyReading, ObservedWindow, WindowStart};
use spillgate_scenario::{EditedScenario, ScenarioOutcome, preset};

use super::{pace::delay_ms, *};

/// The response of the demo: each host has a count and whether it is healthy.
fn response(primary: &[(u64, bool)], secondary: &[(u64, bool)]) -> String {
    let cluster = |name: &str, network: &str, hosts: &[(u64, bool)]| {
        let hosts = hosts.iter().zip(1..).map(|((count, healthy), number)| {
            let health = if *healthy { "HEALTHY" } else { "UNHEALTHY" };
            let zone = if number < 6 { "a" } else { "b" };
            format!(
                r#"{{"address": {{"socket_address": {{"address": "{network}{number}", "port_value": 8090}}}},
                "stats": [{{"name": "rq_error"}}, {{"value": "{count}", "name": "rq_total"}}],
                "health_status": {{"eds_health_status": "{health}"}}, "weight": 1, "locality": {{"zone": "{zone}"}}}}"#
            )
        });
        let hosts: Vec<_> = hosts.collect();
        format!(
            r#"{{"name": "{name}", "host_statuses": [{}], "observability_name": "{name}"}}"#,
            hosts.join(",")
        )
    };
    format!(
        r#"{{"cluster_statuses": [{}, {}, {}]}}"#,
        cluster("admin", "127.0.0.", &[(99, true)]),
        cluster("shop-primary", "127.0.1.", primary),
        cluster("shop-secondary", "127.0.2.", secondary),
    )
}

fn ok(text: String) -> Result<LiveReply, LiveFault> {
    Ok(LiveReply { status: 200, text })
}

/// A monitor after reads at these times.
fn monitor(reads: Vec<(u64, String)>) -> LiveMonitor {
    let mut monitor = LiveMonitor::default();
    for (at, text) in reads {
        monitor.received(at, ok(text), None);
    }
    monitor
}

/// Ten and five hosts, of which the first ones failed, with equal counts.
fn demo(failed: usize, primary: u64, secondary: u64) -> String {
    let hosts: Vec<_> = (0..10)
        .map(|host| {
            if host < failed {
                (0, false)
            } else {
                (primary, true)
            }
        })
        .collect();
    response(&hosts, &[(secondary, true); 5])
}

fn start_page() -> EditedScenario {
    preset("documented").unwrap()
}

#[test]
fn an_input_survives_its_text() {
    let first = LiveInput::default();
    assert_eq!(first.to_text(), "");
    assert_eq!(LiveInput::from_text(""), first);
    let other = LiveInput {
        cluster: "a=b".into(),
        every: 10,
        span: 300,
    };
    assert_eq!(LiveInput::from_text(&other.to_text()), other);
    let invalid = LiveInput::from_text("every=0\nover=x\nsound=on\n");
    assert_eq!(invalid, first);
}

#[test]
fn failures_double_the_pause_up_to_half_a_minute() {
    let pauses = [0, 1, 2, 3, 4, 5, 6, 40, u32::MAX].map(|failures| delay_ms(1, failures));
    let expected = [1, 2, 4, 8, 16, 30, 30, 30, 30].map(|seconds| seconds * 1_000);
    assert_eq!(pauses, expected);
    assert_eq!(delay_ms(10, 1), 10_000);
    assert_eq!(delay_ms(10, 3), 30_000);
}

#[test]
fn a_failure_keeps_the_data_and_a_success_resets_the_pace() {
    let input = LiveInput::default();
    let mut monitor = monitor(vec![(1_000, demo(0, 1, 1))]);
    assert_eq!(monitor.due_in(1_500, &input), 1_500);
    monitor.received(
        3_000,
        Ok(LiveReply {
            status: 503,
            text: String::new(),
        }),
        None,
    );
    monitor.received(
        5_000,
        Err(LiveFault::Unreachable("Failed to fetch".into())),
        None,
    );
    assert_eq!(monitor.age_ms(5_500), Some(4_500));
    assert_eq!(monitor.due_in(5_000, &input), 4_000);
    assert!(monitor.fault.is_some() && !monitor.is_absent(false));
    monitor.received(9_000, ok(demo(0, 2, 2)), None);
    assert_eq!((monitor.fault.clone(), monitor.readings.len()), (None, 2));
    assert_eq!(monitor.due_in(9_000, &input), 2_000);
}

#[test]
fn a_server_without_live_is_absent_unless_it_announces_it() {
    let mut monitor = LiveMonitor::default();
    assert!(!monitor.is_absent(false), "not before the first read");
    monitor.received(0, ok("<!doctype html>".into()), None);
    assert!(matches!(&monitor.fault, Some(LiveFault::Unreadable(_))));
    assert!(monitor.is_absent(false) && !monitor.is_absent(true));
    let mut file = LiveMonitor::default();
    file.received(0, Err(LiveFault::NoServer), None);
    assert!(file.is_absent(true));
}

#[test]
fn refused_counters_are_not_requested_again() {
    let mut monitor = LiveMonitor::default();
    assert!(monitor.needs_counters());
    let refused = LiveReply {
        status: 403,
        text: String::new(),
    };
    monitor.received(0, ok(demo(0, 0, 0)), Some(&refused));
    assert!(!monitor.needs_counters());
    assert_eq!(monitor.last().unwrap().filter, None);
}

#[test]
fn only_the_readings_of_the_longest_window_are_kept() {
    let reads = (0..1_000).map(|second| (second * 1_000, demo(0, second, 0)));
    let monitor = monitor(reads.collect());
    assert_eq!(monitor.readings.len(), 302);
    assert_eq!(monitor.last().unwrap().at, 999_000);
}

#[test]
fn the_demo_is_an_aggregate_with_the_reported_hosts() {
    let monitor = monitor(vec![(0, demo(5, 0, 0))]);
    let reading: &EnvoyReading = monitor.last().unwrap();
    let page = start_page();
    assert_eq!(clusters_to_watch(&page, reading), ["shop", "admin"]);
    let stage = LiveStage::new(&page, reading, "").unwrap();
    assert_eq!(
        (stage.name(), stage.settings),
        ("shop", SettingsSource::Demo)
    );
    let primary = stage.scenario.plain(stage.members[0].0).unwrap();
    let hosts = &primary.priorities[0].endpoints;
    assert_eq!(
        (hosts.len(), hosts[0].address.as_str()),
        (10, "127.0.1.1:8090")
    );
    // The same scenario in the playground gives the same one again.
    let again = LiveStage::new(&stage.scenario, reading, "").unwrap();
    assert_eq!(again.settings, SettingsSource::Page);
    assert_eq!(again.scenario, stage.scenario);
}

#[test]
fn an_unknown_cluster_has_default_settings() {
    let monitor = monitor(vec![(0, demo(0, 0, 0))]);
    let stage = LiveStage::new(&start_page(), monitor.last().unwrap(), "admin").unwrap();
    assert_eq!(
        (stage.name(), stage.settings),
        ("admin", SettingsSource::Defaults)
    );
    assert_eq!(stage.scenario.clusters().len(), 1);
}

/// A response of an Envoy whose clusters have the names of presets.
fn foreign() -> String {
    demo(0, 0, 0)
        .replace("127.0.", "192.168.")
        .replace("\"admin\"", "\"shop\"")
}

#[test]
fn no_preset_lends_its_settings_to_a_cluster_of_the_same_name() {
    let monitor = monitor(vec![(0, foreign())]);
    let reading = monitor.last().unwrap();
    for of in spillgate_scenario::PRESETS {
        let page = preset(of.id).unwrap();
        for name in ["shop", "shop-primary", "shop-secondary"] {
            let stage = LiveStage::new(&page, reading, name).unwrap();
            assert_eq!(stage.settings, SettingsSource::Defaults, "{} {name}", of.id);
            let [only] = stage.scenario.clusters() else {
                panic!("{}: {name} alone", of.id);
            };
            assert_eq!(only.name, name);
            let plain = stage.scenario.plain(0).unwrap();
            assert_eq!(plain.policy, spillgate_core::model::Policy::RoundRobin);
            let mut hosts = plain.priorities.iter().flat_map(|of| &of.endpoints);
            assert!(hosts.all(|host| host.address.starts_with("192.168.")));
        }
    }
}

#[test]
fn a_scenario_with_hosts_of_the_cluster_has_its_settings() {
    let monitor = monitor(vec![(0, foreign())]);
    let reading = monitor.last().unwrap();
    let frozen = LiveStage::new(&start_page(), reading, "shop").unwrap();
    let at = spillgate_scenario::ScenarioEdit::Factor(0, 200);
    let edited = spillgate_scenario::apply(&frozen.scenario, &at).unwrap();
    let again = LiveStage::new(&edited, reading, "shop").unwrap();
    assert_eq!(again.settings, SettingsSource::Page);
    assert_eq!(
        again.scenario.plain(0).unwrap().overprovisioning_factor.0,
        200
    );
}

#[test]
fn a_response_without_hosts_is_not_shown() {
    let monitor = monitor(vec![(0, r#"{"cluster_statuses": []}"#.into())]);
    assert!(LiveStage::new(&start_page(), monitor.last().unwrap(), "").is_err());
}

/// The comparison of the demo after two reads, with the default window.
fn compared(first: String, second: String) -> LiveComparison {
    let monitor = monitor(vec![(0, first), (10_000, second)]);
    let stage = LiveStage::new(&start_page(), monitor.last().unwrap(), "").unwrap();
    let outcome = ScenarioOutcome::of(&stage.scenario);
    let window = ObservedWindow::of(&monitor.readings, &stage.member_names(), 60_000).unwrap();
    LiveComparison::new(&stage, &outcome, &window)
}

#[test]
fn requests_as_predicted_fit() {
    // 5 of 10 healthy hosts: 70 % of 1,000 requests stay.
    let compared = compared(demo(5, 0, 0), demo(5, 140, 60));
    let [primary, secondary] = compared.priorities.as_slice() else {
        panic!("two priorities");
    };
    assert_eq!(
        (primary.id.as_str(), primary.hosts_healthy),
        ("shop-primary/P0", (10, 5))
    );
    assert!((primary.predicted - 70.0).abs() < 1e-9);
    assert_eq!(
        (primary.observed.count, primary.observed.total),
        (700, 1_000)
    );
    assert_eq!(primary.agreement(), Agreement::Inside);
    assert_eq!(secondary.observed.count, 300);
    assert_eq!(primary.hosts[0].predicted, 0.0);
    assert_eq!(primary.hosts[0].agreement(), Agreement::Inside);
    assert_eq!(primary.hosts[9].observed.count, 140);
    let text = headline("shop", &compared).replace('\u{a0}', " ");
    assert_eq!(text, "shop: 1000 requests fit the prediction.");
    assert_eq!(
        window_text(&compared).replace('\u{a0}', " "),
        "Requests of the last 10 seconds, since the first read: 100.0 a second."
    );
}

#[test]
fn other_requests_are_flagged() {
    let compared = compared(demo(5, 0, 0), demo(5, 100, 100));
    assert_eq!(compared.first_outside().unwrap().id, "shop-primary/P0");
    let text = headline("shop", &compared).replace('\u{a0}', " ");
    assert_eq!(
        text,
        "shop: shop-primary P0 gets 50.0 % of 1000 requests; the prediction is 70.0 %."
    );
}

#[test]
fn a_failed_host_starts_a_window() {
    let compared = compared(demo(0, 100, 0), demo(5, 130, 9));
    assert_eq!(
        (compared.total, compared.start),
        (0, WindowStart::HostsChanged)
    );
    assert!(headline("shop", &compared).ends_with("no requests to compare yet."));
}

#[test]
fn the_page_follows_until_the_user_changes_it() {
    let [start, live, later, edit] =
        ["documented", "shop", "panic", "degraded"].map(|id| preset(id).unwrap());
    let mut follow = Follow::default();
    follow.shown(&start, true);
    assert_eq!(follow.next(&live), Some(live.clone()));
    follow.shown(&live, true);
    assert_eq!(follow.next(&live), None, "no change");
    assert_eq!(follow.next(&later), Some(later.clone()));
    follow.shown(&later, true);
    follow.shown(&edit, false);
    assert!(!follow.is_on());
    assert_eq!(follow.next(&live), None);
    follow.shown(&later, false);
    assert!(follow.is_on(), "the user undid the edit");
    follow.stop();
    follow.shown(&later, true);
    assert!(!follow.is_on(), "frozen");
    follow.resume(&live);
    follow.shown(&live, false);
    assert!(follow.is_on());
}

#[test]
fn a_link_is_not_followed() {
    let mut follow = Follow::default();
    follow.shown(&start_page(), false);
    assert_eq!(follow.next(&preset("shop").unwrap()), None);
}

#[test]
fn the_demo_has_commands() {
    let monitor = monitor(vec![(0, demo(0, 0, 0))]);
    let stage = LiveStage::new(&start_page(), monitor.last().unwrap(), "").unwrap();
    let commands = live_commands(&stage.scenario, "http://127.0.0.1:8081/");
    let ids: Vec<_> = commands.iter().map(|command| command.id).collect();
    assert_eq!(ids, ["requests", "kill", "heal"]);
    assert!(commands[0].text.contains("http://127.0.0.1:8081/"));
    assert_eq!(
        commands[1].text,
        "cargo xtask demo kill 127.0.1.1 127.0.1.2 127.0.1.3 127.0.1.4 127.0.1.5"
    );
    assert_eq!(live_commands(&start_page(), ""), []);
}

#[test]
fn a_health_names_its_flags() {
    let mut health = Health::from_status(HealthStatus::Healthy);
    assert_eq!(health_text(health), "healthy");
    health.flags = HealthFlags {
        failed_active_hc: true,
        pending_active_hc: true,
        ..HealthFlags::default()
    };
    assert_eq!(
        health_text(health),
        "unhealthy: failed_active_hc, pending_active_hc"
    );
}

#[test]
fn the_snippet_is_that_of_the_demo() {
    let demo = include_str!("../../../../../envoy-config/demo/envoy.yaml");
    let trimmed: Vec<&str> = demo.lines().map(str::trim).collect();
    for line in SNIPPET.lines().map(str::trim) {
        let is_heading = line.starts_with('#') || line == "routes:" || line == "clusters:";
        assert!(
            line.is_empty() || is_heading || trimmed.contains(&line),
            "{line}"
        );
    }
}

#[test]
fn every_message_at_a_glance() {
    let list: Vec<_> = live_message_examples()
        .into_iter()
        .map(|text| text.replace('\u{a0}', " "))
        .collect();
    let expected = [
        "Reading Envoy…",
        "This page is a file. Live needs a page that Envoy serves.",
        "The server of this page has no /live/: /live/clusters returned HTTP 404.",
        "The server of this page has no /live/: /live/clusters is not Envoy's list of clusters (1:1: invalid JSON).",
        "Cannot read Envoy: /live/clusters returned HTTP 503. The data are 12 seconds old. Next attempt in 8 seconds.",
        "Cannot read Envoy: /live/clusters: Failed to fetch. The data are 1 second old. Next attempt in 30 seconds.",
        "The data are 1 second old.",
        "Paused. The data are 61 seconds old.",
        "Cannot show Envoy's clusters: no cluster.",
        "Envoy reports hosts and health. Policies, thresholds and aggregates are those of this page.",
        "Envoy reports hosts and health. Policies, thresholds and the aggregate are those of the demo.",
        "Envoy reports hosts and health. Policy and thresholds are Envoy's defaults: import the configuration to compare with its settings.",
        "The prediction has no host for 12.5 % of the requests. Hosts do not count them, so the shares are those of the other requests.",
        "The server of this page does not offer /live/stats.",
        "This Envoy reports no counters of a Spillgate filter.",
        "The filter made no decisions for these clusters in this time.",
        "This page follows Envoy.",
        "This page does not follow Envoy, because you changed, froze or opened a scenario.",
    ];
    assert_eq!(list, expected);
}
