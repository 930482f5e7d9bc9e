//! Clusters with another name and the same configuration: the old side is compared under the new names, so that
//! routes and aggregate clusters that follow a new name do not differ.

use std::{collections::BTreeMap, sync::Arc};

use spillgate_config::envoy::{ListenerConfig, ListenerProtocol};
use spillgate_core::{
    model::{Cluster, ClusterKind, Model},
    route::{ClusterName, RouteAction, RouteTarget},
};

use crate::{
    DiffSide, RoutedRequests,
    indexed_side::IndexedSide,
    pairs::{Pair, pairs},
};

/// The old side under the names of the new one.
#[derive(Debug, Default)]
pub(crate) struct Renames {
    /// The parts that differ from those of the old side.
    changed: Option<RenamedSide>,
    to_old: BTreeMap<String, String>,
}

#[derive(Debug)]
struct RenamedSide {
    model: Model,
    listeners: Vec<ListenerConfig>,
    unknown: BTreeMap<String, String>,
    resolved: Option<BTreeMap<String, String>>,
}

impl Renames {
    /// Finds the clusters with another name. An aggregate cluster is found by the new names of its members.
    pub(crate) fn new(old: &DiffSide<'_>, new: &DiffSide<'_>) -> Self {
        let mut found = Self::default();
        loop {
            let side = found.old_side(old);
            let next = renamed_pairs(&side, new);
            let Some(changed) = RenamedSide::new(&side, &next).filter(|_| !next.is_empty()) else {
                return found;
            };
            found.changed = Some(changed);
            let to_old = next.into_iter().map(|(from, to)| (to, from));
            found.to_old.extend(to_old);
        }
    }

    /// The old side under the new names.
    pub(crate) fn old_side<'a>(&'a self, old: &DiffSide<'a>) -> DiffSide<'a> {
        self.changed.as_ref().map_or(*old, |side| DiffSide {
            model: &side.model,
            listeners: &side.listeners,
            unknown: &side.unknown,
            resolved: side.resolved.as_ref(),
        })
    }

    /// The old name of a cluster that has another one now.
    pub(crate) fn old_name(&self, name: &str) -> Option<&str> {
        self.to_old.get(name).map(String::as_str)
    }

    /// The requests of the old side, by the new names.
    pub(crate) fn requests<'a>(&'a self, mut old: RoutedRequests<'a>) -> RoutedRequests<'a> {
        for (to, from) in &self.to_old {
            if let Some(requests) = old.clusters.remove(from.as_str()) {
                old.clusters.insert(to, requests);
            }
        }
        old
    }
}

/// The old and new names of clusters that differ in nothing else. If their hosts are not known, a control plane can give
/// the new name others. Requests and filters that name clusters may still use the old name.
fn renamed_pairs(old: &DiffSide<'_>, new: &DiffSide<'_>) -> BTreeMap<String, String> {
    if [old, new].into_iter().any(names_clusters_elsewhere) {
        return BTreeMap::new();
    }
    let (old, new) = (IndexedSide::new(old), IndexedSide::new(new));
    let found = pairs(&old, &new).into_iter().filter_map(|pair| match pair {
        Pair::Renamed { from, to } => Some((from, to)),
        _ => None,
    });
    let proved = found.filter(|(from, to)| !old.is_unknown(from) && !new.is_unknown(to));
    let names = proved.map(|(from, to)| (from.to_owned(), to.to_owned()));
    names.collect()
}

/// Whether a header or a Spillgate filter can name a cluster.
fn names_clusters_elsewhere(side: &DiffSide<'_>) -> bool {
    let is_by_header = |cluster: &ClusterName| matches!(cluster, ClusterName::Header(_));
    let mut listeners = side.listeners.iter();
    let mut routes = side.routes();
    listeners.any(|listener| !listener.spillgate.is_empty())
        || routes.any(|(_, route)| match &route.action {
            RouteAction::Forward(forward) => match &forward.target {
                RouteTarget::One(cluster) => is_by_header(cluster),
                RouteTarget::Weighted(weighted) => {
                    let mut clusters = weighted.of_all_attempts();
                    clusters.any(|one| is_by_header(&one.cluster))
                }
                RouteTarget::Chosen(_) => true,
                RouteTarget::Matched(_) => false,
            },
            _ => false,
        })
}

impl RenamedSide {
    /// `None` if the names do not fit the model.
    fn new(old: &DiffSide<'_>, names: &BTreeMap<String, String>) -> Option<Self> {
        let by_name = |of: &BTreeMap<String, String>| -> BTreeMap<String, String> {
            let each = of.iter().map(|(name, text)| {
                let name = names.get(name).unwrap_or(name);
                (name.clone(), text.clone())
            });
            each.collect()
        };
        Some(Self {
            model: model(old.model, names)?,
            listeners: old.listeners.iter().map(|of| listener(of, names)).collect(),
            unknown: by_name(old.unknown),
            resolved: old.resolved.map(by_name),
        })
    }
}

fn model(old: &Model, names: &BTreeMap<String, String>) -> Option<Model> {
    let clusters = old.clusters().iter().map(|cluster| {
        let mut named = [&cluster.name].into_iter().chain(cluster.members());
        if !named.any(|name| names.contains_key(name)) {
            return Arc::clone(cluster);
        }
        let mut changed = Cluster::clone(cluster);
        rename(&mut changed.name, names);
        let members = match &mut changed.kind {
            ClusterKind::Aggregate(aggregate) => aggregate.members.as_mut_slice(),
            ClusterKind::Composite(composite) => composite.members.as_mut_slice(),
            _ => &mut [],
        };
        members.iter_mut().for_each(|member| rename(member, names));
        Arc::new(changed)
    });
    let mut local = old.local().clone();
    if let Some(cluster) = &mut local.cluster {
        rename(cluster, names);
    }
    let model = Model::shared(clusters.collect()).ok()?;
    Some(model.with_local(local).with_chain(old.chain().clone()))
}

fn listener(old: &ListenerConfig, names: &BTreeMap<String, String>) -> ListenerConfig {
    let mut listener = old.clone();
    let hosts = listener.routes.virtual_hosts.iter_mut();
    for route in hosts.flat_map(|host| &mut host.routes) {
        route.rename_clusters(&mut |name| rename(name, names));
    }
    if let ListenerProtocol::Redis(redis) = &mut listener.protocol {
        let routes = redis.prefixes.iter_mut().chain(&mut redis.catch_all);
        routes.for_each(|route| rename(&mut route.cluster, names));
    }
    listener
}

fn rename(name: &mut String, names: &BTreeMap<String, String>) {
    if let Some(to) = names.get(name) {
        name.clone_from(to);
    }
}
