//! The commands that set the running demo to the state in the playground.

use spillgate_core::model::{ClusterKind, CoarseHealth};
use spillgate_scenario::EditedScenario;

/// The demo's clusters: the name, the number of hosts, and their network.
const CLUSTERS: [(&str, usize, &str); 2] = [
    ("shop-primary", 10, "127.0.1."),
    ("shop-secondary", 5, "127.0.2."),
];

/// Whether a host is one of the demo: its cluster and its address.
#[must_use]
pub fn is_demo_host(cluster: &str, address: &str) -> bool {
    let mut clusters = CLUSTERS.iter();
    clusters.any(|(name, _, network)| *name == cluster && address.starts_with(network))
}

/// The commands that fail the same hosts in the demo; `None` for another topology.
#[must_use]
pub fn demo_commands(scenario: &EditedScenario) -> Option<String> {
    let mut failed = String::new();
    for (name, hosts, network) in CLUSTERS {
        let mut clusters = scenario.clusters().iter();
        let cluster = clusters.find(|cluster| cluster.name == name)?;
        let ClusterKind::Plain(cluster) = &cluster.kind else {
            return None;
        };
        let [priority] = cluster.priorities.as_slice() else {
            return None;
        };
        if priority.endpoints.len() != hosts {
            return None;
        }
        for (number, endpoint) in (1..).zip(&priority.endpoints) {
            if endpoint.health.coarse() != CoarseHealth::Healthy {
                failed.push(' ');
                failed.push_str(network);
                failed.push_str(&usize::to_string(&number));
            }
        }
    }
    let mut commands = String::from("cargo xtask demo heal shop-primary shop-secondary");
    if !failed.is_empty() {
        commands.push_str(" && cargo xtask demo kill");
        commands.push_str(&failed);
    }
    Some(commands)
}

#[cfg(test)]
mod tests {
    use super::*;
    use spillgate_scenario::preset;

    #[test]
    fn the_commands_fail_the_hosts_that_are_not_healthy() {
        assert_eq!(
            demo_commands(&preset("shop").unwrap()).unwrap(),
            "cargo xtask demo heal shop-primary shop-secondary && \
             cargo xtask demo kill 127.0.1.7 127.0.1.8 127.0.1.9 127.0.1.10"
        );
    }

    #[test]
    fn other_topologies_have_no_demo() {
        assert_eq!(demo_commands(&preset("aggregate").unwrap()), None);
    }
}
