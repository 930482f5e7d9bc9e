//! The part of an environment that lasts between requests: metrics, clock, random bytes.

use alloc::string::String;

/// The number that the host environment assigns to a metric.
pub type MetricId = u32;

/// The name of a counter: some parts of it are values, such as the name of a cluster.
///
/// It is written `spillgate.decisions.cluster.shop.reason.chosen`: the kind, then each label and its
/// value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CounterName<'a> {
    /// The kind of counter; one of [`COUNTERS`](crate::COUNTERS).
    pub kind: &'static str,
    /// The labels with their values.
    pub labels: &'a [(&'static str, &'a str)],
}

impl CounterName<'_> {
    /// The whole name.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::from(self.kind);
        for (label, value) in self.labels {
            for part in [*label, *value] {
                text.push('.');
                text.push_str(part);
            }
        }
        text
    }
}

/// A host environment, independently of requests. The default methods are for an environment
/// without metrics. Messages go to the logger of the crate `log`, which the environment installs: `info`
/// for a change that may interest an operator, `warn` for something that does not work as configured,
/// `error` for a rejected configuration.
pub trait Plugin {
    /// Defines a counter, unless it exists already. Returns `None` if the environment refuses; then
    /// nothing is counted.
    fn counter(&self, name: CounterName<'_>) -> Option<MetricId> {
        let _ = name;
        None
    }

    /// Adds one to a counter.
    fn increment(&self, counter: MetricId) {
        let _ = counter;
    }

    /// Defines a gauge, as [`Plugin::counter`] does.
    fn gauge(&self, name: &str) -> Option<MetricId> {
        let _ = name;
        None
    }

    /// Sets a gauge.
    fn record(&self, gauge: MetricId, value: u64) {
        let _ = (gauge, value);
    }

    /// What to check if the proxy does not use the hosts of decisions.
    fn wiring(&self) -> &'static str {
        "header_to_metadata must follow this filter and read output.host_header, override_host of the cluster \
         must read the same key, and the route must use the cluster of output.cluster_header"
    }

    /// The wall clock: nanoseconds since the Unix epoch; 0 without a clock. It can jump in both
    /// directions, so only the times in session tokens depend on it.
    fn wall_clock(&self) -> u64;

    /// A clock that never jumps, for ages and intervals: nanoseconds since a start that all workers
    /// of one proxy share. Returns `None` if the environment has no such clock; then ages and
    /// intervals advance with ticks.
    fn monotonic_clock(&self) -> Option<u64> {
        None
    }

    /// Fills `bytes` with random bytes. Returns `false` if the environment has none.
    fn random(&self, bytes: &mut [u8]) -> bool;
}
