//! The clusters that the requests to one of them can reach.

use std::sync::Arc;

use spillgate_core::model::Cluster;
use spillgate_scenario::EditedScenario;

/// A cluster and all its members.
pub(super) fn with_members(scenario: &EditedScenario, root: &str) -> Vec<Arc<Cluster>> {
    let mut found: Vec<Arc<Cluster>> = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(name) = open.pop() {
        let mut clusters = scenario.clusters().iter();
        let known = found.iter().any(|of| of.name == name);
        if let Some(cluster) = clusters.find(|of| of.name == name).filter(|_| !known) {
            open.extend(cluster.members().iter().map(ToString::to_string));
            found.push(Arc::clone(cluster));
        }
    }
    found
}
