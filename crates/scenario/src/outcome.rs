//! The report of a scenario, arranged for the playground.

use spillgate_core::{
    model::{Endpoint, Metadata},
    snapshot::Snapshot,
    trace::PriorityRef,
};
use spillgate_explain::report::{ClusterReport, LocalityReport, PriorityReport, ResultVerdict};
use spillgate_sim::{LossModel, PriorityLoss, Spillover, ZoneMargin};

use super::{EditedScenario, HostAt, PriorityAt, ShortNames, import::unknown_hosts};

/// The longest names of clusters and localities that are shown whole, relative to the font size.
const CLUSTER_ROOM: f64 = 13.0;
const ZONE_ROOM: f64 = 11.0;

/// The result of a scenario.
#[derive(Debug, Clone)]
pub struct ScenarioOutcome {
    /// The compiled scenario; explanations read it.
    pub snapshot: Snapshot,
    /// The shown cluster; `None` if the scenario has no cluster.
    report: Option<ClusterReport>,
    /// The cluster whose hosts are not known, if requests reach it.
    pub unknown_hosts: Option<String>,
    /// The members of an aggregate; empty for a plain cluster.
    pub clusters: Vec<ClusterRow>,
    /// The smallest loss in one priority that causes panic mode.
    pub panic_margin: Option<PriorityLoss>,
}

/// A member of an aggregate.
#[derive(Debug, Clone, PartialEq)]
pub struct ClusterRow {
    /// Its place in the scenario.
    pub at: usize,
    /// Its name.
    pub name: String,
    /// The places of its priorities in [`ScenarioOutcome::priorities`].
    pub priorities: Vec<usize>,
    /// The sum of their loads.
    pub load: u32,
    /// The share of the requests that its hosts serve, in percent.
    pub served: f64,
    /// The number of its hosts.
    pub hosts: usize,
    /// The number of its healthy hosts.
    pub healthy: usize,
}

/// A host and its share.
#[derive(Debug, Clone, PartialEq)]
pub struct HostRow<'a> {
    /// Its priority and index.
    pub at: HostAt,
    /// The host itself.
    pub endpoint: &'a Endpoint,
    /// Its share of the requests, in percent.
    pub share: f64,
}

/// The place of a priority in the scenario.
#[must_use]
pub const fn priority_at(at: PriorityRef) -> PriorityAt {
    PriorityAt {
        cluster: at.cluster.index(),
        priority: at.priority,
    }
}

impl ScenarioOutcome {
    /// Compiles a scenario and reports on its cluster.
    #[must_use]
    pub fn of(scenario: &EditedScenario) -> Self {
        Self::in_state(scenario, Snapshot::build(scenario.model()))
    }

    /// Reports on the cluster of a scenario in a snapshot of it, in which hosts may have other health.
    #[must_use]
    pub fn in_state(scenario: &EditedScenario, snapshot: Snapshot) -> Self {
        let model = scenario.model();
        let root = snapshot.clusters().nth(scenario.root());
        let report =
            root.and_then(|(root, _)| ClusterReport::of(model, &snapshot, root, &Metadata::EMPTY));
        let rows = report.as_ref().map_or(&[][..], |report| &report.priorities);
        let members = report.iter().flat_map(|report| &report.members);
        let clusters = members.filter_map(|member| {
            let id = snapshot.cluster_id(&member.cluster)?;
            let own = rows.iter().filter(|row| row.row.at.cluster == id);
            let once = own.clone().filter(|row| !row.repeated);
            snapshot.plain(id).map(|_| ClusterRow {
                at: id.index(),
                name: member.cluster.clone(),
                priorities: own.clone().map(|row| row.place).collect(),
                load: own.clone().map(|row| row.row.load()).sum(),
                served: once.clone().map(PriorityReport::share).sum(),
                hosts: once.clone().map(|row| row.hosts.len()).sum(),
                healthy: once.map(PriorityReport::healthy).sum(),
            })
        });
        let unknown_hosts = root.and_then(|(root, _)| unknown_hosts(scenario, &snapshot, root));
        let mut outcome = Self {
            clusters: clusters.collect(),
            panic_margin: None,
            unknown_hosts,
            report,
            snapshot,
        };
        outcome.panic_margin = outcome.losses().and_then(|losses| losses.panic_margin());
        outcome
    }

