//! The shares of `distribution` equal the shares of many decisions of `decide`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod common;

use std::collections::BTreeMap;

use common::{Given, aggregate, model, partly, plain, priority};
use proptest::prelude::*;
use spillgate_core::{
    decide::{BalancerState, Request, decide},
    draw::SplitMix64,
    hash::xxh64,
    model::{Cluster, HealthStatus, MaglevConfig, Model, Policy, RingHashConfig},
    route::{HashPolicy, HashSource, HeaderList, HostPredicate, RetryPolicy},
    snapshot::{ClusterId, HostRef, Snapshot},
    trace::NoTrace,
};

type Counts = BTreeMap<(ClusterId, usize, usize), f64>;

const NO_HEADERS: HeaderList<'_, &str, &str> = HeaderList(&[]);

fn id(snapshot: &Snapshot, name: &str) -> ClusterId {
    snapshot.cluster_id(name).unwrap()
}

fn stated(snapshot: &Snapshot, cluster: ClusterId) -> (Counts, f64) {
    let distribution = snapshot.distribution(cluster, None);
    let shares = distribution
        .shares
        .iter()
        .map(|s| ((s.owner, s.priority, s.host), s.share))
        .collect();
    (shares, distribution.no_host)
}

/// Decides one request for each list of draws.
fn dealt(model: &Model, name: &str, draws: impl Iterator<Item = Vec<u64>>) -> (Counts, f64) {
    let snapshot = Snapshot::build(model);
    let cluster = id(&snapshot, name);
    let mut state = BalancerState::new(&snapshot, &mut SplitMix64::new(7));
    let (mut counts, mut none, mut all) = (Counts::new(), 0.0, 0.0);
    for draws in draws {
        let request = Request::new(cluster, &NO_HEADERS);
        let decision = decide(
            &snapshot,
            &mut state,
            &request,
            &mut Given(draws),
            &mut NoTrace,
        );
        all += 1.0;
        match (decision.priority, decision.host) {
            (Some(priority), Some(host)) => {
                *counts
                    .entry((priority.owner, priority.number, host))
                    .or_default() += 1.0;
            }
            _ => none += 1.0,
        }
    }
    for count in counts.values_mut() {
        *count *= 100.0 / all;
    }
    (counts, none * 100.0 / all)
}

fn assert_same(stated: &(Counts, f64), dealt: &(Counts, f64), tolerance: f64) {
    assert!(
        (stated.1 - dealt.1).abs() <= tolerance,
        "no host: {} / {}",
        stated.1,
        dealt.1
    );
    let keys = stated.0.keys().chain(dealt.0.keys());
    for key in keys {
        let share = |counts: &Counts| counts.get(key).copied().unwrap_or(0.0);
        let (s, d) = (share(&stated.0), share(&dealt.0));
        assert!((s - d).abs() <= tolerance, "{key:?}: stated {s}, dealt {d}");
    }
}

fn check(cluster: Cluster, draws: impl Iterator<Item = Vec<u64>>, tolerance: f64) {
    let name = cluster.name.clone();
    let model = model(vec![cluster]);
    let snapshot = Snapshot::build(&model);
    let stated = stated(&snapshot, id(&snapshot, &name));
    assert_same(&stated, &dealt(&model, &name, draws), tolerance);
}

fn two_priorities(policy: Policy, healthy: usize) -> Cluster {
    plain(
        "c",
        policy,
        50.0,
        vec![partly(0, healthy, 12), partly(1, 7, 7)],
    )
}

#[test]
fn random_shares_are_exact_over_all_residues() {
    // 100 and the list lengths have common factors, so the shares in one priority differ.
    for healthy in 0..=12 {
        let lcm = 100 * 12 * 7 * healthy.max(1) as u64;
        check(
            two_priorities(Policy::Random, healthy),
            (0..lcm).map(|r| vec![r]),
            1e-9,
        );
    }
}

#[test]
fn maglev_shares_are_exact_over_all_residues() {
    for size in [2, 5, 7, 13, 101] {
        let policy = Policy::Maglev(MaglevConfig::new(size).unwrap());
        for healthy in [0, 5, 8, 12] {
            check(
                two_priorities(policy, healthy),
                (0..100 * size).map(|h| vec![h]),
                1e-9,
            );
        }
    }
}

