//! The answer about a cluster: figures over all runs, and the timeline of one of them.

mod band;
mod change_text;
mod check_times;
mod figure_text;
mod outlier_times;
mod sentences;
mod sessions;
mod settings;
mod time_text;

pub use band::{FigureBand, TimeBand};
pub use change_text::change_text;
pub use check_times::{SettingGoal, TimeSetting};
pub use figure_text::{percent_text, requests_text};
pub use sessions::ReportedSessions;
pub use settings::{BreakerLimit, EjectionLimit};
pub use time_text::time_text;

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};
use core::time::Duration;

use spillgate_explain::priority_name;
use spillgate_sim::LoadState;

use crate::{
    run::{DetectionCause, IncidentPlan, IncidentRun, PanicSpan, TimelineRow},
    script::HostEvent,
    setup::IncidentSetup,
    traffic::Cast,
};

/// The answer about one cluster.
#[derive(Debug, Clone, PartialEq)]
pub struct IncidentReport {
    /// The name of the cluster.
    pub cluster: String,
    /// The number of its hosts in the configuration.
    pub hosts: usize,
    /// The events that concern it.
    pub events: Vec<HostEvent>,
    /// The time of the first event; `None` without events.
    pub first: Option<Duration>,
    /// The end of the simulated time.
    pub end: Duration,
    /// The number of runs.
    pub runs: usize,
    /// The most hosts that fail in a run.
    pub failing: usize,
    /// The most failing hosts that Envoy does not notice in a run.
    pub unnoticed: usize,
    /// The number of runs with a failing host that Envoy does not notice.
    pub unnoticed_runs: usize,
    /// The fewest such hosts in these runs.
    pub unnoticed_least: usize,
    /// From a failure until Envoy notices it, of the first host.
    pub detected_first: TimeBand,
    /// The same of the last host.
    pub detected_last: TimeBand,
    /// How Envoy noticed, and how many hosts in all runs.
    pub causes: Vec<(DetectionCause, usize)>,
    /// Requests from the first event to the end.
    pub requests: f64,
    /// Requests that fail, from the first event to the end.
    pub failed: FigureBand,
    /// In percent of the requests.
    pub failed_percent: FigureBand,
    /// Requests that would fail if no request were retried.
    pub failed_without_retries: FigureBand,
    /// Requests that fail until the last failing host was noticed.
    pub failed_until_detected: FigureBand,
    /// Retries.
    pub retried: FigureBand,
    /// In percent of the requests.
    pub retried_percent: FigureBand,
    /// Retries until the last failing host was noticed.
    pub retried_until_detected: FigureBand,
    /// Requests without a host.
    pub no_host: FigureBand,
    /// Requests that circuit breakers refuse.
    pub refused: FigureBand,
    /// The limits that refuse requests, of the clusters that have them.
    pub breaker_limits: Vec<BreakerLimit>,
    /// Requests that are not retried because too many retries are active.
    pub retries_refused: FigureBand,
    /// The limit of active retries.
    pub retry_limit: Option<String>,
    /// The most loaded host that works; `None` without one.
    pub highest: Option<LoadedHost>,
    /// What became of the sessions; `None` without them.
    pub sessions: Option<ReportedSessions>,
    /// The sum of the seconds in which a priority with load is in panic mode.
    pub panic_seconds: FigureBand,
    /// When priorities are in panic mode in the first run.
    pub panic: Vec<PanicSpan>,
    /// From the end of the failures until traffic is as before.
    pub recovered: TimeBand,
    /// When the failures end; `None` if they do not.
    pub failures_end: Option<Duration>,
    /// The names of the priorities.
    pub priorities: Vec<String>,
    /// The timeline of the first run.
    pub rows: Vec<TimelineRow>,
    /// The limits of ejections that allow none, by cluster.
    pub ejection_limits: Vec<EjectionLimit>,
    /// The statuses of errors that outlier detection takes for successes.
    pub uncounted_statuses: BTreeSet<u16>,
    /// The settings that decide the times.
    pub settings: Vec<TimeSetting>,
}

/// The most loaded host that works.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadedHost {
    /// Its address, in the run with the highest load.
    pub address: String,
    /// Its highest attempts per second.
    pub rps: FigureBand,
    /// Its attempts per second at the start.
    pub before: f64,
}

impl IncidentReport {
    /// The longest time until health checks notice, if nothing else does: in each cluster, the fastest of its checks.
    pub(crate) fn longest_check(&self) -> Option<Duration> {
        let by_checks =
            |(cause, _): &(DetectionCause, usize)| *cause == DetectionCause::ActiveCheck;
        if !self.causes.iter().all(by_checks) {
            return None;
        }
        let mut longest: BTreeMap<&str, Duration> = BTreeMap::new();
        for setting in &self.settings {
            if setting.goal == SettingGoal::Detection && setting.check.is_some() {
                let most = setting.most?;
                let of_cluster = longest.entry(&setting.cluster).or_insert(most);
                *of_cluster = most.min(*of_cluster);
            }
        }
        longest.into_values().max()
    }

