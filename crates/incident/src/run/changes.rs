//! What changed since the last row of a timeline, counted by kind.

use alloc::{string::String, vec::Vec};
use core::time::Duration;

use spillgate_health::outlier::OutlierEjectionType;

/// A kind of change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ChangeKind {
    /// An event of the script begins; its index among the events of the cluster.
    Begins(usize),
    /// An event of the script ends.
    Ends(usize),
    /// A flapping host of an event begins to work, or to fail.
    Flaps(usize),
    /// The load changes to this many requests per second.
    Load(f64),
    /// A circuit breaker begins to refuse requests.
    BreakerOpens,
    /// Circuit breakers admit all requests again.
    BreakerCloses,
    /// Hosts are in slow start: they get fewer requests at first.
    SlowStartBegins,
    /// The weights of hosts in slow start grow.
    SlowStartGrows,
    /// No host is in slow start any more.
    SlowStartEnds,
    /// More sessions have moved to other hosts.
    SessionsMove,
    /// Hosts fail their active health checks.
    ChecksFail,
    /// Hosts pass their active health checks.
    ChecksPass,
    /// Hosts report that they are degraded.
    Degraded,
    /// Outlier detection ejects hosts.
    Ejected(OutlierEjectionType),
    /// Outlier detection found hosts, and the draw of the enforcing percentage prevented ejections.
    NotEnforced(OutlierEjectionType),
    /// Outlier detection found hosts, and `max_ejection_percent` prevented ejections.
    Overflow(OutlierEjectionType),
    /// Ejections end.
    Returned,
    /// Hosts leave the cluster.
    Left,
    /// Hosts join the cluster.
    Joined,
}

impl ChangeKind {
    /// Whether it is a finding that changes no host.
    #[must_use]
    pub(super) const fn is_inert(self) -> bool {
        matches!(self, Self::NotEnforced(_) | Self::Overflow(_))
    }
}

/// Equal changes of hosts.
#[derive(Debug, Clone, PartialEq)]
pub struct TimelineChange {
    /// What changed.
    pub kind: ChangeKind,
    /// The number of changes; a host can change several times.
    pub hosts: usize,
    /// The address of the first host; empty for a change without hosts.
    pub example: String,
    /// Whether it is the only host, however often it changed.
    pub is_one_host: bool,
    /// The time of the first change.
    pub first: Duration,
    /// The time of the last change.
    pub last: Duration,
}

/// Adds a change of a host.
pub(super) fn count_change(
    changes: &mut Vec<TimelineChange>,
    kind: ChangeKind,
    now: Duration,
    (hosts, example): (usize, &str),
) {
    match changes.iter_mut().find(|change| change.kind == kind) {
        Some(change) => {
            change.hosts += hosts;
            change.is_one_host &= change.example == example;
            change.last = now;
        }
        None => changes.push(TimelineChange {
            kind,
            hosts,
            example: example.into(),
            is_one_host: hosts == 1,
            first: now,
            last: now,
        }),
    }
}
