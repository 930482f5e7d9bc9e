//! From JSON to how sessions are kept.

use alloc::{borrow::ToOwned, vec::Vec};
use core::time::Duration;

use spillgate_core::model::{HealthStatus, OverrideStatuses};

use super::{
    Accepted, Affinity, Carrier, Fallback, LostSession, carrier::read_carrier, keys::read_keys,
};
use crate::{
    node::{Value, quote},
    proto::{Message, Report, Schema, nearest},
};

pub(in super::super) static AFFINITY: Schema = Schema::new(
    "affinity",
    &[
        "cookie",
        "header",
        "envelope",
        "keys",
        "scope",
        "max_life",
        "epoch",
        "override_host_status",
        "on_lost",
        "fallback",
        "max_share",
        "accept",
    ],
);
pub(in super::super) static ON_LOST: Schema =
    Schema::new("affinity.on_lost", &["status", "retry_after"]);

pub(crate) const FALLBACKS: [(&str, i64, Fallback); 2] = [
    ("rendezvous", 0, Fallback::Rendezvous),
    ("policy", 1, Fallback::Policy),
];
pub(crate) const ACCEPTED: [(&str, Accepted); 3] = [
    ("envoy_cookie", Accepted::EnvoyCookie),
    ("envoy_header", Accepted::EnvoyHeader),
    ("grpc_cookie", Accepted::GrpcCookie),
];

/// How long a session lives at most when nothing is said.
pub(crate) const DEFAULT_MAX_LIFE: Duration = Duration::from_secs(24 * 3600);
/// What `affinity.scope` says for the request's own authority.
const AUTHORITY: &str = "authority";

/// Reads `affinity`; `Some(None)` where there is none, `None` after an error.
pub(in super::super) fn read_affinity(
    parent: &Message<'_, '_>,
    report: &mut Report,
) -> Option<Option<Affinity>> {
    let Some(message) = parent.message("affinity", &AFFINITY, report) else {
        return (!parent.has("affinity")).then_some(None);
    };
    let errors = report.errors();
    let carrier = read_carrier(&message, report);
    let keys = read_keys(&message, report);
    let scope = message.string("scope", report).unwrap_or(AUTHORITY);
    if scope.is_empty() {
        report.push(
            message
                .error("scope", "config/value", "a scope without a name")
                .expected("authority, or the name that several hosts share"),
        );
    }
    let max_life = message.duration("max_life", report);
    let max_life = max_life.unwrap_or(DEFAULT_MAX_LIFE);
    if max_life < Duration::from_secs(1) {
        report.push(
            message
                .error("max_life", "config/value", "out of range")
                .expected("at least \"1s\""),
        );
    }
    let epoch = message.u32("epoch", report).unwrap_or(0);
    let epoch = u16::try_from(epoch).unwrap_or_else(|_| {
        report.push(
            message
                .error("epoch", "config/value", "out of range")
                .expected("a whole number from 0 to 65535"),
        );
        0
    });
    let statuses = read_statuses(&message, report);
    let on_lost = read_on_lost(&message, report);
    let fallback = message.enumeration("fallback", &FALLBACKS, report);
    let max_share = message.u32("max_share", report);
    if max_share.is_some_and(|share| !(1..=100).contains(&share)) {
        report.push(
            message
                .error("max_share", "config/value", "out of range")
                .expected("a whole number of percent from 1 to 100"),
        );
    }
    let accept = read_accepted(&message, carrier.as_ref(), report);
    if report.errors() > errors {
        return None;
    }
    Some(Some(Affinity {
        carrier: carrier?,
        keys: keys?,
        scope: (scope != AUTHORITY).then(|| scope.to_owned()),
        max_life,
        epoch,
        statuses,
        on_lost,
        fallback: fallback.unwrap_or_default(),
        max_share,
        accept,
    }))
}

