//! A session does not return to a host that it has left while the one that it is on serves.

use alloc::format;

use super::{super::Brings, Evidence, Finding};

pub(super) fn find(evidence: &Evidence<'_>) -> Option<Finding> {
    if evidence.sent.what != Brings::Own {
        return None;
    }
    let (host, truth) = (evidence.answer.host?, evidence.good()?);
    let returned = host != truth.host && evidence.left.contains(&host);
    let must_move = evidence.answer.decision.moved.is_some();
    (returned && !must_move).then(|| {
        Finding::new(
            evidence.outcome(),
            format!("{}, where it had gone", evidence.name(Some(truth.host))),
        )
    })
}
