//! The answer of `fleet` as data.

use std::collections::BTreeSet;

use spillgate_answers::{input::Faults, limits::Limits};
use spillgate_config::Diagnostic;
use spillgate_explain::format::{plain, plural};
use spillgate_sim::fleet::{
    CallerClass, CapacityRule, CaseReport, Fleet, FleetReport, FleetZone, LocalClusterHosts,
    fleet_verdict,
};

use super::{asked::Asked, stated::Stated, views::Views};

/// The loads of a fleet.
pub(super) struct FleetAnswer {
    /// The names of the clusters or destinations in question.
    pub(super) clusters: Vec<String>,
    pub(super) fleet: Fleet,
    pub(super) report: FleetReport,
    pub(super) verdict: String,
    pub(super) expectations: Vec<ExpectedFleet>,
    /// The settings that are not modeled and concern the clusters.
    pub(super) limits: Limits,
}

/// The result of an expectation.
pub(super) struct ExpectedFleet {
    pub(super) expr: String,
    pub(super) ok: bool,
    pub(super) value: Option<f64>,
    /// The index of the case with this value.
    pub(super) case: usize,
}

impl FleetAnswer {
    /// Evaluates the fleet.
    ///
    /// # Errors
    /// Capacities that select no host, name several zones or miss a host, too few zones, and expectations without
    /// their figures.
    pub(super) fn new(asked: Asked, views: Views) -> Result<Self, Faults> {
        let scopes = asked.expectations.iter().map(|(_, of)| of.scope.lost());
        let wanted = scopes
            .chain([asked.n_minus.unwrap_or(1)])
            .max()
            .unwrap_or(1);
        let report = asked.fleet.report(wanted).map_err(|found| {
            let mut wrong = Faults::default();
            for (at, fault) in found {
                if let Some(stated) = asked.capacities.get(at) {
                    wrong.extend(stated.faults(&[fault]));
                }
            }
            wrong
        })?;
        let mut wrong = ambiguous_capacities(&asked.capacities, &report);
        if let Some(fault) = missing_capacity(&report) {
            wrong.push("--capacity", &fault);
        }
        let most = report
            .cases
            .iter()
            .map(|case| case.lost.len())
            .max()
            .unwrap_or(0);
        if let Some(count) = asked.n_minus.filter(|count| usize::from(*count) > most) {
            let fault = Diagnostic::error("fleet/no-zones", "too few zones with hosts");
            let found = plain(&plural(usize::from(count), "lost zone"));
            wrong.push(
                "--n-minus",
                &fault.found(found).expected(format!("at most {most}")),
            );
        }
        let mut expectations = Vec::new();
        for (stated, expectation) in &asked.expectations {
            match expectation.check(&report) {
                Ok(found) => expectations.push(ExpectedFleet {
                    expr: expectation.text.clone(),
                    ok: found.checked.ok,
                    value: found.checked.value,
                    case: found.case,
                }),
                Err(fault) => wrong.extend(stated.faults(&[fault])),
            }
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        Ok(Self {
            verdict: fleet_verdict(&report),
            clusters: views.clusters,
            fleet: asked.fleet,
            report,
            expectations,
            limits: views.limits,
        })
    }

    /// The callers with their zones, in the order of the options.
    pub(super) fn callers(&self) -> &[CallerClass] {
        &self.fleet.classes
    }

    /// The requests per second of a class to all clusters in question.
    pub(super) fn sent(&self, class: &CallerClass) -> f64 {
        let targets = self.fleet.configs.get(class.config);
        let targets = targets.into_iter().flat_map(|config| &config.targets);
        targets.fold(0.0, |sum, target| sum + class.requests() * target.part)
    }

    /// What decides zone-aware routing; `None` if no configuration has a local cluster.
    pub(super) fn local(&self) -> Option<LocalClusterHosts> {
        let mut configs = self.fleet.configs.iter();
        let has_local = configs.any(|config| config.model.local().cluster.is_some());
        has_local.then_some(self.fleet.local)
    }

    /// The case with all zones.
    pub(super) fn present(&self) -> Option<&CaseReport> {
        self.report.present()
    }

    /// The highest load of a zone over all cases as a measure of how bad it is: its utilization, or without
    /// capacities its load; and the index of the case.
    pub(super) fn worst_of_zone(&self, zone: usize) -> (f64, usize) {
        let mut worst = (0.0, 0);
        for (at, case) in self.report.cases.iter().enumerate() {
            let Some(of) = case.zones.get(zone) else {
                continue;
            };
            let measure = self.report.measure(of);
            if measure > worst.0 {
                worst = (measure, at);
            }
        }
        worst
    }
}

/// The faults of capacities of a zone that hosts in several regions have.
fn ambiguous_capacities(capacities: &[Stated], report: &FleetReport) -> Faults {
    let hosts = report.hosts.iter().filter(|host| !host.relays);
    let zones = hosts.filter_map(|host| report.zones.get(host.zone));
    let zones: BTreeSet<&FleetZone> = zones.collect();
    let zones: Vec<FleetZone> = zones.into_iter().cloned().collect();
    let mut wrong = Faults::default();
    let mut last = None;
    for stated in capacities {
        // Each rule of a text has this text.
        if last == Some(&stated.text) {
            continue;
        }
        last = Some(&stated.text);
        let found = CapacityRule::ambiguous(&stated.text, &zones);
        if !found.is_empty() {
            wrong.extend(stated.faults(&found));
        }
    }
    wrong
}

/// Once a capacity is given, each host needs one: the sums of a zone would miss the others.
fn missing_capacity(report: &FleetReport) -> Option<Diagnostic> {
    let hosts = || report.hosts.iter().filter(|host| !host.relays);
    if hosts().all(|host| host.capacity.is_none()) {
        return None;
    }
    let without = || hosts().filter(|host| host.capacity.is_none());
    let first = without().next()?;
    let found = format!(
        "{} of {} hosts without one, such as {} in zone {}",
        without().count(),
        hosts().count(),
        first.address,
        report.zone_name(first.zone)
    );
    let fault = Diagnostic::error("fleet/no-capacity", "the capacity of a host is not known");
    Some(
        fault
            .found(found)
            .expected("a capacity for all hosts, such as 200rps"),
    )
}
