//! Gateways that know the same choose the same.

use alloc::format;

use spillgate_core::decide::Reason;

use super::{super::Answer, Evidence, Finding};

pub(super) fn find(evidence: &Evidence<'_>) -> Option<Finding> {
    // What is dropped is drawn by each for itself.
    let dropped = |answer: &Answer| answer.decision.reason == Reason::Dropped;
    let mut others = evidence.others.iter();
    let (gateway, other) = others.find(|(_, other)| {
        let differs = other.host != evidence.answer.host;
        differs && !dropped(other) && !dropped(evidence.answer)
    })?;
    Some(Finding::new(
        evidence.outcome(),
        format!(
            "{}, as gateway {} says",
            evidence.name(other.host),
            gateway + 1
        ),
    ))
}
