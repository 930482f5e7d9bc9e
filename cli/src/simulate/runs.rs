//! Many runs on all processors, with an answer that does not depend on how many there are.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

use spillgate_sim::world::{Phase, Plan, RunOutcome};

/// What came of all runs.
#[derive(Debug, Default)]
pub(super) struct Ran {
    pub(super) seed: u64,
    /// How many runs it was; up to the first one that broke a rule.
    pub(super) runs: u64,
    /// Of all runs, or of the one that broke a rule.
    pub(super) phases: Vec<Phase>,
    pub(super) events: u64,
    /// The simulated milliseconds.
    pub(super) took: u64,
    /// The seed of the first run that broke a rule, and what came of it.
    pub(super) broken: Option<(u64, RunOutcome)>,
}

impl Ran {
    fn add(&mut self, outcome: &RunOutcome) {
        self.runs += 1;
        self.events += outcome.events;
        self.took += outcome.took;
        self.add_phases(&outcome.phases);
    }

    fn add_phases(&mut self, phases: &[Phase]) {
        for (at, phase) in phases.iter().enumerate() {
            match self.phases.get_mut(at) {
                Some(known) => known.add(phase),
                None => self.phases.push(phase.clone()),
            }
        }
    }
}

/// Runs the seeds from `seed` on.
pub(super) fn run(plan: &Plan, seed: u64, runs: u64) -> Ran {
    let (next, first_broken) = (AtomicU64::new(0), AtomicU64::new(u64::MAX));
    let work = || {
        let mut ran = Ran::default();
        loop {
            let turn = next.fetch_add(1, Ordering::Relaxed);
            // Earlier runs than the broken one go on: one of them may be broken too.
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
        // A thread that panics would be a fault of the simulator; its runs are then missing.
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
