//! `runtime_fraction` and weighted clusters, which read one random number per request. The shares were
//! counted with Envoy 1.40, 20,000 requests each; the tolerance is that of the counts.

use std::collections::BTreeMap;

use spillgate_config::envoy::{Format, read};
use spillgate_core::route::{Connection, HeaderList, RouteOutcome, RouteTable};

use crate::common::{config, findings};

/// A bootstrap with these routes and runtime values.
fn bootstrap(routes: &str, values: &str) -> String {
    format!(
        "{{static_resources: {{listeners: [{{name: l, filter_chains: [{{filters: [{{name: h, typed_config: \
         {{\"@type\": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager, \
         route_config: {{virtual_hosts: [{{name: v, domains: ['*'], routes: [{routes}]}}]}}}}}}]}}]}}]}}, \
         layered_runtime: {{layers: [{{name: s, static_layer: {{{values}}}}}]}}}}"
    )
}

/// A route with a fraction.
fn fraction(fraction: &str, action: &str) -> String {
    format!("{{match: {{prefix: /, runtime_fraction: {{{fraction}}}}}, {action}}}, ")
}

fn percent(numerator: u32, action: &str) -> String {
    fraction(
        &format!("default_value: {{numerator: {numerator}}}"),
        action,
    )
}

fn rest(action: &str) -> String {
    format!("{{match: {{prefix: /}}, {action}}}")
}

fn to(cluster: &str) -> String {
    format!("route: {{cluster: {cluster}}}")
}

fn weighted(settings: &str, clusters: &[(&str, u32)]) -> String {
    let clusters = clusters
        .iter()
        .map(|(name, weight)| format!("{{name: {name}, weight: {weight}}}"));
    let clusters: Vec<String> = clusters.collect();
    format!(
        "route: {{weighted_clusters: {{{settings}clusters: [{}]}}}}",
        clusters.join(", ")
    )
}

/// The shares of the clusters and statuses in percent.
fn shares(table: &RouteTable) -> BTreeMap<String, f64> {
    let headers = HeaderList(&[(":authority", "a"), (":path", "/")]);
    let mut shares = BTreeMap::new();
    let received = table.receive(&headers, Connection::default());
    for one in table.alternatives(&received) {
        let whole = 100.0 * one.numbers.share();
        let mut add = |name: &str, share| *shares.entry(name.to_owned()).or_insert(0.0) += share;
        match one.outcome {
            RouteOutcome::Forward(routed) => {
                for destination in routed.destinations() {
                    add(destination.cluster.unwrap(), whole * destination.share);
                }
            }
            RouteOutcome::Respond { status, .. } | RouteOutcome::Refused { status } => {
                add(&status.to_string(), whole)
            }
            RouteOutcome::NotFound => add("404", whole),
            RouteOutcome::Unknown { why, .. } => add(why, whole),
        }
    }
    shares
}

fn assert_shares(routes: &str, values: &str, expected: &[(&str, f64)]) {
    let config = config(&bootstrap(routes, values));
    let found = shares(&config.listeners[0].routes);
    assert_eq!(found.len(), expected.len(), "{routes}: {found:?}");
    for (name, share) in expected {
        assert!((found[*name] - share).abs() < 1e-9, "{routes}: {found:?}");
    }
    assert!((found.values().sum::<f64>() - 100.0).abs() < 1e-9);
}

#[test]
fn routes_and_weighted_clusters_share_one_number() {
    // 29.93, 20.18, 49.88
    let routes = percent(30, &to("a")) + &percent(50, &to("b")) + &rest(&to("c"));
    assert_shares(&routes, "", &[("a", 30.0), ("b", 20.0), ("c", 50.0)]);
    // 30.27, 29.68, 40.05
    let routes = percent(30, &to("a")) + &rest(&weighted("", &[("b", 60), ("c", 40)]));
    assert_shares(&routes, "", &[("a", 30.0), ("b", 30.0), ("c", 40.0)]);
    // 50.25, 24.86, 24.89: the remainders of 2 and of 100 agree in their parity.
    let routes = percent(50, &to("a")) + &rest(&weighted("", &[("b", 1), ("c", 1)]));
    assert_shares(&routes, "", &[("a", 50.0), ("b", 25.0), ("c", 25.0)]);
    // 19.84, 10.12, 30.53, 39.52
    let routes = percent(30, &weighted("", &[("a", 20), ("b", 80)]))
        + &rest(&weighted("", &[("c", 60), ("d", 40)]));
    assert_shares(
        &routes,
        "",
        &[("a", 20.0), ("b", 10.0), ("c", 30.0), ("d", 40.0)],
    );
    // A fraction behind one that takes the same numbers gets nothing: 50.03, 0, 49.97.
    let routes = percent(50, &to("a")) + &percent(50, &to("b")) + &rest(&to("c"));
    assert_shares(&routes, "", &[("a", 50.0), ("c", 50.0)]);
    // No weighted cluster at all is left: d has numbers from 60 on.
    let routes = percent(60, &to("a")) + &rest(&weighted("", &[("c", 60), ("d", 40)]));
    assert_shares(&routes, "", &[("a", 60.0), ("d", 40.0)]);
}

