//! Outlier detection with its state: counters with two buckets, a timer, and endpoint updates (A50,
//! A61).

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use crate::{
    CallCounts, CallResult, GrpcEndpoint, OutlierHost, OutlierSettings, OutlierSweep, outlier_sweep,
};
use spillgate_core::draw::Draw;

/// The endpoints of one cluster in all priorities. Times are milliseconds of a monotonic clock.
#[derive(Debug, Clone, Default)]
pub struct OutlierDetector {
    settings: Option<OutlierSettings>,
    hosts: Vec<Tracked>,
    /// If two endpoints have the same address, the first one is used.
    by_address: BTreeMap<String, usize>,
    /// The start of the current interval.
    started: Option<u64>,
}

#[derive(Debug, Clone, Default)]
struct Tracked {
    /// Sorted, because the set of addresses identifies an endpoint.
    addresses: Vec<String>,
    /// The calls of the current interval; the sweep uses the finished one.
    active: CallCounts,
    host: OutlierHost,
}

impl OutlierDetector {
    /// Updates settings and endpoints. Remaining endpoints keep their state. The first settings with an
    /// ejection start the timer with empty counters; settings without one end all ejections. The
    /// health of endpoints has no effect.
    pub fn update(
        &mut self,
        now: u64,
        settings: Option<OutlierSettings>,
        endpoints: &[GrpcEndpoint],
    ) {
        let mut before: BTreeMap<Vec<String>, Tracked> = core::mem::take(&mut self.hosts)
            .into_iter()
            .map(|tracked| (tracked.addresses.clone(), tracked))
            .collect();
        self.by_address.clear();
        for endpoint in endpoints {
            let mut addresses = endpoint.addresses.clone();
            addresses.sort_unstable();
            let tracked = before.remove(&addresses).unwrap_or_else(|| Tracked {
                addresses,
                ..Tracked::default()
            });
            let at = self.hosts.len();
            for address in &tracked.addresses {
                self.by_address.entry(address.clone()).or_insert(at);
            }
            self.hosts.push(tracked);
        }
        self.settings = settings;
        if !self.counts() {
            self.started = None;
            for tracked in &mut self.hosts {
                tracked.host = OutlierHost::default();
            }
        } else if self.started.is_none() {
            self.started = Some(now);
            for tracked in &mut self.hosts {
                tracked.active = CallCounts::default();
            }
        }
    }

    /// Counts a finished call to this address. Settings without an ejection count nothing.
    pub fn record(&mut self, address: &str, result: CallResult) {
        if !self.counts() {
            return;
        }
        let at = self.by_address.get(address);
        if let Some(tracked) = at.and_then(|at| self.hosts.get_mut(*at)) {
            let CallCounts { ok: good, bad } = &mut tracked.active;
            let counter = match result {
                CallResult::Success => good,
                CallResult::Failure => bad,
            };
            *counter = counter.saturating_add(1);
        }
    }

    /// The time of the next sweep: an interval after the last one, also if the interval changes.
    #[must_use]
    pub fn due(&self) -> Option<u64> {
        let interval = self.settings?.interval_ms.max(1);
        Some(self.started?.saturating_add(interval))
    }

    /// Sweeps. Call it when it is [`Self::due`]. Endpoints are named by their index in
    /// [`Self::update`].
    pub fn sweep<D: Draw>(&mut self, now: u64, draw: &mut D) -> OutlierSweep {
        let Some(settings) = self.settings.filter(OutlierSettings::counts) else {
            return OutlierSweep::default();
        };
        self.started = Some(now);
        let mut hosts: Vec<OutlierHost> = self
            .hosts
            .iter_mut()
            .map(|tracked| OutlierHost {
                counts: core::mem::take(&mut tracked.active),
                ..tracked.host
            })
            .collect();
        let sweep = outlier_sweep(&settings, &mut hosts, now, draw);
        for (tracked, host) in self.hosts.iter_mut().zip(hosts) {
            tracked.host = host;
        }
        sweep
    }

    /// Whether the endpoint of an address is ejected. Its connections stay READY, so a session still
    /// reaches it in gRPC; Envoy chooses another host.
    #[must_use]
    pub fn is_ejected(&self, address: &str) -> bool {
        let at = self.by_address.get(address);
        at.and_then(|at| self.hosts.get(*at))
            .is_some_and(|tracked| tracked.host.ejected_at.is_some())
    }

    /// The state of each endpoint, in the order of [`Self::update`].
    pub fn hosts(&self) -> impl Iterator<Item = &OutlierHost> {
        self.hosts.iter().map(|tracked| &tracked.host)
    }

    fn counts(&self) -> bool {
        self.settings.is_some_and(|settings| settings.counts())
    }
}
