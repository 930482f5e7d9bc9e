//! Which clusters of two configurations are compared with each other.

use std::{
    cell::LazyCell,
    collections::{BTreeMap, VecDeque},
};

use spillgate_core::model::{Cluster, LocalInfo, Model};

use crate::indexed_side::IndexedSide;

/// A cluster of one or both sides.
pub(crate) enum Pair<'m> {
    /// With the same configuration and the same source of hosts on both sides, also of all clusters that its
    /// decisions read.
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
pub(crate) fn pairs<'m>(old: &IndexedSide<'m>, new: &IndexedSide<'m>) -> Vec<Pair<'m>> {
    let same_settings = same_settings(old.side.model, new.side.model);
    let mut found = Vec::new();
    let mut removed = Candidates::default();
    for cluster in old.side.model.clusters() {
        if new.names.get(&cluster.name).is_none() {
            removed.push(cluster, old.source(&cluster.name));
        }
    }
    // A new name that the old side has already is that of a missing cluster there.
    let named = LazyCell::new(|| old.side.named_clusters());
    let mut renamed = Vec::new();
    for cluster in new.side.model.clusters() {
        let name = cluster.name.as_str();
        if old.names.get(name).is_some() {
            let equal = same_settings && same_configuration((old, new), name);
            found.push(if equal {
                Pair::Equal(name)
            } else {
                Pair::Both(name)
            });
            continue;
        }
        let read = new.names.read_by([name]).into_iter();
        let mut others = read.filter(|other| *other != name);
        let is_new =
            others.all(|other| same_configuration((old, new), other)) && !named.contains(name);
        let before = if is_new {
            removed.take(cluster, new.source(name))
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
    acting_local(old) == acting_local(new) && old.chain() == new.chain()
}

/// The locality and the cluster of the proxy. Without the cluster, no routing is zone-aware, and the locality does nothing.
fn acting_local(model: &Model) -> Option<&LocalInfo> {
    Some(model.local()).filter(|local| local.cluster.is_some())
}

/// Whether a cluster and all clusters that its decisions read have the same configuration on both sides, and the same
/// source of hosts.
fn same_configuration((old, new): (&IndexedSide<'_>, &IndexedSide<'_>), name: &str) -> bool {
    let same = |name: &str| match (old.names.get(name), new.names.get(name)) {
        (Some(before), Some(after)) => {
            (core::ptr::eq(before, after) || before == after)
                && old.source(name) == new.source(name)
        }
        (before, after) => before.is_none() && after.is_none(),
    };
    // A member that only the old side has is read there only.
    let read = old.names.read_by([name]).into_iter();
    same(name) && read.chain(new.names.read_by([name])).all(same)
}

/// The removed clusters, by what equal clusters have in common, so that the new name of a cluster is found without
/// comparing each with each.
#[derive(Default)]
struct Candidates<'m> {
    by_hosts: BTreeMap<RenamedKey<'m>, VecDeque<(usize, &'m Cluster)>>,
    count: usize,
}

/// The source of hosts that are not in the configuration, the addresses of the hosts, and the members.
type RenamedKey<'m> = (Option<&'m str>, Vec<&'m str>);

impl<'m> Candidates<'m> {
    fn push(&mut self, cluster: &'m Cluster, source: Option<&'m str>) {
        let same = self.by_hosts.entry((source, hosts(cluster))).or_default();
        same.push_back((self.count, cluster));
        self.count += 1;
    }

    /// The first cluster with another name, and equal otherwise.
    fn take(&mut self, renamed: &'m Cluster, source: Option<&'m str>) -> Option<&'m Cluster> {
        let same = self.by_hosts.get_mut(&(source, hosts(renamed)))?;
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
