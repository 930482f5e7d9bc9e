//! A token is not revoked by an epoch that its session has already reached.

use alloc::format;

use spillgate_core::affinity::Refused;
use spillgate_steer::port::TokenOutcome;

use super::{Evidence, Finding};

pub(super) fn find(evidence: &Evidence<'_>) -> Option<Finding> {
    let facts = evidence.valid()?;
    let revoked = evidence.answer.token == TokenOutcome::Refused(Refused::Epoch.name());
    revoked.then(|| {
        Finding::new(
            evidence.outcome(),
            format!(
                "the session on {}: it has reached epoch {}",
                evidence.name(Some(facts.host)),
                facts.epoch
            ),
        )
    })
}