#[test]
fn denominators_are_compared_with_the_same_number() {
    // 24.91, 37.63, 11.12, 26.34
    let of = |numerator: u32, denominator: &str, cluster: &str| {
        let default =
            format!("default_value: {{numerator: {numerator}, denominator: {denominator}}}");
        fraction(&default, &to(cluster))
    };
    let routes = of(2_500, "TEN_THOUSAND", "a")
        + &of(50, "HUNDRED", "b")
        + &of(300_000, "MILLION", "c")
        + &rest(&to("d"));
    let config = config(&bootstrap(&routes, ""));
    let found = shares(&config.listeners[0].routes);
    for (cluster, counted) in [("a", 24.91), ("b", 37.63), ("c", 11.12), ("d", 26.34)] {
        assert!((found[cluster] - counted).abs() < 1.0, "{found:?}");
    }
    assert_shares(
        &percent(30, "direct_response: {status: 204}"),
        "",
        &[("204", 30.0), ("404", 70.0)],
    );
}

#[test]
fn runtime_keys_replace_fractions() {
    let with_key = "default_value: {numerator: 70}, runtime_key: k.f";
    let routes = fraction(with_key, &to("a")) + &rest(&to("c"));
    for (value, share) in [
        ("20", 20.0),
        ("20.7", 20.0),
        ("'20'", 20.0),
        ("'20%'", 70.0),
        ("-5", 70.0),
        ("true", 70.0),
        ("{numerator: 20}", 20.0),
        ("{numerator: 2000, denominator: TEN_THOUSAND}", 20.0),
        ("{numerator: 20, denominator: 1}", 70.0),
        ("{numerator: 20, denominator: NOPE}", 70.0),
        ("{numerator: 20, x: 1}", 70.0),
        ("{numerator: 20, denominator: ten_thousand}", 70.0),
        ("'{\"numerator\": 20}'", 70.0),
    ] {
        let expected = [("a", share), ("c", 100.0 - share)];
        assert_shares(&routes, &format!("k.f: {value}"), &expected);
    }
    for all in ["150", "{numerator: 120}", "{numerator: -1}"] {
        assert_shares(&routes, &format!("k.f: {all}"), &[("a", 100.0)]);
    }
    for none in [
        "0",
        "{denominator: HUNDRED}",
        "{numerator: '20'}",
        "{numerator: true}",
        "{}",
    ] {
        assert_shares(&routes, &format!("k.f: {none}"), &[("c", 100.0)]);
    }
}

#[test]
fn runtime_keys_replace_weights() {
    let split = |weights: &[(&str, u32)]| rest(&weighted("runtime_key_prefix: w.p, ", weights));
    let routes = split(&[("a", 60), ("b", 40)]);
    for (values, expected) in [
        ("w.p.a: 360", &[("a", 90.0), ("b", 10.0)][..]),
        ("w.p.a: 0", &[("b", 100.0)]),
        ("w.p: {a: '10', b: 30.9}", &[("a", 25.0), ("b", 75.0)]),
        ("w.p.a: abc", &[("a", 60.0), ("b", 40.0)]),
        ("w.p.a: -1", &[("a", 60.0), ("b", 40.0)]),
        ("w.p: 50", &[("a", 60.0), ("b", 40.0)]),
    ] {
        assert_shares(&routes, values, expected);
    }
    assert_shares(&split(&[("a", 0), ("b", 0)]), "w.p.a: 7", &[("a", 100.0)]);
    for (values, expected) in [
        ("w.p: {a: 0, b: 0}", "the weights sum to 0"),
        (
            "w.p.a: 5000000000",
            "the weights sum to more than 4294967295",
        ),
    ] {
        let found = findings(&bootstrap(&routes, values));
        assert!(found[0].contains(expected), "{values}: {found:?}");
    }
}

#[test]
fn a_key_is_named_if_the_runtime_is_unknown() {
    let key = "default_value: {numerator: 70}, runtime_key: k.f";
    for action in [to("a"), weighted("runtime_key_prefix: w, ", &[("a", 1)])] {
        let match_ = if action.contains("prefix: w") {
            "prefix: /".into()
        } else {
            format!("prefix: /, runtime_fraction: {{{key}}}")
        };
        let text = format!(
            "{{virtual_hosts: [{{name: v, domains: ['*'], routes: [{{match: {{{match_}}}, {action}}}]}}]}}"
        );
        let config = read(&text, Format::Yaml).unwrap();
        let codes: Vec<_> = config.limits().map(|limit| limit.code).collect();
        assert_eq!(codes, ["config/runtime-key"], "{text}");
    }
    let config = config(&bootstrap(&fraction(key, &to("a")), ""));
    assert!(config.warnings.is_empty(), "{:?}", config.warnings);
}
