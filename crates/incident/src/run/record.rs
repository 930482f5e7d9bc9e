//! The record of a run: rows of the timeline, panic mode, the most loaded host, and when traffic is as before.

use alloc::vec::Vec;

use spillgate_core::model::{CoarseHealth, Health};
use spillgate_sim::LoadState;

use super::{
    changes::{ChangeKind, TimelineChange, count_change},
    host::{DetectionCause, HostRun},
    recorder::{HighestLoad, HostCounts, PanicSpan, PriorityMoment, Recorder, TimelineRow},
    simulation::Simulation,
};

impl Simulation<'_> {
    /// Envoy notices the failure of a host.
    pub(super) fn noticed(&mut self, number: usize, cause: DetectionCause) {
        let now = self.now;
        self.account(now);
        let Some(host) = self
            .hosts
            .get_mut(number)
            .filter(|host| host.is_unnoticed())
        else {
            return;
        };
        host.detected = Some((now, cause));
        if !self.hosts.iter().any(HostRun::is_unnoticed) {
            self.recorder.at_detection = Some(self.since_onset);
        }
    }

    /// Counts a change of a host.
    pub(super) fn changed(&mut self, number: usize, kind: ChangeKind) {
        self.note(kind, number, 1);
    }

    /// Counts a change of a number of hosts, of which this is the first.
    pub(super) fn note(&mut self, kind: ChangeKind, number: usize, hosts: usize) {
        if self.has_begun {
            let time = self.now.saturating_sub(self.lead);
            let example = if hosts == 0 {
                ""
            } else {
                self.cast.address(number)
            };
            count_change(&mut self.changes, kind, time, (hosts, example));
        }
    }

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
        if let Some(recorded) = &mut self.recorder.seen {
            recorded.add(time, (0..self.hosts.len()).map(seen));
        }
        let initial = self.recorder.initial.iter().enumerate();
        let is_same = initial
            .map(|(number, (_, health))| {
                let added = health.is_none() && self.plan.is_member(number, time);
                // A host that EDS adds is to be healthy, as others are at the start.
                (health.or(added.then(Health::default)), seen(number))
            })
            .all(|(before, now)| is_as(before, now))
            && self.slow_start_hosts == 0;
        let working = self.hosts.iter().zip(&self.flow.attempts).enumerate();
        let working = working.filter(|(_, (host, _))| !host.fails());
        let most = working.max_by(|a, b| a.1.1.total_cmp(b.1.1));
        let most = most.map(|(host, (_, part))| HighestLoad {
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
            refused: rate(&self.flow.refused),
            highest: most.map_or(0.0, |most| most.rps),
            moved: rate(&self.flow.sessions.moved),
            concerned: self.concerned_sessions(),
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
        most: Option<HighestLoad>,
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
        let is_more = |most: &HighestLoad| self.highest.is_none_or(|known| most.rps > known.rps);
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
    /// Whether nothing else changed than where sessions are.
    #[must_use]
    pub fn only_moves_sessions(&self) -> bool {
        let mut changes = self.changes.iter();
        !self.changes.is_empty() && changes.all(|of| of.kind == ChangeKind::SessionsMove)
    }

    /// Whether all figures are the same.
    fn is_like(&self, other: &Self) -> bool {
        (self.hosts, &self.priorities) == (other.hosts, &other.priorities)
            && (self.rps, self.failed, self.retried) == (other.rps, other.failed, other.retried)
            && (self.no_host, self.refused) == (other.no_host, other.refused)
            && (self.highest, self.moved, self.concerned)
                == (other.highest, other.moved, other.concerned)
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
