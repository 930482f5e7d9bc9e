//! Requests that go to the host of their session (`envoy.filters.http.stateful_session`), and where they leave it.
//!
//! Envoy asks for the host of a session only in the first attempt. The response names the host of the last attempt, also
//! if it is an error, and the session is there from then on.

use alloc::{vec, vec::Vec};
use core::time::Duration;

use spillgate_core::shares::{Distribution, Share};

use super::WorkerView;

/// How the routes to a cluster keep sessions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RouteSessions {
    /// Whether requests fail if the host of their session cannot serve (`strict`).
    pub strict: bool,
    /// How long a session lasts from its last move (`ttl` of the cookie); `None` for no end.
    pub lifetime: Option<Duration>,
}

/// Where the first attempts of requests go, as parts of all requests.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct SessionParts {
    /// By number of the host: those whose session is there, if it can serve.
    kept: Vec<f64>,
    /// By number of the host: those whose session is there, if it cannot serve.
    lost: Vec<f64>,
    /// Those without a session.
    new: f64,
    /// Whether requests without their host are refused.
    strict: bool,
}

impl SessionParts {
    /// Of sessions on these hosts, by number, each with whether it can serve.
    pub(crate) fn new(
        on: impl Iterator<Item = (f64, bool)>,
        new: f64,
        rules: RouteSessions,
    ) -> Self {
        let mut parts = Self {
            new,
            strict: rules.strict,
            ..Self::default()
        };
        for (part, serves) in on {
            parts.kept.push(if serves { part } else { 0.0 });
            parts.lost.push(if serves { 0.0 } else { part });
        }
        parts
    }

    /// The part of the requests that the policy balances.
    pub(crate) fn balanced(&self) -> f64 {
        self.new + if self.strict { 0.0 } else { self.lost() }
    }

    /// The part of the requests whose session has a host that cannot serve.
    fn lost(&self) -> f64 {
        self.lost.iter().sum()
    }

    /// The hosts of the sessions, and without a host those that are refused.
    pub(super) fn kept_distribution(&self, view: &WorkerView) -> Distribution {
        let hosts = self
            .kept
            .iter()
            .enumerate()
            .filter(|(_, part)| **part > 0.0);
        let shares = hosts.filter_map(|(number, part)| {
            let at = view.place(number)?;
            Some(Share {
                owner: at.cluster,
                priority: at.priority,
                host: at.host,
                share: part * 100.0,
            })
        });
        Distribution {
            no_host: if self.strict {
                self.lost() * 100.0
            } else {
                0.0
            },
            shares: shares.collect(),
        }
    }

    /// Adds the kept requests to the shares of hosts, in percent.
    pub(super) fn add_to(&self, shares: &mut [f64]) {
        for (share, kept) in shares.iter_mut().zip(&self.kept) {
            *share += kept * 100.0;
        }
    }
}

/// Where sessions are after their requests, as parts of all requests.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct SessionEnds {
    /// By number of the host.
    pub(crate) hosts: Vec<HostEnds>,
    /// The requests that were balanced and found no host: their sessions stay.
    pub(crate) without_host: f64,
    /// The requests whose session moves to another host.
    pub(crate) moved: f64,
}

/// The requests with attempts at a host.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct HostEnds {
    /// Those whose last attempt was there.
    pub(crate) last: f64,
    /// Balanced requests whose only attempt was there.
    balanced: f64,
    /// Those that were retried after a first attempt there, of kept sessions.
    retried_kept: f64,
    /// The same of all sessions.
    retried: f64,
    /// Retried requests whose last attempt was there.
    later: f64,
    /// Those of them whose first attempt was there, too.
    returned: f64,
}

impl SessionEnds {
    /// Of this number of hosts.
    pub(super) fn new(hosts: usize) -> Self {
        Self {
            hosts: vec![HostEnds::default(); hosts],
            ..Self::default()
        }
    }

    /// Adds first attempts at a host: those that end there, and those that are retried.
    pub(super) fn add_first(&mut self, number: usize, (ended, again): (f64, f64), kept: bool) {
        if let Some(host) = self.hosts.get_mut(number) {
            host.last += ended;
            host.retried += again;
            if kept {
                host.retried_kept += again;
            } else {
                host.balanced += ended;
            }
        }
    }

    /// Adds retries that end at a host; `returns` if the first attempt was there, too.
    pub(super) fn add_later(&mut self, number: usize, ended: f64, returns: bool) {
        if let Some(host) = self.hosts.get_mut(number) {
            host.last += ended;
            host.later += ended;
            if returns {
                host.returned += ended;
            }
        }
    }

    /// All attempts have been added. If retries do not `depend` on the hosts of earlier attempts, all retried requests have
    /// the same hosts, wherever they began.
    pub(super) fn finish(&mut self, parts: &SessionParts, depend: bool) {
        let sum = |of: fn(&HostEnds) -> f64| self.hosts.iter().map(of).sum::<f64>();
        let (later, retried) = (sum(|of| of.later), sum(|of| of.retried));
        let kept = part(sum(|of| of.retried_kept), retried);
        // In panic mode, the policy can choose the host of a session that cannot serve again.
        let balanced = sum(|of| of.balanced) + later * (1.0 - kept);
        let lost = if parts.strict { &[] } else { &*parts.lost };
        let mut lost = lost.iter();
        let moved = self.hosts.iter().map(|host| {
            let returns = if depend {
                part(host.returned, host.retried)
            } else {
                part(host.later, later)
            };
            let others = balanced - host.balanced - host.later * (1.0 - kept);
            let lost = lost.next().copied().unwrap_or_default();
            host.retried_kept * (1.0 - returns) + lost * part(others, parts.balanced())
        });
        self.moved = moved.sum::<f64>().max(0.0);
    }
}

/// A part of a sum; 0 of nothing.
fn part(of: f64, sum: f64) -> f64 {
    if sum > 0.0 { of / sum } else { 0.0 }
}
