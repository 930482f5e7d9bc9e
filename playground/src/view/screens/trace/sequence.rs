//! Many requests: observed counts and exact shares.

use std::collections::BTreeMap;

use spillgate_core::{
    decide::Reason,
    model::DropOverload,
    snapshot::{ClusterId, HostRef},
};

use super::{TraceRequest, TraceStage};

/// The number of requests.
pub const REQUESTS: u32 = 1_000;

/// The results of a sequence of equal requests to one worker.
#[derive(Debug)]
pub struct RequestSequence {
    /// The hosts with requests or with a share, in configuration order; the last row can be that of the
    /// requests without a host.
    pub rows: Vec<HostCount>,
    /// The largest difference between an observed and an exact share, in percentage points.
    pub largest_difference: f64,
}

/// The requests to a host.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HostCount {
    /// The host; `None` for the requests without a host.
    pub host: Option<HostRef>,
    /// The number of requests that it got.
    pub observed: u32,
    /// Its exact share in percent.
    pub exact: f64,
}

impl HostCount {
    /// The observed share in percent.
    #[must_use]
    pub fn share(&self) -> f64 {
        f64::from(self.observed) * 100.0 / f64::from(REQUESTS)
    }

    /// The observed share minus the exact one, in percentage points.
    #[must_use]
    pub fn difference(&self) -> f64 {
        self.share() - self.exact
    }
}

/// Every change makes a new result, so only the same one is equal.
impl PartialEq for RequestSequence {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
    }
}

impl RequestSequence {
    /// Decides [`REQUESTS`] times with one worker. Without a key, each request has another random number.
    #[must_use]
    pub fn new(stage: &TraceStage, request: &TraceRequest) -> Self {
        let mut counts = Counts::default();
        let (mut state, mut draw) = request.worker(stage);
        let mut kept = None;
        let mut refused = false;
        for _ in 0..REQUESTS {
            let worker = (&mut state, &mut draw);
            let (decision, refusal) = request.decide(stage, &request.active, worker, &mut None);
            let host = decision.host_ref();
            counts.row(host).observed += 1;
            refused |= refusal.is_some();
            if decision.reason == Reason::Session {
                kept = host;
            }
        }
        let mut exact = |host, share| counts.row(host).exact += share;
        if refused {
            exact(None, 100.0);
        } else if let Some(host) = kept {
            let dropped = dropped(stage, stage.cluster);
            exact(Some(host), 100.0 - dropped);
            exact(None, dropped);
        } else {
            let distribution = request.distribution(stage);
            for share in &distribution.shares {
                let host = HostRef {
                    cluster: share.owner,
                    priority: share.priority,
                    host: share.host,
                };
                exact(Some(host), share.share);
            }
            exact(None, distribution.no_host);
        }
        let rows = counts.into_rows();
        let differences = rows.iter().map(|row| row.difference().abs());
        Self {
            largest_difference: differences.fold(0.0, f64::max),
            rows,
        }
    }
}

/// The rows so far, by host.
#[derive(Default)]
struct Counts(BTreeMap<Option<HostRef>, HostCount>);

impl Counts {
    fn row(&mut self, host: Option<HostRef>) -> &mut HostCount {
        self.0.entry(host).or_insert(HostCount {
            host,
            observed: 0,
            exact: 0.0,
        })
    }

    fn into_rows(mut self) -> Vec<HostCount> {
        let no_host = self.0.remove(&None);
        let rows = self.0.into_values().chain(no_host);
        rows.filter(|row| row.observed > 0 || row.exact > 0.0)
            .collect()
    }
}

/// The percentage of the requests of a cluster that `drop_overloads` drops.
fn dropped(stage: &TraceStage, cluster: ClusterId) -> f64 {
    let plain = stage.snapshot.plain(cluster);
    let share = plain.map(|plain| plain.settings.drop_overload);
    f64::from(share.map_or(0, DropOverload::millionths)) / 10_000.0
}
