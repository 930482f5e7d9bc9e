//! Decisions: candidates, traces, state across snapshots, and unusual requests.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod common;

use common::{aggregate, model, partly, plain};
use spillgate_core::{
    decide::{BalancerState, Decision, Reason, Request, decide},
    draw::{Draw, SplitMix64},
    model::{
        LeastRequestConfig, MOST_CHOICES, MaglevConfig, Model, Policy, RingHashConfig,
        SelectionMethod, Weight,
    },
    route::{HashPolicy, HashSource, HeaderList},
    snapshot::{ClusterId, Snapshot},
    trace::{NoTrace, Step, StepData, StepKind},
};

const POLICIES: [Policy; 2] = [Policy::RoundRobin, Policy::Random];

fn by_header() -> HashPolicy {
    HashPolicy {
        source: HashSource::Header {
            name: "x-user".into(),
            rewrite: None,
        },
        terminal: false,
    }
}

fn ask(
    snapshot: &Snapshot,
    state: &mut BalancerState,
    cluster: ClusterId,
    user: &str,
    draw: &mut impl Draw,
) -> (Decision, Vec<Step>) {
    let mut trace = Vec::new();
    let headers = [("x-user", user)];
    let headers = HeaderList(&headers);
    let policies = [by_header()];
    let request = Request {
        hash_policies: &policies,
        ..Request::new(cluster, &headers)
    };
    let decision = decide(snapshot, state, &request, draw, &mut trace);
    (decision, trace)
}

fn shop(policy: Policy) -> Model {
    model(vec![
        plain("p", policy, 50.0, vec![partly(0, 5, 10), partly(1, 4, 4)]),
        plain("s", policy, 50.0, vec![partly(2, 5, 5)]),
        plain("empty", policy, 50.0, vec![]),
        plain("failed", policy, 0.0, vec![partly(3, 0, 3)]),
        aggregate("shop", 50.0, &["p", "s"]),
        aggregate("unknown", 50.0, &["empty", "gone"]),
    ])
}

#[test]
fn candidates_are_distinct_usable_and_start_with_the_chosen_host() {
    let hashing = [
        Policy::RingHash(RingHashConfig::default()),
        Policy::Maglev(MaglevConfig::default()),
    ];
    for policy in POLICIES.into_iter().chain(hashing) {
        let snapshot = Snapshot::build(&shop(policy));
        let mut draw = SplitMix64::new(3);
        let mut state = BalancerState::new(&snapshot, &mut draw);
        let cluster = snapshot.cluster_id("shop").unwrap();
        for user in 0..200 {
            let (decision, _) = ask(&snapshot, &mut state, cluster, &user.to_string(), &mut draw);
            let candidates = decision.candidates(&snapshot, 4);
            assert_eq!(candidates.len(), 4);
            assert_eq!(candidates[0], decision.endpoint(&snapshot).unwrap());
            for (at, candidate) in candidates.iter().enumerate() {
                assert_eq!(
                    candidate.health.coarse(),
                    spillgate_core::model::CoarseHealth::Healthy
                );
                assert!(
                    candidates[..at]
                        .iter()
                        .all(|c| c.address != candidate.address)
                );
            }
        }
    }
}

#[test]
fn the_candidates_follow_the_chosen_host_in_its_list() {
    let snapshot = Snapshot::build(&model(vec![plain(
        "c",
        Policy::Random,
        50.0,
        vec![partly(0, 5, 5), partly(1, 3, 3)],
    )]));
    let cluster = snapshot.cluster_id("c").unwrap();
    let mut draw = SplitMix64::new(3);
    let mut state = BalancerState::new(&snapshot, &mut draw);
    for _ in 0..20 {
        let (decision, _) = ask(&snapshot, &mut state, cluster, "u", &mut draw);
        let candidates = decision.candidates(&snapshot, 8);
        let addresses = candidates.iter().map(|host| host.address.clone());
        let first = decision.host.unwrap();
        let own = (first..first + 5).map(|at| format!("10.0.0.{}:80", at % 5));
        // Lower priorities begin at a place that the number of the request determines.
        let begin = decision.hash as usize;
        let lower = (0..3).map(|at| format!("10.1.0.{}:80", (begin % 3 + at) % 3));
        assert!(addresses.eq(own.chain(lower)), "{decision:?}");
    }
}

#[test]
fn clusters_without_hosts_have_no_host() {
    let snapshot = Snapshot::build(&shop(Policy::RoundRobin));
    let mut draw = SplitMix64::new(3);
    let mut state = BalancerState::new(&snapshot, &mut draw);
    for name in ["empty", "failed", "unknown"] {
        let cluster = snapshot.cluster_id(name).unwrap();
        let (decision, _) = ask(&snapshot, &mut state, cluster, "u", &mut draw);
        assert_eq!(decision.reason, Reason::NoHost, "{name}");
        assert!(decision.candidates(&snapshot, 3).is_empty());
        assert_eq!(snapshot.distribution(cluster, None).no_host, 100.0);
    }
}

#[test]
fn a_state_of_another_snapshot_still_yields_a_host() {
    let big = Snapshot::build(&shop(Policy::RoundRobin));
    let small = Snapshot::build(&model(vec![plain(
        "p",
        Policy::RoundRobin,
        50.0,
        vec![partly(0, 1, 1)],
    )]));
    let mut draw = SplitMix64::new(3);
    for (snapshot, other) in [(&big, &small), (&small, &big)] {
        let mut state = BalancerState::new(other, &mut draw);
        for (cluster, _) in big.clusters() {
            for user in 0..50 {
                ask(snapshot, &mut state, cluster, &user.to_string(), &mut draw);
            }
        }
    }
}

