//! What became of requests, counted by phase.

use alloc::{collections::BTreeMap, string::String};

use spillgate_core::decide::Reason;

use spillgate_steer::port::TokenOutcome;

use super::{Answer, Brings, Millis, Sent};

/// What became of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// Its session stayed on its host.
    Kept,
    /// Its session moved, and why.
    Moved(&'static str),
    /// A session began.
    New,
    /// There was no host for it, and why.
    Failed(&'static str),
}

impl Seen {
    pub(super) const fn of(answer: &Answer) -> Self {
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

    /// All of them.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }

    /// Each name with its count, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.0.iter().map(|(name, count)| (*name, *count))
    }

    /// Adds others.
    pub fn extend(&mut self, other: &Self) {
        for (name, count) in other.iter() {
            self.add(name, count);
        }
    }
}

/// What happened between two scripted events.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Phase {
    /// What began it; empty for the first phase.
    pub name: String,
    /// When it began.
    pub from: Millis,
    /// Requests of clients with their own token or none.
    pub requests: u64,
    /// Those whose session stayed.
    pub kept: u64,
    /// Those whose session moved, by why.
    pub moved: Counts,
    /// Those that began a session.
    pub new: u64,
    /// Those without a host, by why.
    pub failed: Counts,
    /// Clients' own tokens that were refused, by why.
    pub refused: Counts,
    /// Requests with a token of somebody else or of nobody, by what they brought.
    pub hostile: Counts,
}

impl Phase {
    pub(super) fn count(&mut self, sent: &Sent, answer: &Answer) {
        if sent.what != Brings::Own {
            self.hostile.add(sent.what.name(), 1);
            return;
        }
        self.requests += 1;
        match Seen::of(answer) {
            Seen::Kept => self.kept += 1,
            Seen::New => self.new += 1,
            Seen::Moved(why) => self.moved.add(why, 1),
            Seen::Failed(why) => self.failed.add(why, 1),
        }
        if let TokenOutcome::Refused(why) = answer.token {
            self.refused.add(why, 1);
        }
    }

    /// Adds what happened in the same phase of another run.
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
