//! The loads of a retry that avoids the priorities of earlier attempts.
#![allow(clippy::unwrap_used)]

mod common;

use common::{aggregate, model, partly, plain};
use spillgate_core::{
    decide::{BalancerState, Request, decide},
    draw::SplitMix64,
    load::{Availability, RetryLoad, TriedPriority, load_without, previous_priorities},
    model::Policy,
    route::{HeaderList, RetryPolicy},
    snapshot::{HostRef, Snapshot},
    trace::NoTrace,
};

const AVAILABLE: Availability = Availability {
    healthy: 100,
    degraded: 0,
};

#[test]
fn a_retry_avoids_tried_priorities_while_another_one_is_available() {
    let expected = RetryLoad {
        healthy: vec![0, 100],
        degraded: vec![0, 0],
        excluded: vec![true, false],
        exclusions_reset: false,
    };
    assert_eq!(load_without(&[AVAILABLE; 2], &[true]), Some(expected));
}

#[test]
fn a_retry_forgets_tried_priorities_if_no_other_one_is_available() {
    let expected = RetryLoad {
        healthy: vec![100, 0],
        degraded: vec![0, 0],
        excluded: vec![false, false],
        exclusions_reset: true,
    };
    let availability = [AVAILABLE, Availability::default()];
    assert_eq!(load_without(&availability, &[true]), Some(expected));
    let none = [Availability::default(); 2];
    assert_eq!(load_without(&none, &[true]), None);
}

#[test]
fn every_second_attempt_excludes_the_priorities_that_were_tried_since() {
    let available = [AVAILABLE; 3];
    let healthy = |numbers: &[usize]| {
        let tried = numbers.iter().map(|&number| TriedPriority {
            number: Some(number),
            next: Some(&available),
        });
        previous_priorities(2, tried).map(|load| load.healthy)
    };
    assert_eq!(healthy(&[0]), None);
    assert_eq!(healthy(&[0, 0]), Some(vec![0, 100, 0]));
    assert_eq!(healthy(&[0, 0, 1]), Some(vec![0, 100, 0]));
    assert_eq!(healthy(&[0, 0, 1, 1]), Some(vec![0, 0, 100]));
}

/// The priorities of a retry after some tried ones, as cluster and number.
fn retried(snapshot: &Snapshot, name: &str, tried: &[(&str, usize)]) -> (String, usize) {
    let id = |name: &str| snapshot.cluster_id(name).unwrap();
    let tried = tried.iter().map(|&(cluster, priority)| HostRef {
        cluster: id(cluster),
        priority,
        host: 0,
    });
    let tried: Vec<HostRef> = tried.collect();
    let retry = RetryPolicy {
        previous_priorities: Some(1),
        ..RetryPolicy::NONE
    };
    let headers: HeaderList<'_, &str, &str> = HeaderList(&[]);
    let request = Request {
        tried: &tried,
        retry: &retry,
        ..Request::new(id(name), &headers)
    };
    let mut draw = SplitMix64::new(1);
    let mut state = BalancerState::new(snapshot, &mut draw);
    let decision = decide(snapshot, &mut state, &request, &mut draw, &mut NoTrace);
    let host = decision.host_ref().unwrap();
    let owner = snapshot.cluster(host.cluster).unwrap();
    (owner.name.clone(), host.priority)
}

#[test]
fn a_request_is_retried_in_a_priority_that_it_has_not_tried() {
    let hosts = |first| {
        (first..first + 2)
            .map(|number| partly(number, 2, 2))
            .collect()
    };
    let cluster = |name, first| plain(name, Policy::RoundRobin, 50.0, hosts(first));
    let snapshot = Snapshot::build(&model(vec![
        cluster("a", 0),
        cluster("b", 2),
        aggregate("both", 50.0, &["a", "b"]),
    ]));
    let to = |name: &str, tried: &[_]| retried(&snapshot, name, tried);
    assert_eq!(to("a", &[]), ("a".into(), 0));
    assert_eq!(to("a", &[("a", 0)]), ("a".into(), 1));
    assert_eq!(to("a", &[("a", 0), ("a", 1)]), ("a".into(), 0), "all tried");
    assert_eq!(to("both", &[("a", 0)]), ("a".into(), 1));
    assert_eq!(to("both", &[("a", 0), ("a", 1)]), ("b".into(), 0));
    assert_eq!(to("both", &[("a", 1)]), ("a".into(), 0));
}
