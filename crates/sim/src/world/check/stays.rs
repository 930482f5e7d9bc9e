//! A session stays on its host while the host may keep it, and no longer.

use alloc::format;

use spillgate_core::{decide::Reason, trace::SessionMove};

use super::{Evidence, Finding};

pub(super) fn find(evidence: &Evidence<'_>) -> Option<Finding> {
    let decision = &evidence.answer.decision;
    // `drop_overloads` applies before a host is chosen.
    if decision.reason == Reason::Dropped {
        return None;
    }
    // The rule `guard` checks sessions that leave a host because of its load.
    if decision.moved == Some(SessionMove::Hot) && evidence.scenario.sessions.max_share.is_some() {
        return None;
    }
    if let Some(facts) = evidence.valid()
        && evidence.may_keep(facts.host)
        && evidence.answer.host != Some(facts.host)
    {
        let state = evidence
            .status(facts.host)
            .map_or("?", |state| state.name());
        let host = evidence.name(Some(facts.host));
        return Some(Finding::new(
            evidence.outcome(),
            format!("{host}, which is {state} and may keep the session"),
        ));
    }
    if decision.reason == Reason::Session {
        let host = evidence.answer.host?;
        // A priority in panic mode serves new sessions from all its hosts, too.
        let no_better = || evidence.is_allowed(host) && evidence.serves_new_sessions();
        if !evidence.may_keep(host) && !no_better() {
            let state = evidence.status(host).map_or("gone", |state| state.name());
            return Some(Finding::new(
                evidence.outcome(),
                format!("another host: this one is {state} and may not keep the session"),
            ));
        }
    }
    None
}
