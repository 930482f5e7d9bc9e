//! `affinity.on_lost`: the handling of a session whose host cannot serve.

use core::{ops::RangeInclusive, time::Duration};

use super::seconds::read_seconds;
use crate::{
    node::NodeValue,
    proto::{Message, Report, Schema},
};

/// `affinity.on_lost`: the response to a session without its host.
pub(in crate::filter) static ON_LOST: Schema =
    Schema::new("affinity.on_lost", "status retry_after");

/// The mode that is a name instead of a message.
pub(in crate::filter) const REBALANCE: &str = "rebalance";

/// The range of allowed statuses.
pub(in crate::filter) const STATUSES: RangeInclusive<u32> = 400..=599;

/// The handling of a session whose host cannot serve.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LostSession {
    /// The session moves to another host and gets a new token.
    #[default]
    Rebalance,
    /// The filter responds with this status, so that the client starts a new session.
    Refuse {
        /// The status, 400 to 599.
        status: u32,
        /// The value of `retry-after`, in whole seconds.
        retry_after: Option<u64>,
    },
}

/// Reads the mode; the default if it is absent, or after an error.
pub(super) fn read_on_lost(parent: &Message<'_, '_>, report: &mut Report) -> LostSession {
    match parent.get("on_lost").map(|node| &node.value) {
        None => LostSession::default(),
        Some(NodeValue::String(name)) if &**name == REBALANCE => LostSession::Rebalance,
        Some(NodeValue::Map(_)) => read_refusal(parent, report).unwrap_or_default(),
        Some(_) => {
            let error = parent.error("on_lost", "config/unknown-value", "unknown mode");
            report.push(error.expected("rebalance, or {status, retry_after}"));
            LostSession::default()
        }
    }
}

fn read_refusal(parent: &Message<'_, '_>, report: &mut Report) -> Option<LostSession> {
    let message = parent.message("on_lost", &ON_LOST, report)?;
    message.require("status", report);
    let status = message.u32_within("status", STATUSES, report);
    let retry_after = read_seconds(&message, "retry_after", Duration::ZERO, report);
    Some(LostSession::Refuse {
        status: status?,
        retry_after: retry_after.map(|after| after.as_secs()),
    })
}
