//! Outlier detection as it runs: counters with two buckets, a timer, endpoints that come and go
//! (A50, A61).

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use crate::{CallCounts, GrpcEndpoint, OutlierHost, OutlierSettings, OutlierSweep, outlier_sweep};
use spillgate_core::draw::Draw;

/// The endpoints of one cluster, those of every priority. Times are milliseconds of any one clock and
/// never go back.
#[derive(Debug, Clone, Default)]
pub struct OutlierDetector {
    settings: Option<OutlierSettings>,
    hosts: Vec<Tracked>,
    /// Of an address that two endpoints have, the first counts.
    by_address: BTreeMap<String, usize>,
    /// When the interval began that runs now.
    started: Option<u64>,
}

#[derive(Debug, Clone, Default)]
struct Tracked {
    /// Sorted: what makes an endpoint is the set of its addresses.
    addresses: Vec<String>,
    /// Of the interval that runs now; the sweep looks at the one before.
    active: CallCounts,
    host: OutlierHost,
}

impl OutlierDetector {
    /// Takes over settings and endpoints. Endpoints that stay keep their state. The first settings
    /// that count start the timer with empty counters; ones that do not count let everything back
    /// in. The health of endpoints does not matter here.
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
            let tracked = before.remove(&addresses);
            let tracked = tracked.unwrap_or_else(|| Tracked {
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

    /// A request ended at this address. Nothing is counted while nothing ejects.
    pub fn record(&mut self, address: &str, ok: bool) {
        if !self.counts() {
            return;
        }
        let at = self.by_address.get(address);
        if let Some(tracked) = at.and_then(|at| self.hosts.get_mut(*at)) {
            let CallCounts { ok: good, bad } = &mut tracked.active;
            let counter = if ok { good } else { bad };
            *counter = counter.saturating_add(1);
        }
    }

    /// When the next sweep is due: an interval after the last, also when the interval changes.
    #[must_use]
    pub fn due(&self) -> Option<u64> {
        let interval = self.settings?.interval_ms.max(1);
        Some(self.started?.saturating_add(interval))
    }

    /// Sweeps. To be called when it is [`Self::due`]; endpoints are named by their index in what
    /// [`Self::update`] got.
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

    /// Whether the endpoint of an address is ejected. Its connections stay READY, so that a session
    /// still reaches it in gRPC; Envoy picks another host for it.
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
