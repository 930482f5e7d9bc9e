//! Envoy's own sessions (`envoy.filters.http.stateful_session`).

use alloc::format;

use spillgate_core::route::{SessionStateKind, StatefulSession, StatefulSessionCookie};

use crate::{
    envoy::{
        common::name_of,
        facts::{CookieFacts, FieldPlace, SessionCarrierFacts, SessionFacts},
        schema::{
            COOKIE_SESSION, HEADER_SESSION, SESSION_COOKIE, STATEFUL_SESSION,
            STATEFUL_SESSION_PER_ROUTE, TYPED_EXTENSION,
        },
    },
    node::quote,
    proto::{Any, Message, Report, field_of},
};

/// The type of the filter, after the prefix of HTTP filters.
pub(crate) const STATEFUL_SESSION_TYPE: &str = "stateful_session.v3.StatefulSession";
/// The type of a route's settings, after the prefix of HTTP filters.
pub(crate) const STATEFUL_SESSION_PER_ROUTE_TYPE: &str =
    "stateful_session.v3.StatefulSessionPerRoute";

/// The prefix of the names of session state extensions.
pub(crate) const STATE_NAME: &str = "envoy.http.stateful_session.";
/// The prefix of the types of their settings.
pub(crate) const STATE_TYPE: &str = "envoy.extensions.http.stateful_session.";
/// The type of sessions in a cookie, after the prefix.
pub(crate) const COOKIE_STATE_TYPE: &str = "cookie.v3.CookieBasedSessionState";
/// The type of sessions in a header, after the prefix.
pub(crate) const HEADER_STATE_TYPE: &str = "header.v3.HeaderBasedSessionState";

/// Reads the filter's config; `None` if it has no sessions.
pub(super) fn read_stateful_session(
    any: Any<'_, '_>,
    facts: &mut Option<SessionFacts>,
    report: &mut Report,
) -> Option<StatefulSession> {
    let message = any.open(&STATEFUL_SESSION, report)?;
    session(&message, facts, report)
}

/// Reads a route's override; `None` if it disables sessions.
pub(super) fn read_session_per_route(
    any: Any<'_, '_>,
    facts: &mut Option<SessionFacts>,
    report: &mut Report,
) -> Option<StatefulSession> {
    let message = any.open(&STATEFUL_SESSION_PER_ROUTE, report)?;
    message.one_of(&["disabled", "stateful_session"], report);
    let field = "stateful_session";
    if message.has(field) {
        let own = message.message(field, &STATEFUL_SESSION, report)?;
        return session(&own, facts, report);
    }
    if message.bool("disabled", report) != Some(true) {
        message
            .error("disabled", "config/value", "empty override")
            .expected("disabled: true, or stateful_session")
            .push_to(report);
    }
    None
}

fn session(
    message: &Message<'_, '_>,
    facts: &mut Option<SessionFacts>,
    report: &mut Report,
) -> Option<StatefulSession> {
    let strict = message.bool("strict", report).unwrap_or(false);
    let status = status(message, report);
    let state = message.message("session_state", &TYPED_EXTENSION, report)?;
    let mut found = None;
    let carrier = carrier(&state, &mut found, report);
    *facts = found.map(|carrier| SessionFacts {
        place: FieldPlace::of(message),
        strict,
        carrier,
    });
    let carrier = carrier?;
    Some(StatefulSession {
        carrier,
        strict,
        // Envoy uses the status only for strict sessions.
        status_not_found: status.filter(|_| strict).unwrap_or(503),
    })
}

/// 0 means unset.
fn status(message: &Message<'_, '_>, report: &mut Report) -> Option<u16> {
    let field = "status_on_strict_destination_not_found";
    let status = message.u32(field, report).filter(|status| *status != 0)?;
    if !(200..=599).contains(&status) {
        let doubt = message.error(field, "config/value", "invalid response status");
        report.doubt(doubt.expected("an integer from 200 to 599"));
    }
    u16::try_from(status).ok()
}

/// Envoy selects the extension by its name. `facts`: for lint, also carriers that are not modeled.
fn carrier(
    state: &Message<'_, '_>,
    facts: &mut Option<SessionCarrierFacts>,
    report: &mut Report,
) -> Option<SessionStateKind> {
    let name = state.required_string("name", report)?;
    let any = state.any("typed_config", report);
    match name.strip_prefix(STATE_NAME) {
        Some("cookie") => {
            let config = any?.open(&COOKIE_SESSION, report)?;
            read_cookie(&config, facts, report).map(SessionStateKind::Cookie)
        }
        Some("header") => {
            let config = any?.open(&HEADER_SESSION, report)?;
            let name = config.required_string("name", report)?;
            *facts = Some(SessionCarrierFacts::Header(name.into()));
            Some(SessionStateKind::Header(name.to_ascii_lowercase()))
        }
        Some("envelope") => {
            let header = any.as_ref().and_then(|any| field_of(any.node, "header"));
            let header = header.and_then(|header| name_of(header, "name"));
            *facts = header.map(|header| SessionCarrierFacts::Envelope(header.into()));
            report.missing_feature(
                "config/filter-not-modeled",
                &format!("session state {}", quote(name)),
                "assuming requests without a session",
                &state.path,
                state.position,
            );
            None
        }
        _ => {
            let what = "unknown session state";
            state
                .error("name", "config/unknown-value", what)
                .expected(format!("{STATE_NAME}cookie or {STATE_NAME}header"))
                .push_to(report);
            None
        }
    }
}

fn read_cookie(
    config: &Message<'_, '_>,
    facts: &mut Option<SessionCarrierFacts>,
    report: &mut Report,
) -> Option<StatefulSessionCookie> {
    let field = "cookie";
    config.require(field, report);
    let cookie = config.message(field, &SESSION_COOKIE, report)?;
    let name = cookie.required_string("name", report);
    let ttl = cookie.duration("ttl", report);
    let path = cookie.string("path", report);
    *facts = Some(SessionCarrierFacts::Cookie(CookieFacts::of(
        &cookie, name, path, ttl,
    )));
    Some(StatefulSessionCookie {
        name: name?.into(),
        path: path.unwrap_or_default().into(),
        // Envoy uses whole seconds.
        ttl: ttl.unwrap_or_default().as_secs(),
    })
}
