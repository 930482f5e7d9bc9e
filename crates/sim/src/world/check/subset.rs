//! The chosen host is in the request's clusters and subset.

use alloc::format;

use super::{Evidence, Finding};

pub(super) fn find(evidence: &Evidence<'_>) -> Option<Finding> {
    let host = evidence.answer.host?;
    if evidence.is_allowed(host) {
        return None;
    }
    let criteria = evidence.scenario.layout.criteria_of(evidence.client);
    let metadata = evidence
        .report(host)
        .map(|report| &report.metadata)
        .map_or_else(|| "no metadata".into(), |of| format!("{of}"));
    Some(Finding::new(
        format!("{}, which has {metadata}", evidence.outcome()),
        format!("a host for requests with the criteria {{{criteria}}}"),
    ))
}
