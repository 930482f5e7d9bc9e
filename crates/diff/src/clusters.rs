//! The clusters of two configurations.

use std::collections::{BTreeMap, BTreeSet};

use spillgate_core::{
    model::{Cluster, ClusterKind, Metadata, Model},
    snapshot::Snapshot,
};
use spillgate_sim::{Scene, ZoneLoss};

use crate::{
    ClusterDiff, ClusterVerdict, DiffSide, HostsDiff, RequestsDiff, ZoneDiff,
    canonical::canonical,
    decisions::{Compiled, same},
    dependencies::ByName,
    effects, hosts, settings,
};

/// The clusters whose decisions are not proved to be equal, worst first, and the names of the others.
pub(crate) fn diff(old: &DiffSide<'_>, new: &DiffSide<'_>) -> (Vec<ClusterDiff>, Vec<String>) {
    let sides = (ByName::new(old.model), ByName::new(new.model));
    let same_settings = same_settings(old.model, new.model);
    let mut differing = Vec::new();
    let mut equal = Vec::new();
    for cluster in new.model.clusters() {
        if sides.0.get(&cluster.name).is_some() {
            let name = cluster.name.as_str();
            if same_settings && same_configuration(&sides, name) {
                equal.push(cluster.name.clone());
            } else {
                differing.push(Pair::Both(name));
            }
        }
    }
    let only = |model: &'_ Model, other: &ByName<'_>| -> Vec<String> {
        let names = model.clusters().iter().map(|cluster| cluster.name.clone());
        names.filter(|name| other.get(name).is_none()).collect()
    };
    let mut removed = only(old.model, &sides.1);
    for name in only(new.model, &sides.0) {
        let same_kind = |old: &String| {
            let pair = (sides.0.get(old), sides.1.get(&name));
            let equal = matches!(pair, (Some(old), Some(new)) if old.kind == new.kind);
            let mut members = pair.1.map_or(&[][..], Cluster::members).iter();
            equal && members.all(|member| same_configuration(&sides, member))
        };
        match removed.iter().position(same_kind) {
            Some(at) => differing.push(Pair::Renamed(removed.remove(at), name)),
            None => differing.push(Pair::Added(name)),
        }
    }
    differing.extend(removed.into_iter().map(Pair::Removed));
    let compared = Comparison::new((old, new), &sides, &differing);
    let mut found = Vec::new();
    for pair in differing {
        let diff = compared.diff(pair);
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
        + status
}

/// The clusters to compare.
enum Pair<'m> {
    Both(&'m str),
    Renamed(String, String),
    Added(String),
    Removed(String),
}

/// Whether the locality and the cluster of the proxy and the subset fallback chain are the same.
fn same_settings(old: &Model, new: &Model) -> bool {
    old.local() == new.local() && old.chain() == new.chain()
}

/// Whether a cluster and all clusters that its decisions read have the same configuration on both sides.
fn same_configuration(sides: &(ByName<'_>, ByName<'_>), name: &str) -> bool {
    let same = |name: &str| match (sides.0.get(name), sides.1.get(name)) {
        (Some(old), Some(new)) => core::ptr::eq(old, new) || old == new,
        (old, new) => old.is_none() && new.is_none(),
    };
    same(name) && sides.1.read_by(name).into_iter().all(same)
}

/// Both sides with what the clusters to compare need.
struct Comparison<'a> {
    sides: (&'a DiffSide<'a>, &'a DiffSide<'a>),
    models: (Model, Model),
    snapshots: (Snapshot, Snapshot),
    same_settings: bool,
    /// The same clusters, for the loss of zones; `None` without clusters.
    scenes: (Option<Scene>, Option<Scene>),
}

impl<'a> Comparison<'a> {
    fn new(
        sides: (&'a DiffSide<'a>, &'a DiffSide<'a>),
        by_name: &(ByName<'_>, ByName<'_>),
        pairs: &[Pair<'_>],
    ) -> Self {
        let (mut old, mut new) = (BTreeSet::new(), BTreeSet::new());
        for pair in pairs {
            let (before, after) = pair.names();
            old.extend(before.into_iter().flat_map(|name| by_name.0.read_by(name)));
            new.extend(after.into_iter().flat_map(|name| by_name.1.read_by(name)));
        }
        let only = |model: &Model, names: &BTreeSet<&str>| {
            let mut model = model.clone();
            model.retain(|cluster| names.contains(cluster.name.as_str()));
            model
        };
        let models = (only(sides.0.model, &old), only(sides.1.model, &new));
        Self {
            same_settings: same_settings(sides.0.model, sides.1.model),
            scenes: (
                Scene::of_first(&models.0, Metadata::EMPTY),
                Scene::of_first(&models.1, Metadata::EMPTY),
            ),
            snapshots: (Snapshot::build(&models.0), Snapshot::build(&models.1)),
            models,
            sides,
        }
    }

    fn old(&self) -> Compiled<'_> {
        Compiled {
            model: &self.models.0,
            snapshot: &self.snapshots.0,
        }
    }

