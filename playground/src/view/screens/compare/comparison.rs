//! The report of both sides.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use spillgate_codec::import::{ComparisonAnswer, SideRequests};
use spillgate_core::model::ClusterKind;
use spillgate_diff::{
    ClusterDiff, ClusterRequests, DiffReport, DiffSide, RoutedRequests, diff_clusters,
    diff_clusters_for,
};
use spillgate_scenario::EditedScenario;

use super::RouteComparison;
use crate::state::{ComparedSide, ComparisonDoubts};

/// Two scenarios with the differences of their clusters, and of the routes and settings of their imports.
#[derive(Debug, Clone)]
pub struct ScenarioComparison {
    /// The old side.
    pub old: Rc<EditedScenario>,
    /// The new side.
    pub new: Rc<EditedScenario>,
    /// The differences, the worst first.
    pub report: Rc<DiffReport>,
    /// The differences of routes and settings.
    pub routes: RouteComparison,
    /// Why equal scenarios do not prove that their configurations are equal.
    pub doubts: ComparisonDoubts,
}

/// Only the same comparison is equal: comparing all of it would take longer than drawing it.
impl PartialEq for ScenarioComparison {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

impl ScenarioComparison {
    /// Compares two scenarios.
    #[must_use]
    pub fn new(old: &ComparedSide, new: &Rc<EditedScenario>) -> Self {
        let doubts = old.doubts(new);
        let unknown = (sources(&doubts.unknown_old), sources(&doubts.unknown_new));
        let report = diff_clusters(&side(&old.scenario, &unknown.0), &side(new, &unknown.1));
        Self {
            old: Rc::clone(&old.scenario),
            new: Rc::clone(new),
            report: Rc::new(report),
            routes: RouteComparison::Without,
            doubts,
        }
    }

    /// The same comparison with what is known about routes. Their requests can have subset criteria and sessions.
    #[must_use]
    pub fn with_routes(&self, routes: RouteComparison) -> Self {
        let report = match routes.answer() {
            Some(answer) => Rc::new(self.report_for(answer)),
            None => Rc::clone(&self.report),
        };
        Self {
            routes,
            report,
            ..self.clone()
        }
    }

    fn report_for(&self, answer: &ComparisonAnswer) -> DiffReport {
        let doubts = &self.doubts;
        let unknown = (sources(&doubts.unknown_old), sources(&doubts.unknown_new));
        diff_clusters_for(
            (&side(&self.old, &unknown.0), requests(&answer.old_requests)),
            (&side(&self.new, &unknown.1), requests(&answer.new_requests)),
        )
    }

    /// Whether both sides are the same scenario.
    #[must_use]
    pub fn is_same(&self) -> bool {
        Rc::ptr_eq(&self.old, &self.new)
    }

    /// The difference of a cluster; `None` if it is proved to be equal.
    #[must_use]
    pub fn difference(&self, name: &str) -> Option<&ClusterDiff> {
        let mut clusters = self.report.clusters.iter();
        clusters.find(|cluster| cluster.name == name)
    }

    /// The cluster with this name, or the worst one; `None` without clusters.
    #[must_use]
    pub fn chosen(&self, name: &str) -> Option<&str> {
        let differing = self.report.clusters.iter().map(|cluster| &cluster.name);
        let mut all = differing.chain(&self.report.equal_clusters);
        let known = all.clone().find(|known| *known == name);
        known.or_else(|| all.next()).map(String::as_str)
    }

    /// Whether equal clusters of both scenarios are equal in the configurations.
    #[must_use]
    pub fn is_proof(&self) -> bool {
        let doubts = &self.doubts;
        // The answer has the values of all settings, of which the scenarios have only the effects.
        let has_equal_settings = match &self.routes {
            RouteComparison::Without => doubts.open_limits == 0,
            RouteComparison::Answered(answer) => answer.limits.is_empty(),
            RouteComparison::Loading | RouteComparison::Failed(_) => false,
        };
        has_equal_settings
            && doubts.dropped.is_empty()
            && doubts.missing_clusters == 0
            && doubts.unknown_old.is_empty()
            && doubts.unknown_new.is_empty()
            && !self.has_other_keys()
    }

    /// Whether other keys move than in the configurations: hashes of generated addresses choose hosts.
    #[must_use]
    pub fn has_other_keys(&self) -> bool {
        self.doubts.generated_addresses && (hashes(&self.old) || hashes(&self.new))
    }

    /// What the change does to a cluster without a difference.
    #[must_use]
    pub fn equal_effect(&self) -> &'static str {
        if self.is_proof() {
            "no request differs (proved)"
        } else {
            "no difference found"
        }
    }
}

/// Whether hashes choose hosts.
fn hashes(scenario: &EditedScenario) -> bool {
    let mut clusters = scenario.clusters().iter();
    clusters.any(|cluster| match &cluster.kind {
        ClusterKind::Plain(plain) => plain.policy.hashes(),
        ClusterKind::Aggregate(_) | ClusterKind::Composite(_) | ClusterKind::OriginalDst(_) => {
            false
        }
    })
}

/// Clusters whose hosts are from one source, because a scenario does not have it: equal ones are not proved to be
/// equal.
fn sources(unknown: &BTreeSet<String>) -> BTreeMap<String, String> {
    let names = unknown.iter().cloned();
    names.map(|name| (name, String::new())).collect()
}

fn requests(of: &SideRequests) -> RoutedRequests<'_> {
    let clusters = of.clusters.iter().map(|of| {
        let requests = ClusterRequests {
            criteria: of.criteria.iter().collect(),
            has_sessions: of.has_sessions,
            has_hashes: of.has_hashes,
        };
        (of.cluster.as_str(), requests)
    });
    RoutedRequests {
        clusters: clusters.collect(),
        read_metadata: of.read_metadata,
    }
}

/// A scenario has no listeners: the routes of imports are compared by a module of their own.
fn side<'a>(scenario: &'a EditedScenario, unknown: &'a BTreeMap<String, String>) -> DiffSide<'a> {
    DiffSide {
        model: scenario.model(),
        listeners: &[],
        unknown,
        resolved: None,
    }
}
