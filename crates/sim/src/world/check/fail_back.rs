//! A session does not return to a host that it left while its current host serves.

use alloc::format;

use super::{super::TokenSource, Evidence, Finding};

pub(super) fn find(evidence: &Evidence<'_>) -> Option<Finding> {
    if evidence.sent.source != TokenSource::Own {
        return None;
    }
    let (host, facts) = (evidence.answer.host?, evidence.valid()?);
    let returned = host != facts.host && evidence.left.contains(&host);
    let must_move = evidence.answer.decision.moved.is_some();
    (returned && !must_move).then(|| {
        Finding::new(
            evidence.outcome(),
            format!(
                "{}, the current host of the session",
                evidence.name(Some(facts.host))
            ),
        )
    })
}
