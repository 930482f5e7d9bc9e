//! The clusters of an import.

use std::rc::Rc;

use spillgate_core::model::{Cluster, ClusterKind};

use super::ImportOrigin;
use crate::{EditedScenario, ScenarioError, plural};

/// Imported clusters.
#[derive(Debug, Clone)]
pub struct Imported {
    /// The texts, with their clusters and positions.
    pub origin: Rc<ImportOrigin>,
    /// The cluster to show first: preferably an aggregate, or one with several priorities.
    pub proposed: usize,
}

/// The scenario of an imported cluster.
///
/// # Errors
/// If the page cannot show it.
pub fn select(imported: &Imported, root: usize) -> Result<EditedScenario, ScenarioError> {
    EditedScenario::new(imported.origin.clusters.clone(), root)
        .map(|scenario| scenario.with_origin(Some(Rc::clone(&imported.origin))))
}

impl Imported {
    /// The clusters to choose from: place, name, summary.
    pub fn choices(&self) -> impl Iterator<Item = (usize, &str, String)> {
        let clusters = self.origin.clusters.iter().enumerate();
        clusters.map(|(at, cluster)| (at, cluster.name.as_str(), describe(cluster)))
    }
}

fn describe(cluster: &Cluster) -> String {
    match &cluster.kind {
        ClusterKind::Plain(plain) => {
            let hosts: usize = plain.priorities.iter().map(|p| p.endpoints.len()).sum();
            let priorities = match plain.priorities.len() {
                1 => "1 priority".to_owned(),
                more => format!("{more} priorities"),
            };
            let policy = plain.policy.name();
            format!("{policy}, {priorities}, {}", plural(hosts, "host"))
        }
        ClusterKind::Aggregate(aggregate) => {
            format!("aggregate of {}", aggregate.members.join(", "))
        }
        ClusterKind::Composite(composite) => {
            format!("composite of {}", composite.members.join(", "))
        }
        ClusterKind::OriginalDst(_) => "ORIGINAL_DST".to_owned(),
    }
}
