//! No session is lost because its key is not known.

use alloc::format;

use super::{Evidence, Finding};

pub(super) fn find(evidence: &Evidence<'_>) -> Option<Finding> {
    let truth = evidence.in_time()?;
    (!evidence.has_key(truth.key)).then(|| {
        Finding::new(
            evidence.outcome(),
            format!(
                "the session on {}: key {} sealed it and its time is not over",
                evidence.name(Some(truth.host)),
                truth.key
            ),
        )
    })
}
