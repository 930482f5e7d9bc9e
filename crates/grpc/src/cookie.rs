//! gRPC's session cookie: `base64(address,address,...;cluster)` (A55, A60, A61).
//!
//! The written cookie is the same as in gRPC 1.85. The reader accepts more: several `cookie` headers,
//! blanks between cookies and quotes around the value, which RFC 6265 allows and gRPC does not
//! handle, and Envoy's session cookie.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::time::Duration;

use spillgate_core::{
    proto::{Base64, decode_base64},
    route::{SessionMessage, cookie_in},
};

use crate::ProtoDuration;

/// A legal configuration of the cookie (`CookieBasedSessionState`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrpcSessionCookie {
    name: String,
    path: String,
    ttl: Duration,
}

/// Why gRPC rejects (NACK) the filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GrpcSessionCookieFault {
    /// The name is empty.
    Name,
    /// The TTL is out of range.
    Ttl,
}

impl GrpcSessionCookieFault {
    /// The name of the invalid field.
    #[must_use]
    pub const fn field(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Ttl => "ttl",
        }
    }
}

/// The host and the cluster in the cookie of a request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GrpcSessionRequest {
    /// The addresses, comma-separated, the preferred one first; empty for any host.
    pub address_list: String,
    /// The cluster in the cookie; empty without a cluster.
    pub cluster: String,
}

impl GrpcSessionCookie {
    /// A cookie with this name for requests below `path`; an empty path matches every path. The TTL is
    /// written in whole seconds; without a TTL, or with 0, it is a session cookie.
    ///
    /// # Errors
    /// Every invalid field.
    pub fn new(
        name: &str,
        path: &str,
        ttl: Option<ProtoDuration>,
    ) -> Result<Self, Vec<GrpcSessionCookieFault>> {
        let ttl = ttl.unwrap_or_default().get();
        match ttl {
            Some(ttl) if !name.is_empty() => Ok(Self {
                name: name.into(),
                path: path.into(),
                ttl,
            }),
            _ => {
                let name = name.is_empty().then_some(GrpcSessionCookieFault::Name);
                let ttl = ttl.is_none().then_some(GrpcSessionCookieFault::Ttl);
                Err(name.into_iter().chain(ttl).collect())
            }
        }
    }

    /// Whether the client deletes the cookie at once: a TTL below one second is written as
    /// `Max-Age=0`.
    #[must_use]
    pub const fn is_void(&self) -> bool {
        !self.ttl.is_zero() && self.ttl.as_secs() == 0
    }

    /// Whether the cookie applies to requests to this path (RFC 6265, 5.1.4).
    #[must_use]
    pub fn applies_to(&self, path: &str) -> bool {
        let rest = path.strip_prefix(self.path.as_str());
        rest.is_some_and(|rest| {
            rest.is_empty()
                || rest.starts_with('/')
                || self.path.is_empty()
                || self.path.ends_with('/')
        })
    }

