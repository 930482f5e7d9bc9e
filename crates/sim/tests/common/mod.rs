//! Small clusters for tests.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use spillgate_core::model::{
    AggregateCluster, Cluster, ClusterKind, Endpoint, Health, HealthStatus, Locality, Metadata,
    Model, PanicThreshold, PlainCluster, Policy, Priority, PriorityLocality, Value,
};
use spillgate_sim::{Loss, Scene, WhatIf};

/// A priority from hosts such as `a+ a+ b-`: a letter for the zone, a sign for the health
/// (`+` healthy, `~` degraded, `-` unhealthy, `x` draining). Addresses count up in the priority.
pub fn priority(number: usize, hosts: &str) -> Priority {
    let mut priority = Priority::default();
    for (at, host) in hosts.split_whitespace().enumerate() {
        let (zone, sign) = host.split_at(1);
        let of_zone = |l: &PriorityLocality| l.locality.zone == zone;
        let locality = priority.localities.iter().position(of_zone);
        let locality = locality.unwrap_or_else(|| {
            priority.localities.push(PriorityLocality {
                locality: Locality {
                    region: "eu".into(),
                    zone: zone.into(),
                    sub_zone: String::new(),
                },
                weight: None,
            });
            priority.localities.len() - 1
        });
        let status = match sign {
            "+" => HealthStatus::Healthy,
            "~" => HealthStatus::Degraded,
            "-" => HealthStatus::Unhealthy,
            "x" => HealthStatus::Draining,
            other => panic!("unknown health sign {other:?}"),
        };
        priority.endpoints.push(Endpoint {
            address: format!("10.{number}.0.{at}:80"),
            health: Health::from_status(status),
            locality,
            metadata: Metadata::new([("stage", Value::Text(zone.into()))]),
            ..Endpoint::default()
        });
    }
    priority
}

pub fn plain(name: &str, policy: Policy, threshold: u32, priorities: Vec<Priority>) -> Cluster {
    Cluster {
        name: name.into(),
        kind: ClusterKind::Plain(PlainCluster {
            policy,
            panic_threshold: PanicThreshold::from_percent(f64::from(threshold)),
            priorities,
            ..PlainCluster::default()
        }),
    }
}

pub fn aggregate(name: &str, threshold: u32, members: &[&str]) -> Cluster {
    Cluster {
        name: name.into(),
        kind: ClusterKind::Aggregate(AggregateCluster {
            members: members.iter().map(ToString::to_string).collect(),
            flatten: false,
            panic_threshold: PanicThreshold::from_percent(f64::from(threshold)),
        }),
    }
}

/// A cluster `shop` of these priorities.
pub fn shop(priorities: &[&str]) -> Model {
    let priorities = priorities
        .iter()
        .enumerate()
        .map(|(number, hosts)| priority(number, hosts))
        .collect();
    Model::new(vec![plain("shop", Policy::RoundRobin, 50, priorities)]).unwrap()
}

pub fn scene(model: &Model) -> Scene {
    Scene::new(model, "shop", Metadata::EMPTY).unwrap()
}

pub fn losses(texts: &[&str]) -> Vec<Loss> {
    let losses = texts.iter().map(|text| Loss::parse(text).unwrap());
    losses.collect()
}

/// The effects of losses, with a sweep over all selected hosts.
pub fn what_if(scene: &Scene, texts: &[&str]) -> WhatIf {
    let losses = losses(texts);
    let lost = scene.lost(&losses).unwrap();
    let swept: Vec<_> = losses
        .iter()
        .flat_map(|loss| scene.select(&loss.selector).unwrap())
        .collect();
    scene.what_if(&lost, &swept)
}

/// `count` times the same host.
pub fn hosts(host: &str, count: usize) -> String {
    vec![host; count].join(" ")
}
