//! The record of a run: rows of the timeline, panic mode, the most loaded host, and when traffic is as before.

use alloc::vec::Vec;
use core::time::Duration;

use spillgate_core::model::{CoarseHealth, Health};
use spillgate_sim::LoadState;

use super::{
    changes::{ChangeKind, TimelineChange},
    host::HostRun,
    ledger::RequestTotals,
    simulation::Simulation,
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
    /// The attempts per second of the most loaded host that works.
    pub highest: f64,
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

/// The most loaded host that works.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct MostLoaded {
    pub(super) host: usize,
    pub(super) rps: f64,
    pub(super) before: f64,
}

/// What a run records.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    pub(super) rows: Vec<TimelineRow>,
    pub(super) panic: Vec<PanicSpan>,
    pub(super) highest: Option<MostLoaded>,
    /// The requests until the last failing host was noticed.
    pub(super) at_detection: Option<RequestTotals>,
    /// Since when the workers see the hosts as before the incident; `None` while they do not.
    pub(super) same_since: Option<Duration>,
    /// Whether they ever saw them in another way.
    pub(super) differed: bool,
    /// The findings without an effect that a row has.
    inert: Vec<ChangeKind>,
    /// By number: attempts per second, membership and health at the start.
    initial: Vec<(f64, Option<Health>)>,
}

impl Simulation<'_> {
    /// Starts a row with the current flow.
    pub(super) fn record(&mut self, state: &LoadState) {
        let time = self.now.saturating_sub(self.lead);
        let rate = |part: &f64| part * self.rps;
        let seen = |number: usize| {
            let member = self.view.is_member(number);
            member.then(|| self.view.health(number))
        };
        if self.recorder.initial.is_empty() {
            let rates = self.flow.attempts.iter().enumerate();
            self.recorder.initial = rates.map(|(at, part)| (rate(part), seen(at))).collect();
        }
        let initial = self.recorder.initial.iter().enumerate();
        let is_same = initial
            .map(|(number, (_, health))| (*health, seen(number)))
            .all(|(before, now)| is_as(before, now));
        let working = self.hosts.iter().zip(&self.flow.attempts).enumerate();
        let working = working.filter(|(_, (host, _))| !host.fails());
        let most = working.max_by(|a, b| a.1.1.total_cmp(b.1.1));
        let most = most.map(|(host, (_, part))| MostLoaded {
            host,
            rps: rate(part),
            before: self.recorder.initial.get(host).map_or(0.0, |(rps, _)| *rps),
        });
        let row = TimelineRow {
            from: time,
            changes: core::mem::take(&mut self.changes),
            hosts: self.counts(),
            priorities: moments(state),
            rps: self.rps,
            failed: rate(&self.flow.failed),
            retried: rate(&self.flow.retried),
            no_host: rate(&self.flow.no_host),
            highest: most.map_or(0.0, |most| most.rps),
        };
        let is_after = self.onset.is_some_and(|onset| time >= onset);
        self.recorder
            .add(row, state, is_same, most.filter(|_| is_after));
    }

    fn counts(&self) -> HostCounts {
        let mut counts = HostCounts::default();
        for number in (0..self.hosts.len()).filter(|number| self.view.is_member(*number)) {
            let health = self.view.health(number);
            counts.hosts += 1;
            counts.healthy += usize::from(health.coarse() == CoarseHealth::Healthy);
            counts.degraded += usize::from(health.coarse() == CoarseHealth::Degraded);
            counts.ejected += usize::from(health.flags.failed_outlier_check);
            counts.failed_checks += usize::from(health.flags.failed_active_hc);
        }
        counts
    }

    /// The number of hosts that failed and were not noticed.
    pub(super) fn unnoticed(&self) -> usize {
        self.hosts
            .iter()
            .filter(|host| HostRun::is_unnoticed(host))
            .count()
    }
}

impl Recorder {
    /// The attempts per second of a host at the start.
    pub(super) fn initial_rps(&self, host: usize) -> Option<f64> {
        self.initial.get(host).map(|(rps, _)| *rps)
    }

    /// Whether one of these changes needs a row of its own: the first finding of its kind without an effect.
    pub(super) fn is_new(&mut self, changes: &[TimelineChange]) -> bool {
        let mut found = false;
        for change in changes {
            if change.kind.is_inert() && !self.inert.contains(&change.kind) {
                self.inert.push(change.kind);
                found = true;
            }
        }
        found
    }

    fn add(
        &mut self,
        row: TimelineRow,
        state: &LoadState,
        is_same: bool,
        most: Option<MostLoaded>,
    ) {
        if !is_same {
            self.same_since = None;
            self.differed = true;
        } else if self.same_since.is_none() {
            self.same_since = Some(row.from);
        }
        for (place, moment) in row.priorities.iter().enumerate() {
            let open = self.panic.iter_mut();
            let open = open
                .rev()
                .find(|span| span.place == place && span.to.is_none());
            match open {
                Some(span) if !moment.panic => span.to = Some(row.from),
                None if moment.panic => {
                    let health = state.priorities.get(place).map(|priority| priority.health);
                    self.panic.push(PanicSpan {
                        place,
                        from: row.from,
                        to: None,
                        usable: health.map_or(0, |of| (of.healthy + of.degraded) as usize),
                        hosts: health.map_or(0, |of| (of.hosts - of.excluded) as usize),
                    });
                }
                _ => {}
            }
        }
        let is_more = |most: &MostLoaded| self.highest.is_none_or(|known| most.rps > known.rps);
        if let Some(most) = most.filter(is_more) {
            self.highest = Some(most);
        }
        match self.rows.last_mut() {
            // Several changes at one time are one row.
            Some(last) if last.from == row.from => {
                let mut changes = core::mem::take(&mut last.changes);
                changes.extend(row.changes.iter().cloned());
                *last = TimelineRow { changes, ..row };
            }
            Some(last) if row.changes.is_empty() && last.is_like(&row) => {}
            _ => self.rows.push(row),
        }
    }
}

impl TimelineRow {
    /// Whether all figures are the same.
    fn is_like(&self, other: &Self) -> bool {
        (self.hosts, &self.priorities) == (other.hosts, &other.priorities)
            && (self.rps, self.failed, self.retried) == (other.rps, other.failed, other.retried)
            && (self.no_host, self.highest) == (other.no_host, other.highest)
    }
}

/// Whether a host counts in the same way.
fn is_as(before: Option<Health>, now: Option<Health>) -> bool {
    match (before, now) {
        (Some(before), Some(now)) => {
            before.coarse() == now.coarse() && before.excluded() == now.excluded()
        }
        (None, None) => true,
        _ => false,
    }
}

fn moments(state: &LoadState) -> Vec<PriorityMoment> {
    let places = state.priorities.iter().enumerate();
    let moments = places.map(|(place, priority)| PriorityMoment {
        load: priority.load(),
        panic: state.panics(place),
    });
    moments.collect()
}
