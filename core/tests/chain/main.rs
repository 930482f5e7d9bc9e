//! Subset fallback chains: the serving step, its trace, and aggregates.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

#[path = "../common/mod.rs"]
mod common;
mod retries;
mod zones;

use std::collections::BTreeSet;

use common::{aggregate, endpoint, labels, model, priority_of};
use spillgate_core::{
    decide::{BalancerState, ClusterChoice, Decision, Reason, Request, decide},
    draw::SplitMix64,
    inspect::priorities,
    model::{
        ChainHosts, ChainStep, Cluster, ClusterKind, Endpoint, FallbackChain, Health, HealthStatus,
        MaglevConfig, Metadata, Model, PanicThreshold, PlainCluster, Policy, RingHashConfig, Value,
    },
    route::{HashPolicy, HashSource, HeaderList},
    snapshot::{HostRef, Snapshot},
    subset::{SetChoice, SubsetReason},
    trace::{ChainStepOutcome, ChainStepTried, ConfigRef, NoTrace, Step, StepData, StepKind},
};

use HealthStatus::{Degraded, Draining, Healthy, Unhealthy};

const NO_HEADERS: HeaderList<'_, &str, &str> = HeaderList(&[]);

/// `e1 Healthy stage=prod`, one host a line.
fn hosts(text: &[(&str, HealthStatus, &str)]) -> Vec<Endpoint> {
    let hosts = text.iter();
    hosts
        .map(|(address, status, text)| endpoint(address, *status, labels(text)))
        .collect()
}

fn cluster(name: &str, policy: Policy, priorities: Vec<Vec<Endpoint>>) -> Cluster {
    Cluster {
        name: name.into(),
        kind: ClusterKind::Plain(PlainCluster {
            policy,
            panic_threshold: PanicThreshold::from_percent(50.0),
            priorities: priorities.into_iter().map(priority_of).collect(),
            ..PlainCluster::default()
        }),
    }
}

/// The steps of the subset fallback chain among the steps of a decision.
fn tried(steps: &[Step]) -> Vec<&ChainStepTried> {
    let tried = steps.iter().filter_map(|step| match &step.data {
        StepData::ChainStep(tried) => Some(tried),
        _ => None,
    });
    tried.collect()
}

fn keys(keys: &[&str]) -> ChainStep {
    let keys = keys.iter().map(|&key| key.into()).collect();
    ChainStep::new(ChainHosts::Keys(keys))
}

fn any() -> ChainStep {
    ChainStep::new(ChainHosts::Any)
}

fn build(clusters: Vec<Cluster>, chain: Vec<ChainStep>) -> Snapshot {
    Snapshot::build(&model(clusters).with_chain(FallbackChain::new(chain).unwrap()))
}

fn ask(snapshot: &Snapshot, name: &str, criteria: &str) -> (Decision, Vec<Step>) {
    ask_seeded(snapshot, name, criteria, 11)
}

fn ask_seeded(snapshot: &Snapshot, name: &str, criteria: &str, seed: u64) -> (Decision, Vec<Step>) {
    let criteria = labels(criteria);
    let request = Request {
        criteria: &criteria,
        ..Request::new(snapshot.cluster_id(name).unwrap(), &NO_HEADERS)
    };
    let mut draw = SplitMix64::new(seed);
    let mut state = BalancerState::new(snapshot, &mut draw);
    let mut steps = Vec::new();
    let decision = decide(snapshot, &mut state, &request, &mut draw, &mut steps);
    (decision, steps)
}

/// Every serving host by address with its rounded percentage.
fn serving(snapshot: &Snapshot, name: &str, criteria: &str) -> Vec<(String, u32)> {
    let cluster = snapshot.cluster_id(name).unwrap();
    let distribution = snapshot.distribution_for(cluster, &labels(criteria), None);
    let mut serving: Vec<(String, u32)> = distribution
        .shares
        .iter()
        .map(|share| {
            let host = HostRef {
                cluster: share.owner,
                priority: share.priority,
                host: share.host,
            };
            let address = snapshot.endpoint(host).unwrap().address.clone();
            (address, share.share.round() as u32)
        })
        .collect();
    serving.sort();
    serving
}

fn names(serving: &[(String, u32)]) -> Vec<&str> {
    serving.iter().map(|(name, _)| name.as_str()).collect()
}

fn step(decision: &Decision) -> Option<(usize, SubsetReason)> {
    let subset = decision.subset?;
    Some((subset.step()?, subset.reason))
}

