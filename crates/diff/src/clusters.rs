//! The clusters of two configurations.

use spillgate_core::model::{Cluster, ClusterKind, Metadata, Model};
use spillgate_sim::{ClusterIndex, Scene};

use crate::{
    ClusterDiff, ClusterVerdict, HostsDiff, MarginDiff, RequestsDiff, SettingDiff,
    canonical::canonical,
    decisions::{Compiled, same},
    effects,
    host_sets::HostMetadata,
    hosts,
    indexed_side::IndexedSide,
    pairs::{Pair, pairs, same_settings},
    renames::Renames,
    settings, zones,
};

/// The clusters whose decisions are not proved to be equal, worst first, and the names of the others.
pub(crate) fn diff(
    old: &IndexedSide<'_>,
    new: &IndexedSide<'_>,
    renames: &Renames,
) -> (Vec<ClusterDiff>, Vec<String>) {
    let compared = Comparison::new(old, new);
    let mut found = Vec::new();
    let mut equal = Vec::new();
    for pair in pairs(old, new) {
        let mut diff = match pair {
            Pair::Equal(name) => empty(name, ClusterVerdict::Equal),
            Pair::Both(name) => compared.both(name),
            Pair::Renamed { from, to } => compared.renamed(from, to),
            Pair::Added(cluster) => one_sided(cluster, ClusterVerdict::Added),
            Pair::Removed(cluster) => one_sided(cluster, ClusterVerdict::Removed),
        };
        if let Some(from) = renames.old_name(&diff.name) {
            diff.renamed_from = Some(from.to_owned());
            if diff.status == ClusterVerdict::Equal {
                diff.status = ClusterVerdict::Renamed;
            }
        }
        match diff.status {
            ClusterVerdict::Equal => equal.push(diff.name),
            _ => found.push(diff),
        }
    }
    found.sort_by(|a, b| severity(b).total_cmp(&severity(a)));
    (found, equal)
}

/// How bad a difference is: larger is worse. Requests without a host count most, then panic mode, zones, and
/// moved requests.
fn severity(diff: &ClusterDiff) -> f64 {
    let worst =
        |of: &dyn Fn(&RequestsDiff) -> f64| diff.requests.iter().map(of).fold(0.0, f64::max);
    let zones = diff.zones.iter().filter(|zone| !zone.survives).count();
    let status = match diff.status {
        ClusterVerdict::Unknown => 5.0,
        ClusterVerdict::Removed => 4.0,
        ClusterVerdict::Changed => 3.0,
        ClusterVerdict::Added => 2.0,
        ClusterVerdict::Renamed => 1.0,
        ClusterVerdict::EqualNow | ClusterVerdict::Equal => 0.0,
    };
    worst(&|kind| kind.no_host.change()) * 1e9
        + worst(&|kind| if kind.new_panic.is_empty() { 0.0 } else { 1.0 }) * 1e8
        + if zones > 0 { 1e7 } else { 0.0 }
        + worst(&|kind| kind.moved) * 1e4
        + worst(&|kind| kind.keys.map_or(0.0, |keys| keys.moved)) * 1e2
        + worst(&|kind| kind.key_choice.map_or(0.0, |choice| choice.moved)) * 1e2
        + status
}

/// Both sides with what the clusters to compare need.
struct Comparison<'a> {
    old: &'a IndexedSide<'a>,
    new: &'a IndexedSide<'a>,
    same_settings: bool,
    /// What reads the metadata of hosts in clusters without subsets.
    metadata: HostMetadata,
}

impl<'a> Comparison<'a> {
    fn new(old: &'a IndexedSide<'a>, new: &'a IndexedSide<'a>) -> Self {
        let metadata = if old.requests.read_metadata || new.requests.read_metadata {
            HostMetadata::Read
        } else {
            HostMetadata::Ignored
        };
        Self {
            same_settings: same_settings(old.side.model, new.side.model),
            old,
            new,
            metadata,
        }
    }

