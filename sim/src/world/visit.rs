//! One request: from the token that it brings to the one that it gets.

use alloc::vec::Vec;

use spillgate_core::{
    affinity::{KeyRing, Opened, Refused, Rules, SubsetId, Token, TokenKey},
    decide::{Decision, OnLost, Request, Session, Sessions},
    draw::{Draw as _, SplitMix64},
    hash::mix,
    load::{hash_roll, weighted_choice},
    route::HeaderList,
    snapshot::ClusterId,
};

use super::{
    Behaviour, Fallback, Scenario, View,
    behaviour::NoHeaders,
    client::{Issued, Kept},
};

/// Where tokens are good.
pub(super) const SCOPE: &str = "shop.example";

/// What is asked of a gateway.
#[derive(Debug, Clone, Copy)]
pub(super) struct Question {
    pub(super) client: usize,
    /// What came of the token, or why it is refused; `None` where there was none.
    pub(super) opened: Option<Result<Opened, &'static str>>,
    /// The number of the session: the token's, or a new one.
    pub(super) session: u64,
    /// Whether other gateways would give it the same number.
    pub(super) known: bool,
}

/// What a gateway made of a request.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) question: Question,
    pub(super) decision: Decision,
    /// The number of the chosen host.
    pub(super) host: Option<usize>,
    /// Whether the client is told that its session is lost.
    pub(super) lost: bool,
}

impl Answer {
    /// Whether the request goes on with the session that it brought.
    pub(super) const fn goes_on(&self) -> bool {
        matches!(self.question.opened, Some(Ok(_)))
    }
}

/// A gateway that is asked, and what it knows.
pub(super) struct Asked<'a, B> {
    pub(super) scenario: &'a Scenario,
    pub(super) behaviour: &'a B,
    pub(super) number: usize,
    pub(super) keys: &'a KeyRing,
    /// Its clock, in seconds.
    pub(super) clock: u64,
}

impl<B: Behaviour> Asked<'_, B> {
    /// Reads the session of a request. One without a token, or with one that is worth nothing, gets
    /// the number that its hash makes, or else `fresh`.
    pub(super) fn question(&self, client: usize, text: Option<&[u8]>, fresh: u64) -> Question {
        let opened = text.map(|text| self.open(client, text));
        let hash = self.scenario.sessions.request_hash;
        let (session, known) = match opened {
            Some(Ok(opened)) => (opened.token.session, true),
            _ if hash => (self.keys.first().session_id(mix(client as u64)), true),
            _ => (fresh, false),
        };
        Question {
            client,
            opened,
            session,
            known,
        }
    }

    fn open(&self, client: usize, text: &[u8]) -> Result<Opened, &'static str> {
        let rules = Rules {
            now: self.clock,
            scope: SCOPE,
            max_life: self.scenario.sessions.life.max,
            epoch: 0,
        };
        let opened = self.behaviour.open(self.number, self.keys, text, &rules);
        let opened = opened.map_err(Refused::name)?;
        let key = self.keys.keys().nth(opened.key);
        match key.is_some_and(|key| self.subset(key, client) == opened.token.subset) {
            true => Ok(opened),
            // The session came with other criteria.
            false => Err("subset"),
        }
    }

    fn subset(&self, key: &TokenKey, client: usize) -> SubsetId {
        let mut criteria = Vec::new();
        self.scenario
            .layout
            .criteria_of(client)
            .canonical(&mut criteria);
        key.subset_id(&criteria)
    }

    /// Decides.
    pub(super) fn answer(
        &self,
        view: &mut View,
        question: Question,
        draw: &mut SplitMix64,
    ) -> Option<Answer> {
        let layout = &self.scenario.layout;
        let rules = &self.scenario.sessions;
        let brought = question.opened.and_then(Result::ok).map(|opened| {
            let key = self.keys.keys().nth(opened.key);
            let host = key.and_then(|key| view.named(layout, key, opened.token.host));
            Session { host }
        });
        let headers: NoHeaders = HeaderList(&[]);
        let by_key = rules.fallback == Fallback::Rendezvous && question.known;
        let key = by_key.then_some(question.session);
        let roll = key.map_or_else(|| draw.draw(), hash_roll);
        let weights = view.targets.iter().map(|(_, weight)| *weight);
        let target = weighted_choice(roll, weights)?;
        let all: Vec<ClusterId> = view.targets.iter().map(|(id, _)| *id).collect();
        let request = Request {
            criteria: layout.criteria_of(question.client),
            sessions: Some(Sessions {
                session: brought,
                statuses: rules.statuses,
                clusters: &all,
                on_lost: rules.on_lost,
                key,
            }),
            ..Request::new(*all.get(target)?, &headers)
        };
        let (snapshot, state) = (&view.snapshot, &mut view.state);
        let decision = self
            .behaviour
            .decide(self.number, snapshot, state, &request, draw);
        Some(Answer {
            question,
            host: decision.host_ref().and_then(|host| view.number(host)),
            lost: decision.moved.is_some() && rules.on_lost == OnLost::Refuse,
            decision,
        })
    }

    /// The token that an answer carries: where the session is new, lives elsewhere now, is sealed
    /// by a key that does not seal any more, or has less than half of its time left.
    pub(super) fn token(&self, answer: &Answer) -> Option<Kept> {
        let layout = &self.scenario.layout;
        let life = self.scenario.sessions.life;
        let number = answer.host?;
        let first = self.keys.first();
        let name = layout.cluster_of(number);
        let cluster = first.cluster_id(name);
        let host = first.host_id(name, layout.address(number));
        let issued = match answer.question.opened {
            Some(Ok(opened)) if !opened.is_due(cluster, host, self.clock, life) => return None,
            Some(Ok(opened)) => opened.token.issued,
            _ => self.clock,
        };
        let Question {
            client, session, ..
        } = answer.question;
        let token = Token {
            session,
            host,
            cluster,
            scope: first.scope_id(SCOPE),
            subset: self.subset(first, client),
            issued,
            expires: 0,
            epoch: 0,
        };
        let token = token.renewed(self.clock, life);
        Some(Kept {
            text: self.keys.seal(&token),
            truth: Issued {
                session,
                client,
                host: number,
                key: first.id(),
                began: issued,
                ends: token.expires,
            },
        })
    }
}
