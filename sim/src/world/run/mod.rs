//! The world, and how it takes a step.

mod happen;
mod outcome;
mod random;
mod request;
mod time;

pub use outcome::{RunOutcome, run, run_with};

use alloc::{rc::Rc, vec::Vec};

use spillgate_core::draw::{Draw as _, SplitMix64};
use spillgate_steer::RouteFacts;

use self::time::Timer;
use super::{
    Behavior, Client, EventKind, Gateway, Ground, Keys, Millis, Moment, Phase, Violation,
    WorldScenario,
};

/// A world at a moment.
#[derive(Debug)]
pub struct World<'a, B> {
    pub(in crate::world) scenario: &'a WorldScenario,
    pub(in crate::world) behavior: &'a B,
    pub(in crate::world) draw: SplitMix64,
    pub(in crate::world) now: Millis,
    /// How many steps were taken.
    pub(in crate::world) steps: u32,
    /// How many things have happened, requests included.
    pub(in crate::world) events: u64,
    pub(in crate::world) ground: Ground,
    pub(in crate::world) keys: Keys,
    pub(in crate::world) gateways: Vec<Gateway>,
    pub(in crate::world) clients: Vec<Client>,
    /// The routes that have the criteria of requests; clients use them in turns.
    pub(in crate::world) routes: Vec<Rc<RouteFacts>>,
    pub(in crate::world) timers: Vec<(Millis, Timer)>,
    /// How many scripted events are over.
    pub(in crate::world) scripted: usize,
    /// The furthest that a clock was ever behind the true time, and ahead of it.
    pub(in crate::world) clocks: (i64, i64),
    /// Since when no key seals any more but the one that was promoted last.
    pub(in crate::world) sealed: Millis,
    pub(in crate::world) phases: Vec<Phase>,
    pub(in crate::world) violations: Vec<Violation>,
    pub(in crate::world) watched: Option<Vec<(Millis, Moment)>>,
}

impl<'a, B: Behavior> World<'a, B> {
    /// The beginning of a run; `None` where a scenario has nobody to ask or to answer.
    #[must_use]
    pub fn new(scenario: &'a WorldScenario, behavior: &'a B, seed: u64) -> Option<Self> {
        let mut draw = SplitMix64::new(seed);
        let keys = Keys::new()?;
        let ground = Ground::new(&scenario.layout);
        let gateways = (0..scenario.gateways).map(|number| {
            let own = SplitMix64::new(draw.draw());
            Gateway::new(number, &scenario.layout, &ground, keys.ring.clone(), own)
        });
        let gateways: Vec<Gateway> = gateways.collect();
        let clients = alloc::vec![Client::default(); scenario.clients];
        let criteria = scenario.layout.criteria.iter();
        let routes = criteria.map(|criteria| {
            Rc::new(RouteFacts {
                criteria: criteria.clone(),
                ..RouteFacts::default()
            })
        });
        (!gateways.is_empty() && !clients.is_empty()).then_some(Self {
            scenario,
            behavior,
            draw,
            now: 0,
            steps: 0,
            events: 0,
            ground,
            keys,
            gateways,
            clients,
            routes: routes.collect(),
            timers: Vec::new(),
            scripted: 0,
            clocks: (0, 0),
            sealed: 0,
            phases: Vec::from([Phase::default()]),
            violations: Vec::new(),
            watched: None,
        })
    }

    /// Writes down every moment from now on.
    pub fn watch(&mut self) {
        self.watched = Some(Vec::new());
    }

    /// What was written down since it was last asked for.
    pub fn watched(&mut self) -> Vec<(Millis, Moment)> {
        self.watched
            .as_mut()
            .map(core::mem::take)
            .unwrap_or_default()
    }

    /// Takes the next step, with everything that is due before it; false at the end, or when a
    /// check has failed.
    pub fn step(&mut self) -> bool {
        if self.steps >= self.scenario.steps || !self.violations.is_empty() {
            return false;
        }
        self.steps += 1;
        let span = self.scenario.every.saturating_mul(2).saturating_add(1);
        let next = self.now + self.draw.draw() % span;
        self.pass_until(next);
        if self.violations.is_empty() {
            let kind = self.scenario.rates.draw(&mut self.draw);
            self.take(kind);
        }
        true
    }

    fn take(&mut self, kind: EventKind) {
        match kind {
            EventKind::Request | EventKind::Forge | EventKind::Borrow => {
                let client = self.below(self.clients.len());
                let gateway = self.below(self.gateways.len());
                if let Some(sent) = self.bring(kind, client) {
                    self.visit(gateway, &sent);
                }
            }
            other => {
                if let Some(what) = self.think_of(other) {
                    self.happen(what);
                }
            }
        }
    }

    /// What has come of it so far.
    #[must_use]
    pub fn outcome(self) -> RunOutcome {
        RunOutcome {
            took: self.now,
            events: self.events,
            phases: self.phases,
            violations: self.violations,
        }
    }

    pub(in crate::world) fn below(&mut self, length: usize) -> usize {
        let length = length.max(1) as u64;
        (self.draw.draw() % length) as usize
    }
}