/// Versions of a shop: all but one host of version 1.0 are unhealthy; the stage is healthy otherwise.
fn shop() -> Cluster {
    let priority0 = hosts(&[
        ("a", Healthy, "stage=prod version=1.0"),
        ("b", Unhealthy, "stage=prod version=1.0"),
        ("c", Unhealthy, "stage=prod version=1.0"),
        ("d", Healthy, "stage=prod version=1.1"),
        ("e", Healthy, "stage=prod version=1.1"),
    ]);
    let priority1 = hosts(&[
        ("f", Unhealthy, "stage=prod version=1.0"),
        ("g", Healthy, "stage=dev"),
    ]);
    cluster("shop", Policy::RoundRobin, vec![priority0, priority1])
}

fn by_version(min_healthy_percent: u32) -> Vec<ChainStep> {
    let first = ChainStep {
        min_healthy_percent,
        ..keys(&["version", "stage"])
    };
    vec![first, keys(&["stage"]), any()]
}

#[test]
fn a_step_below_its_minimum_is_skipped() {
    for (percent, expected, hosts) in [(25, 0, vec!["a"]), (26, 1, vec!["a", "d", "e"])] {
        let snapshot = build(vec![shop()], by_version(percent));
        let (decision, _) = ask(&snapshot, "shop", "stage=prod version=1.0");
        assert_eq!(step(&decision), Some((expected, SubsetReason::Step)));
        let serving = serving(&snapshot, "shop", "stage=prod version=1.0");
        assert_eq!(names(&serving), hosts, "{percent}");
    }
}

#[test]
fn steps_whose_keys_the_request_lacks_are_skipped_and_values_keep_their_type() {
    let snapshot = build(vec![shop()], by_version(0));
    for (criteria, expected) in [
        ("stage=prod version=1.1", 0),
        ("stage=prod", 1),
        ("stage=prod version=9", 1),
        ("stage=prod version=1.1 more=x", 0),
        ("version=1.0", 2),
        ("", 2),
    ] {
        let (decision, _) = ask(&snapshot, "shop", criteria);
        assert_eq!(
            step(&decision),
            Some((expected, SubsetReason::Step)),
            "{criteria}"
        );
    }
    let typed = Metadata::new([
        ("stage", Value::Text("prod".into())),
        ("version", Value::Number(1.0)),
    ]);
    let id = snapshot.cluster_id("shop").unwrap();
    let shown = priorities(snapshot.plain(id).unwrap(), &typed);
    let choice = shown.subset.unwrap().choice;
    assert!(
        matches!(choice, SetChoice::Step { step: 1, .. }),
        "{choice:?}"
    );
}

#[test]
fn excluded_hosts_do_not_count_and_degraded_ones_are_not_healthy() {
    let hosts = hosts(&[
        ("a", Healthy, "v=1"),
        ("b", Draining, "v=1"),
        ("c", Draining, "v=1"),
        ("d", Degraded, "v=2"),
        ("e", Degraded, "v=2"),
    ]);
    let full = ChainStep {
        min_healthy_percent: 100,
        ..keys(&["v"])
    };
    let snapshot = build(
        vec![cluster("c", Policy::RoundRobin, vec![hosts])],
        vec![full],
    );
    assert_eq!(names(&serving(&snapshot, "c", "v=1")), ["a"]);
    let (decision, _) = ask(&snapshot, "c", "v=2");
    assert_eq!((decision.reason, decision.subset), (Reason::NoHost, None));
}

#[test]
fn the_panic_threshold_of_the_step_applies() {
    let hosts = || {
        hosts(&[
            ("a", Healthy, "v=1"),
            ("b", Unhealthy, "v=1"),
            ("c", Unhealthy, "v=1"),
        ])
    };
    for (threshold, expected) in [(0.0, vec!["a"]), (50.0, vec!["a", "b", "c"])] {
        let step = ChainStep {
            panic_threshold: PanicThreshold::from_percent(threshold),
            ..keys(&["v"])
        };
        let snapshot = build(
            vec![cluster("c", Policy::RoundRobin, vec![hosts()])],
            vec![step],
        );
        assert_eq!(names(&serving(&snapshot, "c", "v=1")), expected);
    }
}

