//! How a request chooses a locality: by the capacity that other zones have left, and by a session key.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use common::{endpoint, model};
use spillgate_core::{
    decide::{BalancerState, OnLost, Request, Sessions, decide},
    draw::SplitMix64,
    load::ZoneRouting,
    model::{
        Cluster, ClusterKind, HealthStatus, LocalityLb, Metadata, OverrideStatuses, PlainCluster,
        Policy, Priority, PriorityLocality,
    },
    route::HeaderList,
    snapshot::Snapshot,
    trace::{LocalityNumbers, LocalityRule, StepData},
};

#[test]
fn a_request_to_another_zone_chooses_by_the_capacity_that_is_left() {
    // The own zone takes nothing; zone 1 has 30 of 100 parts of the capacity, zone 2 the others.
    let routing = ZoneRouting::Residual {
        local_part: 0,
        residual: vec![0, 30, 100],
    };
    let chosen = |roll| routing.choose(3, || roll);
    assert_eq!([0, 29, 30, 99, 100].map(chosen), [1, 1, 2, 2, 1]);
}

#[test]
fn a_session_key_chooses_among_weighted_localities_without_random_numbers() {
    let priority = Priority {
        localities: [1, 2]
            .map(|weight| PriorityLocality {
                weight: Some(weight),
                ..PriorityLocality::default()
            })
            .into(),
        endpoints: (0..2)
            .map(|locality| {
                let mut host = endpoint(
                    ["a:1", "b:1"][locality],
                    HealthStatus::Healthy,
                    Metadata::EMPTY,
                );
                host.locality = locality;
                host
            })
            .collect(),
    };
    let snapshot = Snapshot::build(&model(vec![Cluster {
        name: "shop".into(),
        kind: ClusterKind::Plain(PlainCluster {
            policy: Policy::RoundRobin,
            locality_lb: LocalityLb::Weighted,
            priorities: vec![priority],
            ..PlainCluster::default()
        }),
    }]));
    let headers: HeaderList<'_, &str, &str> = HeaderList(&[]);
    let request = Request {
        sessions: Some(Sessions {
            session: None,
            statuses: OverrideStatuses::DEFAULT,
            clusters: &[],
            on_lost: OnLost::Rebalance,
            key: Some(7),
        }),
        ..Request::new(snapshot.cluster_id("shop").unwrap(), &headers)
    };
    let mut draw = SplitMix64::new(1);
    let mut state = BalancerState::new(&snapshot, &mut draw);
    let mut steps = Vec::new();
    decide(&snapshot, &mut state, &request, &mut draw, &mut steps);
    let explained = steps.iter().find_map(|step| match &step.data {
        StepData::Locality(choice) => Some((choice.rule, choice.numbers.clone())),
        _ => None,
    });
    assert_eq!(
        explained,
        Some((LocalityRule::SessionKey, LocalityNumbers::None))
    );
}
