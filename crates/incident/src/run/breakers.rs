//! The circuit breakers of the clusters: they refuse requests while too many are active.

use alloc::collections::BTreeMap;

use spillgate_core::snapshot::ClusterId;

use super::{
    breaker::{BreakerRun, Load, load},
    changes::ChangeKind,
    queue::QueuedEvent,
    session_run::SessionRun,
    simulation::Simulation,
};
use crate::traffic::{Admission, Flow, FlowInput, Outlook, SessionParts, SlowStartHosts};

impl Simulation<'_> {
    /// The flow of requests that the circuit breakers admit, from now on.
    pub(super) fn admitted_flow(
        &mut self,
        outlooks: &[Outlook],
        slow_start: &SlowStartHosts,
    ) -> Flow {
        let now = self.now;
        for breaker in self.breakers.values_mut() {
            breaker.waiting.advance(now);
        }
        let sessions = self.sessions.as_ref().map(SessionRun::parts);
        let offered = self.flow_of(outlooks, slow_start, &BTreeMap::new(), sessions);
        let working = |cluster: ClusterId| {
            let hosts = self
                .cast
                .hosts()
                .iter()
                .zip(outlooks)
                .zip(&offered.attempts);
            let own = hosts.filter(|((host, outlook), part)| {
                host.at.cluster == cluster && !outlook.is_late() && **part > 0.0
            });
            own.count()
        };
        let service_time = self.plan.script.service_time.unwrap_or_default();
        let steady = |breaker: &BreakerRun| breaker.steady(service_time);
        let mut admitted = BTreeMap::new();
        for (cluster, breaker) in &mut self.breakers {
            let admission = breaker.admission(&Load {
                working: working(*cluster),
                ..load(&offered, *cluster, self.rps, steady(breaker))
            });
            if admission != Admission::ALL {
                *self.opened.entry(*cluster).or_default() |= admission.all < 1.0;
                admitted.insert(*cluster, admission);
            }
        }
        let flow = if admitted.is_empty() {
            offered
        } else {
            let sessions = self.sessions.as_ref().map(SessionRun::parts);
            self.flow_of(outlooks, slow_start, &admitted, sessions)
        };
        let is_open = !admitted.is_empty();
        if is_open != self.refuses {
            self.refuses = is_open;
            let kind = if is_open {
                ChangeKind::BreakerOpens
            } else {
                ChangeKind::BreakerCloses
            };
            self.note(kind, 0, 0);
        }
        for (cluster, breaker) in &mut self.breakers {
            let load = load(&flow, *cluster, self.rps, steady(breaker));
            breaker.waiting.arrive(load.long);
            breaker.version = breaker.version.wrapping_add(1);
            if let Some(at) = breaker.next_change() {
                let event = QueuedEvent::Breaker {
                    cluster: *cluster,
                    version: breaker.version,
                };
                self.queue.add(at.max(now), event);
            }
        }
        flow
    }

    /// The number of active requests reaches a limit, or requests end.
    pub(super) fn on_breaker(&mut self, cluster: ClusterId, version: u32) {
        let breaker = self.breakers.get(&cluster);
        if breaker.is_some_and(|breaker| breaker.version == version) {
            self.is_stale = true;
        }
    }

    /// The flow of requests with sessions on these hosts.
    pub(super) fn flow_of(
        &self,
        outlooks: &[Outlook],
        slow_start: &SlowStartHosts,
        admitted: &BTreeMap<ClusterId, Admission>,
        sessions: Option<&SessionParts>,
    ) -> Flow {
        Flow::new(&FlowInput {
            requests: &self.setup.requests(),
            view: &self.view,
            slow_start,
            cast: &self.cast,
            outlooks,
            service_time: self.plan.script.service_time.unwrap_or_default(),
            rps: self.rps,
            admitted,
            sessions,
        })
    }
}
