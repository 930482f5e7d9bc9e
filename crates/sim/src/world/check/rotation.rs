//! No session is lost because a gateway does not know its key.

use alloc::format;

use super::{Evidence, Finding};

pub(super) fn find(evidence: &Evidence<'_>) -> Option<Finding> {
    let facts = evidence.unexpired()?;
    (!evidence.has_key(facts.key)).then(|| {
        Finding::new(
            evidence.outcome(),
            format!(
                "the session on {}: key {} sealed its token, which has not expired",
                evidence.name(Some(facts.host)),
                facts.key
            ),
        )
    })
}
