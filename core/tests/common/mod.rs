//! Small clusters for tests.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing
)]

pub mod routes;
pub mod zones;

use spillgate_core::{
    draw::Draw,
    model::{
        AggregateCluster, Cluster, ClusterKind, Endpoint, Health, HealthStatus, Metadata, Model,
        OverprovisioningFactor, PanicThreshold, PlainCluster, Policy, Priority, PriorityLocality,
        Value, Weight,
    },
};

/// A priority whose hosts have these statuses. The priority number makes the addresses unique.
pub fn priority(number: usize, states: &[HealthStatus]) -> Priority {
    Priority {
        localities: vec![PriorityLocality::default()],
        endpoints: states
            .iter()
            .enumerate()
            .map(|(host, &status)| Endpoint {
                address: format!("10.{number}.0.{host}:80"),
                weight: Weight::ONE,
                health: Health::from_status(status),
                locality: 0,
                hash_key: None,
                ..Endpoint::default()
            })
            .collect(),
    }
}

/// A priority with `healthy` healthy hosts out of `hosts`.
pub fn partly(number: usize, healthy: usize, hosts: usize) -> Priority {
    let mut states = vec![HealthStatus::Healthy; healthy];
    states.resize(hosts, HealthStatus::Unhealthy);
    priority(number, &states)
}

pub fn plain(
    name: &str,
    policy: Policy,
    panic_threshold: f64,
    priorities: Vec<Priority>,
) -> Cluster {
    Cluster {
        name: name.into(),
        kind: ClusterKind::Plain(PlainCluster {
            policy,
            panic_threshold: PanicThreshold::from_percent(panic_threshold),
            overprovisioning_factor: OverprovisioningFactor::DEFAULT,
            weighted_priority_health: false,
            priorities,
            ..PlainCluster::default()
        }),
    }
}

pub fn aggregate(name: &str, panic_threshold: f64, members: &[&str]) -> Cluster {
    Cluster {
        name: name.into(),
        kind: ClusterKind::Aggregate(AggregateCluster {
            members: members.iter().map(ToString::to_string).collect(),
            panic_threshold: PanicThreshold::from_percent(panic_threshold),
            flatten: false,
        }),
    }
}

pub fn model(clusters: Vec<Cluster>) -> Model {
    Model::new(clusters).unwrap()
}

/// A fixed list of draws; panics if it is exhausted.
pub struct Given(pub Vec<u64>);

impl Draw for Given {
    fn draw(&mut self) -> u64 {
        assert!(!self.0.is_empty(), "more draws than expected");
        self.0.remove(0)
    }
}

/// A host with `envoy.lb` metadata.
pub fn endpoint(address: &str, status: HealthStatus, metadata: Metadata) -> Endpoint {
    Endpoint {
        address: address.into(),
        health: Health::from_status(status),
        metadata,
        ..Endpoint::default()
    }
}

/// Metadata from text such as `stage=prod version=1.0`.
pub fn labels(text: &str) -> Metadata {
    Metadata::new(text.split_whitespace().map(|pair| {
        let (key, value) = pair.split_once('=').unwrap();
        let value = match value {
            "true" => Value::Bool(true),
            value => Value::Text(value.into()),
        };
        (key, value)
    }))
}

/// A priority with a single unnamed locality.
pub fn priority_of(endpoints: Vec<Endpoint>) -> Priority {
    Priority {
        localities: vec![PriorityLocality::default()],
        endpoints,
    }
}
