//! The outcomes of requests, counted by phase.

use alloc::{collections::BTreeMap, string::String};

use spillgate_core::decide::Reason;

use spillgate_steer::port::TokenOutcome;

use super::{GatewayAnswer, Millis, SentRequest, TokenSource};

/// The outcome of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestOutcome {
    /// Its session stayed on its host.
    Kept,
    /// Its session moved, for this reason.
    Moved(&'static str),
    /// A session began.
    New,
    /// No host was chosen, for this reason.
    Failed(&'static str),
}

impl RequestOutcome {
    pub(super) const fn of(answer: &GatewayAnswer) -> Self {
        let decision = &answer.decision;
        match (answer.host, decision.moved, decision.reason) {
            (None, Some(why), _) => Self::Failed(why.name()),
            (None, None, reason) => Self::Failed(reason.name()),
            (Some(_), _, Reason::Session) => Self::Kept,
            (Some(_), Some(why), _) => Self::Moved(why.name()),
            (Some(_), None, _) => Self::New,
        }
    }
}

/// Counts by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts(BTreeMap<&'static str, u64>);

impl Counts {
    fn add(&mut self, name: &'static str, count: u64) {
        *self.0.entry(name).or_default() += count;
    }

    /// Each name with its count, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.0.iter().map(|(name, count)| (*name, *count))
    }

    /// Adds the counts of another run.
    pub fn extend(&mut self, other: &Self) {
        for (name, count) in other.iter() {
            self.add(name, count);
        }
    }
}

/// The outcomes of requests between two scripted events.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Phase {
    /// The name of the event that started it; empty for the first phase.
    pub name: String,
    /// When it started.
    pub from: Millis,
    /// Requests with the client's own token, or without a token.
    pub requests: u64,
    /// Requests whose session stayed on its host.
    pub kept: u64,
    /// Requests whose session moved, by reason.
    pub moved: Counts,
    /// Requests that started a session.
    pub new: u64,
    /// Requests without a host, by reason.
    pub failed: Counts,
    /// Clients' own tokens that were refused, by reason.
    pub refused: Counts,
    /// Requests with another token than the client's own, by its source.
    pub hostile: Counts,
}

impl Phase {
    pub(super) fn count(&mut self, sent: &SentRequest, answer: &GatewayAnswer) {
        // Hostile requests would otherwise count as moved or new sessions.
        if sent.source != TokenSource::Own {
            self.hostile.add(sent.source.name(), 1);
            return;
        }
        self.requests += 1;
        match RequestOutcome::of(answer) {
            RequestOutcome::Kept => self.kept += 1,
            RequestOutcome::New => self.new += 1,
            RequestOutcome::Moved(why) => self.moved.add(why, 1),
            RequestOutcome::Failed(why) => self.failed.add(why, 1),
        }
        if let TokenOutcome::Refused(why) = answer.token {
            self.refused.add(why, 1);
        }
    }

    /// Adds the counts of the same phase of another run.
    pub fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.kept += other.kept;
        self.new += other.new;
        self.moved.extend(&other.moved);
        self.failed.extend(&other.failed);
        self.refused.extend(&other.refused);
        self.hostile.extend(&other.hostile);
    }
}
