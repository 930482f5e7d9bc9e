//! The same incident with other settings: values of one setting (`--sweep`), or another configuration (`--compare`).

use spillgate_answers::{input::Faults, limits::Limits};
use spillgate_config::Diagnostic;
use spillgate_incident::{IncidentReport, SettingSweep};

use super::{
    answer::{ClusterIncident, IncidentAnswer},
    args::IncidentArgs,
    runs::{self, Job},
};

/// The compared cases of each cluster.
pub(super) struct Comparison {
    /// What differs: the name of the setting, or that of the other configuration.
    pub(super) subject: String,
    pub(super) cases: Vec<ComparedCase>,
    /// What is not known about the other configuration; `None` for the values of a setting.
    pub(super) other: Option<OtherDoubts>,
}

/// What the model does not cover in the other configuration.
pub(super) struct OtherDoubts {
    name: String,
    pub(super) doubts: Vec<String>,
    pub(super) limits: Limits,
}

impl OtherDoubts {
    /// The doubts that the first configuration does not have, and the limits.
    pub(super) fn lines(&self, answer: &IncidentAnswer) -> Vec<String> {
        let known = answer.doubts();
        let own = self.doubts.iter().filter(|doubt| !known.contains(doubt));
        let own = own.map(|doubt| format!("{}: {doubt}", self.name));
        let limits = self.limits.text();
        own.chain(limits.lines().map(str::to_owned)).collect()
    }
}

/// A cluster in one case.
pub(super) struct ComparedCase {
    /// The value of the setting, or the name of the configuration.
    pub(super) name: String,
    pub(super) report: IncidentReport,
}

impl Comparison {
    /// The clusters with each value of a setting.
    ///
    /// # Errors
    /// If no cluster has the setting.
    pub(super) fn of_sweep(
        sweep: &SettingSweep,
        answer: &IncidentAnswer,
        args: &IncidentArgs,
    ) -> Result<Self, Faults> {
        let mut changed = Vec::new();
        for cluster in &answer.clusters {
            for value in &sweep.values {
                let setup = sweep.apply(&cluster.setup, *value);
                changed.extend(setup.map(|setup| (value.to_string(), setup, cluster)));
            }
        }
        if changed.is_empty() {
            let fault = Diagnostic::error("incident/sweep", "no cluster has this setting");
            let fault = fault.found(sweep.name.clone());
            let expected =
                "a setting of health_checks, outlier_detection or retry_policy in the input";
            return Err(Faults::one("--sweep", &fault.expected(expected)));
        }
        let jobs = changed.iter().map(|(_, setup, cluster)| Job {
            setup,
            plan: &cluster.plan,
            stated: args.runs,
        });
        let jobs: Vec<Job<'_>> = jobs.collect();
        let ran = runs::run(&jobs, args.seed)?;
        let cases = changed.iter().zip(ran);
        Ok(Self {
            subject: sweep.name.clone(),
            other: None,
            cases: cases
                .map(|((name, setup, cluster), ran)| ComparedCase {
                    name: name.clone(),
                    report: IncidentReport::new(setup, &cluster.plan, &ran),
                })
                .collect(),
        })
    }

    /// The clusters of both configurations, by name.
    pub(super) fn of_other(
        name: String,
        answer: &IncidentAnswer,
        compared: IncidentAnswer,
    ) -> Self {
        let mut cases = Vec::new();
        let case = |name: &str, of: &ClusterIncident| ComparedCase {
            name: name.to_owned(),
            report: of.report.clone(),
        };
        for cluster in &answer.clusters {
            let of = &cluster.report.cluster;
            cases.push(case("this one", cluster));
            let other = compared
                .clusters
                .iter()
                .find(|other| other.report.cluster == *of);
            cases.extend(other.map(|other| case(&name, other)));
        }
        for other in &compared.clusters {
            let of = &other.report.cluster;
            if !answer
                .clusters
                .iter()
                .any(|known| known.report.cluster == *of)
            {
                cases.push(case(&name, other));
            }
        }
        Self {
            subject: "configuration".into(),
            cases,
            other: Some(OtherDoubts {
                name,
                doubts: compared.doubts(),
                limits: compared.limits,
            }),
        }
    }
}
