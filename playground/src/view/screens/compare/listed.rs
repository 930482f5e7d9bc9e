//! The list of clusters: the worst difference first, then those that are proved to be equal.

use spillgate_diff::cluster_effect;

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

/// The first clusters whose names have a text, and the number of all of them. Upper and lower case are the same.
#[must_use]
pub fn matching(comparison: &ScenarioComparison, text: &str) -> (Vec<ListedDifference>, usize) {
    let text = text.trim().to_lowercase();
    let has = |name: &str| name.to_lowercase().contains(&text);
    let report = &comparison.report;
    let differing = report.clusters.iter().filter(|of| has(&of.name));
    let equal = report.equal_clusters.iter().filter(|name| has(name));
    let all = differing.clone().count() + equal.clone().count();
    let equal_effect = if comparison.is_proof() {
        "no request differs (proved)"
    } else {
        "no difference found"
    };
    let listed = differing.map(|of| ListedDifference {
        name: of.name.clone(),
        effect: cluster_effect(of),
        is_equal: false,
    });
    let equal = equal.map(|name| ListedDifference {
        name: name.clone(),
        effect: equal_effect.into(),
        is_equal: true,
    });
    (listed.chain(equal).take(LISTED).collect(), all)
}