#[test]
fn the_trace_contains_the_figures() {
    let snapshot = Snapshot::build(&shop(Policy::Maglev(MaglevConfig::default())));
    let mut draw = SplitMix64::new(3);
    let mut state = BalancerState::new(&snapshot, &mut draw);
    let cluster = snapshot.cluster_id("shop").unwrap();
    let (_, steps) = ask(&snapshot, &mut state, cluster, "u1", &mut draw);
    let kinds: Vec<StepKind> = steps.iter().map(|step| step.kind()).collect();
    assert_eq!(
        kinds,
        [
            StepKind::Route,
            StepKind::Cluster,
            StepKind::Priority,
            StepKind::Host
        ]
    );
    let StepData::Priority(choice) = &steps[2].data else {
        panic!("{steps:?}");
    };
    assert_eq!(choice.healthy_load.iter().sum::<u32>(), 100);
    assert_eq!(
        (choice.total_availability, choice.panic_threshold),
        (100, 50)
    );
    assert!(choice.roll < 100);
}

#[test]
fn the_same_seed_gives_the_same_decisions_with_and_without_a_trace() {
    let snapshot = Snapshot::build(&shop(Policy::RoundRobin));
    let cluster = snapshot.cluster_id("shop").unwrap();
    let (mut a, mut b) = (SplitMix64::new(9), SplitMix64::new(9));
    let mut state_a = BalancerState::new(&snapshot, &mut a);
    let mut state_b = BalancerState::new(&snapshot, &mut b);
    for _ in 0..500 {
        let request = Request::new(cluster, &HeaderList::<&str, &str>(&[]));
        let traced = decide(&snapshot, &mut state_a, &request, &mut a, &mut Vec::new());
        let plain = decide(&snapshot, &mut state_b, &request, &mut b, &mut NoTrace);
        assert_eq!(traced, plain);
    }
}

#[test]
fn round_robin_continues_when_the_snapshot_changes() {
    let hosts = |count| {
        Snapshot::build(&model(vec![plain(
            "c",
            Policy::RoundRobin,
            50.0,
            vec![partly(0, count, count)],
        )]))
    };
    let (old, new) = (hosts(3), hosts(4));
    let mut draw = SplitMix64::new(5);
    let mut state = BalancerState::new(&old, &mut draw);
    let cluster = old.cluster_id("c").unwrap();
    let first = ask(&old, &mut state, cluster, "", &mut draw)
        .0
        .host
        .unwrap();
    let second = ask(&old, &mut state, cluster, "", &mut draw)
        .0
        .host
        .unwrap();
    assert_eq!(second, (first + 1) % 3);
    let mut state = state.carried_over(&old, &new, &mut draw);
    let mut seen: Vec<usize> = (0..4)
        .map(|_| {
            ask(&new, &mut state, cluster, "", &mut draw)
                .0
                .host
                .unwrap()
        })
        .collect();
    seen.sort_unstable();
    assert_eq!(seen, [0, 1, 2, 3]);
}

#[test]
fn changed_weights_have_a_new_schedule_and_other_clusters_keep_theirs() {
    let with = |weights: [u32; 2]| {
        let mut hosts = partly(0, 2, 2);
        for (endpoint, weight) in hosts.endpoints.iter_mut().zip(weights) {
            endpoint.weight = Weight::new(weight).unwrap();
        }
        let same = plain("same", Policy::RoundRobin, 50.0, vec![partly(1, 3, 3)]);
        let changed = plain("changed", Policy::RoundRobin, 50.0, vec![hosts]);
        Snapshot::build(&model(vec![changed, same]))
    };
    let (old, new) = (with([1, 1]), with([3, 1]));
    let mut draw = SplitMix64::new(5);
    let mut state = BalancerState::new(&old, &mut draw);
    let next = |snapshot: &Snapshot, state: &mut BalancerState, name: &str| {
        let cluster = snapshot.cluster_id(name).unwrap();
        let decision = ask(snapshot, state, cluster, "", &mut SplitMix64::new(1)).0;
        decision.host.unwrap()
    };
    let before = next(&old, &mut state, "same");
    let mut state = state.carried_over(&old, &new, &mut draw);
    assert_eq!(next(&new, &mut state, "same"), (before + 1) % 3);
    let first = (0..40).filter(|_| next(&new, &mut state, "changed") == 0);
    assert_eq!(first.count(), 30);
}

/// Counts the draws.
struct Counted {
    draw: SplitMix64,
    count: u32,
}

impl Draw for Counted {
    fn draw(&mut self) -> u64 {
        self.count += 1;
        self.draw.draw()
    }
}

#[test]
fn a_request_draws_a_bounded_number_of_hosts() {
    for (choices, most) in [(2, 2), (5, 5), (u32::MAX, MOST_CHOICES)] {
        let selection = SelectionMethod::Choices(choices);
        let policy = Policy::LeastRequest(LeastRequestConfig::new(selection, 1.0));
        let snapshot = Snapshot::build(&shop(policy));
        let mut draw = Counted {
            draw: SplitMix64::new(1),
            count: 0,
        };
        let mut state = BalancerState::new(&snapshot, &mut draw);
        let cluster = snapshot.cluster_id("s").unwrap();
        let (decision, _) = ask(&snapshot, &mut state, cluster, "u", &mut draw);
        assert!(decision.endpoint(&snapshot).is_some());
        // Some further draws choose the priority.
        assert!(
            (most..most + 10).contains(&draw.count),
            "{choices}: {}",
            draw.count
        );
    }
}