#[test]
fn without_a_serving_step_only_a_last_resort_has_a_host() {
    let policies = [
        Policy::RoundRobin,
        Policy::Maglev(MaglevConfig::new(101).unwrap()),
    ];
    for policy in policies {
        for state in [Unhealthy, Draining, Degraded] {
            let all = hosts(&[
                ("a", state, "v=1"),
                ("b", state, "v=1"),
                ("c", Healthy, "v=2"),
            ]);
            let clusters = || vec![cluster("c", policy, vec![all.clone()])];
            let snapshot = build(clusters(), vec![keys(&["v"])]);
            assert_eq!(ask(&snapshot, "c", "v=1").0.reason, Reason::NoHost);
            let resort = ChainStep {
                last_resort: true,
                ..keys(&["v"])
            };
            let snapshot = build(clusters(), vec![resort]);
            let (decision, _) = ask(&snapshot, "c", "v=1");
            assert_eq!(step(&decision), Some((0, SubsetReason::LastResort)));
            assert_eq!(
                names(&serving(&snapshot, "c", "v=1")),
                ["a", "b"],
                "{policy:?} {state:?}"
            );
            assert_eq!(decision.candidates(&snapshot, 5).len(), 2);
            assert_eq!(ask(&snapshot, "c", "v=3").0.reason, Reason::NoHost);
        }
    }
}

#[test]
fn a_last_resort_with_healthy_hosts_uses_only_those() {
    let all = hosts(&[
        ("a", Healthy, ""),
        ("b", Unhealthy, ""),
        ("c", Unhealthy, ""),
    ]);
    let resort = ChainStep {
        min_healthy_hosts: 2,
        last_resort: true,
        ..any()
    };
    let snapshot = build(
        vec![cluster("c", Policy::RoundRobin, vec![all])],
        vec![resort],
    );
    assert_eq!(
        step(&ask(&snapshot, "c", "").0),
        Some((0, SubsetReason::LastResort))
    );
    assert_eq!(names(&serving(&snapshot, "c", "")), ["a"]);
}

#[test]
fn a_step_with_fixed_values_ignores_the_request() {
    let constant = ChainStep::new(ChainHosts::Match(labels("stage=dev")));
    let snapshot = build(vec![shop()], vec![constant]);
    for criteria in ["", "stage=prod"] {
        assert_eq!(names(&serving(&snapshot, "shop", criteria)), ["g"]);
    }
}

/// Two members, each with its own subset and other healthy hosts.
fn members(policy: Policy, first: HealthStatus) -> Vec<Cluster> {
    let primary = hosts(&[
        ("p1", first, "v=1"),
        ("p2", Healthy, "v=2"),
        ("p3", Healthy, "v=2"),
        ("p4", Healthy, "v=2"),
    ]);
    let secondary = hosts(&[
        ("s1", Healthy, "v=1"),
        ("s2", Healthy, "v=2"),
        ("s3", Healthy, "v=3"),
    ]);
    vec![
        cluster("p", policy, vec![primary]),
        cluster("s", policy, vec![secondary]),
        aggregate("agg", 50.0, &["p", "gone", "s"]),
    ]
}

#[test]
fn an_aggregate_fails_over_when_the_subset_of_its_first_member_does() {
    let policies = [
        Policy::RoundRobin,
        Policy::Rendezvous,
        Policy::RingHash(RingHashConfig::default()),
    ];
    for policy in policies {
        for (first, expected) in [(Healthy, "p1"), (Unhealthy, "s1"), (Draining, "s1")] {
            let snapshot = build(members(policy, first), vec![keys(&["v"])]);
            assert_eq!(serving(&snapshot, "agg", "v=1"), [(expected.into(), 100)]);
            // The first member does not have this subset.
            assert_eq!(serving(&snapshot, "agg", "v=3"), [("s3".into(), 100)]);
        }
    }
}

#[test]
fn an_aggregate_finds_new_hosts_of_a_member_by_their_new_labels() {
    let member = |name, address| {
        let hosts = hosts(&[(address, Healthy, "stage=prod")]);
        cluster(name, Policy::RoundRobin, vec![hosts])
    };
    let clusters = vec![
        member("a", "a1"),
        member("b", "b1"),
        aggregate("all", 50.0, &["a", "b"]),
    ];
    let chain = FallbackChain::new(vec![keys(&["stage"])]).unwrap();
    let mut model = model(clusters).with_chain(chain);
    let before = Snapshot::build(&model);
    let canary = hosts(&[("a2", Healthy, "stage=canary")]);
    model.set_priorities(0, vec![priority_of(canary)]).unwrap();
    let after = before.with_hosts(&model, &[before.cluster_id("a").unwrap()]);
    assert_eq!(names(&serving(&before, "all", "stage=canary")), [""; 0]);
    assert_eq!(names(&serving(&after, "all", "stage=canary")), ["a2"]);
    assert_eq!(names(&serving(&after, "all", "stage=prod")), ["b1"]);
}

