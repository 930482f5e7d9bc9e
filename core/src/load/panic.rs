//! When a priority stops trusting health.

use super::PriorityHealth;
use crate::model::PanicThreshold;

/// Whether a priority has so few usable hosts that it serves from all of them.
///
/// Counts hosts even where availability goes by weight, leaves excluded hosts out and knows no
/// overprovisioning. A priority without hosts panics under any threshold above 0. The caller
/// applies this only while all priorities together cannot take 100 percent.
#[must_use]
pub fn panics(priority: &PriorityHealth, threshold: PanicThreshold) -> bool {
    usable_percent(priority) < f64::from(threshold.percent())
}

/// Two quotients that are added, in this order: the sum of Envoy's floats, not a float of sums.
fn usable_percent(priority: &PriorityHealth) -> f64 {
    let counted = f64::from(priority.counted());
    if priority.counted() == 0 {
        return 0.0;
    }
    100.0 * f64::from(priority.healthy) / counted + 100.0 * f64::from(priority.degraded) / counted
}
