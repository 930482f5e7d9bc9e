//! What an import says about figures: settings that are not modeled, and hosts that are not known.

use std::collections::BTreeSet;

use spillgate_codec::import::ImportLimit;
use spillgate_core::snapshot::{ClusterId, Snapshot};
use spillgate_explain::report::{CoveredAttempts, reached_unknown};

use crate::EditedScenario;

/// The limits that concern the shown cluster and its members, in the order of the text.
#[must_use]
pub fn limits_of(scenario: &EditedScenario) -> Vec<&ImportLimit> {
    let Some(origin) = &scenario.origin else {
        return Vec::new();
    };
    let root = scenario.root();
    let shown = scenario.name(root);
    let members = scenario.aggregate(root).map(|aggregate| &aggregate.members);
    let concerns = |limit: &&ImportLimit| {
        let Some(cluster) = limit.cluster else {
            return true;
        };
        let name = origin.clusters.get(cluster).map(|cluster| &cluster.name);
        name.is_some_and(|name| {
            name == shown || members.is_some_and(|members| members.contains(name))
        })
    };
    origin.limits.iter().filter(concerns).collect()
}

/// The names of the clusters whose hosts are not known. A cluster that got hosts in the playground is known.
#[must_use]
pub fn unknown_clusters(scenario: &EditedScenario) -> BTreeSet<String> {
    let Some(origin) = &scenario.origin else {
        return BTreeSet::new();
    };
    let named = origin.unknown_hosts.iter();
    let named = named.filter_map(|at| origin.clusters.get(*at));
    let empty = |name: &str| {
        let mut clusters = scenario.clusters().iter();
        let found = clusters.find(|cluster| cluster.name == name);
        found.is_some_and(|found| found.priorities().iter().all(|of| of.endpoints.is_empty()))
    };
    let names = named.map(|cluster| &cluster.name);
    names.filter(|name| empty(name)).cloned().collect()
}

/// The name of the cluster whose hosts are not known, if requests of the shown one reach it. A cluster
/// that got hosts in the playground is known.
#[must_use]
pub(crate) fn unknown_hosts(
    scenario: &EditedScenario,
    snapshot: &Snapshot,
    root: ClusterId,
) -> Option<String> {
    let origin = scenario.origin.as_ref()?;
    let unknown = |name: &str| {
        let empty = |id| {
            snapshot
                .plain(id)
                .map(|plain| plain.priorities.iter().all(|p| p.is_empty()))
        };
        let mut clusters = origin.unknown_hosts.iter();
        snapshot.cluster_id(name).and_then(empty) == Some(true)
            && clusters.any(|at| origin.clusters.get(*at).is_some_and(|one| one.name == name))
    };
    reached_unknown(snapshot, root, CoveredAttempts::First, unknown).map(str::to_owned)
}
