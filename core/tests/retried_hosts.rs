//! Which hosts the predicates of a retry reject.
#![allow(clippy::unwrap_used)]

mod common;

use common::{endpoint, labels, model, plain, priority_of};
use spillgate_core::{
    decide::{BalancerState, Request, decide},
    draw::SplitMix64,
    model::{HealthStatus::Healthy, Policy},
    route::{HeaderList, HostPredicate, RetryPolicy},
    snapshot::{HostRef, Snapshot},
    trace::NoTrace,
};

/// The hosts of many retries with this predicate, after this number of attempts at the first host.
fn hosts(predicate: HostPredicate, attempts: usize) -> Vec<usize> {
    let hosts = [
        ("a", "v=1"),
        ("b", "canary=true v=2"),
        ("c", "canary=yes v=3"),
    ];
    let hosts = hosts.map(|(address, text)| endpoint(address, Healthy, labels(text)));
    let priorities = vec![priority_of(hosts.into())];
    let snapshot = Snapshot::build(&model(vec![plain("c", Policy::Random, 50.0, priorities)]));
    let cluster = snapshot.cluster_id("c").unwrap();
    let first = HostRef {
        cluster,
        priority: 0,
        host: 0,
    };
    let tried = vec![first; attempts];
    let retry = RetryPolicy {
        predicates: vec![predicate],
        host_selection_attempts: 100,
        ..RetryPolicy::NONE
    };
    let headers: HeaderList<'_, &str, &str> = HeaderList(&[]);
    let request = Request {
        tried: &tried,
        retry: &retry,
        ..Request::new(cluster, &headers)
    };
    let mut draw = SplitMix64::new(1);
    let mut state = BalancerState::new(&snapshot, &mut draw);
    let mut found: Vec<usize> = (0..100)
        .map(|_| {
            let decision = decide(&snapshot, &mut state, &request, &mut draw, &mut NoTrace);
            decision.host.unwrap()
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    let mut shares = snapshot.distribution_of(&request, None).shares;
    shares.retain(|share| share.share > 1e-6);
    let mut shared: Vec<usize> = shares.iter().map(|share| share.host).collect();
    shared.sort_unstable();
    assert_eq!(found, shared);
    found
}

#[test]
fn a_predicate_rejects_hosts_of_retries_only() {
    let omitting = |text| HostPredicate::OmitHostMetadata(labels(text));
    for (predicate, of_retry) in [
        (HostPredicate::PreviousHosts, vec![1, 2]),
        // Only the Boolean counts.
        (HostPredicate::OmitCanaryHosts, vec![0, 2]),
        (omitting("v=3"), vec![0, 1]),
        (omitting("v=9"), vec![0, 1, 2]),
        (omitting(""), vec![0, 1, 2]),
    ] {
        assert_eq!(hosts(predicate.clone(), 0), [0, 1, 2], "{predicate:?}");
        assert_eq!(hosts(predicate.clone(), 1), of_retry, "{predicate:?}");
    }
}
