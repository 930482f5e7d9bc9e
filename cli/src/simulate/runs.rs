//! Runs a scenario with many seeds on all processors. The result does not depend on their number.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

use spillgate_sim::world::{Phase, Plan, RunOutcome};

/// The result of all runs.
#[derive(Debug, Default)]
pub(super) struct Ran {
    /// The seed of the first run.
    pub(super) seed: u64,
    /// The number of runs, up to the first one that broke a rule.
    pub(super) runs: u64,
    /// The phases of all runs, or of the one that broke a rule.
    pub(super) phases: Vec<Phase>,
    /// The number of events.
    pub(super) events: u64,
    /// The simulated time, in milliseconds.
    pub(super) took: u64,
    /// The seed and the result of the first run that broke a rule.
    pub(super) broken: Option<(u64, RunOutcome)>,
}

impl Ran {
    /// Adds the result of a run.
    fn add(&mut self, outcome: &RunOutcome) {
        self.runs += 1;
        self.events += outcome.events;
        self.took += outcome.took;
        self.add_phases(&outcome.phases);
    }

    /// Adds the phases of a run to those of earlier runs.
    fn add_phases(&mut self, phases: &[Phase]) {
        for (at, phase) in phases.iter().enumerate() {
            match self.phases.get_mut(at) {
                Some(known) => known.add(phase),
                None => self.phases.push(phase.clone()),
            }
        }
    }
}

/// Runs `runs` seeds, starting at `seed`.
pub(super) fn run(plan: &Plan, seed: u64, runs: u64) -> Ran {
    let (next, first_broken) = (AtomicU64::new(0), AtomicU64::new(u64::MAX));
    let work = || {
        let mut ran = Ran::default();
        loop {
            let turn = next.fetch_add(1, Ordering::Relaxed);
            // Runs before the broken one continue, because one of them can break a rule too.
            if turn >= runs || turn > first_broken.load(Ordering::Relaxed) {
                return ran;
            }
            let outcome = plan.run(seed.wrapping_add(turn));
            if !outcome.violations.is_empty() {
                first_broken.fetch_min(turn, Ordering::Relaxed);
            }
            ran.add(&outcome);
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let threads = u64::try_from(threads).unwrap_or(1).min(runs);
    let parts: Vec<Ran> = thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        // A panic would be a bug of the simulator; the runs of that thread are then missing.
        handles
            .into_iter()
            .flat_map(|handle| handle.join())
            .collect()
    });
    let mut all = Ran {
        seed,
        ..Ran::default()
    };
    match first_broken.into_inner() {
        u64::MAX => {
            for part in &parts {
                all.runs += part.runs;
                all.events += part.events;
                all.took += part.took;
                all.add_phases(&part.phases);
            }
        }
        turn => {
            let seed = seed.wrapping_add(turn);
            let outcome = plan.run(seed);
            all.add(&outcome);
            all.runs = turn + 1;
            all.broken = Some((seed, outcome));
        }
    }
    all
}
