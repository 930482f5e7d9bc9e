//! Runs clusters with several seeds on all processors. The result does not depend on their number.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use spillgate_incident::{IncidentPlan, IncidentRun, IncidentSetup};

/// The default number of runs of a small cluster.
const RUNS: usize = 20;
/// How many hosts the runs of a cluster simulate by default, at most.
const HOSTS: usize = 4_000;

/// The number of runs of a cluster.
pub(super) fn count(stated: Option<u32>, hosts: usize) -> usize {
    match stated {
        Some(stated) => stated as usize,
        None => (HOSTS / hosts.max(1)).clamp(1, RUNS),
    }
}

/// One cluster with its plan.
pub(super) struct Job<'a> {
    pub(super) setup: &'a IncidentSetup,
    pub(super) plan: &'a IncidentPlan,
    pub(super) runs: usize,
}

/// The runs of each cluster, in order.
pub(super) fn run(jobs: &[Job<'_>], seed: u64) -> Vec<Vec<IncidentRun>> {
    let turns = jobs.iter().enumerate();
    let turns = turns.flat_map(|(job, of)| (0..of.runs).map(move |run| (job, run)));
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
    by_job
}
