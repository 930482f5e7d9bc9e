//! Decisions by their outcome, and requests without one.

use alloc::{
    borrow::ToOwned,
    collections::BTreeMap,
    format,
    string::{String, ToString as _},
};

use spillgate_core::{decide::Decision, snapshot::Snapshot};

use super::counter::Counter;
use crate::port::{MetricId, Plugin};

/// Counters by the outcome of a decision, each defined when it is first needed: most combinations of
/// cluster, priority and reason never happen, and a defined counter stays in the proxy for good.
#[derive(Default)]
pub(crate) struct DecisionCounters {
    decisions: BTreeMap<Outcome, Option<MetricId>>,
    no_host: Counter,
    passed_through: Counter,
    stale: Counter,
    unknown_targets: Counter,
    host_failures: Counter,
}

/// The owner of the chosen priority, the priority, the step of the chain, and the reason.
type Outcome = (usize, Option<usize>, Option<usize>, &'static str);

impl DecisionCounters {
    /// Counts a decision: `spillgate.decisions.cluster.NAME.priority.N.reason.REASON`, where NAME
    /// owns the priority. A decision that found no priority at all has `none` for N. With a subset
    /// chain, `.step.S` comes before the reason, counted from 0, or `none` if none served.
    pub(crate) fn decided(
        &mut self,
        plugin: &impl Plugin,
        snapshot: &Snapshot,
        decision: &Decision,
    ) {
        let priority = decision.priority;
        let owner = priority.map_or(decision.cluster, |priority| priority.owner);
        let priority = priority.map(|priority| priority.number);
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
                plugin.counter(&format!(
                    "spillgate.decisions.cluster.{name}.priority.{priority}{step}.reason.{reason}"
                ))
            });
        if let Some(counter) = *counter {
            plugin.increment(counter);
        }
        if decision.host.is_none() {
            self.no_host.add(plugin, "spillgate.no_host");
        }
    }

    /// Counts a decision that is based on stale health.
    pub(crate) fn stale(&mut self, plugin: &impl Plugin) {
        self.stale.add(plugin, "spillgate.health.stale_decisions");
    }

    /// Counts a route that names an unknown cluster as its target.
    pub(crate) fn unknown_target(&mut self, plugin: &impl Plugin) {
        self.unknown_targets.add(plugin, "spillgate.unknown_target");
    }

    /// Counts a request that is not balanced here: it goes on as it came.
    pub(crate) fn passed_through(&mut self, plugin: &impl Plugin) {
        self.passed_through.add(plugin, "spillgate.pass_through");
    }

    /// Counts a call that the host environment refused: the proxy chose without our decision.
    pub(crate) fn host_failure(&mut self, plugin: &impl Plugin) {
        self.host_failures.add(plugin, "spillgate.host_failures");
    }
}

fn number(number: Option<usize>) -> String {
    number.map_or_else(|| "none".to_owned(), |number| number.to_string())
}
