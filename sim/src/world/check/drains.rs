//! A host that drains gets no new session, and one that is gone nothing once every gateway must
//! know.

use alloc::format;

use spillgate_core::{decide::Reason, model::HealthStatus};

use super::{Evidence, Finding};

pub(super) fn find(evidence: &Evidence<'_>) -> Option<Finding> {
    let host = evidence.answer.host?;
    let delay = evidence.scenario.view_delay;
    let gone = evidence.ground.hosts.get(host).and_then(|host| host.gone);
    if let Some(gone) = gone
        && evidence.now > gone + delay
    {
        return Some(Finding::new(
            evidence.outcome(),
            format!("another host: this one was gone at {gone} ms, {delay} ms must do to hear it"),
        ));
    }
    let decision = &evidence.answer.decision;
    let drains = evidence.status(host) == Some(HealthStatus::Draining);
    // Where nobody else is left a priority serves from all its hosts.
    let panics = decision.priority.is_some_and(|priority| priority.panic);
    (drains && decision.reason != Reason::Session && !panics).then(|| {
        let expected = "another host: this one drains and takes no further session";
        Finding::new(evidence.outcome(), expected)
    })
}
