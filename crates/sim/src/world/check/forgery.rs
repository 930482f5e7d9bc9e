//! A token that is not valid here and now has no effect.

use alloc::format;

use spillgate_core::decide::Reason;
use spillgate_steer::port::TokenOutcome;

use super::{Evidence, Finding};

pub(super) fn find(evidence: &Evidence<'_>) -> Option<Finding> {
    evidence.sent.text.as_ref()?;
    if evidence.valid().is_some() {
        return None;
    }
    let decision = &evidence.answer.decision;
    let steered = matches!(decision.reason, Reason::Session | Reason::SessionMoved)
        || decision.moved.is_some()
        || evidence.answer.token == TokenOutcome::Accepted;
    steered.then(|| {
        let token = evidence.sent.source.name();
        Finding::new(
            format!("{}, with {token}", evidence.outcome()),
            "a new session, as without a token",
        )
    })
}
