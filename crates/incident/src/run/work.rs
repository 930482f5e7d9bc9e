//! How much work a run is, so that callers can limit the number of runs.

use core::time::Duration;

use spillgate_core::snapshot::ClusterId;

use super::plan::{IncidentPlan, PlannedEvent};
use crate::{
    script::{ErrorAnswers, HostBehavior},
    setup::{IncidentHealth, IncidentSetup},
};

/// The updates of workers that follow a change of hosts, roughly.
const UPDATES: f64 = 8.0;
/// The steps of a check, which has an event of its own.
const CHECK: f64 = 10.0;
/// The shortest time between checks or sweeps that counts, in seconds.
const SHORTEST: f64 = 1e-3;

/// The default number of runs of a small cluster.
const RUNS: usize = 20;
/// How many hosts the runs of a cluster simulate by default, at most.
const HOSTS: usize = 4_000;
/// How many steps the runs of a cluster have by default, at most: a few seconds.
const STEPS: f64 = 6e7;

impl IncidentPlan {
    /// How many runs are shown unless a number is stated, from 1: fewer of large clusters.
    #[must_use]
    pub fn default_runs(&self, setup: &IncidentSetup) -> usize {
        let most = HOSTS.checked_div(setup.scene.hosts().len()).unwrap_or(RUNS);
        let affordable = (STEPS / self.steps(setup).max(1.0)) as usize;
        affordable.clamp(1, most.clamp(1, RUNS))
    }

    /// About how many steps a run simulates: checks, hosts in sweeps and updates, and drawn results of requests. A
    /// step takes about 0.05 microseconds: measured for sweeps of 10,000 hosts and for 9 million results.
    #[must_use]
    pub fn steps(&self, setup: &IncidentSetup) -> f64 {
        let hosts = setup.scene.hosts();
        let end = self.script.end();
        let edges = self.edges(end).len() as f64;
        let updates = hosts.len() as f64 * (1.0 + edges + UPDATES * self.events().len() as f64);
        let clusters = setup.health.iter();
        let clusters = clusters.map(|(cluster, settings)| self.steps_of(setup, *cluster, settings));
        updates + clusters.sum::<f64>()
    }

    /// The checks, sweeps and results of one cluster.
    fn steps_of(
        &self,
        setup: &IncidentSetup,
        cluster: ClusterId,
        settings: &IncidentHealth,
    ) -> f64 {
        let seconds = self.script.end().as_secs_f64();
        let hosts = setup.scene.hosts().iter().enumerate();
        let own = hosts.filter(|(_, at)| at.cluster == cluster);
        let (all, concerned) = own.fold((0.0, 0.0), |(all, concerned), (number, _)| {
            let more = f64::from(u8::from(self.concerns(number)));
            (all + 1.0, concerned + more)
        });
        let checks = settings.checks.iter().map(|check| {
            let intervals = [check.interval].into_iter().chain(check.unhealthy_interval);
            CHECK * (all + concerned * times(seconds, intervals.min().unwrap_or_default()))
        });
        let Some(outlier) = &settings.outlier else {
            return checks.sum();
        };
        let mixed = self.events().iter().map(|event| self.results(setup, event));
        checks.sum::<f64>() + all * times(seconds, outlier.interval) + mixed.sum::<f64>()
    }

    /// The drawn results of an event: rows of successes and errors in turn. All hosts get the same part here.
    fn results(&self, setup: &IncidentSetup, of: &PlannedEvent) -> f64 {
        let HostBehavior::Errors(ErrorAnswers { part, .. }) = of.event.behavior else {
            return 0.0;
        };
        let end = self.script.end();
        let to = of.event.span.to.map_or(end, |to| to.min(end));
        let time = to.saturating_sub(of.event.span.from).as_secs_f64();
        let share = of.hosts.len() as f64 / setup.scene.hosts().len().max(1) as f64;
        let attempts = self.script.load.highest() * time * share;
        attempts * 2.0 * part * (1.0 - part)
    }
}

/// How often an interval fits into a time.
fn times(seconds: f64, interval: Duration) -> f64 {
    seconds / interval.as_secs_f64().max(SHORTEST)
}