#[test]
fn ring_shares_follow_the_arcs() {
    let hashes = (0..200_000_u64).map(|i| vec![xxh64(&i.to_le_bytes(), 0)]);
    for healthy in [0, 5, 12] {
        let policy = Policy::RingHash(RingHashConfig::default());
        check(two_priorities(policy, healthy), hashes.clone(), 0.5);
    }
}

#[test]
fn round_robin_gives_each_host_its_weight() {
    // Complete rounds: each residue as often as the sum of all weights.
    for healthy in [5, 8, 12] {
        let turns = (0..12 * 7).flat_map(|_| (0..100).map(|r| vec![r]));
        check(two_priorities(Policy::RoundRobin, healthy), turns, 0.2);
    }
}

#[test]
fn the_shares_of_an_aggregate_match_its_decisions() {
    let model = model(vec![
        plain(
            "p",
            Policy::RoundRobin,
            0.0,
            vec![partly(0, 2, 10), partly(1, 2, 10)],
        ),
        plain(
            "s",
            Policy::Random,
            0.0,
            vec![partly(2, 5, 20), partly(3, 5, 20)],
        ),
        aggregate("agg", 0.0, &["p", "gone", "s"]),
    ]);
    let snapshot = Snapshot::build(&model);
    let stated = stated(&snapshot, id(&snapshot, "agg"));
    // The draw of the aggregate comes first, then that of the member.
    let draws = (0..100).flat_map(|a| (0..20).map(move |b| vec![a, b]));
    assert_same(&stated, &dealt(&model, "agg", draws), 1e-9);
}

#[test]
fn a_hashing_member_of_an_aggregate_chooses_its_own_priority() {
    let policy = Policy::Maglev(MaglevConfig::new(101).unwrap());
    let model = model(vec![
        plain("p", policy, 0.0, vec![partly(0, 3, 10), partly(1, 3, 10)]),
        plain("s", policy, 0.0, vec![partly(2, 5, 10)]),
        aggregate("agg", 0.0, &["p", "s"]),
    ]);
    let snapshot = Snapshot::build(&model);
    let stated = stated(&snapshot, id(&snapshot, "agg"));
    let draws = (0..100).flat_map(|a| (0..10_100).map(move |b| vec![a, b]));
    assert_same(&stated, &dealt(&model, "agg", draws), 1e-9);
}

#[test]
fn hash_policies_do_not_use_degraded_hosts() {
    let degraded = || priority(0, &[HealthStatus::Degraded; 3]);
    let policy = Policy::Maglev(MaglevConfig::default());
    let model = model(vec![
        plain("hash", policy, 50.0, vec![degraded()]),
        plain("turns", Policy::RoundRobin, 50.0, vec![degraded()]),
    ]);
    let snapshot = Snapshot::build(&model);
    assert_eq!(
        snapshot.distribution(id(&snapshot, "hash"), None).no_host,
        100.0
    );
    assert_eq!(
        snapshot.distribution(id(&snapshot, "turns"), None).no_host,
        0.0
    );
}

fn states() -> impl Strategy<Value = Vec<Vec<HealthStatus>>> {
    let status = prop::sample::select(HealthStatus::ALL.to_vec());
    prop::collection::vec(prop::collection::vec(status, 0..9), 1..4)
}

fn policies() -> impl Strategy<Value = Policy> {
    prop::sample::select(vec![
        Policy::RoundRobin,
        Policy::Random,
        Policy::RingHash(RingHashConfig::default()),
        Policy::Maglev(MaglevConfig::new(251).unwrap()),
    ])
}

/// Shares by priority and without a host.
fn by_priority(model: &Model) -> (Vec<f64>, f64) {
    let snapshot = Snapshot::build(model);
    let distribution = snapshot.distribution(id(&snapshot, "c"), None);
    let mut priorities = vec![0.0; 4];
    for share in &distribution.shares {
        priorities[share.priority] += share.share;
    }
    (priorities, distribution.no_host)
}

fn renamed(model: &Model) -> Model {
    let mut clusters = model.clone().into_clusters();
    for cluster in &mut clusters {
        if let spillgate_core::model::ClusterKind::Plain(plain) = &mut cluster.kind {
            for endpoint in plain.priorities.iter_mut().flat_map(|l| &mut l.endpoints) {
                endpoint.address = endpoint.address.replace("10.", "192.168.");
            }
        }
    }
    common::model(clusters)
}

