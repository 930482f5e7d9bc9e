//! A session stays on its host as long as that may keep it, and no longer.

use alloc::format;

use spillgate_core::decide::Reason;

use super::{Evidence, Finding};

pub(super) fn find(evidence: &Evidence<'_>) -> Option<Finding> {
    let decision = &evidence.answer.decision;
    // What a cluster drops it drops before it looks for hosts.
    if decision.reason == Reason::Dropped {
        return None;
    }
    if let Some(truth) = evidence.good()
        && evidence.may_keep(truth.host)
        && evidence.answer.host != Some(truth.host)
    {
        let state = evidence
            .status(truth.host)
            .map_or("?", |state| state.name());
        let host = evidence.name(Some(truth.host));
        return Some(Finding::new(
            evidence.outcome(),
            format!("{host}, which is {state} and may keep it"),
        ));
    }
    if decision.reason == Reason::Session {
        let host = evidence.answer.host?;
        // In panic everybody is served from all hosts of a priority.
        let no_better = || evidence.is_allowed(host) && evidence.gets_others();
        if !evidence.may_keep(host) && !no_better() {
            let state = evidence.status(host).map_or("gone", |state| state.name());
            return Some(Finding::new(
                evidence.outcome(),
                format!("another host: this one is {state} and may not keep it"),
            ));
        }
    }
    None
}
