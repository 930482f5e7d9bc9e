//! Requests without a session: stripped headers, criteria, targets, host lists, local responses,
//! traces.

use spillgate_core::model::{Metadata, Value};
use spillgate_steer::{RouteSettings, port::NameLengths};

use crate::environment::{Exchange, Proxy, cluster};

const HOSTS: [(&str, &str, &str); 3] = [
    ("10.0.0.1:80", "HEALTHY", "1"),
    ("10.0.0.2:80", "HEALTHY", "2"),
    ("10.0.0.3:80", "HEALTHY", "2"),
];

fn config(more: &str) -> String {
    let (a, b) = (cluster("a", &HOSTS), cluster("b", &HOSTS[..1]));
    format!(r#"{{"clusters": [{a}, {b}], "target": "a"{more}}}"#)
}

#[test]
fn the_host_list_and_the_cluster_are_written() {
    let proxy = Proxy::serving(&config(r#", "output": {"candidates": 2}"#));
    let exchange = proxy.request(&[]);
    let hosts: Vec<&str> = exchange.hosts().unwrap().split(',').collect();
    assert_eq!(hosts.len(), 2);
    assert_ne!(hosts[0], hosts[1]);
    assert_eq!(exchange.sent("x-spillgate-cluster"), ["a"]);
    assert_eq!(exchange.reads, 0, "nothing depends on the headers");
    let counter = "spillgate.decisions.cluster.a.priority.0.reason.chosen";
    assert_eq!(proxy.worker.metric(counter), 1);
}

#[test]
fn internal_and_reserved_headers_are_stripped_in_both_directions() {
    let proxy = Proxy::serving(&config(r#", "reserved_headers": ["x-internal"]"#));
    let mut exchange = Exchange::new(
        &proxy.worker,
        &[
            ("x-spillgate-host", "6.6.6.6:80"),
            ("x-spillgate-host", "6.6.6.7:80"),
            ("x-spillgate-cluster", "evil"),
            ("x-internal", "1"),
            ("x-other", "1"),
        ],
    );
    exchange.response = vec![
        ("x-spillgate-host".to_owned(), "6.6.6.6:80".to_owned()),
        ("x-spillgate-trace".to_owned(), "{}".to_owned()),
    ];
    let exchange = proxy.exchange(exchange);
    assert!(exchange.hosts().unwrap().starts_with("10.0.0."));
    assert_eq!(exchange.sent("x-spillgate-host").len(), 1);
    assert_eq!(exchange.sent("x-spillgate-cluster"), ["a"]);
    assert_eq!(exchange.sent("x-internal"), [""; 0]);
    assert_eq!(exchange.sent("x-other"), ["1"]);
    assert_eq!(exchange.response, []);
}

#[test]
fn criteria_come_from_headers_and_routes() {
    let criteria = r#", "criteria": [{"route_metadata": true}, {"key": "v", "header": "x-v"}]"#;
    let proxy = Proxy::serving(&config(criteria));
    for _ in 0..5 {
        let exchange = proxy.request(&[("x-v", "1")]);
        assert_eq!(exchange.hosts().unwrap(), "10.0.0.1:80");
        let mut by_route = Exchange::new(&proxy.worker, &[]);
        by_route.route.criteria = Metadata::new([("v", Value::Text("2".into()))]);
        let by_route = proxy.exchange(by_route);
        assert!(!by_route.hosts().unwrap().contains("10.0.0.1:80"));
        let mut by_both = Exchange::new(&proxy.worker, &[("x-v", "1")]);
        by_both.route.criteria = Metadata::new([("v", Value::Text("2".into()))]);
        let by_both = proxy.exchange(by_both);
        assert_eq!(by_both.hosts().unwrap(), "10.0.0.1:80");
    }
}

#[test]
fn a_session_header_has_one_host_in_base64() {
    let output = r#", "output": {"mode": "stateful_session", "host_header": "x-s"}"#;
    let one = cluster("a", &HOSTS[..1]);
    let proxy = Proxy::serving(&format!(
        r#"{{"clusters": [{one}], "target": "a"{output}}}"#
    ));
    let exchange = proxy.request(&[]);
    assert_eq!(exchange.sent("x-s"), ["MTAuMC4wLjE6ODA="]);
    assert_eq!(exchange.sent("x-spillgate-cluster"), ["a"]);
    let proxy = Proxy::serving(&config(output));
    // All addresses have 11 characters.
    assert_eq!(proxy.request(&[]).sent("x-s")[0].len(), 16);
}

#[test]
fn criteria_are_passed_without_a_host_only_if_no_chain_restricts_hosts() {
    let failed = cluster("a", &[("10.0.0.1:80", "UNHEALTHY", "1")]);
    let config = |chain: &str| {
        format!(
            r#"{{"clusters": [{failed}], "target": "a", "criteria": [{{"key": "v", "value": "1"}}],
            "output": {{"mode": "subset_headers", "subset_headers": {{"v": "x-v"}}}}{chain}}}"#
        )
    };
    let without = Proxy::serving(&config(""));
    let exchange = without.request(&[]);
    assert_eq!((exchange.sent("x-v"), &exchange.local), (vec!["1"], &None));
    let with = Proxy::serving(&config(r#", "subset_chain": [{"keys": ["v"]}]"#));
    let exchange = with.request(&[]);
    let (status, details, _) = exchange.local.clone().unwrap();
    assert_eq!((status, &*details), (503, "spillgate_no_host"));
    assert_eq!(exchange.request, []);
}

#[test]
fn a_criterion_that_no_header_can_carry_gives_503() {
    let output = r#", "criteria": [{"route_metadata": true}],
        "output": {"mode": "subset_headers", "subset_headers": {"v": "x-v"}}"#;
    let proxy = Proxy::serving(&config(output));
    let text = |text: &str| Value::Text(text.into());
    let on = |fields: &[(&str, Value)]| {
        let mut exchange = Exchange::new(&proxy.worker, &[]);
        exchange.route.criteria = Metadata::new(fields.iter().cloned());
        proxy.exchange(exchange)
    };
    assert_eq!(on(&[("v", text("2"))]).sent("x-v"), ["2"]);
    assert_eq!(on(&[("v", Value::Number(-3.0))]).sent("x-v"), ["-3"]);
    let [fits, long] = [8 * 1024 - 1, 8 * 1024].map(|size| "v".repeat(size));
    assert_eq!(on(&[("v", text(&fits))]).sent("x-v"), [&fits]);
    let refused = [
        vec![("tenant", text("a"))],
        vec![("v", text("2")), ("tenant", text("a"))],
        vec![("v", text(""))],
        vec![("v", text(&long))],
        vec![("v", text("2\r\nx-v: 1"))],
        vec![("v", Value::Null)],
        vec![("v", Value::Number(0.5))],
        vec![("v", Value::List([text("2")].into()))],
    ];
    for fields in &refused {
        let exchange = on(fields);
        let (status, details, _) = exchange.local.clone().unwrap();
        assert_eq!(
            (status, &*details),
            (503, "spillgate_no_host"),
            "{fields:?}"
        );
        assert_eq!(exchange.request, []);
    }
    let counted = proxy.worker.metric("spillgate.no_host");
    assert_eq!(counted, refused.len() as u64);
}

#[test]
fn a_route_whose_criteria_cannot_be_read_gives_503() {
    let proxy = Proxy::serving(&config(r#", "criteria": [{"route_metadata": true}]"#));
    let mut exchange = Exchange::new(&proxy.worker, &[]);
    exchange.route = RouteSettings::unreadable();
    let exchange = proxy.exchange(exchange);
    let (status, details, _) = exchange.local.clone().unwrap();
    assert_eq!((status, &*details), (503, "spillgate_no_host"));
    assert_eq!(exchange.request, []);
    assert_eq!(proxy.worker.metric("spillgate.no_host"), 1);
}

#[test]
fn a_target_of_another_type_is_unknown() {
    let proxy = Proxy::serving(&config(r#", "route_settings": true"#));
    let mut exchange = Exchange::new(&proxy.worker, &[]);
    let settings = Metadata::new([("target", Value::Number(1.0))]);
    exchange.route = RouteSettings::of_metadata(Metadata::EMPTY, &settings);
    let exchange = proxy.exchange(exchange);
    assert_eq!(exchange.sent("x-spillgate-cluster"), ["a"]);
    assert_eq!(proxy.worker.metric("spillgate.unknown_target"), 1);
}

#[test]
fn routes_set_the_target_or_disable_the_filter() {
    let proxy = Proxy::serving(&config(r#", "route_settings": true"#));
    let with = |target: Option<&str>, disabled| {
        let mut exchange = Exchange::new(&proxy.worker, &[]);
        exchange.route.target = target.map(str::to_owned);
        exchange.route.disabled = disabled;
        proxy.exchange(exchange)
    };
    assert_eq!(with(Some("b"), false).hosts(), Some("10.0.0.1:80"));
    assert_eq!(with(Some("b"), false).sent("x-spillgate-cluster"), ["b"]);
    let unknown = with(Some("c"), false);
    assert_eq!(unknown.sent("x-spillgate-cluster"), ["a"]);
    assert_eq!(proxy.worker.metric("spillgate.unknown_target"), 1);
    let passed = with(Some("b"), true);
    assert_eq!(passed.request, []);
    assert_eq!(proxy.worker.metric("spillgate.pass_through"), 1);
}

#[test]
fn without_a_host_the_client_gets_503() {
    let unhealthy = cluster("a", &[("10.0.0.1:80", "UNHEALTHY", "1")]);
    let proxy = Proxy::serving(&format!(r#"{{"clusters": [{unhealthy}], "target": "a"}}"#));
    let exchange = proxy.request(&[]);
    let (status, details, headers) = exchange.local.clone().unwrap();
    assert_eq!((status, &*details), (503, "spillgate_no_host"));
    assert!(headers.is_empty() && exchange.hosts().is_none());
    assert_eq!(proxy.worker.metric("spillgate.no_host"), 1);
}

#[test]
fn refused_calls_are_counted_and_the_request_is_forwarded() {
    let proxy = Proxy::serving(&config(""));
    let mut exchange = Exchange::new(&proxy.worker, &[]);
    exchange.read_only = true;
    let exchange = proxy.exchange(exchange);
    assert_eq!((exchange.hosts(), exchange.local.is_none()), (None, true));
    // Stripping and writing both failed.
    assert_eq!(proxy.worker.metric("spillgate.host_failures"), 2);
}

#[test]
fn traces_require_the_secret() {
    let trace = r#", "trace": {"when": {"header": "x-debug", "value": "0123456789abcdef"}}"#;
    let proxy = Proxy::serving(&config(trace));
    for (given, traced) in [("0123456789abcdef", true), ("guess", false)] {
        let exchange = proxy.request(&[("x-debug", given)]);
        let trace = exchange.received("x-spillgate-trace");
        assert_eq!(!trace.is_empty(), traced);
        assert!(
            trace
                .iter()
                .all(|trace| trace.starts_with(r#"{"cluster":"a""#))
        );
        assert_eq!(
            exchange.sent("x-debug"),
            [""; 0],
            "hidden from the upstream host"
        );
    }
}

#[test]
fn a_trace_has_steps_only_if_its_settings_ask_for_them() {
    let trace = |steps: bool| {
        let when = r#""when": {"header": "x-debug", "value": "0123456789abcdef"}"#;
        let proxy = Proxy::serving(&config(&format!(
            r#", "trace": {{{when}, "steps": {steps}}},
               "access_log": {{"percent": 100, "steps": {}}}"#,
            !steps
        )));
        let exchange = proxy.request(&[("x-debug", "0123456789abcdef")]);
        let trace = exchange.received("x-spillgate-trace")[0].to_owned();
        [trace, exchange.logged[0].1.clone()].map(|text| text.contains(r#""steps""#))
    };
    assert_eq!(trace(true), [true, false]);
    assert_eq!(trace(false), [false, true]);
    let only_trace = Proxy::serving(&config(
        r#", "trace": {"when": {"header": "x-debug", "value": "0123456789abcdef"}, "steps": true}"#,
    ));
    let exchange = only_trace.request(&[("x-debug", "0123456789abcdef")]);
    assert!(exchange.received("x-spillgate-trace")[0].contains(r#""steps""#));
}

#[test]
fn a_length_of_a_name_that_no_header_has_is_not_searched() {
    let mut lengths = NameLengths::default();
    assert!(!lengths.may_contain(5) && !lengths.may_contain(0));
    lengths.add(5);
    assert!(lengths.may_contain(5) && !lengths.may_contain(4));
    lengths.add(100);
    assert!(lengths.may_contain(64), "long names are not distinguished");
}

#[test]
fn a_sample_of_the_decisions_is_stored_for_access_logs() {
    for (percent, expected) in [("0", 0..=0), ("25", 400..=600), ("100", 2_000..=2_000)] {
        let proxy = Proxy::serving(&config(&format!(
            r#", "access_log": {{"percent": {percent}}}"#
        )));
        let logged = (0..2_000).map(|_| proxy.request(&[]).logged.len());
        let logged: usize = logged.sum();
        assert!(expected.contains(&logged), "{percent} %: {logged}");
    }
}
