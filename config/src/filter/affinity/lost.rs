//! `affinity.on_lost`: what becomes of a session whose host cannot serve.

use core::{ops::RangeInclusive, time::Duration};

use super::seconds::read_seconds;
use crate::{
    node::NodeValue,
    proto::{Message, Report, Schema},
};

/// `affinity.on_lost`: the answer to a session whose host is gone.
pub(in crate::filter) static ON_LOST: Schema =
    Schema::new("affinity.on_lost", "status retry_after");

/// The mode that has a name instead of a status.
pub(in crate::filter) const REBALANCE: &str = "rebalance";

/// Statuses that tell a client that it got no answer.
pub(in crate::filter) const STATUSES: RangeInclusive<u32> = 400..=599;

/// What becomes of a session whose host cannot serve.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LostSession {
    /// It moves, and gets a new token.
    #[default]
    Rebalance,
    /// The client is answered with this status, which tells it to begin anew.
    Refuse {
        /// The status, 400 to 599.
        status: u32,
        /// What `retry-after` says, in whole seconds.
        retry_after: Option<u64>,
    },
}

/// Reads the mode; the default where it is absent, or after an error.
pub(super) fn read_on_lost(parent: &Message<'_, '_>, report: &mut Report) -> LostSession {
    match parent.get("on_lost").map(|node| &node.value) {
        None => LostSession::default(),
        Some(NodeValue::String(name)) if &**name == REBALANCE => LostSession::Rebalance,
        Some(NodeValue::Map(_)) => read_refusal(parent, report).unwrap_or_default(),
        Some(_) => {
            let error = parent.error("on_lost", "config/unknown-value", "no such mode");
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
