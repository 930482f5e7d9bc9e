//! Session settings that are ignored or rounded.

use alloc::format;
use core::time::Duration;
use spillgate_core::visible::quoted;

use spillgate_config::envoy::facts::{CookieFacts, SessionCarrierFacts};

use crate::{context::Context, finding::Severity, rule::Rule, sink::Sink};

/// A cluster with sessions sets `idle_timeout` in `typed_extension_protocol_options`. Envoy reads
/// it there; gRPC, which keeps idle session connections open for this time, reads only
/// `upstream_config`.
///
/// gRPC clients use the default of 3600 s.
pub(crate) static IDLE_TIMEOUT: Rule = Rule {
    id: "session-idle-timeout-misplaced",
    severity: Severity::Info,
    summary: "idle_timeout where gRPC ignores it for sessions",
    check: idle_timeout,
};

/// The cookie of a session or a hash policy has a ttl between 0 and 1 second.
///
/// Envoy sends `Max-Age=0`, so browsers delete the cookie at once.
pub(crate) static TTL: Rule = Rule {
    id: "session-ttl-subsecond",
    severity: Severity::Warning,
    summary: "cookie ttl below one second becomes Max-Age=0",
    check: ttl,
};

/// Finds idle timeouts that gRPC ignores.
fn idle_timeout(context: &Context<'_>, sink: &mut Sink) {
    for cluster in &context.facts.clusters {
        let Some(place) = &cluster.idle_timeout else {
            continue;
        };
        // Without sessions the setting is in the right place; a standalone cluster may be for gRPC.
        let mut ways = context.ways_to(&cluster.name);
        let kept = ways.any(|way| way.route.session.is_some());
        let alone = context.config.listeners.is_empty() && !context.facts.whole;
        if !kept && !alone && cluster.signals.override_host_status.is_none() {
            continue;
        }
        let cause = format!(
            "cluster {} sets idle_timeout in typed_extension_protocol_options",
            quoted(&cluster.name)
        );
        let effect = "gRPC ignores it there and keeps session connections for 3600 s";
        let fix = "for gRPC clients, also set it in upstream_config";
        sink.add(place, cause, effect, fix);
    }
}

/// Finds cookie lifetimes below one second.
fn ttl(context: &Context<'_>, sink: &mut Sink) {
    let mut last = None;
    for way in &context.ways {
        let session = way.route.session.as_ref().map(|session| &session.carrier);
        let session = match session {
            Some(SessionCarrierFacts::Cookie(cookie)) => Some(cookie),
            _ => None,
        };
        let short = |cookie: &&CookieFacts| {
            cookie
                .ttl
                .is_some_and(|ttl| !ttl.is_zero() && ttl < Duration::from_secs(1))
        };
        for cookie in session.into_iter().chain(&way.route.cookies).filter(short) {
            if sink.has(&cookie.place.path) || last == Some(&cookie.place) {
                continue;
            }
            last = Some(&cookie.place);
            let milliseconds = cookie.ttl.unwrap_or_default().as_millis();
            let cause = format!(
                "cookie {} has a ttl of {milliseconds} ms",
                quoted(&cookie.name)
            );
            let effect = "Envoy sends Max-Age=0, so browsers delete it at once";
            let fix = "use at least 1s, or 0s for a browser session cookie";
            sink.add(&cookie.place, cause, effect, fix)
                .set(&cookie.place.path, "\"1s\"");
        }
    }
}