    fn new_side(&self) -> Compiled<'_> {
        Compiled {
            model: &self.models.1,
            snapshot: &self.snapshots.1,
        }
    }

    fn diff(&self, pair: Pair<'_>) -> ClusterDiff {
        match pair {
            Pair::Both(name) => self.both(name),
            Pair::Renamed(old, new) => ClusterDiff {
                renamed_from: Some(old),
                ..empty(new, ClusterVerdict::Renamed)
            },
            Pair::Added(name) => self.one_sided(name, ClusterVerdict::Added),
            Pair::Removed(name) => self.one_sided(name, ClusterVerdict::Removed),
        }
    }

    fn one_sided(&self, name: String, status: ClusterVerdict) -> ClusterDiff {
        let model = match status {
            ClusterVerdict::Removed => &self.models.0,
            _ => &self.models.1,
        };
        let addresses = model.cluster(&name).map_or_else(Vec::new, |cluster| {
            let endpoints = cluster.priorities().iter().flat_map(|of| &of.endpoints);
            endpoints.map(|endpoint| endpoint.address.clone()).collect()
        });
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
            ..empty(name, status)
        }
    }

    fn both(&self, name: &str) -> ClusterDiff {
        let mut diff = empty(name.to_owned(), ClusterVerdict::Changed);
        let clusters = (self.models.0.cluster(name), self.models.1.cluster(name));
        let ids = (
            self.snapshots.0.cluster_id(name),
            self.snapshots.1.cluster_id(name),
        );
        let ((Some(old), Some(new)), (Some(old_id), Some(new_id))) = (clusters, ids) else {
            return diff;
        };
        diff.settings = settings::of_kinds(&old.kind, &new.kind);
        if let (ClusterKind::Plain(before), ClusterKind::Plain(after)) = (&old.kind, &new.kind) {
            diff.hosts = hosts::diff(before, after);
        }
        if self.is_unknown(old, new) {
            diff.status = ClusterVerdict::Unknown;
            return diff;
        }
        let (before, after) = ((self.old(), old_id), (self.new_side(), new_id));
        if same(before, after) {
            diff.status = if self.same_settings && self.same_whatever_health(name) {
                ClusterVerdict::Equal
            } else {
                ClusterVerdict::EqualNow
            };
        } else {
            let sessions = self.sides.0.has_sessions(name);
            let kinds = self.criteria(name).into_iter();
            let kinds =
                kinds.filter_map(|criteria| effects::diff(before, after, &criteria, sessions));
            diff.requests = kinds.collect();
        }
        if diff.status != ClusterVerdict::Equal {
            diff.zones = self.zones(name);
        }
        diff
    }

    fn is_unknown(&self, old: &Cluster, new: &Cluster) -> bool {
        let unknown = |side: &DiffSide<'_>, cluster: &Cluster| {
            let mut names = cluster.members().iter().chain([&cluster.name]);
            names.any(|name| side.unknown.contains(name))
        };
        unknown(self.sides.0, old) || unknown(self.sides.1, new)
    }

    /// Whether the decisions about a cluster read the same hosts and settings in another order only.
    fn same_whatever_health(&self, name: &str) -> bool {
        let names = ByName::new(&self.models.1);
        let read: BTreeSet<String> = names.read_by(name).into_iter().map(str::to_owned).collect();
        read.iter().all(
            |name| match (self.models.0.cluster(name), self.models.1.cluster(name)) {
                (Some(old), Some(new)) => match (&old.kind, &new.kind) {
                    (ClusterKind::Plain(old), ClusterKind::Plain(new)) => {
                        canonical(old) == canonical(new)
                    }
                    (old, new) => old == new,
                },
                (old, new) => old.is_none() && new.is_none(),
            },
        )
    }

    /// The subset criteria of the requests to a cluster, on both sides; without a route, none.
    fn criteria(&self, name: &str) -> Vec<Metadata> {
        let mut found = self.sides.0.criteria(name);
        for criteria in self.sides.1.criteria(name) {
            if !found.contains(&criteria) {
                found.push(criteria);
            }
        }
        if found.is_empty() {
            found.push(Metadata::EMPTY);
        }
        found
    }

    /// The zones whose loss the cluster survives on one side only.
    fn zones(&self, name: &str) -> Vec<ZoneDiff> {
        let (old, new) = (
            survived(self.scenes.0.as_ref(), name),
            survived(self.scenes.1.as_ref(), name),
        );
        let zones: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        let survives = |of: &BTreeMap<String, bool>, zone: &String| of.get(zone).copied();
        // A zone without hosts can be lost.
        let both = zones.into_iter().map(|zone| {
            let of = |side| survives(side, zone).unwrap_or(true);
            (zone, of(&old), of(&new))
        });
        both.filter(|(_, old, new)| old != new)
            .map(|(zone, _, survives)| ZoneDiff {
                zone: zone.clone(),
                survives,
            })
            .collect()
    }
}

/// Each zone of a cluster's hosts, and whether the cluster survives its loss.
fn survived(side: Option<&Scene>, name: &str) -> BTreeMap<String, bool> {
    let Some(scene) = side.and_then(|side| side.of_cluster(name)) else {
        return BTreeMap::new();
    };
    let zones = scene.zones();
    let failures = scene.failures(&zones, ZoneLoss::Single).into_iter();
    let named = failures.filter_map(|failure| {
        let zone = zones.get(*failure.zones.first()?)?;
        Some((zone.name_among(&zones), failure.state.survives()))
    });
    named.collect()
}

fn empty(name: String, status: ClusterVerdict) -> ClusterDiff {
    ClusterDiff {
        name,
        renamed_from: None,
        status,
        settings: Vec::new(),
        hosts: HostsDiff::default(),
        requests: Vec::new(),
        zones: Vec::new(),
    }
}

impl Pair<'_> {
    fn names(&self) -> (Option<&str>, Option<&str>) {
        match self {
            Self::Both(name) => (Some(name), Some(name)),
            Self::Renamed(old, new) => (Some(old), Some(new)),
            Self::Added(new) => (None, Some(new)),
            Self::Removed(old) => (Some(old), None),
        }
    }
}
