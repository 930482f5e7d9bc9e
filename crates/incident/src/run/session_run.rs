//! The sessions of all clients, and how they move with their requests.
//!
//! With `n` clients and `r` requests per second, each client sends `r / n` requests per second at random times. So the
//! sessions of a host that cannot serve move one by one, in steps here, and those of other hosts stay.

use alloc::vec::Vec;
use core::time::Duration;

use super::plan::IncidentPlan;
use crate::{
    setup::IncidentSetup,
    traffic::{Flow, RouteSessions, SessionParts},
};

/// How many requests a client sends in the shortest step.
const STEP: f64 = 0.25;
/// The same in the longest one: the requests of a step that something ends earlier are those of its mean.
const LONGEST_STEP: f64 = 1.0;
/// The part of the sessions that moves in a step, if it is not the shortest or the longest.
const PART: f64 = 0.02;
/// Where a smaller part moves with each request, sessions stay.
const STILL: f64 = 1e-4;
/// The shortest time of a step.
const SHORTEST: Duration = Duration::from_millis(1);
/// The longest time of a step.
const LONGEST: Duration = Duration::from_secs(3_600);

/// The sessions of all clients.
#[derive(Debug, Clone)]
pub(super) struct SessionRun {
    rules: RouteSessions,
    pub(super) clients: f64,
    /// Where the sessions are at the last step; without hosts before the first one.
    pub(super) placed: PlacedSessions,
    /// The same as a mean until the next step.
    pub(super) mean: PlacedSessions,
    /// The requests of each client since the last step.
    pub(super) requests: f64,
    /// Where their requests go until the next step.
    parts: SessionParts,
    /// By number: whether the host can serve sessions until then.
    pub(super) serves: Vec<bool>,
    pub(super) version: u32,
}

/// Where sessions are, as parts of the clients.
#[derive(Debug, Clone, Default)]
pub(super) struct PlacedSessions {
    /// By number of the host: the clients with a session there.
    pub(super) on: Vec<f64>,
    /// The clients without a session.
    pub(super) new: f64,
}

/// What became of the sessions.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SessionOutcome {
    /// The clients.
    pub clients: u32,
    /// How often a session moved to another host.
    pub moved: f64,
    /// The sessions on hosts of the script at the start, in percent.
    pub before: f64,
    /// The same at the end.
    pub after: f64,
}

impl SessionRun {
    /// `None` if the routes keep no sessions, or the script states no clients.
    pub(super) fn new(setup: &IncidentSetup, plan: &IncidentPlan) -> Option<Self> {
        let clients = plan.script.sessions;
        let rules = setup.sessions.filter(|_| clients > 0)?;
        Some(Self {
            rules,
            clients: f64::from(clients),
            placed: PlacedSessions::default(),
            mean: PlacedSessions::default(),
            requests: 0.0,
            parts: SessionParts::default(),
            serves: Vec::new(),
            version: 0,
        })
    }

    pub(super) const fn parts(&self) -> &SessionParts {
        &self.parts
    }

    /// Where the requests of these sessions go.
    pub(super) fn parts_of(&self, placed: &PlacedSessions) -> SessionParts {
        let on = placed.on.iter().copied();
        SessionParts::new(on.zip(self.serves.iter().copied()), placed.new, self.rules)
    }

    /// Where these sessions are after a request of each client.
    pub(super) fn ends(&self, flow: &Flow, placed: &PlacedSessions) -> PlacedSessions {
        let found = &flow.sessions;
        // The part of the sessions without their host that stay for want of another one.
        let balanced = self.parts_of(placed).balanced();
        let without = if balanced > 0.0 {
            found.without_host / balanced
        } else {
            0.0
        };
        let stays = if self.rules.strict { 1.0 } else { without };
        let hosts = placed.on.iter().zip(&self.serves).zip(&found.hosts);
        let on =
            hosts.map(|((on, serves), host)| host.last + if *serves { 0.0 } else { on * stays });
        let mut ends = PlacedSessions {
            on: on.collect(),
            new: placed.new * without,
        };
        // Retries without a host leave a session where it was.
        let missing = (1.0 - ends.new - ends.on.iter().sum::<f64>()).max(0.0);
        for (end, on) in ends.on.iter_mut().zip(&placed.on) {
            *end += missing * on;
        }
        ends
    }

    /// Moves the sessions by the requests since the last step.
    pub(super) fn pass(&mut self, flow: &Flow) {
        let ends = self.ends(flow, &self.mean);
        let part = 1.0 - libm::exp(-core::mem::take(&mut self.requests));
        self.placed = self.placed.towards(&ends, part);
    }

    /// Where the sessions are until the next step, and when that is; `None` if they stay. The flow is that of the sessions
    /// as they are.
    pub(super) fn step(&mut self, flow: &Flow, rps: f64) -> Option<Duration> {
        let ends = self.ends(flow, &self.placed);
        let hosts = self.placed.on.iter().zip(&ends.on);
        let moving = hosts.map(|(on, end)| (end - on).max(0.0)).sum::<f64>();
        let next = (moving >= STILL && rps > 0.0).then(|| {
            let requests = (PART / moving).clamp(STEP, LONGEST_STEP);
            let seconds = requests * self.clients / rps;
            let most = LONGEST.as_secs_f64();
            Duration::from_secs_f64(seconds.clamp(SHORTEST.as_secs_f64(), most))
        });
        let requests = next.map_or(0.0, |time| rps / self.clients * time.as_secs_f64());
        // The mean of an exponential approach.
        let part = if requests > 0.0 {
            1.0 - (1.0 - libm::exp(-requests)) / requests
        } else {
            0.0
        };
        self.mean = self.placed.towards(&ends, part);
        self.parts = self.parts_of(&self.mean);
        next
    }
}

impl PlacedSessions {
    /// At this part of the way to where others are.
    fn towards(&self, ends: &Self, part: f64) -> Self {
        let between = |from: f64, to: f64| from + (to - from) * part;
        let hosts = self.on.iter().zip(&ends.on);
        Self {
            on: hosts.map(|(from, to)| between(*from, *to)).collect(),
            new: between(self.new, ends.new),
        }
    }
}
