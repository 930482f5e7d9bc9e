//! The cells of a priority's row in tables.

use super::{PanicMode, PriorityReport, ScenarioOutcome, count, decimal, fixed};

/// The number of healthy hosts, with the degraded ones if there are any: `3 + 2`.
#[must_use]
pub fn healthy_cell(priority: &PriorityReport) -> String {
    match priority.degraded() {
        0 => count(priority.healthy()),
        degraded => format!("{} + {degraded}", count(priority.healthy())),
    }
}

/// The smallest and the largest share of a host that serves.
#[must_use]
pub fn per_host_cell(priority: &PriorityReport) -> String {
    match priority.per_host() {
        None => decimal(0.0),
        Some((low, high)) if high - low < 0.05 => decimal((low + high) / 2.0),
        Some((low, high)) => format!("{}\u{2013}{}", fixed(low), decimal(high)),
    }
}

/// Whether it is in panic mode: `no`, `panic` or `total`. Under an aggregate, whether by the aggregate's
/// threshold, which decides its loads, or by its own cluster's, which decides its hosts.
#[must_use]
pub fn panic_cell(outcome: &ScenarioOutcome, priority: &PriorityReport) -> &'static str {
    let is_total = priority.panic == PanicMode::Total;
    match (outcome.is_aggregate(), is_total, priority.row.own_panic) {
        (false, true, _) => "total",
        (false, false, true) => "panic",
        (true, true, true) => "aggregate, cluster",
        (true, true, false) => "aggregate",
        (true, false, true) => "cluster",
        (_, false, false) => "no",
    }
}