    /// The content of the first cookie with the name, at `now` in seconds since the Unix epoch. Empty
    /// for an unreadable cookie and for an expired cookie of Envoy. The cookie must apply to the
    /// request.
    pub fn parse<'a>(
        &self,
        cookie_headers: impl IntoIterator<Item = &'a str>,
        now: u64,
    ) -> GrpcSessionRequest {
        let headers = cookie_headers.into_iter().map(str::as_bytes);
        let bytes = cookie_in(headers, &self.name).and_then(decode_loosely);
        let session = bytes.and_then(|bytes| match envoy_cookie(&bytes, now) {
            EnvoyCookie::Valid(session) => Some(session),
            EnvoyCookie::Expired => None,
            EnvoyCookie::Other => GrpcSessionRequest::from_text(bytes),
        });
        session.unwrap_or_default()
    }

    /// As [`parse`](Self::parse), but as gRPC 1.85 reads the header, which is stricter: only `"; "`
    /// separates cookies, quotes belong to the value, and Envoy's cookie names no host. Several headers
    /// are joined with commas first.
    #[must_use]
    pub fn parse_strictly(&self, cookie_header: &str) -> GrpcSessionRequest {
        let pairs = cookie_header.split("; ");
        let mut pairs = pairs.filter_map(|pair| pair.split_once('='));
        let value = pairs.find(|(name, _)| *name == self.name);
        let session = value.and_then(|(_, value)| GrpcSessionRequest::from_value(value.as_bytes()));
        session.unwrap_or_default()
    }

    /// The `set-cookie` header of a response; `None` if the cookie of the request is still correct, or
    /// if no host was chosen.
    ///
    /// `actual` is the address list of the endpoint that served the request, empty without one.
    /// `cluster` is its cluster; `changed` is true if the cookie of the request has another one
    /// ([`GrpcSessionRequest::cluster_to_use`]).
    #[must_use]
    pub fn emit(
        &self,
        request_addresses: &str,
        actual: &str,
        cluster: &str,
        changed: bool,
    ) -> Option<String> {
        if actual.is_empty() || (!changed && request_addresses == actual) {
            return None;
        }
        let value = Base64::STANDARD.encode_padded(format!("{actual};{cluster}").as_bytes());
        let mut header = format!("{}={value}; HttpOnly", self.name);
        if !self.path.is_empty() {
            header.push_str("; Path=");
            header.push_str(&self.path);
        }
        if !self.ttl.is_zero() {
            header.push_str("; Max-Age=");
            header.push_str(&self.ttl.as_secs().to_string());
        }
        Some(header)
    }
}

impl GrpcSessionRequest {
    /// The content of a cookie value; `None` if it is unreadable.
    #[must_use]
    pub fn from_value(value: &[u8]) -> Option<Self> {
        Self::from_text(decode_loosely(value)?)
    }

    fn from_text(bytes: Vec<u8>) -> Option<Self> {
        let text = String::from_utf8(bytes).ok()?;
        let (address_list, cluster) = text.split_once(';').unwrap_or((&text, ""));
        Some(Self {
            address_list: address_list.into(),
            cluster: cluster.into(),
        })
    }

    /// The cluster for the request, and whether the response must set a new cookie because the cookie
    /// has another cluster. The cookie overrides a weighted choice if its cluster is one of the
    /// route's. The host is looked up in both cases.
    #[must_use]
    pub fn cluster_to_use<'a>(&'a self, route: &[&str], selected: &'a str) -> (&'a str, bool) {
        if route.contains(&self.cluster.as_str()) {
            (&self.cluster, false)
        } else {
            (selected, true)
        }
    }
}

/// Decodes base64 and ignores blanks, as gRPC does.
fn decode_loosely(value: &[u8]) -> Option<Vec<u8>> {
    let digits = value.iter().copied();
    let digits: Vec<u8> = digits.filter(|byte| !byte.is_ascii_whitespace()).collect();
    decode_base64(&digits)
}

/// A decoded cookie value, read as Envoy's protobuf message.
enum EnvoyCookie {
    Valid(GrpcSessionRequest),
    Expired,
    /// Not a message with an address. No address list of gRPC is such a message.
    Other,
}

