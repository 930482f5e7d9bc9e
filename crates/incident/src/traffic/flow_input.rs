//! What decides where requests go between two changes, and the hosts of one attempt.

use alloc::{collections::BTreeMap, vec, vec::Vec};
use core::time::Duration;

use spillgate_core::{
    decide::Request,
    route::{HeaderList, RetryPolicy},
    shares::{Distribution, Share},
    snapshot::{ClusterId, HostRef},
};
use spillgate_sim::Scene;

use super::{
    Admission, Cast, FailureKind, Outlook, RetryLimits, SessionParts, SlowStartHosts, WorkerView,
    states::{RetryState, depends_on_tried},
};

/// The most failing hosts that are followed one by one.
const MOST_APART: usize = 48;

/// The cluster that requests ask for, and what their route decides.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestSettings<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) retry: &'a RetryPolicy,
    /// How many retries are possible at the same time; `None` for any number.
    pub(crate) retry_limits: Option<RetryLimits>,
    /// The timeout of a request with its retries.
    pub(crate) timeout: Option<Duration>,
    /// Whether requests have a hash.
    pub(crate) has_hash: bool,
}

/// What decides a flow.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FlowInput<'a> {
    pub(crate) requests: &'a RequestSettings<'a>,
    pub(crate) view: &'a WorkerView,
    pub(crate) slow_start: &'a SlowStartHosts,
    pub(crate) cast: &'a Cast,
    /// By number of the host.
    pub(crate) outlooks: &'a [Outlook],
    /// The time of answers of hosts that do not answer late.
    pub(crate) service_time: Duration,
    /// Requests per second.
    pub(crate) rps: f64,
    /// What the circuit breakers of clusters admit; all of it without an entry.
    pub(crate) admitted: &'a BTreeMap<ClusterId, Admission>,
    /// Where the requests of sessions go; `None` if all requests are balanced.
    pub(crate) sessions: Option<&'a SessionParts>,
}

/// What two equal hosts have in common.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct ClassKey {
    cluster: ClusterId,
    priority: usize,
    locality: usize,
    weight: u32,
    /// In 10^-9 percent.
    share: u64,
    outlook: (u64, FailureKind),
}

/// One host for all requests.
fn only(at: HostRef) -> Distribution {
    Distribution {
        no_host: 0.0,
        shares: vec![Share {
            owner: at.cluster,
            priority: at.priority,
            host: at.host,
            share: 100.0,
        }],
    }
}

impl FlowInput<'_> {
    /// The interval below which a retry waits, counted from 0.
    pub(super) fn retry_interval(&self, retry: u32) -> Duration {
        let limits = self.requests.retry_limits.as_ref();
        limits.map_or(Duration::ZERO, |limits| limits.back_off.interval(retry))
    }

    /// The part of the attempts at a host that circuit breakers admit.
    pub(super) fn admits(&self, number: usize, outlook: &Outlook) -> f64 {
        let host = self.cast.hosts().get(number);
        let admitted = host.and_then(|host| self.admitted.get(&host.at.cluster));
        match admitted {
            None => 1.0,
            Some(admitted) if outlook.is_late() => admitted.late,
            Some(admitted) => admitted.all,
        }
    }

    /// The hosts of an attempt after attempts at these hosts.
    pub(super) fn distribution(&self, tried: &[HostRef]) -> Distribution {
        let snapshot = self.view.snapshot();
        if let Some(last) = tried
            .last()
            .filter(|at| self.keeps_hosts() && self.hashes(at.cluster))
        {
            return only(*last);
        }
        let headers = HeaderList::<&str, &str>(&[]);
        let scene = self.requests.scene;
        let request = Request {
            criteria: scene.criteria(),
            retry: self.requests.retry,
            tried,
            hosts: self.slow_start,
            ..Request::new(scene.cluster(), &headers)
        };
        snapshot.distribution_of(&request, None)
    }

    /// Whether retries can go to the host of the attempt before: the hash of a request chooses the same host unless the
    /// retry avoids it.
    pub(super) fn keeps_hosts(&self) -> bool {
        let mut hosts = self.cast.hosts().iter();
        self.requests.has_hash
            && !depends_on_tried(self.requests.retry)
            && hosts.any(|host| self.hashes(host.at.cluster))
    }

    /// Whether the hash of a request chooses the host of a cluster.
    fn hashes(&self, cluster: ClusterId) -> bool {
        let plain = self.view.snapshot().plain(cluster);
        plain.is_some_and(|plain| plain.settings.policy.hashes())
    }

    /// Whether the timeout of the request ends an attempt that takes this long.
    pub(super) fn is_over(&self, state: &RetryState, attempt: Duration) -> bool {
        // The outlook of an attempt has the timeout of a request without earlier ones.
        !state.elapsed.is_zero()
            && self
                .requests
                .timeout
                .is_some_and(|timeout| state.elapsed.saturating_add(attempt) >= timeout)
    }

    /// The class of each host, by number. Which hosts a policy chooses after one depends on its place, so each failing
    /// host is one of its own unless there are many: then the place decides little.
    pub(super) fn classes(&self, first: &Distribution) -> Vec<usize> {
        let failing = self.outlooks.iter().filter(|outlook| outlook.fails > 0.0);
        if failing.count() <= MOST_APART {
            return (0..self.cast.len()).collect();
        }
        let mut shares = vec![0.0_f64; self.cast.len()];
        for share in &first.shares {
            let number = self.view.number(share.host_ref(), self.cast);
            if let Some(known) = number.and_then(|number| shares.get_mut(number)) {
                *known = share.share;
            }
        }
        if let Some(sessions) = self.sessions {
            sessions.add_to(&mut shares);
        }
        let mut known: BTreeMap<ClassKey, usize> = BTreeMap::new();
        let hosts = self.cast.hosts().iter().zip(shares).zip(self.outlooks);
        let classes = hosts.map(|((host, share), outlook)| {
            let key = ClassKey {
                cluster: host.at.cluster,
                priority: host.at.priority,
                locality: host.locality,
                weight: host.weight,
                // Shares of equal hosts differ by rounding.
                share: libm::round(share * 1e9) as u64,
                outlook: (outlook.fails.to_bits(), outlook.kind),
            };
            let next = known.len();
            *known.entry(key).or_insert(next)
        });
        classes.collect()
    }
}
