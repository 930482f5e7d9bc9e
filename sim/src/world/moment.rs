//! The world at a moment, and how it goes on.

use alloc::{sync::Arc, vec::Vec};

use spillgate_core::{
    draw::{Draw as _, SplitMix64},
    model::{Health, HealthStatus},
};

use super::{
    Behaviour, Brings, Fallback, Ground, Happening, KeyChange, Keys, Kind, Millis, Outcome, Phase,
    Scenario, Seen, Violation,
    check::{self, Evidence},
    client::{Client, Sent},
    gateway::{Delivery, Gateway},
    visit::{Answer, Asked, Question},
};

/// What was done at a moment, for those who watch.
#[derive(Debug, Clone, PartialEq)]
pub enum Moment {
    /// Something happened.
    Happened(Happening),
    /// A request was answered. Clients, gateways and hosts are numbers, from 0.
    Visit {
        /// Who made it.
        client: usize,
        /// Who answered it.
        gateway: usize,
        /// What it brought.
        brings: Brings,
        /// What became of it.
        seen: Seen,
        /// The host that it got.
        host: Option<usize>,
    },
}

/// A world at a moment.
#[derive(Debug)]
pub struct World<'a, B> {
    pub(super) scenario: &'a Scenario,
    behaviour: &'a B,
    pub(super) draw: SplitMix64,
    pub(super) now: Millis,
    /// How many steps were taken.
    steps: u32,
    /// How many things have happened, requests included.
    events: u64,
    pub(super) ground: Ground,
    pub(super) keys: Keys,
    pub(super) gateways: Vec<Gateway>,
    pub(super) clients: Vec<Client>,
    timers: Vec<(Millis, Timer)>,
    /// How many scripted events are over.
    scripted: usize,
    /// The furthest that a clock was ever behind the true time, and ahead of it.
    clocks: (i64, i64),
    /// Since when no key seals any more but the one that was promoted last.
    sealed: Millis,
    phases: Vec<Phase>,
    violations: Vec<Violation>,
    watched: Option<Vec<(Millis, Moment)>>,
}

/// What was arranged to happen later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Timer {
    Leaves(usize),
    Promote(u8),
    DropOthers,
}

