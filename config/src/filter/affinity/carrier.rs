//! `affinity.cookie`, `.header` and `.envelope`: where the token travels.

use alloc::{borrow::ToOwned, string::String};
use core::time::Duration;

use super::super::header_name::read_header_name;
use crate::{
    node::quote,
    proto::{Message, Report, Schema},
};

pub(in super::super) static COOKIE: Schema = Schema::new(
    "affinity.cookie",
    &[
        "name",
        "ttl",
        "path",
        "secure",
        "same_site",
        "host_prefix",
        "http_only",
        "post_only",
        "cache_control",
    ],
);
pub(in super::super) static NAMED: Schema = Schema::new("affinity.header", &["name"]);

pub(crate) const SAME_SITES: [(&str, i64, SameSite); 3] = [
    ("Lax", 0, SameSite::Lax),
    ("Strict", 1, SameSite::Strict),
    ("None", 2, SameSite::None),
];
pub(crate) const CACHE_CONTROLS: [(&str, i64, CacheControl); 3] = [
    ("keep", 0, CacheControl::Keep),
    ("private", 1, CacheControl::Private),
    ("no_cache", 2, CacheControl::NoCache),
];

/// Where the token travels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Carrier {
    /// In a cookie.
    Cookie(CookieConfig),
    /// In a header of the request and the response of this name, lower case.
    Header(String),
    /// Sealed together with the value of the server's own session header of this name, lower case.
    Envelope(String),
}

/// The cookie of a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CookieConfig {
    /// Its whole name, with the prefix if there is one.
    pub name: String,
    /// How long a token lives; zero makes a cookie of the browser's session.
    pub ttl: Duration,
    /// Which paths it is for.
    pub path: String,
    /// Whether it travels over TLS alone.
    pub secure: bool,
    /// Whether other sites' requests carry it.
    pub same_site: SameSite,
    /// Whether scripts cannot read it.
    pub http_only: bool,
    /// Whether it is never set on the answer to a GET or HEAD, which caches may keep.
    pub post_only: bool,
    /// What caches are told of an answer that sets it.
    pub cache_control: CacheControl,
}

/// Whether other sites' requests carry the cookie (RFC 6265bis).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SameSite {
    /// When they navigate.
    #[default]
    Lax,
    /// Never.
    Strict,
    /// Always; browsers want `Secure` with it.
    None,
}

impl SameSite {
    /// The attribute's value.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lax => "Lax",
            Self::Strict => "Strict",
            Self::None => "None",
        }
    }
}

/// What caches are told of an answer that sets the cookie.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CacheControl {
    /// What the upstream said.
    #[default]
    Keep,
    /// `private`: no shared cache keeps the answer.
    Private,
    /// `no-cache="set-cookie"`: a cache may keep the answer without the cookie.
    NoCache,
}

impl CookieConfig {
    /// Temporary.
    #[must_use]
    pub fn settings(&self) -> spillgate_core::affinity::CookieSettings {
        use spillgate_core::affinity as core;
        core::CookieSettings {
            name: self.name.trim_start_matches("__Host-").to_owned(),
            ttl: self.ttl.as_secs(),
            path: self.path.clone(),
            secure: self.secure,
            same_site: match self.same_site {
                SameSite::Lax => core::SameSite::Lax,
                SameSite::Strict => core::SameSite::Strict,
                SameSite::None => core::SameSite::None,
            },
            host_prefix: self.name.starts_with("__Host-"),
            http_only: self.http_only,
        }
    }
}

impl CacheControl {
    /// What is added to `cache-control`.
    #[must_use]
    pub const fn value(self) -> Option<&'static str> {
        match self {
            Self::Keep => None,
            Self::Private => Some("private"),
            Self::NoCache => Some("no-cache=\"set-cookie\""),
        }
    }
}

/// Reads the one carrier there must be; `None` after an error.
pub(super) fn read_carrier(message: &Message<'_, '_>, report: &mut Report) -> Option<Carrier> {
    for pair in [
        ["cookie", "header"],
        ["cookie", "envelope"],
        ["header", "envelope"],
    ] {
        message.one_of(&pair, report);
    }
    if message.has("header") {
        return read_named(message, "header", report).map(Carrier::Header);
    }
    if message.has("envelope") {
        return read_named(message, "envelope", report).map(Carrier::Envelope);
    }
    if message.has("cookie") {
        let cookie = message.message("cookie", &COOKIE, report)?;
        return read_cookie(&cookie, report).map(Carrier::Cookie);
    }
    report.push(
        message
            .error(
                "cookie",
                "config/missing",
                "nothing says where the token travels",
            )
            .expected("cookie, header or envelope"),
    );
    None
}

fn read_named(
    parent: &Message<'_, '_>,
    field: &'static str,
    report: &mut Report,
) -> Option<String> {
    let message = parent.message(field, &NAMED, report)?;
    if !message.has("name") {
        report.push(message.error("name", "config/missing", "a required field is missing"));
    }
    read_header_name(&message, "name", report)
}

fn read_cookie(message: &Message<'_, '_>, report: &mut Report) -> Option<CookieConfig> {
    let errors = report.errors();
    let flag = |field, default, report: &mut Report| message.bool(field, report).unwrap_or(default);
    let name = message.string("name", report).unwrap_or("spillgate");
    let token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    if name.is_empty() || !name.bytes().all(token) {
        report.push(
            message
                .error("name", "config/value", "not the name of a cookie")
                .found(quote(name))
                .expected("letters, digits and -"),
        );
    }
    let path = message.string("path", report).unwrap_or("/");
    let legal = |b: u8| (0x20..0x7f).contains(&b) && b != b';';
    if !path.starts_with('/') || !path.bytes().all(legal) {
        report.push(
            message
                .error("path", "config/value", "not a path")
                .found(quote(path))
                .expected("a path that begins with /"),
        );
    }
    let secure = flag("secure", true, report);
    let host_prefix = flag("host_prefix", false, report);
    if host_prefix && (!secure || path != "/") {
        let fault = "browsers take __Host- cookies only with secure: true and the path /";
        report.push(message.error("host_prefix", "config/one-of", fault));
    }
    let same_site = message.enumeration("same_site", &SAME_SITES, report);
    let same_site = same_site.unwrap_or_default();
    if same_site == SameSite::None && !secure {
        let fault = "browsers take SameSite=None only with secure: true";
        report.push(message.error("same_site", "config/one-of", fault));
    }
    let ttl = message.duration("ttl", report);
    let ttl = ttl.unwrap_or(DEFAULT_TTL);
    if ttl.subsec_nanos() != 0 {
        report.push(
            message
                .error("ttl", "config/value", "cookies count whole seconds")
                .expected("whole seconds"),
        );
    }
    let cache_control = message.enumeration("cache_control", &CACHE_CONTROLS, report);
    let cookie = CookieConfig {
        name: if host_prefix {
            ["__Host-", name].concat()
        } else {
            name.to_owned()
        },
        ttl,
        path: path.to_owned(),
        secure,
        same_site,
        http_only: flag("http_only", true, report),
        post_only: flag("post_only", false, report),
        cache_control: cache_control.unwrap_or_default(),
    };
    (report.errors() == errors).then_some(cookie)
}

/// How long a cookie's token lives when nothing is said.
pub(crate) const DEFAULT_TTL: Duration = Duration::from_secs(3600);
