//! Requests of which the comparison proved that nothing differs, and clusters of one side.

use std::collections::{BTreeMap, BTreeSet};

use spillgate_answers::pick::PickOutput;
use spillgate_diff::{ClusterDiff, ClusterVerdict};

use super::change::{PairChange, only_in};
use super::check::{PairCheck, Seen, TestKind};
use super::pair::{ConfigPair, RowUse};
use super::two_samples::two_samples_p;
use crate::differential::Observed;

/// Deterministic choices must be the same one by one, random ones must have the same distribution.
pub(super) fn check(pair: &ConfigPair, seen: &Seen<'_>, found: &mut PairCheck) {
    if pair.change == PairChange::TextOrder && !pair.report.is_equal() {
        let what = format!(
            "text in another order is not proved equal: {:?}",
            pair.report
        );
        found.differences.push(what);
    }
    found.differences.extend(unnamed(pair));
    let changed = pair.changed_clusters();
    let mut counts: BTreeMap<(Option<&str>, u16), (u64, u64)> = BTreeMap::new();
    for (row, usage) in pair.rows.iter().enumerate() {
        // Other routes can lead to other clusters; those of probes are on both sides.
        let is_routed = pair.report.routes.is_empty() || matches!(usage, RowUse::Probe(_));
        let Some(answer) = seen.answers[row].as_ref().filter(|_| is_routed) else {
            continue;
        };
        if may_differ(&answer.old, &changed) || may_differ(&answer.new, &changed) {
            continue;
        }
        let (old, new) = (&seen.old[row], &seen.new[row]);
        if answer.is_certain() {
            found.determined += old.len();
            let differing = old
                .iter()
                .zip(new)
                .find(|(old, new)| result(old) != result(new));
            if let Some((old, new)) = differing {
                let asked = &pair.old.requests[row];
                found.differences.push(format!(
                    "proved equal, but {} {:?} goes to {:?} before and to {:?} after",
                    asked.path,
                    asked.headers,
                    result(old),
                    result(new)
                ));
            }
        } else {
            found.random += old.len();
            old.iter()
                .for_each(|one| counts.entry(result(one)).or_default().0 += 1);
            new.iter()
                .for_each(|one| counts.entry(result(one)).or_default().1 += 1);
        }
    }
    if counts.len() > 1 {
        let all: Vec<(u64, u64)> = counts.values().copied().collect();
        let what = format!("equal distributions of {counts:?}");
        found.test(TestKind::Equal, two_samples_p(&all), what);
    }
}

/// A cluster of one side that the comparison does not name, or not as what it is.
fn unnamed(pair: &ConfigPair) -> Option<String> {
    let [gone, came] = [(&pair.old, &pair.new), (&pair.new, &pair.old)].map(|(side, other)| {
        let name = only_in(side, other)?;
        Some(name.trim_start_matches('~'))
    });
    let is_named = |cluster: &ClusterDiff| match (gone, came) {
        (Some(old), Some(new)) => {
            cluster.name == new && cluster.renamed_from.as_deref() == Some(old)
        }
        (Some(old), None) => cluster.name == old && cluster.status == ClusterVerdict::Removed,
        (None, Some(new)) => cluster.name == new && cluster.status == ClusterVerdict::Added,
        (None, None) => true,
    };
    let is_one_sided = gone.is_some() || came.is_some();
    let is_unnamed = is_one_sided && !pair.report.clusters.iter().any(is_named);
    is_unnamed.then(|| format!("cluster {gone:?} became {came:?}, but {:?}", pair.report))
}

/// The host, or the status without one.
fn result(observed: &Observed) -> (Option<&str>, u16) {
    (observed.endpoint.as_deref(), observed.status)
}

/// Whether a request can go to a changed cluster, or its result is unknown.
fn may_differ(answer: &PickOutput, changed: &BTreeSet<&str>) -> bool {
    match answer {
        PickOutput::Determined { cluster, .. } => changed.contains(cluster.as_str()),
        PickOutput::NoHost { cluster, .. } => cluster
            .as_deref()
            .is_some_and(|cluster| changed.contains(cluster)),
        PickOutput::Random { cluster, .. } => cluster.split('|').any(|name| changed.contains(name)),
        PickOutput::Unknown { .. } => true,
    }
}