    /// Gives the rows of a composite cluster the places that they have in a list, so that each member keeps its
    /// color: the rows are those of the members that serve, which losses change.
    pub fn keep_places(&mut self, rows: impl Iterator<Item = PriorityRef>) {
        if !self.is_composite() {
            return;
        }
        let rows: Vec<PriorityRef> = rows.collect();
        let own = self.report.iter_mut();
        for row in own.flat_map(|report| &mut report.priorities) {
            let place = rows.iter().position(|at| *at == row.row.at);
            row.place = place.unwrap_or(row.place);
        }
    }

    /// The losses of hosts of the shown cluster; `None` if hosts are not known.
    fn losses(&self) -> Option<LossModel<'_>> {
        let report = self.report.as_ref();
        let report = report.filter(|_| self.unknown_hosts.is_none())?;
        Some(LossModel::new(
            &self.snapshot,
            report.cluster,
            &Metadata::EMPTY,
        ))
    }

    /// The smallest loss that moves load from the first priority with load. Not a field, because not
    /// every module shows it.
    #[must_use]
    pub fn spillover(&self) -> Option<Spillover> {
        self.losses()?.spillover()
    }

    /// The effect of losing any one zone. Not a field, because not every module shows it.
    #[must_use]
    pub fn zone_margin(&self) -> Option<ZoneMargin> {
        ZoneMargin::of(&self.losses()?)
    }

    /// The priorities, in the order in which requests fill them.
    #[must_use]
    pub fn priorities(&self) -> &[PriorityReport] {
        self.report
            .as_ref()
            .map_or(&[], |report| &report.priorities)
    }

    /// The short forms of the names of the cluster, its members and its localities. Not a field, because
    /// not every module shows names.
    #[must_use]
    pub fn names(&self) -> ShortNames {
        let root = self.report.iter().map(|report| report.name.as_str());
        let members = self.clusters.iter().map(|row| row.name.as_str());
        let zones = self.priorities().iter().flat_map(|row| &row.localities);
        let zones: Vec<String> = zones.map(LocalityReport::title).collect();
        let zones = ShortNames::of(zones.iter().map(String::as_str), ZONE_ROOM);
        ShortNames::of(members.chain(root), CLUSTER_ROOM).and(zones)
    }

    /// The share of the requests that find no host, in percent; 0 if hosts are not known.
    #[must_use]
    pub fn no_host(&self) -> f64 {
        let report = self
            .report
            .as_ref()
            .filter(|_| self.unknown_hosts.is_none());
        report.map_or(0.0, |report| report.no_host)
    }

    /// The share of the requests that the cluster drops by configuration (`drop_overloads`), in percent.
    #[must_use]
    pub(crate) fn dropped(&self) -> f64 {
        let report = self.report.as_ref();
        let report = report.filter(|_| self.unknown_hosts.is_none());
        report.map_or(0.0, |report| report.dropped(&self.snapshot))
    }

    /// The worst that is true.
    #[must_use]
    pub fn verdict(&self) -> ResultVerdict {
        let unknown = self.unknown_hosts.as_deref();
        let of = |report| ResultVerdict::of(report, &self.snapshot, unknown);
        self.report.as_ref().map_or(ResultVerdict::OVERLOAD, of)
    }

    /// The availability of all priorities together, at most 100.
    #[must_use]
    pub fn availability(&self) -> u32 {
        let report = self.report.as_ref();
        report.map_or(0, |report| report.totals.availability)
    }

    /// The panic threshold that the loads depend on, in percent.
    #[must_use]
    pub fn threshold(&self) -> u32 {
        let totals = self.report.as_ref().map(|report| report.totals);
        totals.map_or(0, |totals| totals.panic_threshold)
    }

    /// The report of a priority, if it is shown.
    #[must_use]
    pub fn priority(&self, at: PriorityAt) -> Option<&PriorityReport> {
        self.priorities()
            .iter()
            .find(|row| priority_at(row.row.at) == at)
    }

    /// Whether the shown cluster is a composite cluster. The loads of its rows are those of each
    /// member alone.
    #[must_use]
    pub(crate) fn is_composite(&self) -> bool {
        let report = self.report.as_ref();
        report.is_some_and(|report| report.kind == "composite")
    }

    /// Whether the shown cluster is an aggregate.
    #[must_use]
    pub const fn is_aggregate(&self) -> bool {
        !self.clusters.is_empty()
    }

    /// `P1`, or `shop-primary/P1` under an aggregate.
    #[must_use]
    pub fn id(&self, row: &PriorityReport) -> String {
        if self.is_aggregate() {
            format!("{}/{}", row.owner, row.short())
        } else {
            row.short()
        }
    }

    /// The share of a host, in percent.
    #[must_use]
    pub fn host_share(&self, at: HostAt) -> f64 {
        let share = self
            .priority(at.priority)
            .and_then(|row| row.hosts.get(at.host));
        share.copied().unwrap_or(0.0)
    }

    /// The hosts of a priority with their shares.
    pub fn hosts<'a>(&'a self, row: &'a PriorityReport) -> impl Iterator<Item = HostRow<'a>> + 'a {
        let hosts = row.hosts.iter().enumerate();
        hosts.filter_map(|(host, &share)| {
            Some(HostRow {
                at: HostAt {
                    priority: priority_at(row.row.at),
                    host,
                },
                endpoint: self.snapshot.endpoint(row.host(host))?,
                share,
            })
        })
    }

    /// Whether the share of a priority differs from its load.
    #[must_use]
    pub fn shares_differ_from_loads(&self) -> bool {
        let differs = |row: &PriorityReport| (row.share() - f64::from(row.row.load())).abs() > 0.05;
        self.priorities().iter().any(differs)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ScenarioEdit, apply, preset};
    use super::*;

    fn loads(outcome: &ScenarioOutcome) -> Vec<u32> {
        outcome
            .priorities()
            .iter()
            .map(|row| row.row.load())
            .collect()
    }

    #[test]
    fn the_rows_of_envoys_documentation() {
        let mut scenario = preset("two-priorities").unwrap();
        let p0 = PriorityAt {
            cluster: 0,
            priority: 0,
        };
        for (healthy, expected) in [
            (72, [100, 0]),
            (71, [99, 1]),
            (50, [70, 30]),
            (25, [35, 65]),
            (0, [0, 100]),
        ] {
            scenario =
                apply(&scenario, &ScenarioEdit::HealthyCount(p0, healthy)).unwrap_or(scenario);
            assert_eq!(
                loads(&ScenarioOutcome::of(&scenario)),
                expected,
                "{healthy}"
            );
        }
    }

    #[test]
    fn shares_of_hosts_zones_and_priorities_agree() {
        for id in ["documented", "degraded", "panic", "aggregate", "shop"] {
            let scenario = preset(id).unwrap();
            let outcome = ScenarioOutcome::of(&scenario);
            let priorities: f64 = outcome.priorities().iter().map(PriorityReport::share).sum();
            assert!(
                (priorities + outcome.no_host() - 100.0).abs() < 1e-6,
                "{id}"
            );
            for row in outcome.priorities() {
                let zones: f64 = row.localities.iter().map(|zone| zone.share).sum();
                let hosts: f64 = outcome.hosts(row).map(|h| h.share).sum();
                assert!((zones - row.share()).abs() < 1e-6, "{id}");
                assert!((hosts - row.share()).abs() < 1e-6, "{id}");
            }
        }
    }

    #[test]
    fn an_aggregate_shows_its_members() {
        let outcome = ScenarioOutcome::of(&preset("shop").unwrap());
        let names: Vec<_> = outcome
            .priorities()
            .iter()
            .map(|row| outcome.id(row))
            .collect();
        assert_eq!(names, ["shop-primary/P0", "shop-secondary/P0"]);
        let clusters: Vec<_> = outcome.clusters.iter().map(|c| (c.load, c.hosts)).collect();
        assert_eq!(clusters, [(84, 10), (16, 5)]);
    }
}
