//! The sweep in words: neighboring losses with the same result.

use spillgate_scenario::{LoadState, count, decimal, plural, whole};

/// Losses with the same result.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepRun {
    /// The smallest loss, in hosts.
    pub first: usize,
    /// The largest loss.
    pub last: usize,
    /// The load of each priority, in percent.
    pub loads: Vec<u32>,
    /// The priorities in panic mode.
    pub panicking: Vec<String>,
    /// The requests that find no host, in percent.
    pub no_host: f64,
    /// The loads that are not 0, in words.
    taken: String,
}

/// The runs of a sweep, in the order of the losses. `names` are those of the priorities.
#[must_use]
pub fn sweep_runs(sweep: &[LoadState], names: &[String]) -> Vec<SweepRun> {
    let mut runs: Vec<SweepRun> = Vec::new();
    for (lost, state) in sweep.iter().enumerate() {
        let named = names.iter().enumerate();
        let panicking = named.filter(|(place, _)| state.panics(*place));
        let run = SweepRun::new(
            lost,
            state.loads().collect(),
            panicking.map(|(_, name)| name.clone()).collect(),
            state.no_host,
            names,
        );
        match runs.last_mut() {
            Some(open) if open.has_result_of(&run) => open.last = lost,
            _ => runs.push(run),
        }
    }
    runs
}

impl SweepRun {
    fn new(
        lost: usize,
        loads: Vec<u32>,
        panicking: Vec<String>,
        no_host: f64,
        names: &[String],
    ) -> Self {
        let taken = names.iter().zip(&loads).filter(|(_, load)| **load > 0);
        let taken: Vec<String> = taken
            .map(|(name, load)| format!("{name} {}", whole(*load)))
            .collect();
        Self {
            first: lost,
            last: lost,
            taken: taken.join(", "),
            loads,
            panicking,
            no_host,
        }
    }

    fn has_result_of(&self, other: &Self) -> bool {
        self.loads == other.loads
            && self.panicking == other.panicking
            && (self.no_host - other.no_host).abs() < 0.05
    }

    /// `0` or `1–5`.
    #[must_use]
    pub fn range(&self) -> String {
        if self.first == self.last {
            count(self.first)
        } else {
            format!("{}\u{2013}{}", count(self.first), count(self.last))
        }
    }

    /// `1 to 5 hosts lost`.
    #[must_use]
    pub fn losses(&self) -> String {
        let last = plural(self.last, "host");
        if self.first == self.last {
            format!("{last} lost")
        } else {
            format!("{} to {last} lost", count(self.first))
        }
    }

    /// Panic mode and missing hosts; empty without them.
    #[must_use]
    pub fn effect(&self) -> String {
        let panic = match self.panicking.as_slice() {
            [] => None,
            names => Some(format!("panic mode in {}", names.join(", "))),
        };
        let none = (self.no_host > 0.0).then(|| format!("{} find no host", decimal(self.no_host)));
        let effects: Vec<String> = panic.into_iter().chain(none).collect();
        effects.join(", ")
    }

    /// The loads and the effect.
    #[must_use]
    pub fn words(&self) -> String {
        match self.effect() {
            effect if effect.is_empty() => self.taken.clone(),
            effect => format!("{}, {effect}", self.taken),
        }
    }
}
