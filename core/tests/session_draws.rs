//! Sessions in panic mode, and what they leave to chance.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::{aggregate, endpoint, model, priority_of};
use spillgate_core::{
    decide::{BalancerState, OnLost, Reason, Request, Session, Sessions, decide},
    draw::{Draw, SplitMix64},
    model::{
        Cluster, HealthStatus, Metadata, OverrideStatuses, PanicThreshold, PlainCluster, Policy,
        RingHashConfig,
    },
    route::HeaderList,
    snapshot::{HostRef, Snapshot},
    trace::NoTrace,
};

use HealthStatus::{Healthy, Unhealthy};

const NO_HEADERS: HeaderList<'_, &str, &str> = HeaderList(&[]);

/// A cluster with these hosts in each priority.
fn plain(name: &str, policy: Policy, priorities: &[&[(&str, HealthStatus)]]) -> Cluster {
    let priorities = priorities.iter().map(|hosts| {
        let hosts = hosts.iter();
        priority_of(
            hosts
                .map(|(address, status)| endpoint(address, *status, Metadata::EMPTY))
                .collect(),
        )
    });
    let plain = PlainCluster {
        policy,
        panic_threshold: PanicThreshold::DEFAULT,
        priorities: priorities.collect(),
        ..PlainCluster::default()
    };
    Cluster::plain(name, plain)
}

/// The first host of a cluster, in a priority.
fn host(snapshot: &Snapshot, cluster: &str, priority: usize) -> HostRef {
    HostRef {
        cluster: snapshot.cluster_id(cluster).unwrap(),
        priority,
        host: 0,
    }
}

/// The reason of a request to a cluster with a session on this host.
fn reason(
    snapshot: &Snapshot,
    cluster: &str,
    host: HostRef,
    key: Option<u64>,
    draw: &mut impl Draw,
) -> Reason {
    let request = Request {
        sessions: Some(Sessions {
            session: Some(Session { host: Some(host) }),
            statuses: OverrideStatuses::DEFAULT,
            clusters: &[],
            on_lost: OnLost::Rebalance,
            key,
        }),
        ..Request::new(snapshot.cluster_id(cluster).unwrap(), &NO_HEADERS)
    };
    let mut state = BalancerState::new(snapshot, &mut SplitMix64::new(1));
    decide(snapshot, &mut state, &request, draw, &mut NoTrace).reason
}

#[test]
fn a_session_stays_in_panic_mode_only_where_a_hash_table_sends_requests() {
    let ring = || Policy::RingHash(RingHashConfig::default());
    let failed: &[&[_]] = &[&[("a", Unhealthy)]];
    let second: &[&[_]] = &[&[("x", Healthy), ("y", Unhealthy)], &[("b", Unhealthy)]];
    let snapshot = Snapshot::build(&model(vec![
        plain("failed", ring(), failed),
        plain("second", ring(), second),
        aggregate("of_failed", 50.0, &["failed"]),
        aggregate("of_second", 50.0, &["second"]),
    ]));
    let stays = |cluster, member, priority| {
        let host = host(&snapshot, member, priority);
        reason(&snapshot, cluster, host, None, &mut SplitMix64::new(3)) == Reason::Session
    };
    assert!(stays("of_failed", "failed", 0));
    // All requests to the cluster stay in the first priority.
    assert!(!stays("of_second", "second", 1));
    assert!(stays("of_second", "second", 0));
}

/// No number at all.
struct NoDraw;

impl Draw for NoDraw {
    fn draw(&mut self) -> u64 {
        panic!("no number is needed");
    }
}

#[test]
fn a_session_that_stays_draws_no_number_unless_the_cluster_drops_requests() {
    let hosts: &[&[_]] = &[&[("a", Healthy), ("b", Healthy)]];
    let snapshot = Snapshot::build(&model(vec![plain("c", Policy::RoundRobin, hosts)]));
    let host = host(&snapshot, "c", 0);
    let found = reason(&snapshot, "c", host, Some(1), &mut NoDraw);
    assert_eq!(found, Reason::Session);
}
