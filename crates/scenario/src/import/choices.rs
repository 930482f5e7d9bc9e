//! The chosen cluster of an import as a scenario.

use std::{rc::Rc, sync::Arc};

use spillgate_core::model::Cluster;

use super::ImportOrigin;
use crate::{EditedScenario, ScenarioError, link::ClusterLimits};

/// Imported clusters.
#[derive(Debug, Clone)]
pub struct Imported {
    /// The texts, with their clusters and positions.
    pub origin: Rc<ImportOrigin>,
    /// The cluster to show first: preferably an aggregate, or one with several priorities.
    pub proposed: usize,
}

/// The scenario of an imported cluster: with those that it reaches, and with as many others as the limits of the
/// page permit.
///
/// # Errors
/// If the playground cannot show it.
pub fn select(imported: &Imported, root: usize) -> Result<EditedScenario, ScenarioError> {
    let all = &imported.origin.clusters;
    let limits = ClusterLimits::new(all);
    limits.check(root)?;
    let kept = limits.together(Some(root));
    let root = kept
        .binary_search(&root)
        .map_err(|_| ScenarioError::NoSuchCluster)?;
    let clusters: Vec<Arc<Cluster>> = kept.iter().filter_map(|at| all.get(*at)).cloned().collect();
    EditedScenario::new(clusters, root)
        .map(|scenario| scenario.with_origin(Some(Rc::clone(&imported.origin))))
}
