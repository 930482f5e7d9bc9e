//! Settings of sessions that are not read, or not as they stand.

use alloc::format;
use core::time::Duration;

use spillgate_config::envoy::facts::{CookieFacts, SessionCarrierFacts};

use crate::{
    context::Context,
    finding::Severity,
    rule::{Rule, Sink},
};

/// A cluster whose sessions are kept has `idle_timeout` in `typed_extension_protocol_options`.
/// Envoy reads it there; gRPC, which keeps the connections of sessions for that long, reads
/// `upstream_config` only.
///
/// gRPC clients use the default of 3600 s.
pub(crate) static IDLE_TIMEOUT: Rule = Rule {
    id: "session-idle-timeout-misplaced",
    severity: Severity::Info,
    summary: "idle_timeout where gRPC does not read it for sessions",
    check: idle_timeout,
};

/// A cookie of a session or of a hash policy has a ttl between 0 and 1 second.
///
/// It is sent with `Max-Age=0`, and browsers drop it at once.
pub(crate) static TTL: Rule = Rule {
    id: "session-ttl-subsecond",
    severity: Severity::Warning,
    summary: "a cookie ttl under a second is sent as Max-Age=0",
    check: ttl,
};

/// Looks for idle timeouts where gRPC does not read them.
fn idle_timeout(context: &Context<'_>, sink: &mut Sink<'_>) {
    for cluster in &context.facts.clusters {
        let Some(place) = &cluster.idle_timeout else {
            continue;
        };
        // Without sessions the setting is where it belongs; a cluster alone may be for gRPC.
        let kept = context
            .ways
            .iter()
            .any(|way| way.route.session.is_some() && way.cluster == Some(&cluster.name));
        let alone = context.facts.listeners.is_empty() && !context.facts.whole;
        if !kept && !alone && cluster.signals.override_host_status.is_none() {
            continue;
        }
        let cause = format!(
            "cluster {:?} has its idle_timeout in typed_extension_protocol_options",
            cluster.name
        );
        let effect = "Envoy reads it there; gRPC does not, and keeps the connections of sessions \
                      for 3600 s";
        let fix = "for gRPC clients, state it in upstream_config too";
        sink.add(place, cause, effect, fix);
    }
}

/// Looks for cookie lives that are not whole seconds.
fn ttl(context: &Context<'_>, sink: &mut Sink<'_>) {
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
            let known = sink
                .findings
                .iter()
                .any(|f| f.rule == sink.rule.id && f.path == cookie.place.path);
            if known || last == Some(&cookie.place) {
                continue;
            }
            last = Some(&cookie.place);
            let milliseconds = cookie.ttl.unwrap_or_default().as_millis();
            let cause = format!("cookie {:?} is to live for {milliseconds} ms", cookie.name);
            let effect = "it is sent with Max-Age=0: browsers drop it at once, and no request \
                          brings it back";
            let fix = "use whole seconds, at least 1s, or 0s for the browser's session";
            sink.add(&cookie.place, cause, effect, fix)
                .set(&cookie.place.path, "\"1s\"");
        }
    }
}
