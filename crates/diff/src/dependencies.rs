//! Which clusters decide about a request to a cluster.

use std::collections::{BTreeMap, BTreeSet};

use spillgate_core::model::{Cluster, ClusterKind, Model};

/// The clusters of a model by name.
pub(crate) struct ByName<'m> {
    clusters: BTreeMap<&'m str, &'m Cluster>,
    /// The cluster of the proxies, on which zone-aware routing depends.
    local: Option<&'m str>,
}

impl<'m> ByName<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        let clusters = model.clusters().iter();
        Self {
            clusters: clusters
                .map(|cluster| (cluster.name.as_str(), &**cluster))
                .collect(),
            local: model.local().cluster.as_deref(),
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&'m Cluster> {
        self.clusters.get(name).copied()
    }

    /// The cluster, and the others that decisions about it read: the members of an aggregate and their
    /// members, and the cluster of the proxies.
    pub(crate) fn read_by(&self, name: &'m str) -> BTreeSet<&'m str> {
        let mut found = BTreeSet::new();
        let mut open: Vec<&str> = Vec::from([name]);
        while let Some(name) = open.pop() {
            let Some(cluster) = self.get(name) else {
                continue;
            };
            if found.insert(cluster.name.as_str()) {
                open.extend(cluster.members().iter().map(String::as_str));
                open.extend(self.local.filter(|_| is_zone_aware(cluster)));
            }
        }
        found
    }
}

/// Whether the hosts of the proxies' own cluster matter for a cluster.
fn is_zone_aware(cluster: &Cluster) -> bool {
    match &cluster.kind {
        ClusterKind::Plain(plain) => {
            plain.locality_lb.zone_aware().is_some() && !plain.policy.hashes()
        }
        _ => false,
    }
}
