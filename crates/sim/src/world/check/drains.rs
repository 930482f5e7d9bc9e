//! A draining host gets no new session. A removed host gets no request once every gateway has the
//! update.

use alloc::format;

use spillgate_core::{decide::Reason, model::HealthStatus};

use super::{Evidence, Finding};

pub(super) fn find(evidence: &Evidence<'_>) -> Option<Finding> {
    let host = evidence.answer.host?;
    let delay = evidence.scenario.view_delay;
    let removed = evidence.true_hosts.hosts.get(host);
    if let Some(removed) = removed.and_then(|host| host.removed_at)
        && evidence.now > removed + delay
    {
        return Some(Finding::new(
            evidence.outcome(),
            format!("another host: removed at {removed} ms, and updates take at most {delay} ms"),
        ));
    }
    let decision = &evidence.answer.decision;
    let drains = evidence.status(host) == Some(HealthStatus::Draining);
    // A priority in panic mode serves from all its hosts.
    let panics = decision.priority.is_some_and(|priority| priority.panic);
    (drains && decision.reason != Reason::Session && !panics).then(|| {
        let expected = "another host: this one is draining and gets no new session";
        Finding::new(evidence.outcome(), expected)
    })
}
