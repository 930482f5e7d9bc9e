//! Counters of sessions by their outcome.

use spillgate_core::decide::{Decision, Reason};

use super::{counter::Counter, labeled_counters::LabeledCounters};
use crate::port::{CounterName, Plugin, TokenOutcome};

/// Counters of sessions, for configurations with `affinity`.
///
/// Each request counts at most once as kept, moved, lost or new. A refused or overused token counts
/// in addition. These requests count as none of the four: a request without an accepted token that
/// gets no host, a kept session that `drop_overloads` drops or whose request ends before its response, a
/// request that passes through or is refused because its hosts are unknown, and a refused envelope that is
/// answered with the `on_lost` status.
pub(crate) struct SessionCounters {
    kept: Counter,
    new: Counter,
    moved: ByReason,
    lost: ByReason,
    refused: ByReason,
    overused: Counter,
    /// Responses from which the upstream host's own copy of the session cookie or header was removed.
    pub(crate) stripped: Counter,
}

/// Counters of one kind, by the value of their label `reason`.
pub(super) type ByReason = LabeledCounters<&'static str>;

impl Default for SessionCounters {
    fn default() -> Self {
        Self {
            kept: Counter::new("spillgate.sessions.kept"),
            new: Counter::new("spillgate.sessions.new"),
            moved: ByReason::default(),
            lost: ByReason::default(),
            refused: ByReason::default(),
            overused: Counter::new("spillgate.sessions.overused"),
            stripped: Counter::new("spillgate.sessions.stripped"),
        }
    }
}

impl SessionCounters {
    /// Counts a token without effect: `spillgate.sessions.refused.reason.R`, or `.overused`.
    pub(crate) fn token(&mut self, plugin: &impl Plugin, outcome: TokenOutcome) {
        match outcome {
            TokenOutcome::Refused(reason) => add(
                plugin,
                &mut self.refused,
                "spillgate.sessions.refused",
                reason,
            ),
            TokenOutcome::Overused => self.overused.add(plugin),
            TokenOutcome::Absent | TokenOutcome::Accepted => {}
        }
    }

    /// Counts a session that was to stay on its host: `spillgate.sessions.kept`, or `.moved.reason.R` if
    /// another host responds.
    pub(crate) fn stayed(&mut self, plugin: &impl Plugin, moved: Option<&'static str>) {
        match moved {
            None => self.kept.add(plugin),
            Some(reason) => add(plugin, &mut self.moved, "spillgate.sessions.moved", reason),
        }
    }

    /// Counts a decision: `spillgate.sessions.moved.reason.R` if the session moves to another host,
    /// `.lost.reason.R` if it cannot stay and gets no other host, `.new` if a request without an
    /// accepted token gets a host. Whether a session stays depends on the response.
    pub(crate) fn decided(&mut self, plugin: &impl Plugin, decision: &Decision) {
        match (decision.reason, decision.moved) {
            (Reason::Session, _) => {}
            (Reason::SessionMoved, Some(why)) => add(
                plugin,
                &mut self.moved,
                "spillgate.sessions.moved",
                why.name(),
            ),
            (_, Some(why)) => add(
                plugin,
                &mut self.lost,
                "spillgate.sessions.lost",
                why.name(),
            ),
            (Reason::Chosen, None) => self.new.add(plugin),
            _ => {}
        }
    }
}

pub(super) fn add(
    plugin: &impl Plugin,
    counters: &mut ByReason,
    kind: &'static str,
    reason: &'static str,
) {
    counters.add(plugin, reason, || {
        plugin.counter(CounterName {
            kind,
            labels: &[("reason", reason)],
        })
    });
}
