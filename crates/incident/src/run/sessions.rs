//! The sessions of the clients in a simulation: each stays on its host, and moves with a request that ends at another one.

use alloc::{collections::BTreeMap, vec};
use core::time::Duration;

use super::{
    changes::ChangeKind,
    queue::QueuedEvent,
    session_run::{PlacedSessions, SessionOutcome, SessionRun},
    simulation::Simulation,
};
use crate::traffic::{Outlook, SlowStartHosts};

impl Simulation<'_> {
    /// Counts the requests of each client for some time.
    pub(super) fn count_session_requests(&mut self, time: Duration) {
        if let Some(sessions) = &mut self.sessions {
            sessions.requests += self.rps / sessions.clients * time.as_secs_f64();
        }
    }

    /// Moves the sessions by the requests since the last step, and plans the next one.
    pub(super) fn move_sessions(&mut self, outlooks: &[Outlook], slow_start: &SlowStartHosts) {
        let Some(mut sessions) = self.sessions.take() else {
            return;
        };
        if sessions.placed.on.is_empty() {
            self.begin_sessions(&mut sessions, slow_start);
        } else {
            sessions.pass(&self.flow);
        }
        sessions.serves = (0..self.hosts.len())
            .map(|number| self.serves_sessions(number))
            .collect();
        let offered = sessions.parts_of(&sessions.placed);
        let flow = self.flow_of(outlooks, slow_start, &BTreeMap::new(), Some(&offered));
        let step = sessions.step(&flow, self.rps);
        sessions.version = sessions.version.wrapping_add(1);
        if let Some(time) = step {
            let version = sessions.version;
            self.queue.add(
                self.now.saturating_add(time),
                QueuedEvent::Sessions { version },
            );
        }
        self.sessions = Some(sessions);
    }

    /// Sessions have moved for a while.
    pub(super) fn on_sessions(&mut self, version: u32) {
        let sessions = self.sessions.as_ref();
        if sessions.is_some_and(|sessions| sessions.version == version) {
            self.is_stale = true;
            self.note(ChangeKind::SessionsMove, 0, 0);
        }
    }

    /// What became of the sessions from the first event on.
    pub(super) fn session_outcome(&self) -> Option<SessionOutcome> {
        let sessions = self.sessions.as_ref()?;
        let mut rows = self.recorder.rows.iter();
        Some(SessionOutcome {
            clients: sessions.clients as u32,
            moved: self.since_onset.moved,
            before: rows.next().map_or(0.0, |row| row.concerned),
            after: self.concerned_sessions(),
        })
    }

    /// The sessions on hosts of the script, in percent.
    pub(super) fn concerned_sessions(&self) -> f64 {
        let sessions = self.sessions.as_ref();
        let on = sessions.map_or(&[][..], |sessions| &sessions.mean.on);
        let hosts = on.iter().enumerate();
        let concerned = hosts.filter(|(number, _)| self.plan.concerns(*number));
        100.0 * concerned.map(|(_, part)| part).sum::<f64>()
    }

    /// Before the incident, each client has a session on the host that the policy chose.
    fn begin_sessions(&self, sessions: &mut SessionRun, slow_start: &SlowStartHosts) {
        let hosts = self.hosts.len();
        let works = vec![Outlook::WORKS; hosts];
        sessions.serves = vec![true; hosts];
        let nowhere = PlacedSessions {
            on: vec![0.0; hosts],
            new: 1.0,
        };
        let all = sessions.parts_of(&nowhere);
        let flow = self.flow_of(&works, slow_start, &BTreeMap::new(), Some(&all));
        sessions.placed = sessions.ends(&flow, &nowhere);
    }

    /// Whether a host has requests of its sessions.
    fn serves_sessions(&self, number: usize) -> bool {
        let settings = self.cluster_of(number).and_then(|cluster| {
            let plain = self.view.snapshot().plain(cluster)?;
            Some(&plain.settings)
        });
        let host = self.hosts.get(number);
        let is_known = self.view.is_member(number);
        let keeps = host.zip(settings).is_some_and(|(host, settings)| {
            let status = host.health().session_status();
            settings.override_statuses.contains(status)
        });
        is_known && keeps
    }
}
