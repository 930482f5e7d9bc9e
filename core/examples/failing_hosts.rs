//! How the traffic moves from P0 to P1 while the hosts of P0 fail one after the other.

use spillgate_core::{model::*, snapshot::Snapshot};

fn main() {
    for failed in 0..=4 {
        let host = |number: usize| Endpoint {
            health: Health::from_status(if number < failed {
                HealthStatus::Unhealthy
            } else {
                HealthStatus::Healthy
            }),
            ..Endpoint::new(format!("10.0.0.{number}:80"))
        };
        let shop = PlainCluster {
            priorities: vec![
                Priority::single_locality((0..4).map(host).collect()),
                Priority::single_locality(vec![Endpoint::new("10.0.1.1:80")]),
            ],
            ..PlainCluster::default()
        };
        let Ok(model) = Model::new(vec![Cluster::plain("shop", shop)]) else {
            return;
        };
        let snapshot = Snapshot::build(&model);
        let Some(shop) = snapshot.cluster_id("shop") else {
            return;
        };
        let shares = snapshot.distribution(shop, None).shares;
        let of = |priority| -> f64 {
            let shares = shares.iter().filter(|share| share.priority == priority);
            shares.map(|share| share.share).sum()
        };
        println!(
            "{failed} of 4 hosts failed: P0 {:.0} %, P1 {:.0} %",
            of(0),
            of(1)
        );
    }
}
