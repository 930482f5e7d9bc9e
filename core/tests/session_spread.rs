//! The hosts that Envoy tries after the host of a kept session: where a failed host's sessions go.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::{endpoint, model, priority_of};
use proptest::prelude::*;
use spillgate_core::{
    decide::{
        BalancerState, Decision, OnLost, Reason, Request, Session, SessionSpread, Sessions, decide,
    },
    draw::SplitMix64,
    hash::{mix, xxh64},
    model::{
        Cluster, ClusterKind, HealthStatus, Metadata, OverrideStatuses, PanicThreshold,
        PlainCluster, Policy,
    },
    pick::rendezvous,
    route::HeaderList,
    snapshot::{HostRef, Snapshot},
    trace::NoTrace,
};

fn name(host: usize) -> String {
    format!(
        "10.{}.{}.{}:80",
        host / 65_536,
        host / 256 % 256,
        host % 256
    )
}

/// One cluster with one priority; `hosts` are the numbers of its hosts in their order.
fn shop(hosts: &[usize], status: impl Fn(usize) -> HealthStatus) -> Snapshot {
    let hosts = hosts
        .iter()
        .map(|&host| endpoint(&name(host), status(host), Metadata::EMPTY));
    let cluster = PlainCluster {
        policy: Policy::RoundRobin,
        panic_threshold: PanicThreshold::OFF,
        priorities: vec![priority_of(hosts.collect())],
        ..PlainCluster::default()
    };
    Snapshot::build(&model(vec![Cluster {
        name: "shop".into(),
        kind: ClusterKind::Plain(cluster),
    }]))
}

fn find(snapshot: &Snapshot, host: usize) -> HostRef {
    let cluster = snapshot.cluster_id("shop").unwrap();
    let hosts = &snapshot.plain(cluster).unwrap().priorities[0]
        .configured
        .endpoints;
    HostRef {
        cluster,
        priority: 0,
        host: hosts.iter().position(|h| h.address == name(host)).unwrap(),
    }
}

/// The order that replicas share: by a hash of the address.
fn shared_order(snapshot: &Snapshot) -> Vec<u32> {
    let cluster = snapshot.cluster_id("shop").unwrap();
    let hosts = &snapshot.plain(cluster).unwrap().priorities[0]
        .configured
        .endpoints;
    let mut order: Vec<u32> = (0..hosts.len() as u32).collect();
    order.sort_by_key(|&host| xxh64(hosts[host as usize].address.as_bytes(), 7));
    order
}

/// The decision for the session `session` on `host`.
fn kept(snapshot: &Snapshot, host: usize, session: u64) -> Decision {
    let headers: HeaderList<'_, &str, &str> = HeaderList(&[]);
    let request = Request {
        sessions: Some(Sessions {
            session: Some(Session {
                host: Some(find(snapshot, host)),
            }),
            statuses: OverrideStatuses::DEFAULT,
            clusters: &[],
            on_lost: OnLost::Rebalance,
            key: Some(session),
        }),
        ..Request::new(snapshot.cluster_id("shop").unwrap(), &headers)
    };
    let mut draw = SplitMix64::new(1);
    let mut state = BalancerState::new(snapshot, &mut draw);
    let decision = decide(snapshot, &mut state, &request, &mut draw, &mut NoTrace);
    assert_eq!(decision.reason, Reason::Session);
    decision
}

/// Several sessions on one host.
struct Sitting<'a> {
    snapshot: &'a Snapshot,
    order: Vec<u32>,
    decision: Decision,
}

impl<'a> Sitting<'a> {
    fn new(snapshot: &'a Snapshot, host: usize) -> Self {
        Self {
            snapshot,
            order: shared_order(snapshot),
            decision: kept(snapshot, host, 0),
        }
    }

    /// The host list of a session.
    fn list(&self, session: u64, limit: usize) -> Vec<&'a str> {
        let spread = SessionSpread {
            session,
            order: &self.order,
        };
        let found = self.decision;
        let list = found.candidates_of_session(self.snapshot, limit, spread);
        list.iter().map(|host| host.address.as_str()).collect()
    }
}