fn with(policy: Policy, threshold: f64, states: &[Vec<HealthStatus>]) -> Model {
    let priorities = states
        .iter()
        .enumerate()
        .map(|(i, s)| priority(i, s))
        .collect();
    model(vec![plain("c", policy, threshold, priorities)])
}

proptest! {
    #[test]
    fn shares_and_no_host_sum_up_to_100(
        policy in policies(),
        threshold in 0.0..100.0,
        states in states(),
    ) {
        let model = with(policy, threshold, &states);
        let (priorities, no_host) = by_priority(&model);
        prop_assert!((priorities.iter().sum::<f64>() + no_host - 100.0).abs() < 1e-9);
    }

    #[test]
    fn renaming_hosts_moves_no_load_between_priorities(
        policy in policies(),
        threshold in 0.0..100.0,
        states in states(),
    ) {
        let model = with(policy, threshold, &states);
        let (a, b) = (by_priority(&model), by_priority(&renamed(&model)));
        prop_assert!((a.1 - b.1).abs() < 1e-9);
        for (a, b) in a.0.iter().zip(&b.0) {
            prop_assert!((a - b).abs() < 1e-9);
        }
    }

    #[test]
    fn reordering_hosts_moves_no_key(
        states in states(),
        keys in prop::collection::vec("[a-z]{1,8}", 1..20),
    ) {
        for policy in [
            Policy::RingHash(RingHashConfig::default()),
            Policy::Maglev(MaglevConfig::default()),
        ] {
            let model = with(policy, 50.0, &states);
            let mut clusters = model.clone().into_clusters();
            if let spillgate_core::model::ClusterKind::Plain(plain) = &mut clusters[0].kind {
                for priority in &mut plain.priorities {
                    priority.endpoints.reverse();
                }
            }
            let reversed = common::model(clusters);
            for key in &keys {
                prop_assert_eq!(chosen(&model, key), chosen(&reversed, key));
            }
        }
    }
}

/// The address for a key.
fn chosen(model: &Model, key: &str) -> Option<String> {
    let snapshot = Snapshot::build(model);
    let mut draw = SplitMix64::new(1);
    let mut state = BalancerState::new(&snapshot, &mut draw);
    let policy = HashPolicy {
        source: HashSource::Header {
            name: "x-key".into(),
            rewrite: None,
        },
        terminal: false,
    };
    let headers = [("x-key", key)];
    let headers = HeaderList(&headers);
    let request = Request {
        hash_policies: &[policy],
        ..Request::new(id(&snapshot, "c"), &headers)
    };
    let decision = decide(&snapshot, &mut state, &request, &mut draw, &mut NoTrace);
    Some(decision.endpoint(&snapshot)?.address.clone())
}

#[test]
fn a_rejected_retry_on_a_ring_moves_to_the_next_entry_of_its_priority() {
    let snapshot = Snapshot::build(&model(vec![plain(
        "c",
        Policy::RingHash(RingHashConfig::default()),
        50.0,
        vec![partly(0, 3, 5), partly(1, 4, 4)],
    )]));
    let cluster = id(&snapshot, "c");
    let tried = [0, 1].map(|host| HostRef {
        cluster,
        priority: 0,
        host,
    });
    let retry = RetryPolicy {
        predicates: vec![HostPredicate::PreviousHosts],
        host_selection_attempts: 1,
        ..RetryPolicy::default()
    };
    let request = Request {
        tried: &tried,
        retry: &retry,
        ..Request::new(cluster, &NO_HEADERS)
    };
    let mut state = BalancerState::new(&snapshot, &mut SplitMix64::new(7));
    let mut draw = SplitMix64::new(5);
    let (mut counts, requests) = (Counts::new(), 200_000);
    for _ in 0..requests {
        let decision = decide(&snapshot, &mut state, &request, &mut draw, &mut NoTrace);
        let host = decision.host_ref().unwrap();
        *counts
            .entry((host.cluster, host.priority, host.host))
            .or_default() += 100.0 / f64::from(requests);
    }
    let shares = snapshot.distribution_of(&request, None).shares;
    let stated = shares
        .iter()
        .map(|s| ((s.owner, s.priority, s.host), s.share));
    assert_same(&(stated.collect(), 0.0), &(counts, 0.0), 0.5);
}
