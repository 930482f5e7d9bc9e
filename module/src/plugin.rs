//! Envoy as the host environment between requests: metrics, clocks and random bytes.

use std::{rc::Rc, sync::Arc};

use spillgate_steer::port::{self, CounterName, HealthPort, MetricId};

use crate::{
    abi::{self, StreamHandle},
    metrics::UsedCounters,
    settings::FilterState,
};

/// Envoy between requests. Envoy counts only in the name of a request, so this value has one.
pub(crate) struct Plugin<'hook> {
    envoy: StreamHandle<'hook>,
    filter: &'hook Arc<FilterState>,
    /// The counters that this worker has used.
    pub(crate) counters: Rc<UsedCounters>,
}

impl<'hook> Plugin<'hook> {
    /// The environment of a request.
    pub(crate) const fn new(
        envoy: StreamHandle<'hook>,
        filter: &'hook Arc<FilterState>,
        counters: Rc<UsedCounters>,
    ) -> Self {
        Self {
            envoy,
            filter,
            counters,
        }
    }

    /// Adds to a counter without labels.
    pub(crate) fn add(&self, kind: &'static str, by: u64) {
        self.filter.counters.add(&self.envoy, kind, by);
    }
}

impl port::Plugin for Plugin<'_> {
    fn counter(&self, name: CounterName<'_>) -> Option<MetricId> {
        self.counters.add(&self.filter.counters, name)
    }

    fn increment(&self, counter: MetricId) {
        self.counters.increment(&self.envoy, counter);
    }

    fn wiring(&self) -> &'static str {
        "override_host of the cluster must read the key host of the metadata spillgate, around the policy of \
         this module in the same file, and the route must use the cluster of the filter"
    }

    fn wall_clock(&self) -> u64 {
        abi::wall_clock()
    }

    fn monotonic_clock(&self) -> Option<u64> {
        Some(abi::monotonic_clock())
    }

    fn random(&self, bytes: &mut [u8]) -> bool {
        getrandom::fill(bytes).is_ok()
    }
}

impl HealthPort for Plugin<'_> {}