#[test]
fn minimums_cover_the_hosts_of_all_members() {
    let wants = |min_healthy_percent| {
        vec![
            ChainStep {
                min_healthy_percent,
                ..keys(&["v"])
            },
            any(),
        ]
    };
    for (percent, expected) in [(50, 0), (51, 1)] {
        let snapshot = build(members(Policy::RoundRobin, Unhealthy), wants(percent));
        let (decision, steps) = ask(&snapshot, "agg", "v=1");
        assert_eq!(step(&decision), Some((expected, SubsetReason::Step)));
        let health = tried(&steps)[0].health;
        assert_eq!((health.counted, health.healthy), (2, 1));
    }
}

#[test]
fn health_moves_an_aggregate_between_steps_and_members() {
    let chain = vec![keys(&["v"]), any()];
    let mut snapshot = build(members(Policy::RoundRobin, Healthy), chain);
    let host = |snapshot: &Snapshot, name| HostRef {
        cluster: snapshot.cluster_id(name).unwrap(),
        priority: 0,
        host: 0,
    };
    let mut set = |name, status| {
        let change = (host(&snapshot, name), Health::from_status(status));
        snapshot = snapshot.with_health(&[change]);
        let (decision, _) = ask(&snapshot, "agg", "v=1");
        let endpoint = decision.endpoint(&snapshot).unwrap();
        (endpoint.address.clone(), step(&decision).unwrap().0)
    };
    assert_eq!(set("p", Unhealthy), ("s1".into(), 0));
    let (address, step) = set("s", Unhealthy);
    assert!(address != "p1" && address != "s1", "{address}");
    assert_eq!(step, 1);
    assert_eq!(set("p", Healthy), ("p1".into(), 0));
}

#[test]
fn the_trace_explains_each_skipped_step() {
    let mut chain = by_version(30);
    chain.insert(0, keys(&["zone"]));
    chain.insert(1, ChainStep::new(ChainHosts::Match(labels("stage=none"))));
    let snapshot = build(vec![shop()], chain);
    let (_, steps) = ask(&snapshot, "shop", "stage=prod version=1.0");
    for (at, step) in steps
        .iter()
        .filter(|step| step.kind() == StepKind::Subset)
        .enumerate()
    {
        assert_eq!(step.config, ConfigRef::ChainStep(at));
    }
    let tried = tried(&steps);
    let outcomes: Vec<_> = tried.iter().map(|step| (step.at, step.outcome)).collect();
    assert_eq!(
        outcomes,
        [
            (0, ChainStepOutcome::Skipped),
            (1, ChainStepOutcome::NoHost),
            (2, ChainStepOutcome::BelowMinimum),
            (3, ChainStepOutcome::Serves),
        ]
    );
    let health = tried[2].health;
    assert_eq!((health.hosts, health.counted, health.healthy), (4, 4, 1));
    assert_eq!(health.percent(), 25);
    let step = &tried[2].step;
    assert_eq!((step.min_healthy_hosts, step.min_healthy_percent), (1, 30));
}

#[test]
fn round_robin_in_a_step_continues_after_another_change() {
    let snapshot = build(vec![shop()], by_version(0));
    let id = snapshot.cluster_id("shop").unwrap();
    let criteria = labels("stage=prod version=1.1");
    let request = Request {
        criteria: &criteria,
        ..Request::new(id, &NO_HEADERS)
    };
    let mut draw = SplitMix64::new(4);
    let mut state = BalancerState::new(&snapshot, &mut draw);
    decide(&snapshot, &mut state, &request, &mut draw, &mut NoTrace);
    // The round-robin positions themselves do not change.
    let next = |snapshot: &Snapshot, state: &BalancerState| -> Vec<Option<usize>> {
        let (mut state, mut draw) = (state.clone(), SplitMix64::new(9));
        (0..3)
            .map(|_| decide(snapshot, &mut state, &request, &mut draw, &mut NoTrace).host)
            .collect()
    };
    let before = next(&snapshot, &state);
    assert_eq!(before.len(), 3);
    let other = HostRef {
        cluster: id,
        priority: 0,
        host: 1,
    };
    let changed = snapshot.with_health(&[(other, Health::from_status(Healthy))]);
    let carried = state.carried_over(&snapshot, &changed, &mut draw);
    assert_eq!(next(&changed, &carried), before);
}

