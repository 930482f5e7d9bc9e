//! The scalars with a surprising type in all metadata that load balancing compares.

use alloc::vec::Vec;

use spillgate_core::order;

use super::{ClusterFacts, ListenerFacts, ScalarFacts, scalar::surprise};

/// The surprising scalars among those that the readers found, in text order. `lines`: those of all
/// texts by position.
pub(in crate::envoy) fn surprises<'f>(
    clusters: &'f [ClusterFacts],
    listeners: impl Iterator<Item = &'f ListenerFacts>,
    lines: &[&str],
) -> Vec<ScalarFacts> {
    let subsets = clusters
        .iter()
        .filter_map(|cluster| cluster.policy.subsets());
    let localities = clusters.iter().flat_map(|cluster| &cluster.localities);
    let routes = listeners.flat_map(|listener| &listener.routes);
    let scalars = subsets
        .flat_map(|subsets| &subsets.scalars)
        .chain(localities.flat_map(|locality| &locality.scalars))
        .chain(routes.flat_map(|route| &route.scalars));
    let found = scalars.filter_map(|scalar| surprise(scalar, lines));
    let position =
        |scalar: &ScalarFacts| (scalar.place.position.line, scalar.place.position.column);
    let mut found = order::sorted(found.collect(), |a, b| position(a).cmp(&position(b)));
    // Clusters can share an assignment, and listeners their routes.
    found.dedup_by(|a, b| a.place.position == b.place.position);
    found
}
