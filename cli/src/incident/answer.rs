//! The answer of `incident` as data.

use spillgate_answers::{input::Faults, limits::Limits};
use spillgate_incident::{
    ExpectedIncident, IncidentPlan, IncidentReport, IncidentScript, IncidentSetup, RequestLoad,
    TimeSetting,
};

use super::{
    args::IncidentArgs,
    asked::{Asked, EventPlace},
    cluster_setups::{ClusterSetup, ClusterSetups},
    runs::{self, Job},
};
use crate::config::Config;

/// The clusters over time.
pub(super) struct IncidentAnswer {
    pub(super) script: IncidentScript,
    pub(super) clusters: Vec<ClusterIncident>,
    /// The settings that are not modeled and concern the clusters.
    pub(super) limits: Limits,
}

/// One cluster over time.
pub(super) struct ClusterIncident {
    pub(super) setup: IncidentSetup,
    pub(super) plan: IncidentPlan,
    pub(super) report: IncidentReport,
    pub(super) expectations: Vec<ExpectedIncident>,
    /// What the model does not cover.
    pub(super) doubts: Vec<String>,
    /// The settings that decide times, with their places.
    pub(super) settings: Vec<LocatedSetting>,
}

/// A setting that decides a time.
pub(super) struct LocatedSetting {
    pub(super) setting: TimeSetting,
    /// `FILE:LINE`, of a default that of its message; `None` if no text states it.
    pub(super) place: Option<String>,
}

impl IncidentAnswer {
    /// Simulates the clusters.
    ///
    /// # Errors
    /// Events that select no host of any cluster.
    pub(super) fn new(
        config: &Config,
        asked: &Asked,
        args: &IncidentArgs,
        setups: ClusterSetups,
    ) -> Result<Self, Faults> {
        let plans = plans(asked, &setups.clusters)?;
        let pairs = || setups.clusters.iter().zip(&plans);
        let jobs = pairs().map(|(cluster, plan)| Job {
            setup: &cluster.setup,
            plan,
            stated: args.runs,
        });
        let jobs: Vec<Job<'_>> = jobs.collect();
        let ran = runs::run(&jobs, args.seed)?;
        drop(jobs);
        let parts = setups.clusters.into_iter().zip(plans).zip(ran);
        let clusters = parts.map(|((cluster, plan), ran)| {
            let report = IncidentReport::new(&cluster.setup, &plan, &ran);
            let expectations = asked.expectations.iter().map(|of| of.check(&report));
            let settings = report.settings.iter().map(|setting| LocatedSetting {
                place: place(config, setting),
                setting: setting.clone(),
            });
            ClusterIncident {
                expectations: expectations.collect(),
                settings: settings.collect(),
                doubts: doubts(asked, cluster.doubts),
                setup: cluster.setup,
                plan,
                report,
            }
        });
        Ok(Self {
            script: asked.script.clone(),
            clusters: clusters.collect(),
            limits: setups.limits,
        })
    }

    /// Whether an expectation does not hold in some cluster.
    pub(super) fn fails(&self) -> bool {
        let expectations = self.clusters.iter().flat_map(|of| &of.expectations);
        expectations.into_iter().any(|expected| !expected.ok)
    }

    /// What the model does not cover, each once.
    pub(super) fn doubts(&self) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for doubt in self.clusters.iter().flat_map(|of| &of.doubts) {
            if !all.contains(doubt) {
                all.push(doubt.clone());
            }
        }
        all
    }
}

/// The plan of each cluster. An event must select a host of some cluster.
fn plans(asked: &Asked, clusters: &[ClusterSetup]) -> Result<Vec<IncidentPlan>, Faults> {
    let mut plans = Vec::new();
    let mut missed = vec![Vec::new(); asked.script.events.len()];
    for cluster in clusters {
        let (plan, faults) = IncidentPlan::new(&asked.script, cluster.setup.scene());
        for (event, fault) in faults {
            if let Some(missed) = missed.get_mut(event) {
                missed.push(fault);
            }
        }
        plans.push(plan);
    }
    let mut wrong = Faults::default();
    for (missed, place) in missed.into_iter().zip(&asked.places) {
        if missed.len() < clusters.len() {
            continue;
        }
        let merged = missed.into_iter().reduce(|fault, other| fault.or(&other));
        wrong.extend(
            merged
                .as_ref()
                .map(|fault| EventPlace::faults(place, fault))
                .unwrap_or_default(),
        );
    }
    if wrong.is_empty() {
        Ok(plans)
    } else {
        Err(wrong)
    }
}

/// What the model does not cover, with what the script adds.
fn doubts(asked: &Asked, mut doubts: Vec<String>) -> Vec<String> {
    if asked.script.load.is_assumed() {
        doubts.push(format!(
            "--rps is not stated: counts of requests are those of {} requests/s, and rows of failures take longer with fewer",
            RequestLoad::DEFAULT_RPS
        ));
    }
    doubts
}

/// Where a setting is stated.
fn place(config: &Config, setting: &TimeSetting) -> Option<String> {
    if let Some(health) = config.health_in_mesh(&setting.cluster) {
        let place = health.place_of(setting.check, setting.field)?;
        let text = config.texts.get(place.file)?;
        return Some(format!("{}:{}", text.name, place.position.line));
    }
    let (files, marks) = (config.files(), &config.envoy.marks);
    let health = marks.cluster(&setting.cluster)?.health.as_deref()?;
    let place = health.place_of(setting.check, setting.field)?;
    let found = files.place(place.position);
    Some(format!("{}:{}", found.name, found.position.line))
}