    /// The answer of these runs; at least one.
    #[must_use]
    pub fn new(setup: &IncidentSetup, plan: &IncidentPlan, runs: &[IncidentRun]) -> Self {
        let scene = &setup.scene;
        let cast = Cast::new(scene);
        let figure = |of: &dyn Fn(&IncidentRun) -> f64| FigureBand::of(runs.iter().map(of));
        let with_failures = || runs.iter().filter(|run| fails(run));
        let failing = |run: &IncidentRun| run.detections.len() + run.unnoticed.len();
        let unnoticed = || {
            let counts = runs.iter().map(|run| run.unnoticed.len());
            counts.filter(|count| *count > 0)
        };
        let end = plan.script.end();
        let state = LoadState::of(scene.snapshot(), scene.cluster(), scene.criteria());
        let first = runs.first();
        Self {
            cluster: setup.name().into(),
            hosts: cast.len(),
            events: plan
                .events()
                .iter()
                .map(|planned| planned.event.clone())
                .collect(),
            first: plan.script.first(),
            end,
            runs: runs.len(),
            failing: runs.iter().map(failing).max().unwrap_or_default(),
            unnoticed: unnoticed().max().unwrap_or_default(),
            unnoticed_runs: unnoticed().count(),
            unnoticed_least: unnoticed().min().unwrap_or_default(),
            detected_first: TimeBand::of(with_failures().map(first_detection)),
            detected_last: TimeBand::of(with_failures().map(last_detection)),
            causes: causes(runs),
            requests: first.map_or(0.0, |run| run.totals.requests),
            failed: figure(&|run| run.totals.failed),
            failed_percent: figure(&|run| run.totals.percent(run.totals.failed)),
            failed_without_retries: figure(&|run| run.totals.failed_without_retries),
            failed_until_detected: figure(&|run| run.until_detected.failed),
            retried: figure(&|run| run.totals.retried),
            retried_percent: figure(&|run| run.totals.percent(run.totals.retried)),
            retried_until_detected: figure(&|run| run.until_detected.retried),
            no_host: figure(&|run| run.totals.no_host),
            refused: figure(&|run| run.totals.refused),
            breaker_limits: settings::breaker_limits(setup, runs),
            retries_refused: figure(&|run| run.totals.retries_refused),
            retry_limit: setup.retry_limits.map(|limits| limits.text()),
            highest: most_loaded(runs, &cast),
            sessions: ReportedSessions::new(setup, runs),
            panic_seconds: figure(&|run| panic_seconds(&run.panic, end)),
            panic: first.map(|run| run.panic.clone()).unwrap_or_default(),
            recovered: TimeBand::of(runs.iter().map(|run| run.recovered)),
            failures_end: plan.failures_end(),
            priorities: state
                .priorities
                .iter()
                .map(|row| priority_name(scene.snapshot(), scene.cluster(), row.at))
                .collect(),
            rows: first.map(|run| run.rows.clone()).unwrap_or_default(),
            ejection_limits: settings::ejection_limits(setup, runs),
            uncounted_statuses: settings::uncounted_statuses(setup, plan),
            settings: settings::settings(setup, plan, runs),
        }
    }
}

/// Whether a host fails.
fn fails(run: &IncidentRun) -> bool {
    !run.detections.is_empty() || !run.unnoticed.is_empty()
}

/// The time of the first host.
fn first_detection(run: &IncidentRun) -> Option<Duration> {
    run.detections.iter().map(|one| one.after).min()
}

/// The time of the last host, if all were noticed.
fn last_detection(run: &IncidentRun) -> Option<Duration> {
    let last = run.detections.iter().map(|one| one.after).max();
    last.filter(|_| run.unnoticed.is_empty())
}

fn causes(runs: &[IncidentRun]) -> Vec<(DetectionCause, usize)> {
    let mut found: Vec<(DetectionCause, usize)> = Vec::new();
    for detection in runs.iter().flat_map(|run| &run.detections) {
        match found
            .iter_mut()
            .find(|(cause, _)| *cause == detection.cause)
        {
            Some((_, count)) => *count += 1,
            None => found.push((detection.cause, 1)),
        }
    }
    found.sort_by_key(|(cause, count)| (core::cmp::Reverse(*count), *cause));
    found
}

fn most_loaded(runs: &[IncidentRun], cast: &Cast) -> Option<LoadedHost> {
    let loads = runs.iter().filter_map(|run| run.highest);
    let most = loads.clone().max_by(|a, b| a.rps.total_cmp(&b.rps))?;
    Some(LoadedHost {
        address: cast.address(most.host).into(),
        rps: FigureBand::of(loads.map(|load| load.rps)),
        before: most.before,
    })
}

/// The seconds in which some priority is in panic mode: spans of several priorities count once.
fn panic_seconds(spans: &[PanicSpan], end: Duration) -> f64 {
    let mut times: Vec<(Duration, Duration)> = spans
        .iter()
        .map(|span| (span.from, span.to.unwrap_or(end)))
        .collect();
    times.sort_unstable();
    let (mut sum, mut last) = (Duration::ZERO, Duration::ZERO);
    for (from, to) in times {
        sum += to.saturating_sub(from.max(last));
        last = last.max(to);
    }
    sum.as_secs_f64()
}
