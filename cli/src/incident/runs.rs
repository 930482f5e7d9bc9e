//! Runs clusters with several seeds on all processors. The result does not depend on their number.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use spillgate_answers::input::Faults;
use spillgate_config::Diagnostic;
use spillgate_incident::{IncidentPlan, IncidentRun, IncidentSetup};

/// How many steps the runs of a cluster have at most: less than a minute.
const MOST_STEPS: f64 = 5e8;

/// One cluster with its plan.
pub(super) struct Job<'a> {
    pub(super) setup: &'a IncidentSetup,
    pub(super) plan: &'a IncidentPlan,
    /// The number of runs as `--runs` states it.
    pub(super) stated: Option<u32>,
}

impl Job<'_> {
    /// The number of runs, at least one without `--runs`, and the number of all their steps.
    fn count(&self) -> (usize, f64) {
        let count = match self.stated {
            Some(stated) => stated as usize,
            None => self.plan.default_runs(self.setup),
        };
        (count, self.plan.steps(self.setup) * count as f64)
    }
}

/// The runs of each cluster, in order.
///
/// # Errors
/// If those of a cluster have too many steps.
pub(super) fn run(jobs: &[Job<'_>], seed: u64) -> Result<Vec<Vec<IncidentRun>>, Faults> {
    let counts: Vec<(usize, f64)> = jobs.iter().map(Job::count).collect();
    let mut counted = jobs.iter().zip(&counts);
    if let Some((job, (_, steps))) = counted.find(|(_, (_, steps))| *steps > MOST_STEPS) {
        let fault = Diagnostic::error("incident/too-large", "too large a simulation");
        let millions = (steps / 1e6).round();
        let fault = fault.found(format!("{millions} million steps of {}", job.setup.name()));
        let expected = "fewer requests per second, a shorter time, fewer hosts or fewer --runs";
        return Err(Faults::one("--until", &fault.expected(expected)));
    }
    let turns = counts.iter().enumerate();
    let turns = turns.flat_map(|(job, (count, _))| (0..*count).map(move |run| (job, run)));
    let turns: Vec<(usize, usize)> = turns.collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some(&(job, run)) = turns.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Some(Job { setup, plan, .. }) = jobs.get(job) {
                let seed = seed.wrapping_add(run as u64);
                done.push((job, run, IncidentRun::new(setup, plan, seed)));
            }
        }
        done
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.min(turns.len());
    let mut all: Vec<(usize, usize, IncidentRun)> = thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        // A panic would be a bug of the simulator; the runs of that thread are then missing.
        let parts = handles.into_iter().flat_map(|handle| handle.join());
        parts.flatten().collect()
    });
    all.sort_by_key(|(job, run, _)| (*job, *run));
    let mut by_job: Vec<Vec<IncidentRun>> = jobs.iter().map(|_| Vec::new()).collect();
    for (job, _, run) in all {
        if let Some(runs) = by_job.get_mut(job) {
            runs.push(run);
        }
    }
    Ok(by_job)
}
