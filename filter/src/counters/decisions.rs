//! Decisions by what they were, and requests without one.

use super::counter::Counter;
use crate::host;
use spillgate_core::decide::Decision;
use spillgate_core::snapshot::Snapshot;
use std::collections::BTreeMap;

/// Counters by what a decision was, each defined when it is first needed: most combinations of
/// cluster, level and reason never happen, and a defined counter stays in the host for good.
#[derive(Default)]
pub(crate) struct Decisions {
    decisions: BTreeMap<Outcome, Option<u32>>,
    no_host: Counter,
    passed_through: Counter,
    stale: Counter,
    unknown_targets: Counter,
    host_failures: Counter,
}

/// The owner of the chosen level, the level, the step of the chain, and the reason.
type Outcome = (usize, Option<usize>, Option<usize>, &'static str);

impl Decisions {
    /// Counts a decision: `spillgate.decisions.cluster.NAME.priority.N.reason.REASON`, where NAME
    /// owns the level. A decision that found no level at all has `none` for N. Where a chain of
    /// subsets decides, `.step.S` stands before the reason, from 0, or `none` if none served.
    pub(crate) fn decided(&mut self, snapshot: &Snapshot, decision: &Decision) {
        let level = decision.level;
        let owner = level.map_or(decision.cluster, |level| level.owner);
        let priority = level.map(|level| level.priority);
        let step = decision.subset.and_then(|subset| subset.step());
        let reason = decision.reason.name();
        let counter = self
            .decisions
            .entry((owner.index(), priority, step, reason))
            .or_insert_with(|| {
                let name = snapshot.cluster(owner).map_or("", |c| c.name.as_str());
                let priority = number(priority);
                let step = match snapshot.chain().is_empty() {
                    false => format!(".step.{}", number(step)),
                    true => String::new(),
                };
                host::counter(&format!(
                    "spillgate.decisions.cluster.{name}.priority.{priority}{step}.reason.{reason}"
                ))
            });
        if let Some(counter) = *counter {
            host::increment(counter);
        }
        if decision.host.is_none() {
            self.no_host.add("spillgate.no_host");
        }
    }

    /// Counts a decision that rests on old news.
    pub(crate) fn stale(&mut self) {
        self.stale.add("spillgate.health.stale_decisions");
    }

    /// Counts a route that names a target which no cluster is.
    pub(crate) fn unknown_target(&mut self) {
        self.unknown_targets.add("spillgate.unknown_target");
    }

    /// Counts a request that is not balanced here: it goes on as it came.
    pub(crate) fn passed_through(&mut self) {
        self.passed_through.add("spillgate.pass_through");
    }

    /// Counts a call that the host refused: Envoy chose without our answer.
    pub(crate) fn host_failure(&mut self) {
        self.host_failures.add("spillgate.host_failures");
    }
}

fn number(number: Option<usize>) -> String {
    number.map_or_else(|| "none".to_owned(), |number| number.to_string())
}
