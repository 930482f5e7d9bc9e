//! Which clusters of two configurations are compared with each other.

use std::collections::{BTreeMap, VecDeque};

use spillgate_core::model::{Cluster, Model};
use spillgate_sim::ClusterIndex;

/// A cluster of one or both sides.
pub(crate) enum Pair<'m> {
    /// With the same configuration on both sides, also of all clusters that its decisions read.
    Equal(&'m str),
    Both(&'m str),
    Renamed {
        from: &'m str,
        to: &'m str,
    },
    Added(&'m Cluster),
    Removed(&'m Cluster),
}

/// All clusters of both sides.
pub(crate) fn pairs<'m>(
    (old, new): (&'m Model, &'m Model),
    sides: (&ClusterIndex<'m>, &ClusterIndex<'m>),
) -> Vec<Pair<'m>> {
    let same_settings = same_settings(old, new);
    let mut found = Vec::new();
    let mut removed = Candidates::default();
    for cluster in old.clusters() {
        if sides.1.get(&cluster.name).is_none() {
            removed.push(cluster);
        }
    }
    let mut renamed = Vec::new();
    for cluster in new.clusters() {
        let name = cluster.name.as_str();
        if sides.0.get(name).is_some() {
            let equal = same_settings && same_configuration(sides, name);
            found.push(if equal {
                Pair::Equal(name)
            } else {
                Pair::Both(name)
            });
            continue;
        }
        let read = sides.1.read_by([name]).into_iter();
        let mut others = read.filter(|other| *other != name);
        let before = if others.all(|other| same_configuration(sides, other)) {
            removed.take(cluster)
        } else {
            None
        };
        renamed.push(match before {
            Some(before) => Pair::Renamed {
                from: &before.name,
                to: name,
            },
            None => Pair::Added(cluster),
        });
    }
    found.extend(renamed);
    found.extend(removed.left().map(Pair::Removed));
    found
}

/// Whether the locality and the cluster of the proxy and the subset fallback chain are the same.
pub(crate) fn same_settings(old: &Model, new: &Model) -> bool {
    old.local() == new.local() && old.chain() == new.chain()
}

/// Whether a cluster and all clusters that its decisions read have the same configuration on both sides.
fn same_configuration(sides: (&ClusterIndex<'_>, &ClusterIndex<'_>), name: &str) -> bool {
    let same = |name: &str| match (sides.0.get(name), sides.1.get(name)) {
        (Some(old), Some(new)) => core::ptr::eq(old, new) || old == new,
        (old, new) => old.is_none() && new.is_none(),
    };
    // A member that only the old side has is read there only.
    let read = sides.0.read_by([name]).into_iter();
    same(name) && read.chain(sides.1.read_by([name])).all(same)
}

/// The removed clusters, by what equal clusters have in common, so that the new name of a cluster is found without
/// comparing each with each.
#[derive(Default)]
struct Candidates<'m> {
    by_hosts: BTreeMap<Vec<&'m str>, VecDeque<(usize, &'m Cluster)>>,
    count: usize,
}

impl<'m> Candidates<'m> {
    fn push(&mut self, cluster: &'m Cluster) {
        let same = self.by_hosts.entry(hosts(cluster)).or_default();
        same.push_back((self.count, cluster));
        self.count += 1;
    }

    /// The first cluster with another name, and equal otherwise.
    fn take(&mut self, renamed: &'m Cluster) -> Option<&'m Cluster> {
        let same = self.by_hosts.get_mut(&hosts(renamed))?;
        let at = same.iter().position(|(_, of)| of.kind == renamed.kind)?;
        same.remove(at).map(|(_, cluster)| cluster)
    }

    /// The others, in configuration order.
    fn left(self) -> impl Iterator<Item = &'m Cluster> {
        let left = self.by_hosts.into_values().flatten();
        left.collect::<BTreeMap<_, _>>().into_values()
    }
}

/// The addresses of the hosts, and the members.
fn hosts(cluster: &Cluster) -> Vec<&str> {
    let endpoints = cluster.priorities().iter().flat_map(|of| &of.endpoints);
    let addresses = endpoints.map(|endpoint| endpoint.address.as_str());
    let members = cluster.members().iter().map(String::as_str);
    addresses.chain(members).collect()
}
