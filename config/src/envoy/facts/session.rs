//! The stateful session filter.

use alloc::string::String;
use core::time::Duration;

use super::{FieldPlace, view::View};

/// Session settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFacts {
    /// Their place: the filter's config, or a route's own.
    pub place: FieldPlace,
    /// Whether requests are rejected if their session host cannot serve.
    pub strict: bool,
    /// The carrier of the session.
    pub carrier: SessionCarrierFacts,
}

/// The carrier of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionCarrierFacts {
    /// A cookie.
    Cookie(CookieFacts),
    /// A session header.
    Header(String),
    /// A header that the server uses for its own session.
    Envelope(String),
}

/// A cookie that Envoy generates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CookieFacts {
    /// Place of its `ttl`, or else of the cookie.
    pub place: FieldPlace,
    /// Its name.
    pub name: String,
    /// Its lifetime.
    pub ttl: Option<Duration>,
}

/// The type of the filter's own message.
pub(super) const TYPE: &str = "envoy.extensions.filters.http.stateful_session.v3.StatefulSession";
/// The type of a route's settings for the filter.
pub(super) const PER_ROUTE: &str =
    "envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute";

/// Reads a `StatefulSession`; `None` if it has no sessions.
pub(super) fn read(view: &View<'_, '_>) -> Option<SessionFacts> {
    let (_, state) = view.get("session_state")?.any("typed_config")?;
    let carrier = if let Some(cookie) = state.get("cookie") {
        SessionCarrierFacts::Cookie(cookie_facts(&cookie))
    } else if let Some(header) = state.get("header") {
        SessionCarrierFacts::Envelope(header.text("name").unwrap_or_default().into())
    } else {
        SessionCarrierFacts::Header(state.text("name")?.into())
    };
    Some(SessionFacts {
        place: view.place(),
        strict: view.flag("strict"),
        carrier,
    })
}

/// A cookie that Envoy generates.
pub(super) fn cookie_facts(cookie: &View<'_, '_>) -> CookieFacts {
    let ttl: Option<Duration> = cookie.duration("ttl");
    CookieFacts {
        place: cookie.get("ttl").map_or(cookie.place(), |ttl| ttl.place()),
        name: cookie.text("name").unwrap_or_default().into(),
        ttl,
    }
}