/// A list of statuses; unset is not the same as empty, as in Envoy.
fn read_statuses(message: &Message<'_, '_>, report: &mut Report) -> OverrideStatuses {
    if !message.has("override_host_status") {
        return OverrideStatuses::DEFAULT;
    }
    let mut statuses = OverrideStatuses::EMPTY;
    for node in message.strings("override_host_status", report) {
        let Value::String(name) = &node.value else {
            continue;
        };
        match HealthStatus::from_name(name) {
            Some(status) => statuses = statuses.with(status),
            None => report.push(
                message
                    .error(
                        "override_host_status",
                        "config/value",
                        "not a health status",
                    )
                    .found(quote(name))
                    .suggest(nearest(name, HealthStatus::ALL.iter().map(|s| s.name()))),
            ),
        }
    }
    if statuses == OverrideStatuses::EMPTY {
        let fault = "no state of a host would keep a session";
        report.push(
            message
                .error("override_host_status", "config/value", fault)
                .expected("at least one of UNKNOWN, HEALTHY, DEGRADED, DRAINING"),
        );
    }
    statuses
}

fn read_on_lost(parent: &Message<'_, '_>, report: &mut Report) -> LostSession {
    if let Some(Value::String(name)) = parent.get("on_lost").map(|node| &node.value) {
        if &**name != "rebalance" {
            report.push(
                parent
                    .error("on_lost", "config/value", "no such mode")
                    .found(quote(name))
                    .expected("rebalance, or {status, retry_after}"),
            );
        }
        return LostSession::Rebalance;
    }
    let Some(message) = parent.message("on_lost", &ON_LOST, report) else {
        return LostSession::Rebalance;
    };
    if !message.has("status") {
        report.push(message.error("status", "config/missing", "a required field is missing"));
    }
    let status = message.u32("status", report).unwrap_or(400);
    if !(400..=599).contains(&status) {
        report.push(
            message
                .error("status", "config/value", "out of range")
                .expected("a status from 400 to 599"),
        );
    }
    let retry_after = message.duration("retry_after", report);
    if retry_after.is_some_and(|after| after.subsec_nanos() != 0) {
        report.push(
            message
                .error(
                    "retry_after",
                    "config/value",
                    "the header counts whole seconds",
                )
                .expected("whole seconds"),
        );
    }
    LostSession::Refuse {
        status,
        retry_after: retry_after.map(|after| after.as_secs()),
    }
}

/// A form is looked for where the token travels, so it must be one of that carrier.
fn read_accepted(
    message: &Message<'_, '_>,
    carrier: Option<&Carrier>,
    report: &mut Report,
) -> Vec<Accepted> {
    let mut accepted = Vec::new();
    for node in message.strings("accept", report) {
        let Value::String(name) = &node.value else {
            continue;
        };
        let found = ACCEPTED.iter().find(|(known, _)| *known == &**name);
        let Some(&(_, form)) = found else {
            report.push(
                message
                    .error("accept", "config/value", "no such form")
                    .found(quote(name))
                    .suggest(nearest(name, ACCEPTED.iter().map(|(known, _)| *known))),
            );
            continue;
        };
        let fits = match carrier {
            Some(Carrier::Cookie(_)) => form != Accepted::EnvoyHeader,
            Some(Carrier::Header(_)) => form == Accepted::EnvoyHeader,
            Some(Carrier::Envelope(_)) => false,
            None => true,
        };
        if !fits {
            let fault = "the token does not travel where this form does";
            report.push(
                message
                    .error("accept", "config/one-of", fault)
                    .found(quote(name))
                    .expected(
                        "envoy_cookie and grpc_cookie with a cookie, envoy_header with a header",
                    ),
            );
        }
        accepted.push(form);
    }
    accepted
}

/// The names in a table, for the schema.
pub(crate) fn accepted_names() -> impl Iterator<Item = &'static str> {
    ACCEPTED.iter().map(|(name, _)| *name)
}
