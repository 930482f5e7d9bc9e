//! The outcomes of sessions.

use alloc::{collections::BTreeMap, format};

use spillgate_core::decide::{Decision, Reason};

use super::counter::Counter;
use crate::port::{Plugin, TokenOutcome};

/// Counters of sessions: each request of a listener with `affinity` counts once as kept, moved or
/// new, and once more for a token that was refused.
#[derive(Default)]
pub(crate) struct SessionCounters {
    kept: Counter,
    new: Counter,
    moved: ByReason,
    lost: ByReason,
    refused: ByReason,
}

type ByReason = BTreeMap<&'static str, Counter>;

impl SessionCounters {
    /// Counts the token that a request carried.
    pub(crate) fn token(&mut self, plugin: &impl Plugin, outcome: TokenOutcome) {
        if let TokenOutcome::Refused(reason) = outcome {
            add(plugin, &mut self.refused, "refused", reason);
        }
    }

    /// Counts a decision: `spillgate.sessions.kept`, `.moved.reason.R`, `.lost.reason.R` if the
    /// session must not move, `.new`.
    pub(crate) fn decided(&mut self, plugin: &impl Plugin, decision: &Decision) {
        match (decision.reason, decision.moved) {
            (Reason::Session, _) => self.kept.add(plugin, "spillgate.sessions.kept"),
            (Reason::SessionMoved, Some(why)) => add(plugin, &mut self.moved, "moved", why.name()),
            (_, Some(why)) => add(plugin, &mut self.lost, "lost", why.name()),
            (Reason::Chosen, None) => self.new.add(plugin, "spillgate.sessions.new"),
            _ => {}
        }
    }
}

fn add(plugin: &impl Plugin, counters: &mut ByReason, what: &str, reason: &'static str) {
    let counter = counters.entry(reason).or_default();
    counter.add_named(plugin, || {
        format!("spillgate.sessions.{what}.reason.{reason}")
    });
}
