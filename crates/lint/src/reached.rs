//! How many hosts the requests to a cluster reach.

use spillgate_core::model::{
    ClusterKind, MaglevConfig, MaglevError, Metadata, PlainCluster, Policy,
};

use crate::context::{Context, Plain};

/// A table in which 1,021 hosts of one weight have a slot each, and so they have in a larger one: in the first round
/// each host takes one.
const SMALL_TABLE: Result<MaglevConfig, MaglevError> = MaglevConfig::new(1_021);

/// The number of hosts that requests with these criteria reach if they have all hashes.
pub(crate) fn reached_hosts(
    context: &Context<'_>,
    cluster: &Plain<'_>,
    criteria: &Metadata,
) -> usize {
    let mut model = context.part(cluster.name());
    if let Some(small) = small_table(cluster.plain) {
        let mut clusters = model.clusters().iter();
        if let Some(index) = clusters.position(|of| of.name == cluster.name()) {
            let change = |kind: &mut ClusterKind| {
                if let ClusterKind::Plain(plain) = kind {
                    plain.policy = Policy::Maglev(small);
                }
            };
            // A policy breaks no rule of a model. The large table has the same answer.
            let _ = model.change(index, change);
        }
    }
    let found = Context::distribution_in(&model, cluster.name(), criteria);
    found.shares.len()
}

/// A smaller Maglev table in which the same hosts have slots. The default table has 65,537 slots, and building one
/// for each cluster of a large configuration takes seconds.
fn small_table(cluster: &PlainCluster) -> Option<MaglevConfig> {
    let Policy::Maglev(config) = &cluster.policy else {
        return None;
    };
    let small = SMALL_TABLE.ok()?;
    let mut hosts = cluster.priorities.iter().flat_map(|of| &of.endpoints);
    let weight = hosts.next()?.weight;
    let fits = config.table_size() > small.table_size()
        && hosts.clone().count() < small.table_size() as usize;
    let have_one_weight = hosts.all(|host| host.weight == weight);
    (fits && have_one_weight && !cluster.locality_lb.is_weighted()).then_some(small)
}

#[cfg(test)]
mod tests {
    use alloc::{format, vec, vec::Vec};
    use spillgate_core::{
        model::{Endpoint, LocalityLb, Model, Priority, Weight},
        snapshot::Snapshot,
    };

    use super::*;

    fn maglev(hosts: Vec<Endpoint>) -> PlainCluster {
        PlainCluster {
            policy: Policy::Maglev(MaglevConfig::default()),
            priorities: vec![Priority::single_locality(hosts)],
            ..PlainCluster::default()
        }
    }

    #[test]
    fn a_small_table_has_the_hosts_of_the_large_one() {
        let hosts = (0..300).map(|host| Endpoint::new(format!("10.0.0.{host}:80")));
        let large = maglev(hosts.collect());
        let small = PlainCluster {
            policy: Policy::Maglev(small_table(&large).unwrap()),
            ..large.clone()
        };
        let reached = [large, small].map(|plain| {
            let snapshot = Snapshot::build(&Model::single("shop", plain));
            let shop = snapshot.cluster_id("shop").unwrap();
            snapshot.distribution(shop, None).shares.len()
        });
        assert_eq!(reached, [300, 300]);
    }

    #[test]
    fn hosts_of_one_weight_need_no_large_table() {
        let hosts = || vec![Endpoint::new("10.0.0.1:80"), Endpoint::new("10.0.0.2:80")];
        let size = |of: &PlainCluster| small_table(of).map(|of| of.table_size());
        assert_eq!(size(&maglev(hosts())), Some(1_021));

        let mut uneven = hosts();
        uneven[1].weight = Weight::new(3).unwrap();
        assert_eq!(size(&maglev(uneven)), None);
        let weighted = PlainCluster {
            locality_lb: LocalityLb::Weighted,
            ..maglev(hosts())
        };
        assert_eq!(size(&weighted), None);
        let many = (0..1_022).map(|_| Endpoint::new("10.0.0.1:80")).collect();
        assert_eq!(size(&maglev(many)), None);
    }
}
