//! The list of clusters: the worst difference first, then those that are proved to be equal.

use std::{collections::BTreeMap, sync::Arc};

use spillgate_core::model::{Cluster, ClusterKind};
use spillgate_diff::{ClusterDiff, cluster_effect};
use spillgate_explain::report::locality_title;

use super::ScenarioComparison;

/// The most clusters that the list shows: a screen of them.
pub const LISTED: usize = 12;

/// A cluster in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedDifference {
    /// Its name.
    pub name: String,
    /// What the change does to it.
    pub effect: String,
    /// Whether no request differs.
    pub is_equal: bool,
}

/// The first clusters with a text in their name, their localities or their policy on either side, and the number of
/// all of them. Upper and lower case are the same.
#[must_use]
pub fn matching(comparison: &ScenarioComparison, text: &str) -> (Vec<ListedDifference>, usize) {
    let search = Search::new(comparison, text);
    let report = &comparison.report;
    let differing: Vec<&ClusterDiff> = report
        .clusters
        .iter()
        .filter(|of| search.finds(&of.name, of.renamed_from.as_deref()))
        .collect();
    let equal: Vec<&String> = report
        .equal_clusters
        .iter()
        .filter(|name| search.finds(name, None))
        .collect();
    let all = differing.len() + equal.len();
    let listed = differing.into_iter().map(|of| ListedDifference {
        name: of.name.clone(),
        effect: cluster_effect(of),
        is_equal: false,
    });
    let equal = equal.into_iter().map(|name| ListedDifference {
        name: name.clone(),
        effect: comparison.equal_effect().into(),
        is_equal: true,
    });
    (listed.chain(equal).take(LISTED).collect(), all)
}

/// A search among the clusters of both sides.
struct Search<'c> {
    /// In lower case; an empty one is in every cluster.
    text: String,
    old: BTreeMap<&'c str, &'c Cluster>,
    new: BTreeMap<&'c str, &'c Cluster>,
}

impl<'c> Search<'c> {
    fn new(comparison: &'c ScenarioComparison, text: &str) -> Self {
        let text = text.trim().to_lowercase();
        let named = |clusters: &'c [Arc<Cluster>]| {
            let searched = clusters.iter().filter(|_| !text.is_empty());
            let named = searched.map(|cluster| (cluster.name.as_str(), &**cluster));
            named.collect()
        };
        Self {
            old: named(comparison.old.clusters()),
            new: named(comparison.new.clusters()),
            text,
        }
    }

    /// Whether the cluster with this name, and on the old side perhaps another one, has the text.
    fn finds(&self, name: &str, old_name: Option<&str>) -> bool {
        if self.text.is_empty() {
            return true;
        }
        let old_name = old_name.unwrap_or(name);
        let sides = [self.old.get(old_name), self.new.get(name)];
        self.has(name) || self.has(old_name) || sides.into_iter().flatten().any(|of| self.is_in(of))
    }

    /// Whether the policy or a locality of a cluster has the text.
    fn is_in(&self, cluster: &Cluster) -> bool {
        let ClusterKind::Plain(plain) = &cluster.kind else {
            return false;
        };
        let mut localities = plain.priorities.iter().flat_map(|of| &of.localities);
        self.has(plain.policy.name())
            || localities.any(|of| self.has(&locality_title(&of.locality)))
    }

    fn has(&self, text: &str) -> bool {
        text.to_lowercase().contains(&self.text)
    }
}
