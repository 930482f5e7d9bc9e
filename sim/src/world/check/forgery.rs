//! A token that is not good here and now has no say.

use alloc::format;

use spillgate_core::decide::Reason;
use spillgate_steer::port::TokenOutcome;

use super::{Evidence, Finding};

pub(super) fn find(evidence: &Evidence<'_>) -> Option<Finding> {
    evidence.sent.text.as_ref()?;
    if evidence.good().is_some() {
        return None;
    }
    let decision = &evidence.answer.decision;
    let steered = matches!(decision.reason, Reason::Session | Reason::SessionMoved)
        || decision.moved.is_some()
        || evidence.answer.token == TokenOutcome::Accepted;
    steered.then(|| {
        let what = evidence.sent.what.name();
        Finding::new(
            format!("{}, by {what}", evidence.outcome()),
            format!("a new session, as without {what}"),
        )
    })
}
