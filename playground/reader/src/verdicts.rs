//! The worst that is true of each cluster, for the list of an import.

use alloc::{sync::Arc, vec, vec::Vec};

use spillgate_codec::link::ClusterLimits;
use spillgate_core::{
    model::{Cluster, ClusterKind, Metadata, Model},
    names::Names,
    snapshot::Snapshot,
};
use spillgate_explain::report::{ClusterReport, CoveredAttempts, ResultVerdict, reached_unknown};

/// The verdict on each cluster, as its index in [`ResultVerdict::ALL`]; `None` if the cluster has no shares, or its
/// hash tables do not fit with those of the clusters before it. `unknown` are the clusters whose hosts are not
/// known.
pub(crate) fn of(clusters: &[Arc<Cluster>], unknown: &[usize]) -> Vec<Option<usize>> {
    let kept = ClusterLimits::new(clusters).together(None);
    let shown: Vec<Arc<Cluster>> = kept
        .iter()
        .filter_map(|at| clusters.get(*at))
        .cloned()
        .collect();
    let mut names = Names::default();
    for cluster in unknown.iter().filter_map(|at| clusters.get(*at)) {
        names.add(&cluster.name);
    }
    let mut verdicts = vec![None; clusters.len()];
    // As the playground does: without what the bytes of clusters omit.
    let Ok(model) = Model::shared(shown) else {
        return verdicts;
    };
    let snapshot = Snapshot::build(&model);
    let found = kept.into_iter().zip(snapshot.clusters());
    for ((at, (id, _)), cluster) in found.zip(model.clusters()) {
        if let ClusterKind::OriginalDst(_) = cluster.kind {
            continue;
        }
        let unknown = reached_unknown(&snapshot, id, CoveredAttempts::First, |name| {
            names.contains(name)
        });
        let report = ClusterReport::of(&model, &snapshot, id, &Metadata::EMPTY);
        let verdict = report.map(|report| ResultVerdict::of(&report, &snapshot, unknown));
        if let Some(place) = verdicts.get_mut(at) {
            *place = verdict
                .and_then(|verdict| ResultVerdict::ALL.iter().position(|one| *one == verdict));
        }
    }
    verdicts
}
