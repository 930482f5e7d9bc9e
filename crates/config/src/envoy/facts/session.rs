//! The stateful session filter.

use alloc::string::String;
use core::time::Duration;

use super::FieldPlace;
use crate::proto::Message;

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
    /// Its path; empty if absent.
    pub path: String,
    /// Place of its `path`, or else of the cookie.
    pub path_place: FieldPlace,
    /// Its lifetime.
    pub ttl: Option<Duration>,
}

impl CookieFacts {
    /// The cookie of a message that has been read.
    pub(in crate::envoy) fn of(
        cookie: &Message<'_, '_>,
        name: Option<&str>,
        path: Option<&str>,
        ttl: Option<Duration>,
    ) -> Self {
        let place = |field| {
            let place = FieldPlace::of_field(cookie, field);
            place.unwrap_or_else(|| FieldPlace::of(cookie))
        };
        Self {
            place: place("ttl"),
            path: path.unwrap_or_default().into(),
            path_place: place("path"),
            name: name.unwrap_or_default().into(),
            ttl,
        }
    }
}
