//! The shares of a gRPC client.

use spillgate_core::model::{
    DropOverload, Endpoint, Health, HealthStatus, Locality, Policy, Priority, PriorityLocality,
    RingHashConfig, Weight,
};
use spillgate_grpc::shares::{HostPicking, LeafAnswer, LeafPolicy, LeafShares, RootShares};

use HealthStatus::{Degraded, Draining, Healthy, Timeout, Unhealthy, Unknown};

/// The zone of a locality, its weight, and the status and the weight of its hosts.
type Zone<'z> = (&'z str, Option<u32>, &'z [(HealthStatus, u32)]);

/// A priority of localities.
fn priority(localities: &[Zone<'_>]) -> Priority {
    let mut priority = Priority::default();
    for (zone, weight, hosts) in localities {
        priority.localities.push(PriorityLocality {
            locality: Locality {
                zone: (*zone).into(),
                ..Locality::default()
            },
            weight: *weight,
        });
        for (status, weight) in *hosts {
            priority.endpoints.push(Endpoint {
                weight: Weight::new(*weight).unwrap(),
                health: Health::from_status(*status),
                locality: priority.localities.len() - 1,
                ..Endpoint::new(format!("{zone}:{}", priority.endpoints.len()))
            });
        }
    }
    priority
}

fn all(status: HealthStatus, count: usize) -> Vec<(HealthStatus, u32)> {
    vec![(status, 1); count]
}

fn of(priorities: &[Priority], policy: LeafPolicy) -> LeafShares {
    LeafShares::of(priorities, &policy).unwrap()
}

fn picking(by_locality: bool, picking: HostPicking) -> LeafPolicy {
    LeafPolicy {
        by_locality,
        picking,
    }
}

#[test]
fn one_host_of_the_first_priority_gets_everything() {
    let hosts = [(Healthy, 1), (Unhealthy, 1), (Unhealthy, 1)];
    let p0 = priority(&[("a", Some(1), &hosts)]);
    let p1 = priority(&[("b", Some(1), &all(Healthy, 3))]);
    let found = of(&[p0, p1], LeafPolicy::ROUND_ROBIN);
    assert_eq!(found.used, Some(0));
    assert_eq!(found.priorities[0].hosts, [1.0, 0.0, 0.0]);
    assert_eq!(found.priorities[1].hosts, [0.0; 3]);
    assert_eq!(
        (found.priorities[0].usable, found.priorities[1].usable),
        (1, 3)
    );
}

#[test]
fn without_a_usable_host_requests_fail() {
    let hosts = [(Unhealthy, 1), (Timeout, 1), (Degraded, 1), (Draining, 1)];
    let found = of(
        &[priority(&[("a", Some(1), &hosts)])],
        LeafPolicy::ROUND_ROBIN,
    );
    assert_eq!(found.used, None);
}

#[test]
fn localities_share_by_weight_and_health_does_not_scale_it() {
    let a = [(Healthy, 1), (Unhealthy, 1), (Unhealthy, 1), (Unhealthy, 1)];
    let p0 = priority(&[("a", Some(3), &a), ("b", Some(1), &all(Unknown, 2))]);
    let found = of(&[p0], LeafPolicy::ROUND_ROBIN);
    assert_eq!(
        found.priorities[0].hosts,
        [0.75, 0.0, 0.0, 0.0, 0.125, 0.125]
    );
}

#[test]
fn localities_without_a_weight_or_a_usable_host_are_left_out() {
    let p0 = priority(&[
        ("a", None, &all(Healthy, 1)),
        ("b", Some(1), &all(Healthy, 1)),
        ("c", Some(0), &all(Healthy, 1)),
        ("d", Some(98), &all(Unhealthy, 1)),
        ("e", Some(1), &all(Healthy, 1)),
    ]);
    let found = of(&[p0], LeafPolicy::ROUND_ROBIN);
    assert_eq!(found.priorities[0].hosts, [0.0, 0.5, 0.0, 0.0, 0.5]);
    let found = of(
        &[priority(&[("a", None, &all(Healthy, 2))])],
        LeafPolicy::ROUND_ROBIN,
    );
    assert_eq!(found.used, None);
}

#[test]
fn round_robin_ignores_host_weights_and_outside_of_wrr_locality_locality_weights() {
    let p0 = priority(&[
        ("a", Some(9), &[(Healthy, 3), (Healthy, 1)]),
        ("b", Some(1), &[(Healthy, 2)]),
    ]);
    let found = of(std::slice::from_ref(&p0), LeafPolicy::ROUND_ROBIN);
    assert_eq!(found.priorities[0].hosts, [0.45, 0.45, 0.1]);
    let found = of(&[p0], picking(false, HostPicking::RoundRobin));
    assert_eq!(found.priorities[0].hosts, [1.0 / 3.0; 3]);
}

#[test]
fn a_ring_weighs_hosts_by_both_weights() {
    let large =
        RingHashConfig::new(4096, 8192, spillgate_core::model::HashFunction::XxHash).unwrap();
    let p0 = priority(&[
        ("a", Some(2), &[(Healthy, 3), (Unhealthy, 9)]),
        ("b", Some(4), &[(Healthy, 1)]),
    ]);
    let found = of(&[p0], picking(false, HostPicking::RingHash(large)));
    let hosts = &found.priorities[0].hosts;
    assert!((hosts[0] - 0.6).abs() < 0.03, "{hosts:?}");
    assert_eq!(hosts[1], 0.0);
    assert!((hosts[0] + hosts[2] - 1.0).abs() < 1e-9);
}

#[test]
fn pick_first_uses_one_host_in_the_order_of_locality_names() {
    let p0 = priority(&[
        ("b", Some(1), &all(Healthy, 2)),
        ("a", Some(1), &[(Unhealthy, 1), (Healthy, 1)]),
    ]);
    let first = HostPicking::PickFirst { shuffles: false };
    let found = of(std::slice::from_ref(&p0), picking(false, first));
    assert_eq!(found.priorities[0].hosts, [0.0, 0.0, 0.0, 1.0]);
    let shuffled = picking(false, HostPicking::PickFirst { shuffles: true });
    let shares = LeafShares::of(&[p0], &shuffled).unwrap();
    let third = 1.0 / 3.0;
    assert_eq!(shares.priorities[0].hosts, [third, third, 0.0, third]);
}

#[test]
fn reported_weights_count_from_two_reports_on() {
    let mut p0 = priority(&[("a", Some(1), &all(Healthy, 3))]);
    let weighted = picking(true, HostPicking::WeightedRoundRobin);
    p0.endpoints[0].reported_weight = Some(10);
    assert_eq!(
        of(std::slice::from_ref(&p0), weighted).priorities[0].hosts,
        [1.0 / 3.0; 3]
    );
    p0.endpoints[1].reported_weight = Some(30);
    // The third host has the mean, 20.
    let hosts = of(&[p0], weighted).priorities[0].hosts.clone();
    assert_eq!(hosts, [10.0 / 60.0, 30.0 / 60.0, 20.0 / 60.0]);
}

#[test]
fn only_some_policies_of_envoy_exist_in_grpc() {
    let ring = Policy::RingHash(RingHashConfig::default());
    assert_eq!(
        LeafPolicy::of_lb_policy(&Policy::RoundRobin),
        Ok(LeafPolicy::ROUND_ROBIN)
    );
    assert_eq!(
        LeafPolicy::of_lb_policy(&ring).map(|of| of.name()),
        Ok("ring_hash")
    );
    for policy in [
        Policy::Random,
        Policy::LeastRequest(Default::default()),
        Policy::Maglev(Default::default()),
    ] {
        let fault = LeafPolicy::of_lb_policy(&policy);
        assert_eq!(fault, Err(("lb_policy", "LB policy is not supported")));
    }
}

#[test]
fn the_first_leaf_with_a_usable_host_serves() {
    let leaf = |status| LeafAnswer::Shares {
        shares: of(
            &[priority(&[("a", Some(1), &[(status, 1)])])],
            LeafPolicy::ROUND_ROBIN,
        ),
        drops: DropOverload::default(),
    };
    let (up, down) = (leaf(Healthy), leaf(Unhealthy));
    let rejected = LeafAnswer::Rejected("why".into());
    let unknown = LeafAnswer::Unknown("which".into());
    assert_eq!(
        RootShares::of(&[&down, &rejected, &up, &unknown], false),
        RootShares::Leaf(2)
    );
    assert_eq!(
        RootShares::of(&[&down, &unknown, &up], false),
        RootShares::Unknown("which".into())
    );
    assert_eq!(
        RootShares::of(&[&down, &rejected], false),
        RootShares::NoHost
    );
    assert_eq!(
        RootShares::of(&[&rejected], true),
        RootShares::Rejected("why".into())
    );
}
