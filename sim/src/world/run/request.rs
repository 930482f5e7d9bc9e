//! A request: sent, answered, checked and counted.

use alloc::{
    string::{String, ToString as _},
    vec::Vec,
};

use spillgate_steer::port::TokenOutcome;

use super::World;
use crate::world::{
    Answer, Behavior, Brings, Issued, Kept, Moment, Response, Seen, Sent, SimulatedRequest,
    Surroundings, WorldFallback,
    check::{self, Evidence},
};

impl<B: Behavior> World<'_, B> {
    /// A request, from the token that it carries to the one that its client keeps.
    pub(in crate::world) fn visit(&mut self, at: usize, sent: &Sent) {
        self.events += 1;
        let client = sent.client;
        let own = sent.what == Brings::Own;
        let response = if own {
            Response::Kept
        } else {
            Response::Ignored
        };
        let Some(mut answer) = self.ask(at, sent, response) else {
            return;
        };
        let others = self.second_opinions(at, sent, &answer);
        let left = self.clients.get(client);
        let evidence = Evidence {
            scenario: self.scenario,
            ground: &self.ground,
            gateways: &self.gateways,
            now: self.now,
            gateway: at,
            client,
            left: left.map(|client| &*client.left).unwrap_or_default(),
            sent,
            answer: &answer,
            others: &others,
        };
        let found = check::all(&evidence, self.events);
        let good = evidence.good().copied();
        self.violations.extend(found);
        if let Some(phase) = self.phases.last_mut() {
            phase.count(sent, &answer);
        }
        if own {
            let issued = answer.issued.take();
            let token = issued.and_then(|text| self.kept(at, sent, &answer, text));
            if let Some(client) = self.clients.get_mut(client) {
                client.keep(&answer, token, good.as_ref());
            }
        }
        if let Some(watched) = &mut self.watched {
            let moment = Moment::Visit {
                client,
                gateway: at,
                brings: sent.what,
                seen: Seen::of(&answer),
                host: answer.host,
            };
            watched.push((self.now, moment));
        }
    }

    /// A token with what is true of it, by what the request carried and the gateway knows.
    fn kept(&self, at: usize, sent: &Sent, answer: &Answer, text: String) -> Option<Kept> {
        let gateway = self.gateways.get(at)?;
        let clock = gateway.clock(self.now);
        let truth = sent
            .truth
            .filter(|_| answer.token == TokenOutcome::Accepted);
        let began = truth.map_or(clock, |truth| truth.began);
        Some(Kept {
            text,
            truth: Issued {
                client: sent.client,
                host: answer.host?,
                key: gateway.keys.first().id(),
                began,
                ends: self.scenario.sessions.life.expiry(began, clock),
            },
        })
    }

    /// A gateway's answer.
    fn ask(&mut self, at: usize, sent: &Sent, response: Response) -> Option<Answer> {
        let hashes = self.scenario.sessions.request_hash;
        let routes = &self.routes;
        let request = SimulatedRequest {
            user: hashes.then(|| sent.client.to_string()),
            token: sent.text.clone(),
            route: routes.get(sent.client % routes.len().max(1))?.clone(),
        };
        let surroundings = Surroundings {
            scenario: self.scenario,
            behavior: self.behavior,
            now: self.now,
        };
        let gateway = self.gateways.get_mut(at)?;
        gateway.answer(&surroundings, request, response)
    }

    /// The answers of the other gateways that know the same, where all must agree.
    fn second_opinions(
        &mut self,
        first: usize,
        sent: &Sent,
        answer: &Answer,
    ) -> Vec<(usize, Answer)> {
        let mut opinions = Vec::new();
        let rules = &self.scenario.sessions;
        let known = rules.request_hash || answer.token == TokenOutcome::Accepted;
        if rules.fallback == WorldFallback::Policy || !known {
            return opinions;
        }
        for at in 0..self.gateways.len() {
            let both = self.gateways.get(first).zip(self.gateways.get(at));
            if at != first && both.is_some_and(|(a, b)| a.agrees(b)) {
                let opinion = self.ask(at, sent, Response::Ignored);
                opinions.extend(opinion.map(|answer| (at, answer)));
            }
        }
        opinions
    }
}
