//! `sessions`: the session settings, with the field names of the filter's configuration.

use crate::world::{SessionRules, WorldFallback};
use spillgate_core::{affinity::Life, decide::OnLost, model::OverrideStatuses};

use spillgate_config::{
    envoy::HEALTH_STATUS,
    proto::{Message, Report, Schema},
};

static SESSIONS: Schema = Schema::new(
    "sessions",
    "ttl max_life override_host_status on_lost fallback request_hash max_share",
);

const ON_LOST: [(&str, i64, OnLost); 2] = [
    ("rebalance", 0, OnLost::Rebalance),
    ("refuse", 1, OnLost::Refuse),
];

const FALLBACKS: [(&str, i64, WorldFallback); 2] = [
    ("rendezvous", 0, WorldFallback::Rendezvous),
    ("policy", 1, WorldFallback::Policy),
];

/// Reads `sessions`; missing fields have their defaults.
pub(super) fn read_sessions(parent: &Message<'_, '_>, report: &mut Report) -> SessionRules {
    let defaults = SessionRules::default();
    let Some(message) = parent.message("sessions", &SESSIONS, report) else {
        return defaults;
    };
    let seconds = |field, report: &mut Report| {
        let duration = message.duration(field, report)?;
        if duration.subsec_nanos() != 0 {
            let fault = message.error(field, "config/value", "not a whole number of seconds");
            report.push(fault.expected("whole seconds"));
        }
        Some(duration.as_secs())
    };
    let ttl = seconds("ttl", report).unwrap_or(defaults.life.ttl);
    let max = seconds("max_life", report).unwrap_or(defaults.life.max);
    if max == 0 {
        let fault = message.error("max_life", "config/value", "out of range");
        report.push(fault.expected("at least 1s"));
    }
    SessionRules {
        life: Life { ttl, max },
        statuses: read_statuses(&message, report).unwrap_or(defaults.statuses),
        on_lost: message
            .enumeration("on_lost", &ON_LOST, report)
            .unwrap_or_default(),
        fallback: message
            .enumeration("fallback", &FALLBACKS, report)
            .unwrap_or_default(),
        request_hash: message.bool("request_hash", report).unwrap_or(false),
        max_share: message.u32_within("max_share", 1..=100, report),
    }
}

fn read_statuses(message: &Message<'_, '_>, report: &mut Report) -> Option<OverrideStatuses> {
    const FIELD: &str = "override_host_status";
    message.get(FIELD)?;
    let statuses = message.enumerations(FIELD, &HEALTH_STATUS, report);
    Some(statuses.into_iter().collect())
}
