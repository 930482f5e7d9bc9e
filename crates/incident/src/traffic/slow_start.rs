//! The hosts in slow start, for the shares of requests.

use alloc::collections::BTreeMap;
use core::time::Duration;

use spillgate_core::{decide::HostStats, snapshot::HostRef};

/// How long the hosts in slow start have been healthy.
#[derive(Debug, Default)]
pub(crate) struct SlowStartHosts {
    times: BTreeMap<HostRef, Duration>,
}

impl SlowStartHosts {
    pub(crate) fn add(&mut self, host: HostRef, healthy_for: Duration) {
        self.times.insert(host, healthy_for);
    }
}

impl HostStats for SlowStartHosts {
    fn healthy_for(&self, host: HostRef) -> Option<Duration> {
        self.times.get(&host).copied()
    }
}
