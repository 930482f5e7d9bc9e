//! Shares of retries with host predicates equal those of many decisions with fresh positions.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use common::{model, partly, plain};
use spillgate_core::{
    decide::{BalancerState, Request, decide},
    draw::{Draw as _, SplitMix64},
    model::{
        Cluster, ClusterKind, LeastRequestConfig, Locality, LocalityLb, MaglevConfig, Policy,
        Priority, PriorityLocality, RingHashConfig, Weight,
    },
    route::{HeaderList, HostPredicate, RetryPolicy},
    snapshot::{HostRef, Snapshot},
    trace::NoTrace,
};

/// Compares the shares of a retry that rejects these hosts with decisions from random positions.
#[track_caller]
fn check(what: &str, cluster: Cluster, tried: &[(usize, usize)], further: u32) {
    let name = cluster.name.clone();
    let snapshot = Snapshot::build(&model(vec![cluster]));
    let id = snapshot.cluster_id(&name).unwrap();
    let tried: Vec<HostRef> = tried
        .iter()
        .map(|&(priority, host)| HostRef {
            cluster: id,
            priority,
            host,
        })
        .collect();
    let retry = RetryPolicy {
        predicates: vec![HostPredicate::PreviousHosts],
        host_selection_attempts: further,
        ..RetryPolicy::NONE
    };
    let headers: HeaderList<'_, &str, &str> = HeaderList(&[]);
    let request = Request {
        tried: &tried,
        retry: &retry,
        ..Request::new(id, &headers)
    };
    // Tables and draws have no positions. Those of the others begin again, because turns and localities
    // can stay in step forever, and first attempts move them.
    let policy = snapshot.plain(id).unwrap().settings.policy;
    let keeps = matches!(policy, Policy::RoundRobin | Policy::LeastRequest(_));
    let (requests, before) = if keeps { (6_000, 30) } else { (30_000, 0) };
    let tolerance = if keeps { 2.2 } else { 1.2 };
    let mut draw = SplitMix64::new(11);
    let mut counts = std::collections::BTreeMap::new();
    for _ in 0..requests {
        let mut state = BalancerState::new(&snapshot, &mut draw);
        for _ in 0..before + draw.draw() % (before + 1) {
            let first = Request::new(id, &headers);
            decide(&snapshot, &mut state, &first, &mut draw, &mut NoTrace);
        }
        let decision = decide(&snapshot, &mut state, &request, &mut draw, &mut NoTrace);
        *counts.entry(decision.host_ref()).or_insert(0.0) += 100.0 / f64::from(requests);
    }
    let found = snapshot.distribution_of(&request, None);
    let mut sum = found.no_host;
    for share in &found.shares {
        sum += share.share;
        let dealt = counts.remove(&Some(share.host_ref())).unwrap_or(0.0);
        assert!(
            (share.share - dealt).abs() < tolerance,
            "{what}: {share:?} dealt {dealt}"
        );
    }
    assert!((sum - 100.0).abs() < 1e-6, "{what}: {sum}");
    let none = counts.remove(&None).unwrap_or(0.0);
    assert!(
        (found.no_host - none).abs() < tolerance,
        "{what}: no host {none}"
    );
    assert!(
        counts.values().all(|share| *share < 0.3),
        "{what}: {counts:?}"
    );
}

fn weighted(weights: &[u32]) -> Priority {
    let mut priority = partly(0, weights.len(), weights.len());
    for (endpoint, &weight) in priority.endpoints.iter_mut().zip(weights) {
        endpoint.weight = Weight::new(weight).unwrap();
    }
    priority
}

#[test]
fn round_robin_goes_on_with_the_next_host() {
    let four = || plain("c", Policy::RoundRobin, 50.0, vec![partly(0, 4, 4)]);
    check("one", four(), &[(0, 0)], 1);
    check("neighbors", four(), &[(0, 0), (0, 1)], 1);
    check("neighbors, several choices", four(), &[(0, 0), (0, 1)], 3);
    check("all", four(), &[(0, 0), (0, 1), (0, 2), (0, 3)], 5);
    let two = plain(
        "c",
        Policy::RoundRobin,
        50.0,
        vec![partly(0, 3, 6), partly(1, 3, 3)],
    );
    check("two priorities", two, &[(0, 1), (1, 2)], 2);
    let panic = plain("c", Policy::RoundRobin, 50.0, vec![partly(0, 1, 5)]);
    check("panic mode", panic, &[(0, 0), (0, 3)], 2);
}

