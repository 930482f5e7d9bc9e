//! What the text has of a scenario.

use std::fmt;
use std::sync::Arc;

use spillgate_core::model::{Cluster, Model};

use crate::{EditedScenario, ImportOrigin, count, link::ClusterLimits};

/// With more hosts, a text is too long to be read and written with every input.
pub const MAXIMUM_TEXT_HOSTS: usize = 2_000;

/// The clusters have too many hosts for a text next to the picture; their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextTooLong(pub usize);

impl fmt::Display for TextTooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the text shows at most {} hosts; Share has a file with all {}",
            count(MAXIMUM_TEXT_HOSTS),
            count(self.0)
        )
    }
}

/// The clusters in the text, as indices in order: the shown one and those that it reaches.
pub(super) fn text_clusters(scenario: &EditedScenario) -> Vec<usize> {
    let clusters = scenario.clusters();
    let reached = ClusterLimits::new(clusters).reached(scenario.root());
    reached.filter(|at| *at < clusters.len()).collect()
}

/// The clusters that an edited text replaces, as indices in order: those of the text before the edit (`written`), also
/// if the shown cluster no longer reaches them, and those of the edited text that it reaches. Without any of the former,
/// those that a text of the scenario has.
pub(super) fn replaced_clusters(
    scenario: &EditedScenario,
    written: Option<&ImportOrigin>,
    read: &ImportOrigin,
) -> Vec<usize> {
    let shown = text_clusters(scenario);
    let is_written = |at: usize| {
        let name = scenario.name(at);
        written.is_some_and(|written| written.index_of(name).is_some())
    };
    let all = 0..scenario.clusters().len();
    if !all.clone().any(is_written) {
        return shown;
    }
    let is_read = |at: usize| read.index_of(scenario.name(at)).is_some();
    all.filter(|at| is_written(*at) || (shown.contains(at) && is_read(*at)))
        .collect()
}

/// Whether a text has all clusters that a text of the scenario has.
#[must_use]
pub fn text_is_complete(scenario: &EditedScenario, read: &ImportOrigin) -> bool {
    let mut shown = text_clusters(scenario).into_iter();
    shown.all(|at| read.index_of(scenario.name(at)).is_some())
}

/// The number of hosts of clusters.
pub(super) fn host_count(clusters: &[Arc<Cluster>]) -> usize {
    let priorities = clusters.iter().flat_map(|cluster| cluster.priorities());
    priorities.map(|priority| priority.endpoints.len()).sum()
}

/// The model of the text.
///
/// # Errors
/// If it has more than [`MAXIMUM_TEXT_HOSTS`] hosts.
pub fn text_model(scenario: &EditedScenario) -> Result<Model, TextTooLong> {
    let clusters = text_clusters(scenario).into_iter();
    let clusters: Vec<Arc<Cluster>> = clusters
        .filter_map(|at| scenario.clusters().get(at).cloned())
        .collect();
    let hosts = host_count(&clusters);
    if hosts > MAXIMUM_TEXT_HOSTS {
        return Err(TextTooLong(hosts));
    }
    // Some clusters of a legal model, with those that they name, are a legal model.
    Ok(Model::shared(clusters).unwrap_or_else(|_| Model::empty()))
}