fn envoy_cookie(bytes: &[u8], now: u64) -> EnvoyCookie {
    match SessionMessage::read(bytes) {
        Some(message) if message.address.is_empty() => EnvoyCookie::Other,
        Some(message) if message.is_over(now) => EnvoyCookie::Expired,
        Some(message) => EnvoyCookie::Valid(GrpcSessionRequest {
            address_list: message.address,
            cluster: String::new(),
        }),
        None => EnvoyCookie::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cookie() -> GrpcSessionCookie {
        GrpcSessionCookie::new("sess", "", None).unwrap()
    }

    fn addresses(headers: &[&str]) -> String {
        cookie().parse(headers.iter().copied(), 0).address_list
    }

    #[test]
    fn all_forms_of_rfc_6265_are_read() {
        const VALUE: &str = "MTAuMC4wLjE6ODA7YzE=";
        for headers in [
            &[format!("sess={VALUE}")][..],
            &[format!("a=b;sess={VALUE};")],
            &[format!("a=b;  sess={VALUE}")],
            &["a=b".into(), format!("sess={VALUE}")],
            &[format!("sess=\"{VALUE}\"")],
            &[format!(
                "sess=MTAu MC4w{}",
                VALUE.strip_prefix("MTAuMC4w").unwrap()
            )],
        ] {
            let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
            assert_eq!(addresses(&headers), "10.0.0.1:80", "{headers:?}");
        }
        for header in [
            format!("Sess={VALUE}"),
            format!("sess ={VALUE}"),
            "sess=".into(),
            format!("sess=?; sess={VALUE}"),
            "sess=_w==".into(),
        ] {
            assert_eq!(addresses(&[&header]), "", "{header}");
        }
    }

    #[test]
    fn an_envoy_cookie_is_read_until_it_expires() {
        // {1: "10.0.0.1:80", 2: 300}
        let bytes = b"\x0a\x0b10.0.0.1:80\x10\xac\x02";
        let header = format!("sess=\"{}\"", Base64::STANDARD.encode_padded(bytes));
        let read = cookie().parse([header.as_str()], 300);
        assert_eq!(read.address_list, "10.0.0.1:80");
        assert_eq!(read.cluster_to_use(&["c"], "c"), ("c", true));
        let over = cookie().parse([header.as_str()], 301);
        assert_eq!(over, GrpcSessionRequest::default());
    }

    #[test]
    fn the_cookie_of_grpc_itself_is_read_strictly() {
        const VALUE: &str = "MTAuMC4wLjE6ODA7YzE=";
        let read = |header: &str| cookie().parse_strictly(header);
        let first = read(&format!("a=b; sess={VALUE}; sess=?"));
        assert_eq!(
            (first.address_list.as_str(), first.cluster.as_str()),
            ("10.0.0.1:80", "c1")
        );
        for header in [
            format!("a=b;sess={VALUE}"),
            format!("a=b,sess={VALUE}"),
            format!("sess={VALUE};"),
            format!("sess=\"{VALUE}\""),
            format!("sess=?; sess={VALUE}"),
        ] {
            assert_eq!(read(&header), GrpcSessionRequest::default(), "{header}");
        }
    }

    #[test]
    fn a_written_cookie_can_be_read() {
        let written = cookie()
            .emit("", "[::1]:80,10.0.0.1:80", "c;x", true)
            .unwrap();
        let pair = written.strip_suffix("; HttpOnly").unwrap();
        let read = cookie().parse([pair], 0);
        assert_eq!(read.address_list, "[::1]:80,10.0.0.1:80");
        assert_eq!(read.cluster, "c;x");
    }

    #[test]
    fn a_ttl_below_a_second_deletes_the_cookie() {
        let half = ProtoDuration {
            seconds: 0,
            nanos: 500_000_000,
        };
        let half = GrpcSessionCookie::new("sess", "", Some(half)).unwrap();
        assert!(half.is_void() && !cookie().is_void());
        assert_eq!(half.emit("a", "", "c", true), None, "no host was chosen");
        let written = half.emit("", "a", "c", true).unwrap();
        assert_eq!(written, "sess=YTtj; HttpOnly; Max-Age=0");
    }

    #[test]
    fn every_invalid_field_is_reported() {
        let ttl = ProtoDuration {
            seconds: -1,
            nanos: 0,
        };
        let faults = GrpcSessionCookie::new("", "/", Some(ttl)).unwrap_err();
        let faults: Vec<_> = faults
            .into_iter()
            .map(GrpcSessionCookieFault::field)
            .collect();
        assert_eq!(faults, ["name", "ttl"]);
    }

    #[test]
    fn paths_match_as_in_rfc_6265() {
        let of = |path: &str| GrpcSessionCookie::new("s", path, None).unwrap();
        for (cookie, path, applies) in [
            ("", "/x", true),
            ("", "", true),
            ("/", "/x", true),
            ("/x", "/x", true),
            ("/x", "/x/y", true),
            ("/x/", "/x/y", true),
            ("/x", "/xy", false),
            ("/x/", "/x", false),
        ] {
            assert_eq!(of(cookie).applies_to(path), applies, "{cookie} {path}");
        }
    }
}
