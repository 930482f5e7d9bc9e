//! Gateways with the same knowledge choose the same host.

use alloc::format;

use spillgate_core::decide::Reason;

use super::{super::GatewayAnswer, Evidence, Finding};

pub(super) fn find(evidence: &Evidence<'_>) -> Option<Finding> {
    // Each gateway drops requests at random (`drop_overloads`).
    let dropped = |answer: &GatewayAnswer| answer.decision.reason == Reason::Dropped;
    let mut others = evidence.other_answers.iter();
    let (gateway, other) = others.find(|(_, other)| {
        let differs = other.host != evidence.answer.host;
        differs && !dropped(other) && !dropped(evidence.answer)
    })?;
    Some(Finding::new(
        evidence.outcome(),
        format!(
            "{}, as gateway {} chose",
            evidence.name(other.host),
            gateway + 1
        ),
    ))
}
