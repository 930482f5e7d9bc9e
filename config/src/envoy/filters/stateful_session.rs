//! Envoy's own sessions (`envoy.filters.http.stateful_session`).

use alloc::format;

use spillgate_core::route::{StatefulSession, StatefulSessionCarrier, StatefulSessionCookie};

use crate::{
    envoy::schema::{
        COOKIE_SESSION, HEADER_SESSION, SESSION_COOKIE, STATEFUL_SESSION,
        STATEFUL_SESSION_PER_ROUTE, TYPED_EXTENSION,
    },
    node::quote,
    proto::{Any, Message, Report},
};

/// The type of the filter, after the prefix of HTTP filters.
pub(crate) const STATEFUL_SESSION_TYPE: &str = "stateful_session.v3.StatefulSession";
/// The type of a route's settings, after the prefix of HTTP filters.
pub(crate) const STATEFUL_SESSION_PER_ROUTE_TYPE: &str =
    "stateful_session.v3.StatefulSessionPerRoute";

/// Begins the names of the extensions that carry sessions.
pub(crate) const STATE_NAME: &str = "envoy.http.stateful_session.";
/// Begins the types of their settings.
pub(crate) const STATE_TYPE: &str = "envoy.extensions.http.stateful_session.";
/// The type of sessions in a cookie, after the prefix.
pub(crate) const COOKIE_STATE_TYPE: &str = "cookie.v3.CookieBasedSessionState";
/// The type of sessions in a header, after the prefix.
pub(crate) const HEADER_STATE_TYPE: &str = "header.v3.HeaderBasedSessionState";

/// Reads the filter's config; `None` where it keeps no sessions.
pub(super) fn read_stateful_session(
    any: Any<'_, '_>,
    report: &mut Report,
) -> Option<StatefulSession> {
    let message = any.open(&STATEFUL_SESSION, report)?;
    session(&message, report)
}

/// Reads what a route has in place of it; `None` where that is no sessions.
pub(super) fn read_session_per_route(
    any: Any<'_, '_>,
    report: &mut Report,
) -> Option<StatefulSession> {
    let message = any.open(&STATEFUL_SESSION_PER_ROUTE, report)?;
    message.one_of(&["disabled", "stateful_session"], report);
    let field = "stateful_session";
    if message.has(field) {
        let own = message.message(field, &STATEFUL_SESSION, report)?;
        return session(&own, report);
    }
    if message.bool("disabled", report) != Some(true) {
        message
            .error("disabled", "config/value", "an override that says nothing")
            .expected("disabled: true, or stateful_session")
            .push_to(report);
    }
    None
}

fn session(message: &Message<'_, '_>, report: &mut Report) -> Option<StatefulSession> {
    let strict = message.bool("strict", report).unwrap_or(false);
    let status = status(message, report);
    let state = message.message("session_state", &TYPED_EXTENSION, report)?;
    let carrier = carrier(&state, report)?;
    Some(StatefulSession {
        carrier,
        strict,
        // Envoy looks at the status of strict sessions alone.
        status_not_found: status.filter(|_| strict).unwrap_or(503),
    })
}

/// 0 is no status.
fn status(message: &Message<'_, '_>, report: &mut Report) -> Option<u16> {
    let field = "status_on_strict_destination_not_found";
    let status = message.u32(field, report).filter(|status| *status != 0)?;
    if !(200..=599).contains(&status) {
        let doubt = message.error(field, "config/value", "not a status to answer with");
        report.doubt(doubt.expected("a whole number from 200 to 599"));
    }
    u16::try_from(status).ok()
}

/// Envoy finds the extension by its name.
fn carrier(state: &Message<'_, '_>, report: &mut Report) -> Option<StatefulSessionCarrier> {
    let name = state.required_string("name", report)?;
    let any = state.any("typed_config", report);
    match name.strip_prefix(STATE_NAME) {
        Some("cookie") => {
            let config = any?.open(&COOKIE_SESSION, report)?;
            read_cookie(&config, report).map(StatefulSessionCarrier::Cookie)
        }
        Some("header") => {
            let config = any?.open(&HEADER_SESSION, report)?;
            let name = config.required_string("name", report)?;
            Some(StatefulSessionCarrier::Header(name.to_ascii_lowercase()))
        }
        Some("envelope") => {
            report.missing_feature(
                "config/filter-not-modelled",
                &format!("the session state {}", quote(name)),
                "requests are balanced as if they had no session",
                &state.path,
                state.position,
            );
            None
        }
        _ => {
            let what = "Envoy has no session state of this name";
            state
                .error("name", "config/unknown-value", what)
                .expected(format!("{STATE_NAME}cookie or {STATE_NAME}header"))
                .push_to(report);
            None
        }
    }
}

fn read_cookie(config: &Message<'_, '_>, report: &mut Report) -> Option<StatefulSessionCookie> {
    let field = "cookie";
    config.require(field, report);
    let cookie = config.message(field, &SESSION_COOKIE, report)?;
    let name = cookie.required_string("name", report);
    let ttl = cookie.duration("ttl", report);
    let path = cookie.string("path", report).unwrap_or_default();
    Some(StatefulSessionCookie {
        name: name?.into(),
        path: path.into(),
        // Envoy takes whole seconds.
        ttl: ttl.unwrap_or_default().as_secs(),
    })
}
