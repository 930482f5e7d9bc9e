//! Clusters in zones.

use spillgate_core::{
    model::{
        Cluster, ClusterKind, Endpoint, LocalInfo, Locality, LocalityBasis, LocalityLb, Model,
        PlainCluster, Policy, Priority, PriorityLocality, Weight, ZoneAware,
    },
    snapshot::Snapshot,
};

use super::model;

/// A shop and the proxies in three zones. The hosts of both have these weights, which are the size of a
/// zone.
pub fn zoned(shop: [u32; 3], proxies: [u32; 3], routing_enabled: u32) -> Snapshot {
    Snapshot::build(&zones_model(shop, proxies, routing_enabled))
}

/// The same as a model.
pub fn zones_model(shop: [u32; 3], proxies: [u32; 3], routing_enabled: u32) -> Model {
    let priority = |weights: [u32; 3], name: &str| Priority {
        localities: ["a", "b", "c"]
            .map(|zone| PriorityLocality {
                locality: Locality {
                    zone: zone.into(),
                    ..Locality::default()
                },
                weight: None,
            })
            .into(),
        endpoints: (0..3)
            .map(|at| Endpoint {
                weight: Weight::new(weights[at]).unwrap(),
                locality: at,
                ..Endpoint::new(format!("{name}{at}:80"))
            })
            .collect(),
    };
    let cluster = |name: &str, weights| Cluster {
        name: name.into(),
        kind: ClusterKind::Plain(PlainCluster {
            policy: Policy::Random,
            locality_lb: LocalityLb::ZoneAware(ZoneAware {
                routing_enabled,
                min_cluster_size: 3,
                locality_basis: LocalityBasis::HealthyHostsWeight,
                ..ZoneAware::DEFAULT
            }),
            priorities: vec![priority(weights, name)],
            ..PlainCluster::default()
        }),
    };
    let local = LocalInfo {
        locality: Some(Locality {
            zone: "a".into(),
            ..Locality::default()
        }),
        cluster: Some("proxies".into()),
    };
    let model = model(vec![cluster("shop", shop), cluster("proxies", proxies)]);
    model.with_local(local)
}
