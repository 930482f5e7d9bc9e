//! What the filter counts. Envoy prefixes every name with `wasmcustom.`.

use crate::host;
use spillgate_core::decide::Decision;
use spillgate_core::snapshot::Snapshot;
use std::collections::BTreeMap;

/// Counters by what a decision was, each defined when it is first needed: most combinations of
/// cluster, level and reason never happen, and a defined counter stays in the host for good.
#[derive(Default)]
pub(crate) struct Counters {
    decisions: BTreeMap<Outcome, Option<u32>>,
    no_host: Counter,
    passed_through: Counter,
    host_failures: Counter,
}

/// The owner of the chosen level, the level, and the reason.
type Outcome = (usize, Option<usize>, &'static str);

impl Counters {
    /// Counts a decision: `spillgate.decisions.cluster.NAME.priority.N.reason.REASON`, where NAME
    /// owns the level. A decision that found no level at all has `none` for N.
    pub(crate) fn decision(&mut self, snapshot: &Snapshot, decision: &Decision) {
        let level = decision.level;
        let owner = level.map_or(decision.cluster, |level| level.owner);
        let priority = level.map(|level| level.priority);
        let reason = decision.reason.name();
        let counter = self
            .decisions
            .entry((owner.index(), priority, reason))
            .or_insert_with(|| {
                let name = snapshot.cluster(owner).map_or("", |c| c.name.as_str());
                host::counter(&decision_name(name, priority, reason))
            });
        if let Some(counter) = *counter {
            host::increment(counter);
        }
        if decision.host.is_none() {
            self.no_host.add("spillgate.no_host");
        }
    }

    /// Counts a request that no target matches: it goes on as it came.
    pub(crate) fn passed_through(&mut self) {
        self.passed_through.add("spillgate.pass_through");
    }

    /// Counts a call that the host refused: Envoy chose without our answer.
    pub(crate) fn host_failure(&mut self) {
        self.host_failures.add("spillgate.host_failures");
    }
}

fn decision_name(cluster: &str, priority: Option<usize>, reason: &str) -> String {
    match priority {
        Some(priority) => {
            format!("spillgate.decisions.cluster.{cluster}.priority.{priority}.reason.{reason}")
        }
        None => format!("spillgate.decisions.cluster.{cluster}.priority.none.reason.{reason}"),
    }
}

/// Counts a configuration that was taken: it serves from now on.
pub(crate) fn configuration_accepted() {
    Counter::default().add("spillgate.config.accepted");
}

/// Counts a configuration that was refused: the one before goes on.
pub(crate) fn configuration_refused() {
    Counter::default().add("spillgate.config.refused");
}

/// A counter whose id is asked for once.
#[derive(Default)]
struct Counter(Option<u32>);

impl Counter {
    fn add(&mut self, name: &str) {
        if self.0.is_none() {
            self.0 = host::counter(name);
        }
        if let Some(id) = self.0 {
            host::increment(id);
        }
    }
}