/// Two members that each get about half of the requests.
fn split(policy: Policy) -> Model {
    let primary = hosts(&[
        ("p1", Healthy, ""),
        ("p2", Healthy, ""),
        ("p3", Unhealthy, ""),
        ("p4", Unhealthy, ""),
        ("p5", Unhealthy, ""),
        ("p6", Unhealthy, ""),
    ]);
    let secondary = hosts(&[("s1", Healthy, ""), ("s2", Healthy, "")]);
    model(vec![
        cluster("p", policy, vec![primary]),
        cluster("s", policy, vec![secondary]),
        aggregate("agg", 0.0, &["p", "s"]),
    ])
    .with_chain(FallbackChain::new(vec![any()]).unwrap())
}

fn by_user() -> [HashPolicy; 1] {
    [HashPolicy {
        source: HashSource::Header {
            name: "x-user".into(),
            rewrite: None,
        },
        terminal: false,
    }]
}

#[test]
fn a_hash_keeps_a_key_in_its_member_and_distributes_hosts_evenly() {
    let policies = [
        Policy::Rendezvous,
        Policy::Maglev(MaglevConfig::new(101).unwrap()),
        Policy::RingHash(RingHashConfig::new(4096, 8192, Default::default()).unwrap()),
    ];
    let by_user = by_user();
    for policy in policies {
        let snapshot = Snapshot::build(&split(policy));
        let agg = snapshot.cluster_id("agg").unwrap();
        let mut draw = SplitMix64::new(8);
        let mut state = BalancerState::new(&snapshot, &mut draw);
        let mut counts = std::collections::BTreeMap::<String, f64>::new();
        const KEYS: usize = 20_000;
        for key in 0..KEYS {
            let user = format!("user-{key}");
            let headers = [("x-user", user.as_str())];
            let headers = HeaderList(&headers);
            let request = Request {
                hash_policies: &by_user,
                cluster_choice: ClusterChoice::Hash,
                ..Request::new(agg, &headers)
            };
            let mut ask = || decide(&snapshot, &mut state, &request, &mut draw, &mut NoTrace);
            let decision = ask();
            assert_eq!(decision, ask(), "random draws have no effect");
            let exact = snapshot.distribution_of(&request, None);
            assert_eq!(exact.shares.len(), 1);
            let stated = (exact.shares[0].owner, exact.shares[0].host);
            assert_eq!(
                Some(stated),
                decision.host_ref().map(|h| (h.cluster, h.host))
            );
            let address = decision.endpoint(&snapshot).unwrap().address.clone();
            *counts.entry(address).or_default() += 1.0 / KEYS as f64;
        }
        let share = |names: [&str; 2]| names.map(|name| counts[name]);
        // 2 of 6 healthy hosts with factor 140: the first member has 46 percent.
        let [p1, p2] = share(["p1", "p2"]);
        let [s1, s2] = share(["s1", "s2"]);
        assert!((p1 + p2 - 0.46).abs() < 0.012, "{policy:?} {counts:?}");
        // A ring distributes only as evenly as its entries, so it is compared with itself.
        let even = snapshot.distribution(snapshot.cluster_id("p").unwrap(), None);
        let of_p1 = even.shares[0].share / 100.0;
        assert!(
            (p1 / (p1 + p2) - of_p1).abs() < 0.02,
            "{policy:?} {counts:?} {of_p1}"
        );
        let even = snapshot.distribution(snapshot.cluster_id("s").unwrap(), None);
        let of_s1 = even.shares[0].share / 100.0;
        assert!(
            (s1 / (s1 + s2) - of_s1).abs() < 0.02,
            "{policy:?} {counts:?} {of_s1}"
        );
    }
}

#[test]
fn without_a_request_hash_the_member_is_random() {
    let snapshot = Snapshot::build(&split(Policy::RoundRobin));
    let request = Request {
        cluster_choice: ClusterChoice::Hash,
        ..Request::new(snapshot.cluster_id("agg").unwrap(), &NO_HEADERS)
    };
    let mut draw = SplitMix64::new(8);
    let mut state = BalancerState::new(&snapshot, &mut draw);
    let owners: BTreeSet<_> = (0..100)
        .map(|_| {
            let decision = decide(&snapshot, &mut state, &request, &mut draw, &mut NoTrace);
            decision.priority.unwrap().owner
        })
        .collect();
    assert_eq!(owners.len(), 2);
}