#[test]
fn schedules_go_on_with_the_next_entry() {
    let of = |weights: &[u32]| plain("c", Policy::RoundRobin, 50.0, vec![weighted(weights)]);
    check("1 2 3 4", of(&[1, 2, 3, 4]), &[(0, 0)], 1);
    check("4 3 2 1", of(&[4, 3, 2, 1]), &[(0, 0)], 1);
    check("4 3 2 1, heavy", of(&[4, 3, 2, 1]), &[(0, 0), (0, 1)], 2);
    check("one heavy", of(&[10, 1, 1]), &[(0, 0)], 4);
    let least = Policy::LeastRequest(LeastRequestConfig::default());
    let least = plain("c", least, 50.0, vec![weighted(&[5, 2, 1])]);
    check("least request", least, &[(0, 1)], 2);
}

#[test]
fn locality_weights_go_on_with_the_next_locality() {
    let zone = |zone: &str, weight| PriorityLocality {
        locality: Locality {
            zone: zone.into(),
            ..Locality::default()
        },
        weight: Some(weight),
    };
    let mut priority = partly(0, 6, 6);
    priority.localities = vec![zone("a", 3), zone("b", 1)];
    for endpoint in &mut priority.endpoints[3..] {
        endpoint.locality = 1;
    }
    for tried in [&[(0, 0)][..], &[(0, 0), (0, 1), (0, 2)]] {
        let mut cluster = plain("c", Policy::RoundRobin, 50.0, vec![priority.clone()]);
        if let ClusterKind::Plain(plain) = &mut cluster.kind {
            plain.locality_lb = LocalityLb::Weighted;
        }
        check("localities", cluster, tried, 2);
    }
}

#[test]
fn other_policies_draw_again() {
    let hosts = || vec![partly(0, 4, 4), partly(1, 2, 2)];
    check(
        "random",
        plain("c", Policy::Random, 50.0, hosts()),
        &[(0, 0)],
        2,
    );
    let least = Policy::LeastRequest(LeastRequestConfig::default());
    check(
        "least request",
        plain("c", least, 50.0, hosts()),
        &[(0, 0), (0, 3)],
        2,
    );
    check(
        "rendezvous",
        plain("c", Policy::Rendezvous, 50.0, hosts()),
        &[(0, 0)],
        2,
    );
}

#[test]
fn tables_look_up_a_changed_hash() {
    let maglev = |size| Policy::Maglev(MaglevConfig::new(size).unwrap());
    let hosts = |healthy| vec![partly(0, healthy, 4), partly(1, 4, 4)];
    for (policy, what) in [
        (maglev(65_537), "maglev"),
        (maglev(101), "small maglev"),
        (maglev(5), "tiny maglev"),
        (Policy::RingHash(RingHashConfig::default()), "ring"),
    ] {
        for further in [1, 2, 4] {
            for healthy in [4, 2] {
                let cluster = plain("c", policy, 50.0, hosts(healthy));
                check(what, cluster, &[(0, 0), (0, 1)], further);
            }
        }
    }
}

#[test]
fn a_model_without_priorities_has_no_host() {
    let cluster = plain("c", Policy::RoundRobin, 50.0, vec![partly(0, 0, 0)]);
    check("empty", cluster, &[(0, 0)], 2);
}

#[test]
fn attempts_of_hash_tables_leave_the_loads_of_retries_as_they_were() {
    let ring = Policy::RingHash(RingHashConfig::default());
    let both = vec![partly(0, 2, 2), partly(1, 2, 2)];
    let only_first = vec![partly(2, 2, 2), partly(3, 0, 2)];
    let clusters = vec![
        plain("table", ring, 0.0, both),
        plain("turns", Policy::RoundRobin, 0.0, only_first),
    ];
    let snapshot = Snapshot::build(&model(clusters));
    let first_of = |name: &str| HostRef {
        cluster: snapshot.cluster_id(name).unwrap(),
        priority: 0,
        host: 0,
    };
    let [table, turns] = ["table", "turns"].map(first_of);
    let retry = RetryPolicy {
        previous_priorities: Some(2),
        ..RetryPolicy::NONE
    };
    let headers: HeaderList<'_, &str, &str> = HeaderList(&[]);
    let no_host = |tried: &[HostRef]| {
        let request = Request {
            tried,
            retry: &retry,
            ..Request::new(turns.cluster, &headers)
        };
        snapshot.distribution_of(&request, None).no_host
    };
    // Loads would be computed for the second attempt, which is that of the table: none are known for the
    // third one, and P0 has all of it.
    assert!(no_host(&[turns, table, table]).abs() < 1e-9);
    // Computed for the attempt itself, or for an earlier one of the same cluster.
    assert!(no_host(&[turns, table]).abs() < 1e-9);
    assert!(no_host(&[turns, turns]).abs() < 1e-9);
}
