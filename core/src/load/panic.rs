//! Panic mode of a priority (`CommonLbConfig.healthy_panic_threshold`).

use super::PriorityHealth;
use crate::model::PanicThreshold;

/// Whether the usable hosts (healthy and degraded) of a priority, in percent of its counted hosts
/// (those that are not excluded), are below the threshold. In panic mode a priority uses all of its
/// hosts.
///
/// The rule counts hosts even with `weighted_priority_health`, and omits the overprovisioning factor. A priority without counted hosts is in panic mode with any threshold
/// above 0. The caller applies the rule only if the total availability of all priorities is below
/// 100.
///
/// # Examples
/// ```
/// use spillgate_core::load::{PriorityHealth, panics};
/// use spillgate_core::model::PanicThreshold;
///
/// let priority = |healthy, degraded| PriorityHealth {
///     hosts: 10,
///     healthy,
///     degraded,
///     ..PriorityHealth::default()
/// };
/// assert!(panics(&priority(4, 0), PanicThreshold::DEFAULT));
/// assert!(!panics(&priority(4, 1), PanicThreshold::DEFAULT));
/// ```
#[must_use]
pub fn panics(priority: &PriorityHealth, threshold: PanicThreshold) -> bool {
    usable_percent(priority) < f64::from(threshold.percent())
}

/// Adds two quotients in this order. Envoy rounds each quotient, so one quotient of the sum could
/// differ.
fn usable_percent(priority: &PriorityHealth) -> f64 {
    let counted = f64::from(priority.counted());
    if priority.counted() == 0 {
        return 0.0;
    }
    // Two quotients, then their sum (`isHostSetInPanic`): the quotient of the sums can round across the
    // threshold.
    100.0 * f64::from(priority.healthy) / counted + 100.0 * f64::from(priority.degraded) / counted
}
