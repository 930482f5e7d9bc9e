//! The simulated world, and its steps.

mod apply;
mod outcome;
mod random;
mod request;
mod time;

pub use outcome::{RunOutcome, run, run_with};

use alloc::{rc::Rc, vec::Vec};

use spillgate_core::draw::{Draw as _, SplitMix64};
use spillgate_steer::RouteSettings;

use self::time::Timer;
use super::{
    Client, EventKind, Gateway, GatewayBehavior, Keys, LogEntry, Millis, Phase, TrueHost,
    TrueHosts, Violation, WorldHost, WorldScenario,
};

/// The state of a simulated world.
#[derive(Debug)]
pub struct World<'a, B> {
    pub(crate) scenario: &'a WorldScenario,
    pub(crate) behavior: &'a B,
    pub(crate) draw: SplitMix64,
    pub(crate) now: Millis,
    /// The number of completed steps.
    pub(crate) steps: u32,
    /// The number of events so far, including requests.
    pub(crate) events: u64,
    pub(crate) true_hosts: TrueHosts,
    pub(crate) keys: Keys,
    pub(crate) gateways: Vec<Gateway>,
    pub(crate) clients: Vec<Client>,
    /// The routes with the criteria of requests; clients use them in turn.
    pub(crate) routes: Vec<Rc<RouteSettings>>,
    pub(crate) timers: Vec<(Millis, Timer)>,
    /// The number of scripted events so far.
    pub(crate) scripted: usize,
    /// The lowest and the highest offset that a clock ever had from the true time: milliseconds.
    pub(crate) clocks: (i64, i64),
    /// The last time at which a gateway may have sealed with a previous key.
    pub(crate) last_old_seal: Millis,
    pub(crate) phases: Vec<Phase>,
    pub(crate) violations: Vec<Violation>,
    pub(crate) log: Option<Vec<(Millis, LogEntry)>>,
}

impl<'a, B: GatewayBehavior> World<'a, B> {
    /// The start of a run; `None` if the scenario has no clients or no gateways.
    #[must_use]
    pub fn new(scenario: &'a WorldScenario, behavior: &'a B, seed: u64) -> Option<Self> {
        let mut draw = SplitMix64::new(seed);
        let keys = Keys::new()?;
        let true_hosts = TrueHosts::new(&scenario.layout);
        let gateways = (0..scenario.gateways).map(|number| {
            let own = SplitMix64::new(draw.draw());
            Gateway::new(
                number,
                &scenario.layout,
                &true_hosts,
                keys.ring.clone(),
                own,
            )
        });
        let gateways: Vec<Gateway> = gateways.collect();
        let clients = alloc::vec![Client::default(); scenario.clients];
        let criteria = scenario.layout.criteria.iter();
        let routes = criteria.map(|criteria| {
            Rc::new(RouteSettings {
                criteria: criteria.clone(),
                ..RouteSettings::default()
            })
        });
        (!gateways.is_empty() && !clients.is_empty()).then_some(Self {
            scenario,
            behavior,
            draw,
            now: 0,
            steps: 0,
            events: 0,
            true_hosts,
            keys,
            gateways,
            clients,
            routes: routes.collect(),
            timers: Vec::new(),
            scripted: 0,
            clocks: (0, 0),
            last_old_seal: 0,
            phases: Vec::from([Phase::default()]),
            violations: Vec::new(),
            log: None,
        })
    }

    /// Records a log from now on.
    pub fn record_log(&mut self) {
        self.log = Some(Vec::new());
    }

    /// The log entries since the previous call.
    pub fn take_log(&mut self) -> Vec<(Millis, LogEntry)> {
        self.log.as_mut().map(core::mem::take).unwrap_or_default()
    }

    /// The state of every host, by its number.
    #[must_use]
    pub fn hosts(&self) -> Vec<WorldHost> {
        let hosts = self.true_hosts.hosts.iter();
        hosts.map(TrueHost::shown).collect()
    }

    /// Takes the next step, after everything that is due before it. Returns `false` at the end, or
    /// after a broken rule.
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
            self.take_step(kind);
        }
        true
    }

    fn take_step(&mut self, kind: EventKind) {
        match kind {
            EventKind::Request | EventKind::Forge | EventKind::Borrow => {
                let client = self.below(self.clients.len());
                let gateway = self.below(self.gateways.len());
                if let Some(sent) = self.random_request(kind, client) {
                    self.send(gateway, &sent);
                }
            }
            other => {
                if let Some(event) = self.random_event(other) {
                    self.apply(event);
                }
            }
        }
    }

    /// The outcome so far.
    #[must_use]
    pub fn outcome(self) -> RunOutcome {
        RunOutcome {
            took: self.now,
            events: self.events,
            phases: self.phases,
            violations: self.violations,
        }
    }

    /// A random number below `length`; 0 if `length` is 0.
    pub(crate) fn below(&mut self, length: usize) -> usize {
        let length = length.max(1) as u64;
        (self.draw.draw() % length) as usize
    }
}
