//! `affinity.cookie`.

use alloc::{borrow::ToOwned, string::ToString};
use core::time::Duration;

use spillgate_core::affinity::{CookieFault, CookieSettings, SameSite, SessionCookie};

use super::seconds::read_seconds;
use crate::proto::{Message, Report, Schema};

/// `affinity.cookie`: the attributes of the cookie.
pub(in crate::filter) static COOKIE: Schema = Schema::new(
    "affinity.cookie",
    "name ttl path secure same_site host_prefix http_only post_only cache_control",
);

/// The values of `same_site`; the first is the default.
pub(in crate::filter) const SAME_SITES: [(&str, i64, SameSite); 3] = [
    ("Lax", 0, SameSite::Lax),
    ("Strict", 1, SameSite::Strict),
    ("None", 2, SameSite::None),
];
/// How the filter changes `cache-control` in a response that sets the cookie.
pub(in crate::filter) const CACHE_CONTROLS: [(&str, i64, CacheControl); 3] = [
    ("keep", 0, CacheControl::Keep),
    ("private", 1, CacheControl::Private),
    ("no_cache", 2, CacheControl::NoCache),
];

/// The cookie of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CookieConfig {
    /// The cookie attributes.
    pub cookie: SessionCookie,
    /// Token lifetime in whole seconds. Zero: a browser session cookie, whose token expires with
    /// the session.
    pub ttl: Duration,
    /// Whether responses to GET and HEAD, which caches may store, never set it.
    pub post_only: bool,
    /// How `cache-control` changes in a response that sets it.
    pub cache_control: CacheControl,
}

/// How `cache-control` changes in a response that sets the cookie.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CacheControl {
    /// Unchanged.
    #[default]
    Keep,
    /// `private`: shared caches must not store the response.
    Private,
    /// `no-cache="set-cookie"`: caches may store the response without the cookie.
    NoCache,
}

impl CacheControl {
    /// The directive added to `cache-control`.
    #[must_use]
    pub const fn value(self) -> Option<&'static str> {
        match self {
            Self::Keep => None,
            Self::Private => Some("private"),
            Self::NoCache => Some("no-cache=\"set-cookie\""),
        }
    }
}

/// Reads the cookie; `None` if it is absent, or after an error.
pub(super) fn read_cookie(parent: &Message<'_, '_>, report: &mut Report) -> Option<CookieConfig> {
    let message = parent.message("cookie", &COOKIE, report)?;
    let errors = report.errors();
    let settings = read_settings(&message, report);
    let post_only = message.bool("post_only", report);
    let cache_control = message.enumeration("cache_control", &CACHE_CONTROLS, report);
    let ttl = Duration::from_secs(settings.ttl);
    match SessionCookie::new(&settings) {
        Ok(cookie) => (report.errors() == errors).then_some(CookieConfig {
            cookie,
            ttl,
            post_only: post_only.unwrap_or(false),
            cache_control: cache_control.unwrap_or_default(),
        }),
        Err(faults) => {
            for fault in faults {
                let (field, code) = match fault {
                    CookieFault::Name => ("name", "config/value"),
                    CookieFault::Path => ("path", "config/value"),
                    CookieFault::SameSiteSecure => ("same_site", "config/one-of"),
                    // The remaining faults concern the prefix.
                    _ => ("host_prefix", "config/one-of"),
                };
                report.push(message.error(field, code, fault.to_string()));
            }
            None
        }
    }
}

fn read_settings(message: &Message<'_, '_>, report: &mut Report) -> CookieSettings {
    let default = CookieSettings::default();
    let ttl = read_seconds(message, "ttl", Duration::ZERO, report);
    let same_site = message.enumeration("same_site", &SAME_SITES, report);
    let text = |field, default, report: &mut Report| {
        message
            .string(field, report)
            .map_or(default, ToOwned::to_owned)
    };
    let flag = |field, default, report: &mut Report| message.bool(field, report).unwrap_or(default);
    CookieSettings {
        name: text("name", default.name, report),
        ttl: ttl.map_or(default.ttl, |ttl| ttl.as_secs()),
        path: text("path", default.path, report),
        secure: flag("secure", default.secure, report),
        same_site: same_site.unwrap_or(default.same_site),
        host_prefix: flag("host_prefix", default.host_prefix, report),
        http_only: flag("http_only", default.http_only, report),
    }
}
