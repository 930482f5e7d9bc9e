//! What `spillgate incident` predicts for a trial: its configuration and script, with many seeds.

use std::ops::Range;

use anyhow::{Context as _, Result, anyhow, ensure};
use spillgate_config::envoy::{EnvoyConfig, Format, read};
use spillgate_core::model::{Cluster, Model};
use spillgate_incident::envoy::{ConfigOrigin, health_of, route_of};
use spillgate_incident::{IncidentPlan, IncidentRun, IncidentScript, IncidentSetup, RequestTotals};

/// A cluster with a script.
#[derive(Debug)]
pub(super) struct PredictedTrial {
    setup: IncidentSetup,
    plan: IncidentPlan,
    /// What the answer names as not known.
    pub(super) doubts: Vec<String>,
}

/// Reads the configuration of a batch.
///
/// # Errors
/// What is wrong in it.
pub(super) fn read_config(text: &str) -> Result<EnvoyConfig> {
    read(text, Format::Json).map_err(|faults| anyhow!("{faults:?}"))
}

/// What a run predicts.
#[derive(Debug, Clone, Copy)]
pub(super) struct PredictedRun {
    pub(super) totals: RequestTotals,
    /// How often hosts, the lists of the workers or the load change.
    pub(super) changes: usize,
}

impl PredictedTrial {
    /// A cluster of a configuration, as the command takes it.
    ///
    /// # Errors
    /// When there is no such cluster, or an event selects no host.
    pub(super) fn new(config: &EnvoyConfig, name: &str, script: &IncidentScript) -> Result<Self> {
        let mut doubts = Vec::new();
        let origin = ConfigOrigin::Envoy;
        let route = route_of(config, name, origin, &mut doubts);
        let marks = config.marks.cluster(name).context("no cluster")?;
        let settings = marks.health.as_deref().context("no settings")?;
        let breakers = &marks.circuit_breakers;
        let health = health_of(name, (settings, breakers), route.priority, &mut doubts);
        let health = vec![(name.to_owned(), health)];
        let clusters = config.model.clusters().iter();
        let own = clusters.filter(|cluster| cluster.name == name);
        let own = own.map(|cluster| Cluster::clone(cluster)).collect();
        let model = Model::new(own).map_err(|faults| anyhow!("{faults:?}"))?;
        let setup = IncidentSetup::new(model, name, route.criteria, health);
        let setup = setup.context("no hosts")?;
        let setup = setup
            .with_route(route.retry, route.timeouts)
            .with_retry_limits(route.retry_limits)
            .with_hash(route.has_hash)
            .with_sessions(route.sessions);
        let (plan, faults) = IncidentPlan::new(script, setup.scene());
        ensure!(faults.is_empty(), "{faults:?}");
        doubts.extend(setup.doubts(script));
        Ok(Self {
            setup,
            plan,
            doubts,
        })
    }

    /// The runs with these seeds.
    pub(super) fn runs(&self, seeds: Range<u64>) -> Vec<PredictedRun> {
        seeds.map(|seed| self.run(seed)).collect()
    }

    /// The run with this seed.
    pub(super) fn run(&self, seed: u64) -> PredictedRun {
        let run = IncidentRun::new(&self.setup, &self.plan, seed);
        PredictedRun {
            totals: run.totals,
            changes: run.rows.len(),
        }
    }
}
