//! A request: asked, answered, checked and counted.

use alloc::vec::Vec;

use spillgate_core::draw::Draw as _;

use super::{
    Behaviour, Brings, Fallback, Moment, Seen, World,
    check::{self, Evidence},
    client::Sent,
    gateway::Gateway,
    visit::{Answer, Asked, Question},
};

impl<'a, B: Behaviour> World<'a, B> {
    /// A request, from the token that it brings to what its client keeps.
    pub(super) fn visit(&mut self, client: usize, at: usize, sent: &Sent) {
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
}
