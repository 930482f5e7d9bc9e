//! Clusters to measure with. The benchmarks themselves are in `benches/`, each beside a peer that
//! does the same job in the same run: read them as ratios.

use spillgate_core::{
    model::{
        Cluster, ClusterKind, Endpoint, Health, HealthStatus, Level, LevelLocality, Model,
        OverprovisioningFactor, PanicThreshold, PlainCluster, Policy, Weight,
    },
    route::{HashPolicy, HashSource},
};

/// The address of a host.
#[must_use]
pub fn address(host: usize) -> String {
    format!("10.{}.{}.{}:80", host >> 16, (host >> 8) & 255, host & 255)
}

/// One cluster named `c` with `hosts` healthy hosts in its first level and as many in its second.
///
/// # Panics
/// Never: a single cluster is always a model.
#[must_use]
pub fn model(policy: Policy, hosts: usize) -> Model {
    let level = |from: usize| Level {
        localities: vec![LevelLocality::default()],
        endpoints: (from..from + hosts)
            .map(|host| Endpoint {
                address: address(host),
                weight: Weight::ONE,
                health: Health::from_status(HealthStatus::Healthy),
                locality: 0,
                hash_key: None,
                ..Endpoint::default()
            })
            .collect(),
    };
    Model::new(vec![Cluster {
        name: "c".into(),
        kind: ClusterKind::Plain(PlainCluster {
            policy,
            panic_threshold: PanicThreshold::DEFAULT,
            overprovisioning_factor: OverprovisioningFactor::DEFAULT,
            weighted_priority_health: false,
            levels: vec![level(0), level(hosts)],
            ..PlainCluster::default()
        }),
    }])
    .expect("a single cluster is a model")
}

/// Hashes the header `x-key`.
#[must_use]
pub fn by_key() -> HashPolicy {
    HashPolicy {
        source: HashSource::Header {
            name: "x-key".into(),
            rewrite: None,
        },
        terminal: false,
    }
}