impl<'a, B: Behaviour> World<'a, B> {
    /// The beginning of a run; `None` where a scenario has nobody to ask or to answer.
    #[must_use]
    pub fn new(scenario: &'a Scenario, behaviour: &'a B, seed: u64) -> Option<Self> {
        let mut draw = SplitMix64::new(seed);
        let keys = Keys::new()?;
        let ground = Ground::new(&scenario.layout);
        let gateways = (0..scenario.gateways).map(|_| {
            let own = SplitMix64::new(draw.draw());
            Gateway::new(&scenario.layout, &ground, keys.ring.clone(), own)
        });
        let gateways: Vec<Gateway> = gateways.collect();
        let clients = alloc::vec![Client::default(); scenario.clients];
        (!gateways.is_empty() && !clients.is_empty()).then_some(Self {
            scenario,
            behaviour,
            draw,
            now: 0,
            steps: 0,
            events: 0,
            ground,
            keys,
            gateways,
            clients,
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

    fn take(&mut self, kind: Kind) {
        match kind {
            Kind::Request | Kind::Forge | Kind::Borrow => {
                let client = self.below(self.clients.len());
                let gateway = self.below(self.gateways.len());
                if let Some(sent) = self.bring(kind, client) {
                    self.visit(client, gateway, &sent);
                }
            }
            other => {
                if let Some(what) = self.think_of(other) {
                    self.happen(what);
                }
            }
        }
    }

    /// Lets time pass, with what was arranged for it.
    fn pass_until(&mut self, until: Millis) {
        loop {
            let timers = self.timers.iter().enumerate();
            let timer = timers.min_by_key(|(_, (due, _))| *due);
            let timer = timer.map(|(at, (due, timer))| (*due, at, *timer));
            let script = self.scenario.script.get(self.scripted);
            match (timer, script) {
                (_, Some(next)) if next.at <= until && timer.is_none_or(|t| next.at <= t.0) => {
                    self.now = self.now.max(next.at);
                    self.scripted += 1;
                    self.phases.push(Phase {
                        name: next.name.clone(),
                        from: next.at,
                        ..Phase::default()
                    });
                    self.receive();
                    self.happen(next.what.clone());
                }
                (Some((due, at, timer)), _) if due <= until => {
                    self.now = self.now.max(due);
                    self.timers.remove(at);
                    self.receive();
                    self.fire(timer);
                }
                _ => break,
            }
        }
        self.now = until;
        self.receive();
    }

    fn receive(&mut self) {
        for (at, gateway) in self.gateways.iter_mut().enumerate() {
            gateway.receive(self.now, |known, other| {
                self.behaviour.takes(at, known, other)
            });
        }
    }

    fn fire(&mut self, timer: Timer) {
        match timer {
            Timer::Leaves(host) => self.happen(Happening::Vanish(Vec::from([host]))),
            Timer::Promote(id) => self.happen(Happening::Keys(KeyChange::Promote(id))),
            Timer::DropOthers if self.now < self.ended() => {
                // A clock has jumped meanwhile.
                self.timers.push((self.ended(), timer));
            }
            Timer::DropOthers => {
                for id in self.keys.others() {
                    self.happen(Happening::Keys(KeyChange::Drop(id)));
                }
            }
        }
    }

    /// Makes something happen.
    pub(super) fn happen(&mut self, what: Happening) {
        self.events += 1;
        let now = self.now;
        match &what {
            Happening::Status(hosts, status) => {
                let health = Health::from_status(*status);
                // A host that drains goes, whatever else befalls it.
                self.change(hosts, |host| {
                    if !host.is_draining() {
                        host.health = health;
                    }
                });
            }
            Happening::Drain(hosts, within) => {
                let leaves = now + within;
                let drains: Vec<usize> = self
                    .ground
                    .those(|host| host.present && !host.is_draining())
                    .into_iter()
                    .filter(|host| hosts.contains(host))
                    .collect();
                self.change(&drains, |host| {
                    host.health = Health::from_status(HealthStatus::Draining);
                    host.leaves = Some(leaves);
                });
                let timers = drains.iter().map(|&host| (leaves, Timer::Leaves(host)));
                self.timers.extend(timers);
            }
            Happening::Vanish(hosts) => {
                self.timers
                    .retain(|(_, timer)| !matches!(timer, Timer::Leaves(h) if hosts.contains(h)));
                self.change(hosts, |host| host.vanish(now));
            }
            Happening::Appear(hosts) => self.change(hosts, |host| host.appear()),
            Happening::Level(hosts, level) => self.change(hosts, |host| host.level = *level),
            Happening::Metadata(hosts, metadata) => {
                self.change(hosts, |host| host.metadata = metadata.clone());
            }
            Happening::Keys(KeyChange::Rotate) => self.rotate(),
            Happening::Keys(change) => self.change_keys(*change),
            Happening::Reload(gateway) => {
                if let Some(gateway) = self.gateways.get_mut(*gateway) {
                    gateway.view = None;
                }
            }
            Happening::Restart(gateway) => {
                if let Some(gateway) = self.gateways.get_mut(*gateway) {
                    gateway.restart(&self.scenario.layout, &self.ground);
                }
            }
            Happening::Clock(gateway, ahead) => self.set_clocks(*gateway, *ahead),
        }
        if let Some(watched) = &mut self.watched {
            watched.push((now, Moment::Happened(what)));
        }
    }

    /// Changes hosts and tells the gateways.
    fn change(&mut self, hosts: &[usize], change: impl FnMut(&mut super::ground::Standing)) {
        let layout = &self.scenario.layout;
        for cluster in self.ground.change(layout, hosts, change) {
            let news = self.ground.news(layout, cluster);
            for at in 0..self.gateways.len() {
                let due = self.soon();
                if let Some(gateway) = self.gateways.get_mut(at) {
                    gateway.send(due, Delivery::Hosts(cluster, news.clone()));
                }
            }
        }
    }

    fn change_keys(&mut self, change: KeyChange) {
        if !self.keys.change(change) {
            return;
        }
        for at in 0..self.gateways.len() {
            let due = self.soon();
            let keys: Arc<_> = self.keys.ring.clone();
            if let Some(gateway) = self.gateways.get_mut(at) {
                gateway.send(due, Delivery::Keys(keys));
            }
        }
    }

    /// Adds a key now, and arranges the rest for when every gateway has it and when the last token
    /// of the others has ended by any clock.
    fn rotate(&mut self) {
        let under_way = |(_, timer): &(Millis, Timer)| !matches!(timer, Timer::Leaves(_));
        if self.timers.iter().any(under_way) {
            return;
        }
        let id = self.keys.next();
        self.change_keys(KeyChange::Add(id));
        let promoted = self.now + self.scenario.view_delay + 1;
        self.sealed = promoted + self.scenario.view_delay;
        self.timers.push((promoted, Timer::Promote(id)));
        self.timers.push((self.ended(), Timer::DropOthers));
    }

    /// When the last token of the keys before has ended, by any clock that a gateway ever had.
    const fn ended(&self) -> Millis {
        /// Clocks are read in whole seconds.
        const SECOND: Millis = 1_000;
        let life = self.scenario.sessions.life.max.saturating_mul(SECOND);
        let apart = self.clocks.1.abs_diff(self.clocks.0);
        self.sealed.saturating_add(life).saturating_add(apart) + SECOND
    }

    fn set_clocks(&mut self, gateway: Option<usize>, ahead: i64) {
        self.clocks = (self.clocks.0.min(ahead), self.clocks.1.max(ahead));
        for (at, clock) in self.gateways.iter_mut().enumerate() {
            if gateway.is_none_or(|chosen| chosen == at) {
                clock.ahead = ahead;
            }
        }
    }

    /// A request, from the token that it brings to what its client keeps.
    fn visit(&mut self, client: usize, at: usize, sent: &Sent) {
        self.events += 1;
        let fresh = self.draw.draw();
        let Some(gateway) = self.gateways.get(at) else {
            return;
        };
        let asked = self.asked(at, gateway);
        let question = asked.question(client, sent.text.as_deref(), fresh);
        let Some(answer) = self.ask(at, question) else {
            return;
        };
        let others = self.second_opinions(at, question);
        let left = self
            .clients
            .get(client)
            .map(|client| client.left.as_slice());
        let evidence = Evidence {
            scenario: self.scenario,
            ground: &self.ground,
            gateways: &self.gateways,
            now: self.now,
            gateway: at,
            client,
            left: left.unwrap_or_default(),
            sent,
            answer: &answer,
            others: &others,
        };
        let found = check::all(&evidence, self.events);
        self.violations.extend(found);
        if let Some(phase) = self.phases.last_mut() {
            phase.count(sent, &answer);
        }
        let own = sent.what == Brings::Own;
        let token = match self.gateways.get(at).filter(|_| own) {
            Some(gateway) => self.asked(at, gateway).token(&answer),
            None => None,
        };
        if own && let Some(client) = self.clients.get_mut(client) {
            client.keep(&answer, token);
        }
        if let Some(watched) = &mut self.watched {
            let seen = Seen::of(&answer);
            let (brings, host) = (sent.what, answer.host);
            let moment = Moment::Visit {
                client,
                gateway: at,
                brings,
                seen,
                host,
            };
            watched.push((self.now, moment));
        }
    }

    /// What a gateway answers.
    fn ask(&mut self, at: usize, question: Question) -> Option<Answer> {
        let layout = &self.scenario.layout;
        let gateway = self.gateways.get_mut(at)?;
        gateway.look(layout);
        let mut view = gateway.view.take()?;
        let mut draw = gateway.draw.clone();
        let asked = self.asked(at, self.gateways.get(at)?);
        let answer = asked.answer(&mut view, question, &mut draw);
        let gateway = self.gateways.get_mut(at)?;
        (gateway.view, gateway.draw) = (Some(view), draw);
        answer
    }

    fn asked<'g>(&self, number: usize, gateway: &'g Gateway) -> Asked<'g, B>
    where
        'a: 'g,
    {
        Asked {
            scenario: self.scenario,
            behaviour: self.behaviour,
            number,
            keys: &gateway.keys,
            clock: gateway.clock(self.now),
        }
    }

    /// What the gateways would have answered that know the same, where all shall agree.
    fn second_opinions(&mut self, first: usize, question: Question) -> Vec<(usize, Answer)> {
        let mut opinions = Vec::new();
        let drawn = self.scenario.sessions.fallback == Fallback::Policy;
        if drawn || !question.known {
            return opinions;
        }
        for at in 0..self.gateways.len() {
            let both = self.gateways.get(first).zip(self.gateways.get(at));
            if at != first && both.is_some_and(|(a, b)| a.agrees(b)) {
                let opinion = self.ask(at, question);
                opinions.extend(opinion.map(|answer| (at, answer)));
            }
        }
        opinions
    }

    /// What has come of it so far.
    #[must_use]
    pub fn outcome(self) -> Outcome {
        Outcome {
            took: self.now,
            events: self.events,
            phases: self.phases,
            violations: self.violations,
        }
    }

    /// A time by which a gateway hears of what happens now.
    fn soon(&mut self) -> Millis {
        self.now + self.draw.draw() % (self.scenario.view_delay + 1)
    }

    pub(super) fn below(&mut self, length: usize) -> usize {
        let length = length.max(1) as u64;
        (self.draw.draw() % length) as usize
    }
}
