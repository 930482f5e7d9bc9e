//! Slow start: fewer requests for newly healthy hosts.

use core::time::Duration;

use crate::model::SlowStart;

/// The factor on the weight of a host that has been healthy for `healthy_for`: `max((elapsed /
/// window)^(1 / aggression), min_weight_percent / 100)`; 1 after the window.
///
/// # Examples
/// ```
/// use core::time::Duration;
/// use spillgate_core::model::SlowStart;
/// use spillgate_core::pick::slow_start_factor;
///
/// let config = SlowStart::new(Duration::from_secs(60), 1.0, 10.0).unwrap();
/// assert_eq!(slow_start_factor(&config, Duration::from_secs(30)), 0.5);
/// assert_eq!(slow_start_factor(&config, Duration::from_secs(1)), 0.1);
/// assert_eq!(slow_start_factor(&config, Duration::from_secs(60)), 1.0);
/// ```
#[must_use]
pub fn slow_start_factor(config: &SlowStart, healthy_for: Duration) -> f64 {
    // At the end of the window slow start is over (`applySlowStartFactor`).
    if healthy_for >= config.window() {
        return 1.0;
    }
    // Envoy counts whole milliseconds, at least 1.
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
