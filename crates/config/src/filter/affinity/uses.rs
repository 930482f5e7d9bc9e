//! `affinity.max_requests_per_token`: how often one token may be used.

use core::time::Duration;

use spillgate_core::affinity::UseLimit;

use super::seconds::read_seconds;
use crate::proto::{Message, Report, Schema};

/// `affinity.max_requests_per_token`: the limit of one token.
pub(in crate::filter) static USES: Schema =
    Schema::new("affinity.max_requests_per_token", "requests window");

/// The shortest window: clocks of tokens count seconds.
pub(in crate::filter) const SHORTEST_WINDOW: Duration = Duration::from_secs(1);

/// Reads the limit; `None` if it is absent, or after an error.
pub(super) fn read_uses(parent: &Message<'_, '_>, report: &mut Report) -> Option<UseLimit> {
    let message = parent.message("max_requests_per_token", &USES, report)?;
    message.require("requests", report);
    message.require("window", report);
    let requests = message.u32_within("requests", 1..=u32::MAX, report);
    let window = read_seconds(&message, "window", SHORTEST_WINDOW, report);
    Some(UseLimit {
        requests: requests?,
        window: window?.as_secs(),
    })
}
