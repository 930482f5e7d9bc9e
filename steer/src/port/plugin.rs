//! What lasts between requests: metrics, the log, the clock, randomness.

/// The number that the host environment gives to a metric.
pub type MetricId = u32;

/// How important a log message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogLevel {
    /// A change that an operator may want to know of.
    Info,
    /// Something does not work as configured.
    Warn,
    /// A configuration was refused.
    Error,
}

/// What a host environment offers independently of requests. The defaults are those of one without
/// metrics and log.
pub trait Plugin {
    /// The number of the counter of this name, which is defined if necessary. `None` if the
    /// environment refuses; nothing is counted then.
    fn counter(&self, name: &str) -> Option<MetricId> {
        let _ = name;
        None
    }

    /// Adds one to a counter.
    fn increment(&self, counter: MetricId) {
        let _ = counter;
    }

    /// The number of the gauge of this name, as for a counter.
    fn gauge(&self, name: &str) -> Option<MetricId> {
        let _ = name;
        None
    }

    /// Sets a gauge.
    fn record(&self, gauge: MetricId, value: u64) {
        let _ = (gauge, value);
    }

    /// Writes a message to the log.
    fn log(&self, level: LogLevel, message: &str) {
        let _ = (level, message);
    }

    /// The wall clock, in nanoseconds since the Unix epoch; 0 without a clock.
    fn now(&self) -> u64;

    /// Fills `bytes` with random ones. `false` if the environment has none to give.
    fn random(&self, bytes: &mut [u8]) -> bool;
}
