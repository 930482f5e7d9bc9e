//! Two plain clusters and an aggregate of both.

use spillgate_core::model::{
    AggregateCluster, Cluster, ClusterKind, FallbackChain, LocalInfo, Locality, Model,
};

use super::{Dice, Extent, plain};

/// The most priorities of each plain cluster.
const PRIORITIES: usize = 2;

/// The clusters `a` and `b`, an aggregate `both` of them, in some cases a local cluster, and a
/// subset fallback chain of `least_steps` to three times as many steps. Addresses differ, and no
/// cluster has a hash policy of its own: a generated cookie would give all requests one hash.
///
/// # Panics
/// Never: these names differ, and the chain is legal.
pub fn pair(dice: &mut Dice, least_steps: usize, extent: Extent) -> Model {
    let clusters = ["a", "b"].into_iter().enumerate().map(|(number, name)| {
        let mut plain = plain(dice, PRIORITIES, extent);
        plain.hash_policies.clear();
        for (index, priority) in plain.priorities.iter_mut().enumerate() {
            for (host, endpoint) in priority.endpoints.iter_mut().enumerate() {
                endpoint.address = format!("10.{number}.{index}.{host}:80");
            }
        }
        cluster(name, ClusterKind::Plain(plain))
    });
    let mut clusters: Vec<Cluster> = clusters.collect();
    let aggregate = AggregateCluster {
        members: ["a", "gone", "b"].map(String::from).into(),
        panic_threshold: dice.panic_threshold(),
        flatten: false,
    };
    clusters.push(cluster("both", ClusterKind::Aggregate(aggregate)));
    let local = LocalInfo {
        locality: Some(Locality {
            zone: "b".into(),
            ..Locality::default()
        }),
        cluster: dice.chance(50).then(|| "b".into()),
    };
    let chain = dice.chain(least_steps, 3 * least_steps, extent);
    Model::new(clusters)
        .expect("the names differ")
        .with_local(local)
        .with_chain(FallbackChain::new(chain).expect("a legal chain"))
}

fn cluster(name: &str, kind: ClusterKind) -> Cluster {
    Cluster {
        name: name.into(),
        kind,
    }
}
