//! What an import offers to show.

use std::rc::Rc;

use spillgate_core::model::{Cluster, ClusterKind};

use super::ImportOrigin;
use crate::state::{PageScenario, ScenarioError, plural};

/// Clusters that were read.
#[derive(Debug, Clone)]
pub struct Imported {
    /// The texts, their places and their clusters.
    pub origin: Rc<ImportOrigin>,
    /// The cluster that most likely is meant: one that an aggregate or a priority list makes
    /// interesting.
    pub proposed: usize,
}

/// The scenario that shows one of the clusters that were read.
///
/// # Errors
/// When the page cannot show it, and why.
pub fn select(imported: &Imported, root: usize) -> Result<PageScenario, ScenarioError> {
    PageScenario::new(imported.origin.clusters.clone(), root)
        .map(|scenario| scenario.with_origin(Some(Rc::clone(&imported.origin))))
}

impl Imported {
    /// The clusters to choose from: name and what they are made of.
    pub fn choices(&self) -> impl Iterator<Item = (usize, &str, String)> {
        let clusters = self.origin.clusters.iter().enumerate();
        clusters.map(|(at, cluster)| (at, cluster.name.as_str(), describe(cluster)))
    }
}

fn describe(cluster: &Cluster) -> String {
    match &cluster.kind {
        ClusterKind::Plain(plain) => {
            let hosts: usize = plain.priorities.iter().map(|l| l.endpoints.len()).sum();
            format!(
                "{}, {}, {}",
                plain.policy.name(),
                plural(plain.priorities.len(), "priority"),
                plural(hosts, "host")
            )
        }
        ClusterKind::Aggregate(aggregate) => {
            format!("aggregate of {}", aggregate.members.join(", "))
        }
        ClusterKind::OriginalDst(_) => "ORIGINAL_DST".to_owned(),
    }
}
