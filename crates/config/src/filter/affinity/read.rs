//! Reads `affinity`.

use alloc::{borrow::ToOwned, boxed::Box, string::String};
use core::time::Duration;

use spillgate_core::model::OverrideStatuses;

use super::{
    AffinityConfig, AffinityFallback, KeyLookup, ReadKeys, accept::read_accept,
    carrier::read_carrier, lost::read_on_lost, read_key_source, seconds::read_seconds,
    uses::read_uses,
};
use crate::{
    envoy::HEALTH_STATUS,
    proto::{Message, Report, Schema},
};

/// `affinity`: session settings.
pub(in crate::filter) static AFFINITY: Schema = Schema::new(
    "affinity",
    "cookie header envelope keys keys_from_env scope max_life epoch override_host_status on_lost fallback \
     max_share max_requests_per_token accept",
);

/// The policies for new sessions; the first is the default.
pub(in crate::filter) const FALLBACKS: [(&str, i64, AffinityFallback); 2] = [
    ("rendezvous", 0, AffinityFallback::Rendezvous),
    ("policy", 1, AffinityFallback::Policy),
];

/// The value of `affinity.scope` for the request's own authority.
pub(in crate::filter) const AUTHORITY: &str = "authority";
/// Default of `affinity.max_life`.
pub(in crate::filter) const DEFAULT_MAX_LIFE: Duration = Duration::from_secs(24 * 3600);
/// Tokens count seconds, so a shorter token would already be expired when it is issued.
pub(in crate::filter) const SHORTEST_LIFE: Duration = Duration::from_secs(1);

/// The result of reading `affinity`.
pub(in crate::filter) enum AffinityReading {
    /// Absent, or with errors.
    None,
    /// Valid.
    Affinity(Box<AffinityConfig>),
    /// Valid, but the keys of the environment variable with this name are unknown.
    UnknownKeys(String),
}

/// Reads `affinity`.
pub(in crate::filter) fn read_affinity(
    parent: &Message<'_, '_>,
    keys: KeyLookup<'_>,
    report: &mut Report,
) -> AffinityReading {
    // The message contains secrets, so no found value is reported.
    let message = report.in_confidence(|report| parent.message("affinity", &AFFINITY, report));
    message.map_or(AffinityReading::None, |message| {
        read_settings(&message, keys, report).unwrap_or(AffinityReading::None)
    })
}

fn read_settings(
    message: &Message<'_, '_>,
    keys: KeyLookup<'_>,
    report: &mut Report,
) -> Option<AffinityReading> {
    let carrier = read_carrier(message, report);
    let keys = read_key_source(message, keys, report);
    let max_life = read_seconds(message, "max_life", SHORTEST_LIFE, report);
    let epoch = message.u32_within("epoch", 0..=u16::MAX.into(), report);
    let fallback = message.enumeration("fallback", &FALLBACKS, report);
    let scope = read_scope(message, report);
    let statuses = read_statuses(message, report);
    let on_lost = read_on_lost(message, report);
    let max_share = message.u32_within("max_share", 1..=100, report);
    let max_requests_per_token = read_uses(message, report);
    let accept = read_accept(message, report);
    let keys = match keys {
        ReadKeys::Known(keys) => *keys,
        ReadKeys::Unknown(name) => return Some(AffinityReading::UnknownKeys(name)),
        ReadKeys::Invalid => return None,
    };
    Some(AffinityReading::Affinity(Box::new(AffinityConfig {
        carrier: carrier?,
        keys,
        scope,
        max_life: max_life.unwrap_or(DEFAULT_MAX_LIFE),
        epoch: epoch.and_then(|epoch| epoch.try_into().ok()).unwrap_or(0),
        statuses,
        on_lost,
        fallback: fallback.unwrap_or_default(),
        max_share,
        max_requests_per_token,
        accept,
    })))
}

fn read_scope(message: &Message<'_, '_>, report: &mut Report) -> Option<String> {
    let scope = message.string("scope", report)?;
    if scope.is_empty() {
        message
            .error("scope", "config/value", "empty scope")
            .expected("authority, or a name")
            .push_to(report);
    }
    (scope != AUTHORITY).then(|| scope.to_owned())
}

/// A list of host statuses; absent differs from empty, as in Envoy.
fn read_statuses(message: &Message<'_, '_>, report: &mut Report) -> OverrideStatuses {
    let field = "override_host_status";
    if !message.has(field) {
        return OverrideStatuses::DEFAULT;
    }
    let errors = report.errors();
    let statuses = message.enumerations(field, &HEALTH_STATUS, report);
    if statuses.is_empty() && report.errors() == errors {
        message
            .error(field, "config/value", "no host status keeps a session")
            .expected("at least one of UNKNOWN, HEALTHY, DEGRADED, DRAINING")
            .push_to(report);
    }
    statuses.into_iter().collect()
}
