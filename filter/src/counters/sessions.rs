//! What became of sessions.

use super::counter::Counter;
use crate::sessions::Presented;
use spillgate_core::decide::{Decision, Reason};
use std::collections::BTreeMap;

/// Counters of sessions: each request of a listener with `affinity` counts once as kept, moved or
/// new, and once more for a token that was refused.
#[derive(Default)]
pub(crate) struct Sessions {
    kept: Counter,
    new: Counter,
    /// By why.
    moved: BTreeMap<&'static str, Counter>,
    lost: BTreeMap<&'static str, Counter>,
    refused: BTreeMap<&'static str, Counter>,
}

impl Sessions {
    /// Counts what a request presented.
    pub(crate) fn presented(&mut self, presented: Presented) {
        if let Presented::Refused(reason) = presented {
            by_reason(&mut self.refused, "refused", reason);
        }
    }

    /// Counts what was decided: `spillgate.sessions.kept`, `.moved.reason.R`, `.lost.reason.R` where
    /// it must not move, `.new`.
    pub(crate) fn decided(&mut self, decision: &Decision) {
        match (decision.reason, decision.moved) {
            (Reason::Session, _) => self.kept.add("spillgate.sessions.kept"),
            (Reason::SessionMoved, Some(why)) => by_reason(&mut self.moved, "moved", why.name()),
            (_, Some(why)) => by_reason(&mut self.lost, "lost", why.name()),
            (Reason::Chosen, None) => self.new.add("spillgate.sessions.new"),
            _ => {}
        }
    }
}

fn by_reason(counters: &mut BTreeMap<&'static str, Counter>, what: &str, reason: &'static str) {
    let counter = counters.entry(reason).or_default();
    counter.add_named(|| format!("spillgate.sessions.{what}.reason.{reason}"));
}
