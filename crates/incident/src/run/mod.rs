//! A simulation of one cluster: checks, ejections and deliveries as events, requests as expectations between them.

mod arrivals;
mod breaker;
mod breakers;
mod changes;
mod checks;
mod delivery;
mod ejections;
mod host;
mod in_flight;
mod ledger;
mod members;
mod outcomes;
mod plan;
mod probe;
mod queue;
mod record;
mod recorder;
mod results;
mod script_edges;
mod session_run;
mod sessions;
mod simulation;
mod slow_start;
mod start;
mod timeouts;
mod waiting;
mod work;

pub use changes::{ChangeKind, TimelineChange};
pub use host::DetectionCause;
pub use ledger::RequestTotals;
pub use plan::IncidentPlan;
pub(crate) use probe::fails_check;
pub use recorder::{HighestLoad, HostCounts, PanicSpan, PriorityMoment, SeenHost, TimelineRow};
pub use session_run::SessionOutcome;

use alloc::{
    collections::{BTreeMap, BTreeSet},
    vec::Vec,
};
use core::time::Duration;

use spillgate_core::snapshot::ClusterId;

use self::{recorder::SeenHosts, simulation::Simulation};
use crate::setup::IncidentSetup;

/// The result of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct IncidentRun {
    /// The seed.
    pub seed: u64,
    /// When each failing host that Envoy noticed failed, how long it took, and how; in configuration order.
    pub detections: Vec<HostDetection>,
    /// The numbers of failing hosts that Envoy did not notice.
    pub unnoticed: Vec<usize>,
    /// Attempts per second at the start, of the failing host with the fewest; `None` if no host fails.
    pub failing_rps: Option<f64>,
    /// The clusters that get requests at the start: the checks of others wait for `no_traffic_interval`.
    pub used_at_start: BTreeSet<ClusterId>,
    /// The clusters whose circuit breakers refused requests, and whether also those to hosts that work.
    pub opened: BTreeMap<ClusterId, bool>,
    /// All requests from the first event on.
    pub totals: RequestTotals,
    /// The requests from the first event until the last failing host was noticed, or to the end.
    pub until_detected: RequestTotals,
    /// The most loaded host that works, from the first event on.
    pub highest: Option<HighestLoad>,
    /// The priorities in panic mode, in the order of time.
    pub panic: Vec<PanicSpan>,
    /// The largest number of ejections in a row of a host, which multiplies `base_ejection_time`; 0 without any. Time
    /// without an ejection decreases it, as in Envoy.
    pub ejections_in_row: u32,
    /// From the end of the failures until the workers see the hosts as before; `None` if that does not happen in the
    /// simulated time.
    pub recovered: Option<Duration>,
    /// What became of the sessions; `None` without them.
    pub sessions: Option<SessionOutcome>,
    /// The rows.
    pub rows: Vec<TimelineRow>,
    /// The hosts at the start, then each change by time; empty unless [`IncidentRun::with_hosts`] asks for it.
    pub seen: Vec<SeenHost>,
}

/// A failing host that Envoy noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostDetection {
    /// The number of the host in configuration order.
    pub host: usize,
    /// When it failed.
    pub failed: Duration,
    /// How long it took.
    pub after: Duration,
    /// How Envoy noticed.
    pub cause: DetectionCause,
}

impl IncidentRun {
    /// Simulates a plan. The same seed gives the same run.
    #[must_use]
    pub fn new(setup: &IncidentSetup, plan: &IncidentPlan, seed: u64) -> Self {
        Self::of(Simulation::new(setup, plan, seed), plan, seed)
    }

    /// The same run, with how the workers see each host.
    #[must_use]
    pub fn with_hosts(setup: &IncidentSetup, plan: &IncidentPlan, seed: u64) -> Self {
        let mut simulation = Simulation::new(setup, plan, seed);
        simulation.recorder.seen = Some(SeenHosts::default());
        Self::of(simulation, plan, seed)
    }

    fn of(mut simulation: Simulation<'_>, plan: &IncidentPlan, seed: u64) -> Self {
        simulation.run();
        let sessions = simulation.session_outcome();
        let Simulation {
            hosts,
            lead,
            recorder,
            opened,
            since_onset,
            ..
        } = simulation;
        let hosts = hosts.iter().enumerate();
        let detections = hosts.clone().filter_map(|(number, host)| {
            let (failed, (at, cause)) = (host.failing_since?, host.detected?);
            Some(HostDetection {
                host: number,
                failed: failed.saturating_sub(lead),
                after: at.saturating_sub(failed),
                cause,
            })
        });
        let detections: Vec<HostDetection> = detections.collect();
        let failing = hosts
            .clone()
            .filter(|(_, host)| host.failing_since.is_some());
        let rates = failing.filter_map(|(number, _)| recorder.initial_rps(number));
        let failing_rps = rates.min_by(f64::total_cmp);
        let end = plan.failures_end();
        let recovered = match (end, recorder.same_since) {
            (Some(end), Some(_)) if !recorder.differed => {
                (end <= plan.script.end()).then_some(Duration::ZERO)
            }
            (Some(end), Some(since)) => Some(since.saturating_sub(end)),
            _ => None,
        };
        let unnoticed = hosts.filter(|(_, host)| host.is_unnoticed());
        let unnoticed: Vec<usize> = unnoticed.map(|(number, _)| number).collect();
        let at_detection = recorder.at_detection.filter(|_| unnoticed.is_empty());
        Self {
            seed,
            detections,
            unnoticed,
            failing_rps,
            used_at_start: recorder.used_at_start,
            opened,
            totals: since_onset,
            until_detected: at_detection.unwrap_or(since_onset),
            highest: recorder.highest,
            panic: recorder.panic,
            ejections_in_row: recorder.ejections_in_row,
            recovered,
            sessions,
            rows: recorder.rows,
            seen: recorder.seen.map(|seen| seen.changes).unwrap_or_default(),
        }
    }
}
