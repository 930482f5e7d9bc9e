//! Envoy's stateful sessions (`envoy.filters.http.stateful_session`): a cookie or header names the
//! host.
//!
//! The cookie is the base64 of an `envoy.Cookie` message: 1 = `ip:port`, 2 = expiry time. The
//! header is the base64 of `ip:port`. Envoy's `override_host_status` determines whether the host
//! may serve.

use alloc::string::String;

use super::{Headers, cookie::cookie};
use crate::proto::{FieldValue, Fields, decode_base64};

/// A stateful session filter (`envoy.extensions.filters.http.stateful_session.v3.StatefulSession`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatefulSession {
    /// The cookie or header with the host.
    pub carrier: SessionStateKind,
    /// Whether a request is refused if its host cannot serve (`strict`).
    pub strict: bool,
    /// The status of the local reply if a strict session names a host that the cluster does not
    /// have (`status_on_strict_destination_not_found`, default 503).
    pub status_not_found: u16,
}

/// The cookie or header of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionStateKind {
    /// A cookie (`envoy.http.stateful_session.cookie`).
    Cookie(StatefulSessionCookie),
    /// A header with this lower-case name (`envoy.http.stateful_session.header`).
    Header(String),
}

/// The cookie of a stateful session (`envoy.type.http.v3.Cookie`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StatefulSessionCookie {
    /// The name.
    pub name: String,
    /// The path prefix of requests with a session; empty or `/` for all requests.
    pub path: String,
    /// The lifetime in seconds; 0 for a session cookie.
    pub ttl: u64,
}

/// A host that a request names (`setUpstreamOverrideHost`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverrideHost {
    /// `ip:port`, as Envoy prints it.
    pub address: String,
    /// Whether no other host may serve.
    pub strict: bool,
    /// The status of the local reply if no other host may serve and this host does not exist.
    pub status_not_found: u16,
}

/// The result of reading the session of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionReading {
    /// The path of the request has no session.
    OtherPath,
    /// The cookie or header is missing.
    Absent,
    /// Not padded base64.
    NotBase64,
    /// The address is empty.
    Empty,
    /// The session has expired.
    Expired {
        /// The expiry time in seconds since the Unix epoch.
        expires: i64,
    },
    /// The session names a host.
    Host(OverrideHost),
}

impl StatefulSession {
    /// The status of a local reply without a configured status.
    pub const UNAVAILABLE: u16 = 503;

    /// Reads the session of a request at `now`, in seconds since the Unix epoch.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::route::{HeaderList, SessionReading, StatefulSession, SessionStateKind};
    ///
    /// let session = StatefulSession {
    ///     carrier: SessionStateKind::Header("x-session".into()),
    ///     strict: false,
    ///     status_not_found: StatefulSession::UNAVAILABLE,
    /// };
    /// let headers = HeaderList(&[("x-session", "MTAuMC4wLjE6ODA=")]);
    /// let SessionReading::Host(host) = session.read(&headers, 0) else {
    ///     panic!("the header names a host");
    /// };
    /// assert_eq!(host.address, "10.0.0.1:80");
    /// ```
    #[must_use]
    pub fn read<H: Headers>(&self, headers: &H, now: u64) -> SessionReading {
        let (value, cookie) = match &self.carrier {
            SessionStateKind::Cookie(of) => {
                if !of.serves(headers.first(":path").unwrap_or_default()) {
                    return SessionReading::OtherPath;
                }
                (cookie(headers, &of.name), true)
            }
            SessionStateKind::Header(name) => (headers.first(name), false),
        };
        let Some(value) = value.filter(|value| !value.is_empty()) else {
            return SessionReading::Absent;
        };
        // Envoy requires padding here, unlike elsewhere.
        let decoded = decode_base64(value).filter(|_| value.len().is_multiple_of(4));
        let Some(decoded) = decoded else {
            return SessionReading::NotBase64;
        };
        // Bytes that are not a message are an address, the format of old cookies.
        let message = cookie
            .then(|| SessionMessage::read(&decoded))
            .flatten()
            .unwrap_or_else(|| SessionMessage {
                address: String::from_utf8_lossy(&decoded).into_owned(),
                expires: 0,
            });
        if message.address.is_empty() {
            SessionReading::Empty
        } else if message.is_over(now) {
            SessionReading::Expired {
                expires: message.expires,
            }
        } else {
            SessionReading::Host(self.names(message.address))
        }
    }

    /// An override host with the settings of this filter.
    #[must_use]
    pub const fn names(&self, address: String) -> OverrideHost {
        OverrideHost {
            address,
            strict: self.strict,
            status_not_found: self.status_not_found,
        }
    }
}

impl StatefulSessionCookie {
    /// Whether requests for a path have sessions. The path may include a query.
    #[must_use]
    pub fn serves(&self, path: &[u8]) -> bool {
        let own = self.path.as_bytes();
        match path.strip_prefix(own) {
            _ if own.is_empty() || own == b"/" => true,
            None => false,
            Some(rest) => own.ends_with(b"/") || matches!(rest, [] | [b'/' | b'?' | b'#', ..]),
        }
    }
}

