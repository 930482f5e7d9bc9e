//! Counters of one kind, by the values of their labels.

use alloc::vec::Vec;

use crate::port::{MetricId, Plugin};

/// Counters that are defined when they are first incremented, as [`Counter`](super::Counter) does. A sorted list,
/// because a tree map adds two kilobytes to the filter for each type.
pub(crate) struct LabeledCounters<K> {
    /// Sorted by key; `None` if the proxy refused to define the counter.
    counters: Vec<(K, Option<MetricId>)>,
}

impl<K> Default for LabeledCounters<K> {
    fn default() -> Self {
        Self {
            counters: Vec::new(),
        }
    }
}

impl<K: Ord> LabeledCounters<K> {
    /// Adds one to the counter of a key; `define` defines it.
    pub(crate) fn add<P: Plugin>(
        &mut self,
        plugin: &P,
        key: K,
        define: impl FnOnce() -> Option<MetricId>,
    ) {
        let found = self.counters.binary_search_by(|(known, _)| known.cmp(&key));
        let known = found.ok().and_then(|at| self.counters.get(at));
        let counter = known.map(|(_, counter)| *counter);
        let counter = counter.unwrap_or_else(|| {
            let counter = define();
            if let Err(at) = found {
                self.counters.insert(at, (key, counter));
            }
            counter
        });
        if let Some(counter) = counter {
            plugin.increment(counter);
        }
    }
}
