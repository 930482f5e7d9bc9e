//! When a level stops trusting health.

use super::LevelHealth;
use crate::model::PanicThreshold;

/// Whether a level has so few usable hosts that it serves from all of them.
///
/// Counts hosts even where availability goes by weight, leaves excluded hosts out and knows no
/// overprovisioning. A level without hosts panics under any threshold above 0. The caller
/// applies this only while all levels together cannot take 100 percent.
#[must_use]
pub fn panics(level: &LevelHealth, threshold: PanicThreshold) -> bool {
    usable_percent(level) < f64::from(threshold.percent())
}

/// Two quotients that are added, in this order: the sum of Envoy's floats, not a float of sums.
fn usable_percent(level: &LevelHealth) -> f64 {
    let counted = f64::from(level.counted());
    if level.counted() == 0 {
        return 0.0;
    }
    100.0 * f64::from(level.healthy) / counted + 100.0 * f64::from(level.degraded) / counted
}