impl SessionStateKind {
    /// The name of the header with the session, and the name of the cookie if that header is
    /// `cookie`.
    #[must_use]
    pub fn header_and_cookie(&self) -> (&str, Option<&str>) {
        match self {
            Self::Cookie(cookie) => ("cookie", Some(&cookie.name)),
            Self::Header(name) => (name, None),
        }
    }
}

/// The content of a session cookie (`envoy.Cookie`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionMessage {
    /// `ip:port` of the host; empty if missing.
    pub address: String,
    /// The expiry time in seconds since the Unix epoch; 0 for no expiry.
    pub expires: i64,
}

impl SessionMessage {
    /// Reads the message; `None` for invalid bytes.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let (mut address, mut expires) = ("", 0);
        for field in Fields::of(bytes) {
            match field? {
                (1, FieldValue::Bytes(bytes)) => address = core::str::from_utf8(bytes).ok()?,
                (2, FieldValue::Varint(seconds)) => expires = seconds.cast_signed(),
                _ => {}
            }
        }
        Some(Self {
            address: address.into(),
            expires,
        })
    }

    /// Whether the session has expired at `now`, in seconds since the Unix epoch.
    #[must_use]
    pub fn is_over(&self, now: u64) -> bool {
        self.expires != 0 && i64::try_from(now).is_ok_and(|now| now > self.expires)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::super::HeaderList;
    use super::*;

    const NOW: u64 = 1_795_165_385;

    fn cookie_session(path: &str) -> StatefulSession {
        StatefulSession {
            carrier: SessionStateKind::Cookie(StatefulSessionCookie {
                name: "sess".into(),
                path: path.into(),
                ttl: 0,
            }),
            strict: false,
            status_not_found: StatefulSession::UNAVAILABLE,
        }
    }

    fn host(address: &str) -> SessionReading {
        SessionReading::Host(cookie_session("").names(address.into()))
    }

    #[test]
    fn cookies_are_read_as_envoy_reads_them() {
        for (value, expected) in [
            // Recorded: an address, and an address with its expiry time.
            ("ChAxMjcuMjAuNS4xOjIyMDgw", host("127.20.5.1:22080")),
            ("\"ChAxMjcuMjAuNS4xOjIyMDgw\"", host("127.20.5.1:22080")),
            (
                "ChMxMjcuMzUuOTYuMTI1OjIyMDgwEMmZgNgG",
                host("127.35.96.125:22080"),
            ),
            // The last second before expiry, and an expiry one second before `now`.
            (
                "CgNhOjEQyJmA2AY=",
                SessionReading::Expired {
                    expires: 1_795_165_384,
                },
            ),
            (
                "CgNhOjEQ////////////AQ==",
                SessionReading::Expired { expires: -1 },
            ),
            // A plain address whose bytes are not a message; measured with Envoy.
            ("MTI3LjIwLjUuMTozMDA4MA==", host("127.20.5.1:30080")),
            // These bytes are a message without an address.
            ("MTI3LjE4MC4xMTguODk6MzAwODA=", SessionReading::Empty),
            ("EAE=", SessionReading::Empty),
            ("CgNhOjE", SessionReading::NotBase64),
            ("???=", SessionReading::NotBase64),
            ("", SessionReading::Absent),
        ] {
            let headers = [("cookie", alloc::format!("a=b; sess={value}"))];
            let session = cookie_session("/");
            assert_eq!(
                session.read(&HeaderList(&headers), NOW),
                expected,
                "{value}"
            );
        }
        let none = HeaderList::<&str, &str>(&[]);
        assert_eq!(cookie_session("/").read(&none, NOW), SessionReading::Absent);
    }

    #[test]
    fn a_session_header_contains_only_the_address() {
        let session = StatefulSession {
            carrier: SessionStateKind::Header("x-sess".into()),
            ..cookie_session("")
        };
        for (value, expected) in [
            ("MTI3LjE4MC4xMTguODk6MzAwODA=", host("127.180.118.89:30080")),
            ("MTI3LjE4MC4xMTguODk6MzAwODA", SessionReading::NotBase64),
        ] {
            let headers = vec![("x-sess", value), ("x-sess", "")];
            assert_eq!(
                session.read(&HeaderList(&headers), NOW),
                expected,
                "{value}"
            );
        }
    }

    #[test]
    fn a_cookie_applies_to_its_path() {
        for (own, path, serves) in [
            ("", "/x", true),
            ("/", "/x", true),
            ("/app", "/app", true),
            ("/app", "/app/", true),
            ("/app", "/app/x", true),
            ("/app", "/app?x", true),
            ("/app", "/apple", false),
            ("/app", "/", false),
            ("/app/", "/app/x", true),
            ("/app/", "/app", false),
        ] {
            let session = cookie_session(own);
            let headers = [(":path", path)];
            let read = session.read(&HeaderList(&headers), NOW);
            assert_eq!(read == SessionReading::Absent, serves, "{own} {path}");
        }
    }
}
