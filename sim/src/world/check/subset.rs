//! No host is chosen outside of the request's clusters and subset.

use alloc::format;

use super::{Evidence, Finding};

pub(super) fn find(evidence: &Evidence<'_>) -> Option<Finding> {
    let host = evidence.answer.host?;
    if evidence.is_allowed(host) {
        return None;
    }
    let criteria = evidence.scenario.layout.criteria_of(evidence.client);
    let carries = evidence.report(host).map(|report| &report.metadata);
    let carries = carries.map_or_else(|| "nothing".into(), |of| format!("{of}"));
    Some(Finding::new(
        format!("{}, which carries {carries}", evidence.outcome()),
        format!("a host that requests with {{{criteria}}} may get"),
    ))
}
