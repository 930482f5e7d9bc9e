//! What the script changes: the load, and how hosts behave.

use core::time::Duration;

use super::{
    changes::ChangeKind,
    host::{DetectionCause, HostRun},
    probe::fails_check,
    simulation::Simulation,
    timeouts::TimeoutRows,
};
use crate::{script::HostBehavior, traffic::Outlook};

impl Simulation<'_> {
    /// The script changes something at this time of it.
    pub(super) fn edge(&mut self, time: Duration) {
        let rps = self.plan.script.load.at(time);
        if rps != self.rps {
            self.rps = rps;
            self.note(ChangeKind::Load(rps), 0, 0);
            self.is_stale = true;
        }
        for (index, planned) in self.plan.events().iter().enumerate() {
            let span = planned.event.span;
            let first = planned.hosts.first().copied().unwrap_or_default();
            if span.from == time {
                self.note(ChangeKind::Begins(index), first, planned.hosts.len());
            } else if span.to == Some(time) {
                self.note(ChangeKind::Ends(index), first, planned.hosts.len());
            } else if planned.event.turns_at(time) {
                self.note(ChangeKind::Flaps(index), first, planned.hosts.len());
            }
        }
        for number in 0..self.hosts.len() {
            let behavior = self.plan.behavior(number, time);
            let differs = |host: &HostRun| host.behavior != host.behaves(behavior);
            if self.hosts.get(number).is_some_and(differs) {
                self.set_behavior(number, behavior);
                self.is_stale = true;
            }
            self.set_listed(number, self.plan.is_member(number, time));
        }
    }

    /// A host behaves in another way from now on.
    pub(super) fn set_behavior(&mut self, number: usize, behavior: Option<HostBehavior>) {
        self.sync(number);
        let timeouts = self.setup.timeouts;
        let service_time = self.plan.script.service_time;
        let Some(host) = self.hosts.get_mut(number) else {
            return;
        };
        host.behavior = host.behaves(behavior);
        if host.outlook.kind.is_timeout() {
            host.in_flight.add(&host.arrivals);
        }
        host.outlook = Outlook::new(host.behavior, timeouts, service_time);
        host.outcomes.set(host.outlook.fails);
        if let Some(timeouts) = &mut host.timeouts {
            *timeouts = TimeoutRows::default();
        }
        host.arrivals.begin(host.outlook.kind.after());
        self.begins_to_fail(number);
    }

    /// A host of the cluster fails from now on, if it does.
    pub(super) fn begins_to_fail(&mut self, number: usize) {
        let (now, settings) = (self.now, self.settings_of(number));
        let Some(host) = self.hosts.get_mut(number).filter(|host| host.is_member) else {
            return;
        };
        let failed_before = host.base.flags.failed_active_hc;
        let behavior = host.behavior.filter(|of| of.can_fail() && !failed_before);
        let Some(behavior) = behavior.filter(|_| self.has_begun) else {
            return;
        };
        let checks = settings.map_or(&[][..], |settings| &settings.checks);
        let noticeable = checks.iter().any(|check| fails_check(behavior, check));
        if (host.fails() || noticeable) && host.failing_since.is_none() {
            host.failing_since = Some(now);
            let flags = host.health().flags;
            if flags.failed_active_hc {
                self.noticed(number, DetectionCause::ActiveCheck);
            }
        }
    }
}
