//! A single counter.

use crate::port::{CounterName, MetricId, Plugin};

/// A counter that is defined when it is first incremented: the proxy keeps a defined counter for
/// good, and most counters stay at zero.
pub(crate) struct Counter {
    name: &'static str,
    id: Option<MetricId>,
}

impl Counter {
    /// The counter of this name.
    pub(crate) const fn new(name: &'static str) -> Self {
        Self { name, id: None }
    }

    /// Adds one.
    pub(crate) fn add(&mut self, plugin: &impl Plugin) {
        let name = CounterName {
            kind: self.name,
            labels: &[],
        };
        self.id = self.id.or_else(|| plugin.counter(name));
        if let Some(id) = self.id {
            plugin.increment(id);
        }
    }
}
