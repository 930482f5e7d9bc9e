//! The filter decides as the engine does natively: the same bytes for the same seed.

use crate::common::*;
use serde_json::{Value, json};
use spillgate_config::filter;
use spillgate_core::decide::{BalancerState, Request, decide};
use spillgate_core::draw::{Draw, SplitMix64};
use spillgate_core::route::HeaderList;
use spillgate_core::snapshot::Snapshot;
use spillgate_explain::decision::decision_json;
use spillgate_testhost::FilterRequest;
use spillgate_testkit::{amount, every_case, figure, twins};

const REQUESTS: usize = 300;

/// Two priorities: P0 has unhealthy hosts, P1 has a degraded one.
fn priorities(net: u8) -> Vec<Vec<Value>> {
    let mut first = healthy(net, 4);
    first.extend([1, 2, 3].map(|n| unhealthy(&format!("10.{net}.9.{n}:80"))));
    let mut second = healthy(net + 100, 3);
    second[0]["health_status"] = json!("DEGRADED");
    vec![first, second]
}

/// The decisions on REQUESTS users, as JSON with steps, from the engine itself.
fn native(configuration: &Value, seed: u64) -> Vec<String> {
    let config = filter::read(&configuration.to_string()).unwrap();
    let snapshot = Snapshot::build(&config.model);
    // A worker's seed is the first eight random bytes of its host.
    let mut draws = SplitMix64::new(SplitMix64::new(seed).draw());
    let mut state = BalancerState::new(&snapshot, &mut draws);
    let cluster = snapshot.cluster_id("shop").unwrap();
    (0..REQUESTS)
        .map(|n| {
            let headers = [("x-user", format!("u{n}"))];
            let headers = HeaderList(&headers);
            let request = Request {
                hash_policies: &config.hash_policies,
                ..Request::new(cluster, &headers)
            };
            let mut steps = Vec::new();
            let decision = decide(&snapshot, &mut state, &request, &mut draws, &mut steps);
            let candidates = decision.candidates(&snapshot, config.output.candidates);
            decision_json(&snapshot, &decision, &candidates, Some(&steps))
        })
        .collect()
}

/// The same from the shipped filter's trace header.
fn shipped(configuration: &Value, seed: u64) -> Vec<String> {
    let mut host = serving_seeded(configuration, seed);
    (0..REQUESTS)
        .map(|n| {
            let request = user(&format!("u{n}")).header("x-debug", "0123456789abcdef");
            let exchange = host.request(request).unwrap();
            let trace = exchange.response_headers.text(TRACE_HEADER).unwrap();
            let endpoint: Value = serde_json::from_str(trace).unwrap();
            assert_eq!(endpoint["endpoint"], hosts(&exchange)[0], "{trace}");
            trace.to_owned()
        })
        .collect()
}

#[track_caller]
fn assert_same(mut configuration: Value) {
    configuration["trace"] = json!({"header": TRACE_HEADER, "when": {"header": "x-debug", "value": "0123456789abcdef"}, "steps": true});
    for seed in [0, 1] {
        let (native, shipped) = (native(&configuration, seed), shipped(&configuration, seed));
        for (n, (native, shipped)) in native.iter().zip(&shipped).enumerate() {
            assert_eq!(native, shipped, "request {n} with seed {seed}");
        }
    }
}

#[test]
fn one_cluster() {
    for policy in ["MAGLEV", "RING_HASH", "RANDOM", "ROUND_ROBIN"] {
        assert_same(plain(policy, &priorities(0)));
    }
}

#[test]
fn an_aggregate() {
    for policy in ["MAGLEV", "RING_HASH", "RANDOM", "ROUND_ROBIN"] {
        assert_same(json!({
            "clusters": [
                cluster("primary", policy, &priorities(0)),
                cluster("secondary", policy, &priorities(10)),
                aggregate("shop", &["primary", "secondary"]),
            ],
            "target": "shop",
            "hash_policy": [{"header": {"header_name": "x-user"}}],
        }));
    }
}

/// Random configurations, in short and in full form.
const SCENARIOS: [u64; 2] = [100, 10_000];
/// How often one of them is decided again, in short and in full form.
const REPEATED: [u64; 2] = [5, 1_000];

/// The decisions of the shipped filter, one a line.
fn shipped_decisions(seed: u64, random: u64) -> String {
    let configuration: Value = serde_json::from_str(&twins::scenario(seed)).unwrap();
    let (mut host, _) = accepting(&configuration, random);
    let [header, value] = twins::TRACE_WHEN;
    (0..twins::REQUESTS)
        .map(|number| {
            let request = FilterRequest::get("/")
                .header(twins::USER_HEADER, twins::user(seed, number))
                .header(header, value);
            let exchange = host
                .request(request)
                .unwrap_or_else(|trap| panic!("seed {seed}, request {number}: {trap}"));
            let trace = exchange.response_headers.text(twins::TRACE_HEADER);
            format!("{}\n", trace.expect("a trace"))
        })
        .collect()
}

#[test]
fn random_configurations() {
    let [short, full] = SCENARIOS;
    let scenarios = every_case(amount(short, full), |seed| {
        let (native, shipped) = (twins::decisions(seed, seed), shipped_decisions(seed, seed));
        assert_eq!(native, shipped, "seed {seed}");
        1
    });
    let [short, full] = REPEATED;
    let repeated = every_case(amount(short, full), |_| {
        assert_eq!(twins::decisions(7, 7), shipped_decisions(7, 7));
        1
    });
    figure(format_args!(
        "{scenarios} scenarios with {} decisions each, and one {repeated} times, 0 differences",
        twins::REQUESTS
    ));
}
