//! A request: sent, answered, checked and counted.

use alloc::{
    string::{String, ToString as _},
    vec::Vec,
};

use spillgate_core::trace::SessionMove;
use spillgate_steer::port::TokenOutcome;

use super::World;
use crate::world::{
    GatewayAnswer, GatewayBehavior, GatewayContext, KeptToken, LogEntry, RequestOutcome,
    ResponseUse, SentRequest, SimulatedRequest, TokenFacts, TokenSource,
    check::{self, Check, Evidence},
};

impl<B: GatewayBehavior> World<'_, B> {
    /// Sends a request to a gateway, checks the answer, and gives the client its new token.
    pub(crate) fn send(&mut self, at: usize, sent: &SentRequest) {
        self.events += 1;
        let client = sent.client;
        let own = sent.source == TokenSource::Own;
        let response = if own {
            ResponseUse::Kept
        } else {
            ResponseUse::Ignored
        };
        let Some(mut answer) = self.answer(at, sent, response) else {
            return;
        };
        self.count_leaving(at, sent, &answer);
        let other_answers = self.other_answers(at, sent, &answer);
        let left = self.clients.get(client);
        let evidence = Evidence {
            scenario: self.scenario,
            true_hosts: &self.true_hosts,
            gateways: &self.gateways,
            now: self.now,
            gateway: at,
            client,
            left: left.map(|client| &*client.left).unwrap_or_default(),
            sent,
            answer: &answer,
            other_answers: &other_answers,
        };
        let found = check::all(&evidence, self.events);
        let valid = evidence.valid().copied();
        self.violations.extend(found);
        if let Some(phase) = self.phases.last_mut() {
            phase.count(sent, &answer);
        }
        if own {
            let issued = answer.issued.take();
            let token = issued.and_then(|text| self.kept(at, sent, &answer, text));
            if let Some(client) = self.clients.get_mut(client) {
                client.keep(&answer, token, valid.as_ref());
            }
        }
        if let Some(log) = &mut self.log {
            let entry = LogEntry::Request {
                client,
                gateway: at,
                token: sent.source,
                outcome: RequestOutcome::of(&answer),
                host: answer.host,
            };
            log.push((self.now, entry));
        }
    }

    /// Counts a session that leaves its host because of the load.
    fn count_leaving(&mut self, at: usize, sent: &SentRequest, answer: &GatewayAnswer) {
        let from = sent.facts.map(|facts| facts.host);
        if let (Some(SessionMove::Hot), Some(from)) = (answer.decision.moved, from)
            && let Some(gateway) = self.gateways.get_mut(at)
        {
            gateway.load.left(sent.client, from);
        }
    }

    /// A token with the facts about it, from the request and the state of the gateway.
    fn kept(
        &self,
        at: usize,
        sent: &SentRequest,
        answer: &GatewayAnswer,
        text: String,
    ) -> Option<KeptToken> {
        let gateway = self.gateways.get(at)?;
        let clock = gateway.clock(self.now);
        let facts = sent
            .facts
            .filter(|_| answer.token == TokenOutcome::Accepted);
        let issued = facts.map_or(clock, |facts| facts.issued);
        Some(KeptToken {
            text,
            facts: TokenFacts {
                client: sent.client,
                host: answer.host?,
                key: gateway.keys.first().id(),
                issued,
                expires: self.scenario.sessions.life.expiry(issued, clock),
                epoch: gateway.epoch.max(facts.map_or(0, |facts| facts.epoch)),
            },
        })
    }

    /// The answer of a gateway.
    fn answer(
        &mut self,
        at: usize,
        sent: &SentRequest,
        response: ResponseUse,
    ) -> Option<GatewayAnswer> {
        let hashes = self.scenario.sessions.request_hash;
        let routes = &self.routes;
        let request = SimulatedRequest {
            user: hashes.then(|| sent.client.to_string()),
            token: sent.text.clone(),
            route: routes.get(sent.client % routes.len().max(1))?.clone(),
        };
        let context = GatewayContext {
            scenario: self.scenario,
            behavior: self.behavior,
            now: self.now,
            client: sent.client,
        };
        let gateway = self.gateways.get_mut(at)?;
        gateway.answer(&context, request, response)
    }

    /// The answers of the other gateways with the same knowledge, if all must agree.
    fn other_answers(
        &mut self,
        first: usize,
        sent: &SentRequest,
        answer: &GatewayAnswer,
    ) -> Vec<(usize, GatewayAnswer)> {
        let mut answers = Vec::new();
        let rules = &self.scenario.sessions;
        let known = rules.request_hash || answer.token == TokenOutcome::Accepted;
        if !known || Check::Agreement.not_checked(rules).is_some() {
            return answers;
        }
        for at in 0..self.gateways.len() {
            let both = self.gateways.get(first).zip(self.gateways.get(at));
            if at != first && both.is_some_and(|(a, b)| a.knows_the_same_as(b)) {
                let other = self.answer(at, sent, ResponseUse::Ignored);
                answers.extend(other.map(|answer| (at, answer)));
            }
        }
        answers
    }
}
