//! The commands that bring the running demo to what the page shows.

use spillgate_core::model::{ClusterKind, CoarseHealth};

use super::PageScenario;

/// The demo's clusters: the name, the number of hosts, and the network that they are in.
const CLUSTERS: [(&str, usize, &str); 2] = [
    ("shop-primary", 10, "127.0.1."),
    ("shop-secondary", 5, "127.0.2."),
];

/// What to type so that the demo's hosts fail as they do here; `None` for another topology.
#[must_use]
pub fn demo_commands(scenario: &PageScenario) -> Option<String> {
    let mut dead = String::new();
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
                dead.push(' ');
                dead.push_str(network);
                dead.push_str(&usize::to_string(&number));
            }
        }
    }
    let mut commands = String::from("cargo xtask demo heal shop-primary shop-secondary");
    if !dead.is_empty() {
        commands.push_str("\ncargo xtask demo kill");
        commands.push_str(&dead);
    }
    Some(commands)
}

#[cfg(test)]
mod tests {
    use super::super::preset;
    use super::*;

    #[test]
    fn the_demo_is_told_which_hosts_to_kill() {
        assert_eq!(
            demo_commands(&preset("shop").unwrap()).unwrap(),
            "cargo xtask demo heal shop-primary shop-secondary\n\
             cargo xtask demo kill 127.0.1.7 127.0.1.8 127.0.1.9 127.0.1.10"
        );
    }

    #[test]
    fn other_topologies_have_no_demo() {
        assert_eq!(demo_commands(&preset("aggregate").unwrap()), None);
    }
}
