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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_higher_aggression_gives_more_requests_early() {
        let factor = |aggression, seconds| {
            let config = SlowStart::new(Duration::from_secs(100), aggression, 0.0);
            config.map(|config| slow_start_factor(&config, Duration::from_secs(seconds)))
        };
        assert_eq!(factor(1.0, 25), Some(0.25));
        assert_eq!(factor(2.0, 25), Some(0.5));
        assert_eq!(factor(0.5, 50), Some(0.25));
    }

    #[test]
    fn time_counts_in_whole_milliseconds_of_at_least_one() {
        let config = SlowStart::new(Duration::from_millis(10), 1.0, 0.0);
        let factor = |micros| {
            let elapsed = Duration::from_micros(micros);
            config.map(|config| slow_start_factor(&config, elapsed))
        };
        assert_eq!(factor(0), Some(0.1));
        assert_eq!(factor(2_999), Some(0.2));
        assert_eq!(factor(9_999), Some(0.9));
        assert_eq!(factor(10_000), Some(1.0));
    }
}
