//! Envoy's own sessions (`envoy.filters.http.stateful_session`): a cookie or a header names the
//! host.

use alloc::string::String;

use super::{Headers, cookie::cookie};
use crate::proto::{FieldValue, Fields, decode_base64};

/// How sessions are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatefulSession {
    /// What names the host.
    pub carrier: StatefulSessionCarrier,
    /// Whether a request whose host cannot serve is refused.
    pub strict: bool,
    /// The status of the answer when a strict session names a host that the cluster does not have
    /// (`status_on_strict_destination_not_found`).
    pub status_not_found: u16,
}

/// What carries a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatefulSessionCarrier {
    /// A cookie (`envoy.http.stateful_session.cookie`).
    Cookie(StatefulSessionCookie),
    /// A header of this lower-case name (`envoy.http.stateful_session.header`).
    Header(String),
}

/// A cookie that Envoy makes for a session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StatefulSessionCookie {
    /// Its name.
    pub name: String,
    /// Only requests with this path or one below it have a session; empty and `/` mean all.
    pub path: String,
    /// How long it is good for, in seconds; 0: as long as the browser keeps it.
    pub ttl: u64,
}

/// A host that a request names before a balancer is asked (`setUpstreamOverrideHost`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverrideHost {
    /// Its address as Envoy prints it, `10.0.0.1:80`.
    pub address: String,
    /// Whether nobody else may serve.
    pub strict: bool,
    /// The status when nobody else may and the host is not there.
    pub status_not_found: u16,
}

/// What a filter makes of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionReading {
    /// Paths like the request's have no session, and get none.
    OtherPath,
    /// There is no such cookie or header.
    Absent,
    /// What there is is no padded base64.
    NotBase64,
    /// It names no host.
    Empty,
    /// Its time is over.
    Expired {
        /// Until when it was good, in seconds since the Unix epoch.
        expires: i64,
    },
    /// It names a host.
    Named(OverrideHost),
}

impl StatefulSession {
    /// The status of an answer to which nothing else gives one.
    pub const UNAVAILABLE: u16 = 503;

    /// What the filter makes of a request at `now`, in seconds since the Unix epoch.
    #[must_use]
    pub fn read<H: Headers>(&self, headers: &H, now: u64) -> SessionReading {
        let (value, cookie) = match &self.carrier {
            StatefulSessionCarrier::Cookie(of) => {
                if !of.serves(headers.first(":path").unwrap_or_default()) {
                    return SessionReading::OtherPath;
                }
                (cookie(headers, &of.name), true)
            }
            StatefulSessionCarrier::Header(name) => (headers.first(name), false),
        };
        let Some(value) = value.filter(|value| !value.is_empty()) else {
            return SessionReading::Absent;
        };
        // Without its padding it is none to Envoy here, unlike elsewhere.
        let decoded = decode_base64(value).filter(|_| value.len().is_multiple_of(4));
        let Some(decoded) = decoded else {
            return SessionReading::NotBase64;
        };
        // What is no message is an address, as cookies once were.
        let message = cookie.then(|| SessionMessage::read(&decoded)).flatten();
        let message = message.unwrap_or_else(|| SessionMessage {
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
            SessionReading::Named(self.names(message.address))
        }
    }

    /// A session of this kind that names a host.
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
    /// Whether requests for a path, which may have a query, have sessions.
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

impl StatefulSessionCarrier {
    /// The header that the session is in, and the name of its cookie where that is a cookie.
    #[must_use]
    pub fn place(&self) -> (&str, Option<&str>) {
        match self {
            Self::Cookie(cookie) => ("cookie", Some(&cookie.name)),
            Self::Header(name) => (name, None),
        }
    }
}

/// The content of Envoy's session cookie (`envoy.Cookie`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionMessage {
    /// `ip:port` of the host; empty where it is missing.
    pub address: String,
    /// In seconds since the Unix epoch; 0 for a cookie without an expiry.
    pub expires: i64,
}

impl SessionMessage {
    /// Reads it; `None` for bytes that are not such a message.
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

    /// Whether it has expired at `now`, in seconds since the Unix epoch.
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
            carrier: StatefulSessionCarrier::Cookie(StatefulSessionCookie {
                name: "sess".into(),
                path: path.into(),
                ttl: 0,
            }),
            strict: false,
            status_not_found: StatefulSession::UNAVAILABLE,
        }
    }

    fn named(address: &str) -> SessionReading {
        SessionReading::Named(cookie_session("").names(address.into()))
    }

    #[test]
    fn cookies_are_read_as_envoy_reads_them() {
        for (value, expected) in [
            // Recorded: an address, and an address with its expiry.
            ("ChAxMjcuMjAuNS4xOjIyMDgw", named("127.20.5.1:22080")),
            ("\"ChAxMjcuMjAuNS4xOjIyMDgw\"", named("127.20.5.1:22080")),
            (
                "ChMxMjcuMzUuOTYuMTI1OjIyMDgwEMmZgNgG",
                named("127.35.96.125:22080"),
            ),
            // The last second of its life, and one that ended a second before.
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
            // An address as it stands, where its bytes are no message; measured.
            ("MTI3LjIwLjUuMTozMDA4MA==", named("127.20.5.1:30080")),
            // They are one here, and it names nobody.
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
    fn headers_hold_the_address_alone() {
        let session = StatefulSession {
            carrier: StatefulSessionCarrier::Header("x-sess".into()),
            ..cookie_session("")
        };
        for (value, expected) in [
            (
                "MTI3LjE4MC4xMTguODk6MzAwODA=",
                named("127.180.118.89:30080"),
            ),
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
    fn a_cookie_is_for_its_path() {
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
