//! Answers to hostile requests.

use anyhow::{Result, ensure};
use spillgate_testkit::HttpResponse;

use crate::config::{CLUSTER_HEADER, HOST_HEADER};

/// Checks that an answer has none of the filter's internal headers.
///
/// # Errors
/// When it has one.
pub fn reveals_nothing(answer: &HttpResponse) -> Result<()> {
    for internal in [HOST_HEADER, CLUSTER_HEADER, "x-spillgate-trace"] {
        ensure!(
            answer.header(internal).is_none(),
            "the client got {internal}"
        );
    }
    Ok(())
}
