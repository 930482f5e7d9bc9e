//! Both sides of a cluster, and how its requests move.

use std::collections::BTreeSet;

use spillgate_core::model::{ClusterKind, Metadata};
use spillgate_diff::{
    ClusterDiff, ClusterVerdict, DiffRow, TrafficChange, TrafficOwner, cluster_effect,
    cluster_rows, traffic_change,
};
use spillgate_scenario::{EditedScenario, ScenarioOutcome, ShortNames, link::ClusterLimits};

use super::ScenarioComparison;

/// A cluster on both sides.
#[derive(Debug)]
pub struct ComparedCluster {
    /// Its name; for a removed cluster the old one.
    pub name: String,
    /// What the change does to it.
    pub effect: String,
    /// Whether no request differs.
    pub is_equal: bool,
    /// The settings, hosts and shares that differ.
    pub rows: Vec<DiffRow>,
    /// Its result on the old side; `None` if that does not have it, or its hosts are not known.
    pub before: Option<ComparedOutcome>,
    /// The same of the new side.
    pub after: Option<ComparedOutcome>,
    /// On the old and the new side, the cluster whose hosts are not known, if requests reach it.
    pub unknown: [Option<String>; 2],
    /// How its requests move, by their owner. Empty if a side is missing.
    pub traffic: Vec<(TrafficOwner, TrafficChange)>,
    /// Whether requests can have subset criteria, which the figures do not.
    pub has_subsets: bool,
}

/// The result of a cluster on one side.
#[derive(Debug)]
pub struct ComparedOutcome {
    /// The cluster and those that it reaches.
    pub scenario: EditedScenario,
    /// Its result.
    pub outcome: ScenarioOutcome,
    /// The short forms of its names.
    pub names: ShortNames,
}

impl ComparedCluster {
    /// A cluster of a comparison.
    #[must_use]
    pub fn new(comparison: &ScenarioComparison, name: &str) -> Self {
        let difference = comparison.difference(name);
        let old_name = difference.and_then(|of| of.renamed_from.as_deref());
        let doubts = &comparison.doubts;
        let of = |scenario, name, unknown: &BTreeSet<String>| {
            let found = ComparedOutcome::of(scenario, name);
            let cluster = found.as_ref().and_then(|side| side.unknown(unknown));
            (found.filter(|_| cluster.is_none()), cluster)
        };
        let old_name = old_name.unwrap_or(name);
        let (before, unknown_before) = of(&comparison.old, old_name, &doubts.unknown_old);
        let (after, unknown_after) = of(&comparison.new, name, &doubts.unknown_new);
        let mut sides = before.iter().chain(&after);
        let sides_have_subsets = sides.any(has_subsets);
        Self {
            traffic: traffic(before.as_ref(), after.as_ref()),
            effect: match difference {
                Some(difference) => cluster_effect(difference),
                None => comparison.equal_effect().into(),
            },
            rows: difference.map_or_else(Vec::new, cluster_rows),
            is_equal: difference.is_none_or(is_equal),
            has_subsets: sides_have_subsets,
            name: name.into(),
            before,
            after,
            unknown: [unknown_before, unknown_after],
        }
    }
}

/// Whether no request differs now.
fn is_equal(difference: &ClusterDiff) -> bool {
    matches!(
        difference.status,
        ClusterVerdict::Equal | ClusterVerdict::EqualNow | ClusterVerdict::Renamed
    )
}

impl ComparedOutcome {
    /// The result of a cluster; `None` for an unknown name, and for a cluster whose requests name their hosts.
    fn of(scenario: &EditedScenario, name: &str) -> Option<Self> {
        let scenario = only(scenario, name)?;
        let outcome = ScenarioOutcome::of(&scenario);
        Some(Self {
            names: outcome.names(),
            scenario,
            outcome,
        })
    }

    /// The cluster whose hosts are not known, if requests reach it; `names` has those of the whole side.
    fn unknown(&self, names: &BTreeSet<String>) -> Option<String> {
        let mut reached = self.scenario.clusters().iter();
        let own = self.outcome.unknown_hosts.clone();
        own.or_else(|| {
            let named = reached.find(|of| names.contains(&of.name));
            named.map(|of| of.name.clone())
        })
    }
}

/// A cluster with those that it reaches: compiling all others would take long.
fn only(scenario: &EditedScenario, name: &str) -> Option<EditedScenario> {
    let mut clusters = scenario.clusters().iter();
    let root = clusters.position(|cluster| cluster.name == name)?;
    let limits = ClusterLimits::new(scenario.clusters());
    let reached: Vec<usize> = limits.reached(root).collect();
    let own = reached.iter().filter_map(|at| scenario.clusters().get(*at));
    let place = reached.iter().position(|at| *at == root)?;
    let found = EditedScenario::new(own.cloned().collect(), place).ok()?;
    Some(found.with_origin(scenario.origin.clone()))
}

fn has_subsets(of: &ComparedOutcome) -> bool {
    let mut clusters = of.scenario.clusters().iter();
    clusters.any(|cluster| match &cluster.kind {
        ClusterKind::Plain(plain) => plain.subsets.is_some(),
        ClusterKind::Aggregate(_) | ClusterKind::Composite(_) | ClusterKind::OriginalDst(_) => {
            false
        }
    })
}

/// How requests move by priority, and by locality if there are several.
fn traffic(
    before: Option<&ComparedOutcome>,
    after: Option<&ComparedOutcome>,
) -> Vec<(TrafficOwner, TrafficChange)> {
    let (Some(before), Some(after)) = (before, after) else {
        return Vec::new();
    };
    let shown = |of: &ComparedOutcome| {
        let id = of
            .outcome
            .snapshot
            .cluster_id(of.scenario.name(of.scenario.root()));
        id.filter(|_| of.outcome.unknown_hosts.is_none())
    };
    let (Some(old), Some(new)) = (shown(before), shown(after)) else {
        return Vec::new();
    };
    let owners = [TrafficOwner::Priority, TrafficOwner::Locality];
    let found = owners.into_iter().filter_map(|owner| {
        let change = traffic_change(
            (&before.outcome.snapshot, old),
            (&after.outcome.snapshot, new),
            &Metadata::EMPTY,
            owner,
        )?;
        let several = change.before.len() > 1 || change.after.len() > 1;
        (owner == TrafficOwner::Priority || several).then_some((owner, change))
    });
    found.collect()
}