    fn both(&self, name: &str) -> ClusterDiff {
        let mut diff = empty(name, ClusterVerdict::Changed);
        let clusters = (self.old.names.get(name), self.new.names.get(name));
        let (Some(old), Some(new)) = clusters else {
            return diff;
        };
        diff.settings = settings::of_kinds(&old.kind, &new.kind);
        if let (ClusterKind::Plain(before), ClusterKind::Plain(after)) = (&old.kind, &new.kind) {
            diff.hosts = hosts::diff(before, after);
        }
        if let (Some(before), Some(after)) = (self.old.resolved(name), self.new.resolved(name))
            && before != after
        {
            diff.settings.push(SettingDiff {
                field: "source of hosts",
                before: before.to_owned(),
                after: after.to_owned(),
            });
        }
        if self.old.is_unknown(name)
            || self.new.is_unknown(name)
            || self.is_resolved_otherwise(name)
        {
            diff.status = ClusterVerdict::Unknown;
            return diff;
        }
        // Each cluster is compiled for its own comparison only: the tables of all would need much memory.
        let models = (self.old.names.part([name]), self.new.names.part([name]));
        let scene = |model: &Model| Scene::new(model, name, Metadata::EMPTY);
        let (Some(before), Some(after)) = (scene(&models.0), scene(&models.1)) else {
            return diff;
        };
        let compiled = |scene| Compiled::new(scene, self.metadata);
        let (before, after) = (compiled(&before), compiled(&after));
        if same(before, after) {
            diff.status = if self.same_settings && self.same_whatever_health(&models) {
                return ClusterDiff {
                    status: ClusterVerdict::Equal,
                    ..diff
                };
            } else {
                ClusterVerdict::EqualNow
            };
        } else if [self.old, self.new]
            .iter()
            .any(|side| side.takes_hosts_of_requests(name))
        {
            diff.status = ClusterVerdict::Unknown;
            return diff;
        } else {
            let requests = self.old.requests.clusters.get(name);
            let sessions = requests.is_some_and(|requests| requests.has_sessions);
            let hashed = [self.old, self.new].map(|side| {
                let requests = side.requests.clusters.get(name);
                requests.is_none_or(|requests| requests.has_hashes)
            });
            let kinds = self.criteria(name).into_iter();
            let kinds = kinds
                .filter_map(|criteria| effects::diff((before, after), criteria, sessions, hashed));
            diff.requests = kinds.collect();
        }
        diff.zones = zones::diff(before.scene, after.scene);
        let mut kinds = diff.requests.iter();
        // In panic mode, there is no margin.
        if kinds.all(|kind| kind.new_panic.is_empty() && kind.ended_panic.is_empty()) {
            diff.panic_margin = margin(before.scene, after.scene);
        }
        diff
    }

    /// A cluster with another name and the same configuration. A control plane can give the new name other hosts.
    fn renamed(&self, from: &str, to: &str) -> ClusterDiff {
        let status = if self.old.is_unknown(from) || self.new.is_unknown(to) {
            ClusterVerdict::Unknown
        } else {
            ClusterVerdict::Renamed
        };
        ClusterDiff {
            renamed_from: Some(from.to_owned()),
            ..empty(to, status)
        }
    }

    /// Whether the names of hosts of a cluster, or of another one that its decisions read, are resolved in another way,
    /// or only one side has names: they can be those of the other side's addresses.
    fn is_resolved_otherwise(&self, cluster: &str) -> bool {
        let read = self.old.names.read_by([cluster]).into_iter();
        let mut read = read.chain(self.new.names.read_by([cluster]));
        read.any(|name| {
            let is_on_both = [self.old, self.new]
                .iter()
                .all(|side| side.names.get(name).is_some());
            is_on_both && self.old.resolved(name) != self.new.resolved(name)
        })
    }

    /// Whether the decisions about a cluster read the same hosts and settings in another order only.
    fn same_whatever_health(&self, (old, new): &(Model, Model)) -> bool {
        let (old, new) = (ClusterIndex::new(old), ClusterIndex::new(new));
        let names = old.names().chain(new.names());
        names
            .into_iter()
            .all(|name| match (old.get(name), new.get(name)) {
                (Some(old), Some(new)) => match (&old.kind, &new.kind) {
                    (ClusterKind::Plain(old), ClusterKind::Plain(new)) => {
                        canonical(old, self.metadata) == canonical(new, self.metadata)
                    }
                    (old, new) => old == new,
                },
                _ => false,
            })
    }

    /// The subset criteria of the requests to a cluster, on both sides; without a route, none.
    fn criteria(&self, name: &str) -> Vec<&Metadata> {
        let mut found: Vec<&Metadata> = Vec::new();
        let sides = [self.old, self.new].map(|side| side.requests.clusters.get(name));
        for requests in sides {
            for criteria in requests.into_iter().flat_map(|of| &of.criteria) {
                if !found.contains(criteria) {
                    found.push(criteria);
                }
            }
        }
        if found.is_empty() {
            found.push(&Metadata::EMPTY);
        }
        found
    }
}

fn one_sided(cluster: &Cluster, status: ClusterVerdict) -> ClusterDiff {
    let endpoints = cluster.priorities().iter().flat_map(|of| &of.endpoints);
    let addresses = endpoints.map(|endpoint| endpoint.address.clone()).collect();
    let hosts = match status {
        ClusterVerdict::Removed => HostsDiff {
            removed: addresses,
            ..HostsDiff::default()
        },
        _ => HostsDiff {
            added: addresses,
            ..HostsDiff::default()
        },
    };
    ClusterDiff {
        hosts,
        ..empty(&cluster.name, status)
    }
}

fn empty(name: &str, status: ClusterVerdict) -> ClusterDiff {
    ClusterDiff {
        name: name.to_owned(),
        renamed_from: None,
        status,
        settings: Vec::new(),
        hosts: HostsDiff::default(),
        requests: Vec::new(),
        zones: Vec::new(),
        panic_margin: None,
    }
}

/// The distances from panic mode, if they differ.
fn margin(before: &Scene, after: &Scene) -> Option<MarginDiff> {
    let hosts = |scene: &Scene| scene.losses().panic_margin().map(|loss| loss.hosts);
    let (before, after) = (hosts(before), hosts(after));
    (before != after).then_some(MarginDiff { before, after })
}