/// The numbers of `count` sessions.
fn sessions(count: u64) -> impl Iterator<Item = u64> {
    (1..=count).map(|number| mix(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

/// The highest load among hosts, relative to the mean.
fn peak<'a>(hosts: impl Iterator<Item = &'a str>, of: usize) -> f64 {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    let mut all = 0;
    for host in hosts {
        *counts.entry(host).or_default() += 1;
        all += 1;
    }
    assert!(counts.len() <= of);
    *counts.values().max().unwrap() as f64 * of as f64 / f64::from(all)
}

/// All sessions of a failed host, by the host that takes them over. The same sessions by rendezvous
/// hashing over all hosts are the reference; `tests/bench/measurements.md` has these figures.
#[test]
fn a_failed_hosts_sessions_spread_as_evenly_as_by_rendezvous_hashing() {
    for (hosts, each) in [(40, 1_000), (100, 1_000), (1_000, 100), (10_000, 20)] {
        let snapshot = shop(&(0..hosts).collect::<Vec<_>>(), |_| HealthStatus::Healthy);
        let sitting = Sitting::new(&snapshot, 0);
        let names: Vec<String> = (1..hosts).map(name).collect();
        let keys: Vec<(u64, u32)> = names.iter().map(|n| (xxh64(n.as_bytes(), 0), 1)).collect();
        let all = || sessions((hosts as u64 - 1) * each);
        let ours = peak(all().map(|session| sitting.list(session, 2)[1]), hosts - 1);
        // Rendezvous hashing over 10,000 hosts takes too long for a test.
        let theirs = (hosts <= 1_000).then(|| {
            let best = |session| rendezvous(keys.iter().copied(), session, 0).unwrap();
            peak(
                all().map(|session| names[best(session)].as_str()),
                hosts - 1,
            )
        });
        println!(
            "{hosts} hosts, {each} sessions for each other host: {ours:.2}, rendezvous {theirs:.2?}"
        );
        // Five standard deviations of a random choice.
        let bound = 1.0 + 5.0 / (each as f64).sqrt();
        assert!(ours <= bound, "{hosts} hosts: {ours} > {bound}");
        assert!(theirs.is_none_or(|theirs| theirs <= bound));
    }
}

/// A change of the host list changes second hosts, but moves no session.
#[test]
fn a_host_that_leaves_moves_only_its_own_sessions() {
    let before: Vec<usize> = (0..200).collect();
    let without: Vec<usize> = before.iter().copied().filter(|&host| host != 77).collect();
    let (before, after) = (
        shop(&before, |_| HealthStatus::Healthy),
        shop(&without, |_| HealthStatus::Healthy),
    );
    let (old, new) = (Sitting::new(&before, 3), Sitting::new(&after, 3));
    let mut changed = 0;
    for session in sessions(2_000) {
        let (old, new) = (old.list(session, 2), new.list(session, 2));
        assert_eq!((old[0], new[0]), (&*name(3), &*name(3)));
        changed += usize::from(old[1] != new[1]);
    }
    println!("second hosts that change: {} of 2,000", changed);
    assert!(changed > 0, "only second hosts change");
}

#[test]
fn without_a_shared_order_the_order_of_the_hosts_counts() {
    let snapshot = shop(&(0..50).collect::<Vec<_>>(), |_| HealthStatus::Healthy);
    let decision = kept(&snapshot, 9, 5);
    let list = decision.candidates(&snapshot, 3);
    assert_eq!(list, decision.candidates(&snapshot, 3));
    assert_eq!(list.len(), 3);
    let seconds: BTreeSet<String> = (0..200)
        .map(|session| {
            let decision = kept(&snapshot, 9, session);
            decision.candidates(&snapshot, 2)[1].address.clone()
        })
        .collect();
    assert!(seconds.len() > 30, "{seconds:?}");
}

proptest! {
    /// Whatever the order in which a replica lists the hosts, and whatever their health.
    #[test]
    fn replicas_agree_and_candidates_are_distinct_and_eligible(
        health in prop::collection::vec(prop::bool::weighted(0.8), 2..160),
        shuffle in any::<u64>(),
        on in any::<prop::sample::Index>(),
        session in any::<u64>(),
        limit in 1_usize..6,
    ) {
        let status = |host: usize| if health[host] {
HealthStatus::Healthy
} else {
HealthStatus::Unhealthy
};
        let healthy: Vec<usize> = (0..health.len()).filter(|&host| health[host]).collect();
        prop_assume!(!healthy.is_empty());
        let host = healthy[on.index(healthy.len())];
        let hosts: Vec<usize> = (0..health.len()).collect();
        let mut shuffled = hosts.clone();
        shuffled.sort_by_key(|&host| mix(shuffle ^ mix(host as u64 + 1)));
        let (one, other) = (shop(&hosts, status), shop(&shuffled, status));
        let list = Sitting::new(&one, host).list(session, limit);
        let eligible: BTreeSet<String> = healthy.iter().map(|&host| name(host)).collect();
        prop_assert_eq!(list[0], name(host));
        prop_assert_eq!(list.len(), limit.min(healthy.len()));
        prop_assert!(list.iter().all(|address| eligible.contains(*address)));
        prop_assert_eq!(list.iter().collect::<BTreeSet<_>>().len(), list.len());
        let again = Sitting::new(&other, host).list(session, limit);
        // Replicas agree on the second host; on all of them in a list that is not scored.
        let agreed = if healthy.len() > 32 { limit } else { 2 };
        prop_assert_eq!(&list[..agreed.min(list.len())], &again[..agreed.min(again.len())]);
    }
}
