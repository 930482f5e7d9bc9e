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
    AggregateCluster, Cluster, ClusterKind, Endpoint, Health, HealthStatus, Level, LevelLocality,
    Locality, Metadata, Model, PanicThreshold, PlainCluster, Policy, Value,
};
use spillgate_sim::{Loss, Scene, WhatIf};

/// A level from a text of hosts: a letter for the zone, a sign for the health (`+` healthy, `~`
/// degraded, `-` unhealthy, `x` draining), such as `a+ a+ b-`. Addresses count up per level.
pub fn level(number: usize, hosts: &str) -> Level {
    let mut level = Level::default();
    for (at, host) in hosts.split_whitespace().enumerate() {
        let (zone, sign) = host.split_at(1);
        let of_zone = |l: &LevelLocality| l.locality.zone == zone;
        let locality = level.localities.iter().position(of_zone);
        let locality = locality.unwrap_or_else(|| {
            level.localities.push(LevelLocality {
                locality: Locality {
                    region: "eu".into(),
                    zone: zone.into(),
                    sub_zone: String::new(),
                },
                weight: None,
            });
            level.localities.len() - 1
        });
        let status = match sign {
            "+" => HealthStatus::Healthy,
            "~" => HealthStatus::Degraded,
            "-" => HealthStatus::Unhealthy,
            "x" => HealthStatus::Draining,
            other => panic!("{other:?} is no health"),
        };
        level.endpoints.push(Endpoint {
            address: format!("10.{number}.0.{at}:80"),
            health: Health::from_status(status),
            locality,
            metadata: Metadata::new([("stage", Value::Text(zone.into()))]),
            ..Endpoint::default()
        });
    }
    level
}

pub fn plain(name: &str, policy: Policy, threshold: u32, levels: Vec<Level>) -> Cluster {
    Cluster {
        name: name.into(),
        kind: ClusterKind::Plain(PlainCluster {
            policy,
            panic_threshold: PanicThreshold::from_percent(f64::from(threshold)),
            levels,
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

/// A cluster `shop` of these levels.
pub fn shop(levels: &[&str]) -> Model {
    let levels = levels.iter().enumerate();
    let levels = levels.map(|(number, hosts)| level(number, hosts)).collect();
    Model::new(vec![plain("shop", Policy::RoundRobin, 50, levels)]).unwrap()
}

pub fn scene(model: &Model) -> Scene {
    Scene::new(model, "shop", Metadata::EMPTY).unwrap()
}

pub fn losses(texts: &[&str]) -> Vec<Loss> {
    let losses = texts.iter().map(|text| Loss::parse(text).unwrap());
    losses.collect()
}

/// What the losses do, sweeping all that they select.
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
