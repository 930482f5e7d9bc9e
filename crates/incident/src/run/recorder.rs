//! What a run records: rows of the timeline, panic mode, and the most loaded host.

use alloc::{collections::BTreeSet, vec::Vec};
use core::time::Duration;

use spillgate_core::{model::Health, snapshot::ClusterId};

use super::{
    changes::{ChangeKind, TimelineChange},
    ledger::RequestTotals,
};

/// The time from one change of the requests to the next.
#[derive(Debug, Clone, PartialEq)]
pub struct TimelineRow {
    /// Its start.
    pub from: Duration,
    /// What changed since the start of the row before.
    pub changes: Vec<TimelineChange>,
    /// The hosts as the workers see them.
    pub hosts: HostCounts,
    /// The priorities; of an aggregate, its linearized ones.
    pub priorities: Vec<PriorityMoment>,
    /// Requests per second.
    pub rps: f64,
    /// Requests per second that fail.
    pub failed: f64,
    /// Retries per second.
    pub retried: f64,
    /// Requests per second without a host.
    pub no_host: f64,
    /// Requests per second that circuit breakers refuse.
    pub refused: f64,
    /// The attempts per second of the most loaded host that works.
    pub highest: f64,
    /// Sessions per second that move to another host.
    pub moved: f64,
    /// The sessions on hosts of the script, in percent; 0 without sessions.
    pub concerned: f64,
}

/// The hosts of a cluster as its workers see them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HostCounts {
    /// All hosts.
    pub hosts: usize,
    /// Healthy hosts.
    pub healthy: usize,
    /// Degraded hosts.
    pub degraded: usize,
    /// Hosts that outlier detection ejected.
    pub ejected: usize,
    /// Hosts that fail their active health checks.
    pub failed_checks: usize,
}

/// A priority for some time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriorityMoment {
    /// Its load in percent.
    pub load: u32,
    /// Whether it is in panic mode and has load.
    pub panic: bool,
}

/// A priority in panic mode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PanicSpan {
    /// Its place among the priorities of a row.
    pub place: usize,
    /// When it starts.
    pub from: Duration,
    /// When it ends; `None` for the end of the simulated time.
    pub to: Option<Duration>,
    /// The usable hosts of the priority when it starts.
    pub usable: usize,
    /// The hosts of the priority that are not excluded.
    pub hosts: usize,
}

/// The load of a host.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HighestLoad {
    /// The number of the host in configuration order.
    pub host: usize,
    /// Its highest attempts per second.
    pub rps: f64,
    /// Its attempts per second at the start.
    pub before: f64,
}

/// A host as the workers see it from a time on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeenHost {
    /// The start of a row.
    pub from: Duration,
    /// The number of the host in configuration order.
    pub host: usize,
    /// Its health; `None` while it is not a member.
    pub health: Option<Health>,
}

/// What a run records.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    pub(super) rows: Vec<TimelineRow>,
    pub(super) panic: Vec<PanicSpan>,
    pub(super) highest: Option<HighestLoad>,
    /// The requests until the last failing host was noticed.
    pub(super) at_detection: Option<RequestTotals>,
    /// The largest multiple of `base_ejection_time` that an ejection had.
    pub(super) ejections_in_row: u32,
    /// Since when the workers see the hosts as before the incident; `None` while they do not.
    pub(super) same_since: Option<Duration>,
    /// Whether they ever saw them in another way.
    pub(super) differed: bool,
    /// The findings without an effect that a row has.
    pub(super) inert: Vec<ChangeKind>,
    /// By number: attempts per second, membership and health at the start.
    pub(super) initial: Vec<(f64, Option<Health>)>,
    /// The latest entry of each host and all changes, if they are asked for.
    pub(super) seen: Option<SeenHosts>,
    /// The clusters that get requests at the start.
    pub(super) used_at_start: BTreeSet<ClusterId>,
}

/// How the workers see each host over time.
#[derive(Debug, Default)]
pub(super) struct SeenHosts {
    /// By number: the health at the last change.
    latest: Vec<Option<Health>>,
    /// The state at the start, then each change.
    pub(super) changes: Vec<SeenHost>,
}

impl SeenHosts {
    /// Adds what differs at a time.
    pub(super) fn add(&mut self, from: Duration, hosts: impl Iterator<Item = Option<Health>>) {
        for (host, health) in hosts.enumerate() {
            match self.latest.get_mut(host) {
                Some(latest) if *latest == health => continue,
                Some(latest) => *latest = health,
                None => self.latest.push(health),
            }
            self.changes.push(SeenHost { from, host, health });
        }
    }
}
