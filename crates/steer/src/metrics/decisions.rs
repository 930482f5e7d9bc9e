//! Counters of decisions by their outcome, and of requests without a decision.

use alloc::{
    borrow::ToOwned,
    string::{String, ToString as _},
};

use spillgate_core::{decide::Decision, snapshot::Snapshot};

use super::{counter::Counter, labeled_counters::LabeledCounters};
use crate::port::{CounterName, Plugin};

/// Counters of requests by the outcome of their decisions.
pub(crate) struct DecisionCounters {
    decisions: LabeledCounters<Outcome>,
    /// Requests for which there is no host.
    pub(crate) no_host: Counter,
    /// Requests that are refused because their hosts are unknown.
    pub(crate) hosts_unknown: Counter,
    /// Requests that are not steered: they continue without our headers.
    pub(crate) passed_through: Counter,
    /// Decisions that are based on stale health.
    pub(crate) stale: Counter,
    /// Requests whose route names an unknown cluster as its target.
    pub(crate) unknown_target: Counter,
    /// Calls that the host environment refused: the proxy chose without our decision.
    pub(crate) host_failures: Counter,
}

/// The owner of the chosen priority, the priority, the step of the chain, and the reason.
type Outcome = (usize, Option<usize>, Option<usize>, &'static str);

impl Default for DecisionCounters {
    fn default() -> Self {
        Self {
            decisions: LabeledCounters::default(),
            no_host: Counter::new("spillgate.no_host"),
            hosts_unknown: Counter::new("spillgate.hosts_unknown"),
            passed_through: Counter::new("spillgate.pass_through"),
            stale: Counter::new("spillgate.health.stale_decisions"),
            unknown_target: Counter::new("spillgate.unknown_target"),
            host_failures: Counter::new("spillgate.host_failures"),
        }
    }
}

impl DecisionCounters {
    /// Counts a decision: `spillgate.decisions.cluster.C.priority.P.reason.R`, where cluster C owns
    /// the chosen priority P; P is `none` for a decision without a priority. With a subset fallback
    /// chain, `.step.S` precedes `.reason`: the index of the step that serves, from 0, or `none`.
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
        self.decisions
            .add(plugin, (owner.index(), priority, step, reason), || {
                let name = snapshot.cluster(owner).map_or("", |c| c.name.as_str());
                let (priority, step) = (number(priority), number(step));
                let [cluster, priority] = [("cluster", name), ("priority", &*priority)];
                let (step, reason) = (("step", &*step), ("reason", reason));
                let (all, without_step) = (
                    [cluster, priority, step, reason],
                    [cluster, priority, reason],
                );
                let labels = if snapshot.chain().is_empty() {
                    &without_step[..]
                } else {
                    &all[..]
                };
                plugin.counter(CounterName {
                    kind: "spillgate.decisions",
                    labels,
                })
            });
        if decision.host.is_none() {
            self.no_host.add(plugin);
        }
    }
}

fn number(number: Option<usize>) -> String {
    number.map_or_else(|| "none".to_owned(), |number| number.to_string())
}
