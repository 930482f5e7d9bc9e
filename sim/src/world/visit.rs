//! One request: from the token that it brings to the one that it gets.

use alloc::vec::Vec;

use spillgate_core::{
    affinity::{KeyRing, Opened, Refused, Rules, Token},
    decide::{Decision, OnLost, Request, Session, Sessions},
    draw::SplitMix64,
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

/// A client, what came of its token, and the number of its session: the token's, or a new one.
pub(super) type Question = (usize, Option<Result<Opened, Refused>>, u64);

/// What a gateway made of a request.
#[derive(Debug)]
pub(super) struct Answer {
    /// What came of the token; `None` where there was none.
    pub(super) opened: Option<Result<Opened, Refused>>,
    /// The number of the session: the token's, or a new one.
    pub(super) session: u64,
    pub(super) decision: Decision,
    /// The number of the chosen host.
    pub(super) host: Option<usize>,
    /// Whether the client is told that its session is lost.
    pub(super) lost: bool,
}

impl Answer {
    /// Whether the request goes on with the session that it brought.
    pub(super) const fn goes_on(&self) -> bool {
        matches!(self.opened, Some(Ok(_)))
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
    /// Opens the token.
    pub(super) fn open(&self, text: &[u8]) -> Result<Opened, Refused> {
        let rules = Rules {
            now: self.clock,
            scope: SCOPE,
            max_life: self.scenario.sessions.life.max,
            epoch: 0,
        };
        self.behaviour.open(self.number, self.keys, text, &rules)
    }

    /// Decides.
    pub(super) fn answer(
        &self,
        view: &mut View,
        (client, opened, session): Question,
        draw: &mut SplitMix64,
    ) -> Option<Answer> {
        let layout = &self.scenario.layout;
        let rules = &self.scenario.sessions;
        let brought = opened.and_then(Result::ok).map(|opened| {
            let key = self.keys.keys().nth(opened.key);
            let host = key.and_then(|key| view.named(layout, key, opened.token.host));
            Session { host }
        });
        let headers: NoHeaders = HeaderList(&[]);
        let weights = view.targets.iter().map(|(_, weight)| *weight);
        let target = weighted_choice(hash_roll(session), weights)?;
        let all: Vec<ClusterId> = view.targets.iter().map(|(id, _)| *id).collect();
        let request = Request {
            criteria: layout.criteria_of(client),
            sessions: Some(Sessions {
                session: brought,
                statuses: rules.statuses,
                clusters: &all,
                on_lost: rules.on_lost,
                key: (rules.fallback == Fallback::Rendezvous).then_some(session),
            }),
            ..Request::new(*all.get(target)?, &headers)
        };
        let (snapshot, state) = (&view.snapshot, &mut view.state);
        let decision = self
            .behaviour
            .decide(self.number, snapshot, state, &request, draw);
        Some(Answer {
            opened,
            session,
            host: decision.host_ref().and_then(|host| view.number(host)),
            lost: decision.moved.is_some() && rules.on_lost == OnLost::Refuse,
            decision,
        })
    }

    /// The token that an answer carries: where the session is new, lives elsewhere now, is sealed
    /// by a key that does not seal any more, or has less than half of its time left.
    pub(super) fn token(&self, client: usize, answer: &Answer) -> Option<Kept> {
        let layout = &self.scenario.layout;
        let life = self.scenario.sessions.life;
        let number = answer.host?;
        let first = self.keys.first();
        let name = layout.cluster_of(number);
        let cluster = first.cluster_id(name);
        let host = first.host_id(name, layout.address(number));
        let issued = match answer.opened {
            Some(Ok(opened)) if !opened.is_due(cluster, host, self.clock, life) => return None,
            Some(Ok(opened)) => opened.token.issued,
            _ => self.clock,
        };
        let mut criteria = Vec::new();
        layout.criteria_of(client).canonical(&mut criteria);
        let token = Token {
            session: answer.session,
            host,
            cluster,
            scope: first.scope_id(SCOPE),
            subset: first.subset_id(&criteria),
            issued,
            expires: 0,
            epoch: 0,
        };
        let token = token.renewed(self.clock, life);
        Some(Kept {
            text: self.keys.seal(&token),
            truth: Issued {
                session: answer.session,
                host: number,
                key: first.id(),
                began: issued,
                ends: token.expires,
            },
        })
    }
}
