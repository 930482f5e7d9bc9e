//! From the main thread to the workers: members and health, and what the requests do with them.

use alloc::vec::Vec;
use core::time::Duration;

use spillgate_core::snapshot::ClusterId;
use spillgate_health::merge_window::{PriorityChange, UpdateDelivery};
use spillgate_sim::LoadState;

use super::{host::HostRun, queue::QueuedEvent, simulation::Simulation};
use crate::traffic::Outlook;

impl Simulation<'_> {
    /// The health of a host changed: the cluster computes the lists of all its priorities again.
    pub(super) fn changed_health(&mut self, number: usize) {
        let Some(cluster) = self.cluster_of(number) else {
            return;
        };
        // Workers read the health of a session's host from the host itself.
        self.is_stale |= self.sessions.is_some();
        let priorities = self.windows.get(&cluster).map_or(0, Vec::len);
        for priority in 0..priorities {
            self.update(cluster, priority, PriorityChange::State);
        }
    }

    /// The lists of a priority change.
    pub(super) fn update(&mut self, cluster: ClusterId, priority: usize, change: PriorityChange) {
        let windows = self.windows.get_mut(&cluster);
        let Some(window) = windows.and_then(|windows| windows.get_mut(priority)) else {
            return;
        };
        match window.on_change(self.now, change) {
            UpdateDelivery::Now => self.deliver(cluster, priority),
            UpdateDelivery::At(at) => {
                self.queue
                    .add(at, QueuedEvent::Deliver { cluster, priority });
            }
        }
    }

    /// Collected changes are due.
    pub(super) fn on_deliver(&mut self, cluster: ClusterId, priority: usize) {
        let windows = self.windows.get_mut(&cluster);
        let window = windows.and_then(|windows| windows.get_mut(priority));
        if window.is_some_and(|window| window.on_due(self.now)) {
            self.deliver(cluster, priority);
        }
    }

    /// The workers get the lists of a priority as they are now: later changes of this moment are other ones.
    pub(super) fn deliver(&mut self, cluster: ClusterId, priority: usize) {
        let hosts = self.cast.hosts().iter().zip(&self.hosts).enumerate();
        let own =
            hosts.filter(|(_, (of, _))| (of.at.cluster, of.at.priority) == (cluster, priority));
        let health = own.map(|(number, (_, host))| (number, host.health()));
        self.delivered.extend(health);
        self.has_delivered = true;
    }

    /// The workers get the lists of all priorities.
    pub(super) fn deliver_all(&mut self) {
        let windows = self.windows.iter();
        let all = windows.map(|(cluster, of)| (*cluster, of.len()));
        for (cluster, priorities) in all.collect::<Vec<_>>() {
            for priority in 0..priorities {
                self.deliver(cluster, priority);
            }
        }
    }

    /// Gives the workers what was delivered at this moment, and follows the requests if something changed.
    pub(super) fn settle(&mut self) {
        let health = core::mem::take(&mut self.delivered);
        if core::mem::take(&mut self.has_delivered) {
            if core::mem::take(&mut self.members_changed) {
                let members = self.hosts.iter().map(|host| host.is_member);
                let members: Vec<bool> = members.collect();
                self.view.set_members(&members, &self.cast);
                self.is_stale = true;
            }
            self.is_stale |= self.view.set_health(&health);
        }
        if !self.has_begun {
            return;
        }
        if core::mem::take(&mut self.is_stale) {
            self.follow_requests();
        } else if self.recorder.is_new(&self.changes) {
            self.record_state();
        }
    }

    /// Computes where requests go from now on.
    fn follow_requests(&mut self) {
        for number in 0..self.hosts.len() {
            self.sync(number);
        }
        let outlooks: Vec<Outlook> = self.hosts.iter().map(|host| host.outlook).collect();
        let slow_start = self.hosts_in_slow_start();
        self.move_sessions(&outlooks, &slow_start);
        self.flow = self.admitted_flow(&outlooks, &slow_start);
        if self.rps > 0.0 {
            self.used.extend(self.flow.used(&self.cast));
        }
        let rps = self.rps;
        for (host, part) in self.hosts.iter_mut().zip(&self.flow.attempts) {
            host.arrivals.set_rate(rps * part);
        }
        for number in 0..self.hosts.len() {
            let has_rows = |host: &HostRun| {
                host.fails() || host.reports_degraded() || !host.in_flight.is_empty()
            };
            if self.hosts.get(number).is_some_and(has_rows) {
                self.plan_row(number);
            }
        }
        self.record_state();
    }

    fn record_state(&mut self) {
        let scene = &self.setup.scene;
        let state = LoadState::of(self.view.snapshot(), scene.cluster(), scene.criteria());
        self.record(&state);
    }

    /// Adds the requests since the last event.
    pub(super) fn account(&mut self, now: Duration) {
        let time = now.saturating_sub(self.accounted);
        self.accounted = self.accounted.max(now);
        if self.has_begun && !time.is_zero() {
            self.count_session_requests(time);
            let from = self.onset.map(|onset| onset + self.lead);
            if from.is_some_and(|from| now > from) {
                self.since_onset.add(&self.flow, self.rps, time);
            }
        }
    }
}
