//! Composite clusters: the members in the order of attempts, and what they know of a request.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use common::{aggregate, model, partly, plain};
use spillgate_core::{
    decide::{BalancerState, Decision, Reason, Request, decide},
    draw::SplitMix64,
    model::{Cluster, ClusterKind, CompositeCluster, OverrideHostSource, Policy, RingHashConfig},
    route::{Connection, HashPolicy, HashSource, HeaderList, ProxyFilter},
    snapshot::Snapshot,
    trace::{Step, StepData},
};

const NO_HEADERS: HeaderList<'_, &str, &str> = HeaderList(&[]);

fn composite(members: &[&str]) -> Cluster {
    Cluster {
        name: "all".into(),
        kind: ClusterKind::Composite(CompositeCluster {
            members: members.iter().map(ToString::to_string).collect(),
            skips: true,
        }),
    }
}

fn ask(snapshot: &Snapshot, name: &str, proxy: ProxyFilter) -> (Decision, Vec<Step>) {
    let request = Request {
        connection: Connection {
            remote: "192.0.2.1:4000",
            proxy,
            ..Connection::default()
        },
        ..Request::new(snapshot.cluster_id(name).unwrap(), &NO_HEADERS)
    };
    let mut draw = SplitMix64::new(1);
    let mut state = BalancerState::new(snapshot, &mut draw);
    let mut steps = Vec::new();
    let decision = decide(snapshot, &mut state, &request, &mut draw, &mut steps);
    (decision, steps)
}

#[test]
fn the_first_member_with_a_host_serves() {
    let cluster = |name, number, healthy| {
        plain(
            name,
            Policy::RoundRobin,
            0.0,
            vec![partly(number, healthy, 2)],
        )
    };
    let clusters = vec![
        cluster("a", 0, 0),
        cluster("b", 1, 2),
        cluster("c", 2, 2),
        composite(&["a", "b", "c"]),
    ];
    let snapshot = Snapshot::build(&model(clusters));
    let (decision, steps) = ask(&snapshot, "all", ProxyFilter::Http);
    let id = |name| snapshot.cluster_id(name).unwrap();
    assert_eq!(decision.host_ref().unwrap().cluster, id("b"));
    let asked = steps.iter().filter_map(|step| match &step.data {
        StepData::CompositeMember { member, .. } => Some(*member),
        _ => None,
    });
    assert!(asked.eq([id("a"), id("b")]));
    // Only HTTP requests have attempts.
    let (decision, _) = ask(&snapshot, "all", ProxyFilter::Tcp);
    assert_eq!((decision.host, decision.reason), (None, Reason::NoHost));
}

#[test]
fn the_members_and_theirs_are_listed_once() {
    let cluster = |name, number| plain(name, Policy::RoundRobin, 0.0, vec![partly(number, 1, 1)]);
    let clusters = vec![
        cluster("a", 0),
        cluster("b", 1),
        aggregate("both", 0.0, &["a", "b"]),
        composite(&["both", "b", "a"]),
    ];
    let snapshot = Snapshot::build(&model(clusters));
    let id = |name| snapshot.cluster_id(name).unwrap();
    let expected = ["all", "both", "b", "a"].map(id);
    assert_eq!(snapshot.with_members(id("all")), expected);
}

#[test]
fn a_host_list_is_found_where_the_first_member_with_one_finds_it() {
    let cluster = |name, number, header: Option<&str>| {
        let mut cluster = plain(name, Policy::RoundRobin, 0.0, vec![partly(number, 1, 1)]);
        if let ClusterKind::Plain(plain) = &mut cluster.kind {
            let header = header.map(|header| OverrideHostSource::Header(header.into()));
            plain.override_hosts = header.into_iter().collect();
        }
        cluster
    };
    let clusters = vec![
        cluster("a", 0, None),
        cluster("b", 1, Some("x-b")),
        cluster("c", 2, Some("x-c")),
        composite(&["a", "b", "c"]),
    ];
    let snapshot = Snapshot::build(&model(clusters));
    let all = snapshot.cluster_id("all").unwrap();
    let expected = [OverrideHostSource::Header("x-b".into())];
    assert_eq!(snapshot.override_sources(all), expected);
}

#[test]
fn the_hash_policy_of_a_member_does_not_know_the_address() {
    let mut ring = plain(
        "a",
        Policy::RingHash(RingHashConfig::default()),
        0.0,
        vec![partly(0, 2, 2)],
    );
    if let ClusterKind::Plain(plain) = &mut ring.kind {
        plain.hash_policies = vec![HashPolicy {
            source: HashSource::SourceIp,
            terminal: false,
        }];
    }
    let snapshot = Snapshot::build(&model(vec![ring, aggregate("both", 0.0, &["a"])]));
    let hashes = |name, proxy| {
        let (_, steps) = ask(&snapshot, name, proxy);
        let own = steps.iter().find_map(|step| match &step.data {
            StepData::ClusterHash { hash } => Some(hash.is_some()),
            _ => None,
        });
        own.unwrap()
    };
    assert!(hashes("a", ProxyFilter::Http) && hashes("a", ProxyFilter::Tcp));
    assert!(!hashes("a", ProxyFilter::Udp));
    assert!(!hashes("both", ProxyFilter::Http) && !hashes("both", ProxyFilter::Tcp));
}
