//! Less traffic for hosts that have just become healthy.

use core::time::Duration;

use crate::model::SlowStart;

/// The factor on the weight of a host that has been healthy for so long; 1 after the window.
#[must_use]
pub fn slow_start_factor(config: &SlowStart, healthy_for: Duration) -> f64 {
    if healthy_for >= config.window() {
        return 1.0;
    }
    // Envoy counts whole milliseconds, at least one.
    let elapsed = healthy_for.as_millis().max(1) as f64;
    let window = config.window().as_millis().max(1) as f64;
    let time_factor = elapsed / window;
    let grown = if config.aggression() == 1.0 {
        time_factor
    } else {
        libm::pow(time_factor, 1.0 / config.aggression())
    };
    f64::max(grown, config.min_weight_percent() / 100.0)
}
