//! The request target of HTTP/1: a path, or an absolute URL.

use alloc::vec::Vec;

use super::{ChangedHeaders, Headers};

/// The status of a request whose URL Envoy refuses.
const BAD_REQUEST: u16 = 400;
/// The status of a request without a path.
const NOT_FOUND: u16 = 404;

/// Splits an absolute URL into scheme, host and path; the status if Envoy refuses the target.
pub(super) fn split_url<H: Headers>(headers: &mut ChangedHeaders<'_, H>) -> Option<u16> {
    let method = headers.first(":method").unwrap_or_default();
    let target = headers.first(":path")?;
    if target.starts_with(b"/") || method == b"CONNECT" {
        return None;
    }
    if target == b"*" && method == b"OPTIONS" {
        return Some(NOT_FOUND);
    }
    let Some((scheme, host, path)) = parts(target) else {
        return Some(BAD_REQUEST);
    };
    if path.starts_with(b"?") {
        return Some(NOT_FOUND);
    }
    let (host, mut path): (Vec<u8>, Vec<u8>) = (host.into(), path.into());
    if path.is_empty() {
        path.push(b'/');
    }
    headers.set(":authority", host);
    headers.set(":path", path);
    headers.set(":scheme", scheme.into());
    None
}

/// The scheme, the host and the rest of an absolute URL.
fn parts(url: &[u8]) -> Option<(&'static [u8], &[u8], &[u8])> {
    let schemes: [(&[u8], &'static [u8]); 2] = [(b"http://", b"http"), (b"https://", b"https")];
    let (prefix, scheme) = schemes.into_iter().find(|(prefix, _)| {
        let start = url.get(..prefix.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    })?;
    let rest = url.get(prefix.len()..)?;
    let end = rest.iter().position(|byte| b"/?#".contains(byte));
    let (authority, path) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
    // Envoy drops the user.
    let user = authority.iter().position(|&byte| byte == b'@');
    let host = authority.get(user.map_or(0, |at| at.saturating_add(1))..)?;
    is_host(host).then_some((scheme, host, path))
}

/// Whether a text is a host with or without a port.
fn is_host(text: &[u8]) -> bool {
    let bracket = text.iter().position(|&byte| byte == b']');
    let (name, port) = match bracket {
        Some(at) => text.split_at(at.saturating_add(1)),
        None => {
            let colon = text.iter().position(|&byte| byte == b':');
            text.split_at(colon.unwrap_or(text.len()))
        }
    };
    let inside = name
        .strip_prefix(b"[")
        .and_then(|name| name.strip_suffix(b"]"));
    let is_name = match inside {
        Some(address) => {
            let mut bytes = address.iter();
            !address.is_empty()
                && bytes.all(|&byte| byte.is_ascii_hexdigit() || b":.".contains(&byte))
        }
        None => {
            let mut bytes = name.iter();
            !name.is_empty()
                && bytes.all(|&byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte))
        }
    };
    let is_port = match port.split_first() {
        None => true,
        Some((b':', digits)) => {
            // A text that is not UTF-8 is no number.
            let number = core::str::from_utf8(digits).unwrap_or("");
            number.bytes().all(|byte| byte.is_ascii_digit()) && number.parse::<u16>().is_ok()
        }
        Some(_) => false,
    };
    is_name && is_port
}

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;
    use crate::route::HeaderList;

    /// What Envoy 1.40 forwarded as host, path and scheme, or its status.
    #[test]
    fn urls_are_split_as_by_envoy() {
        let split = |method: &str, target: &str| {
            let sent = [(":method", method), (":path", target), (":authority", "h")];
            let sent = HeaderList(&sent);
            let mut headers = ChangedHeaders::new(&sent);
            if let Some(status) = split_url(&mut headers) {
                return Err(status);
            }
            let text = |name| {
                let value = headers.first(name).unwrap_or_default();
                String::from_utf8_lossy(value).into_owned()
            };
            Ok([text(":authority"), text(":path"), text(":scheme")])
        };
        let to = |host: &str, path: &str, scheme: &str| Ok([host, path, scheme].map(String::from));
        for (target, expected) in [
            ("/path", to("h", "/path", "")),
            ("http://foo.com/path", to("foo.com", "/path", "http")),
            ("https://foo.com/path", to("foo.com", "/path", "https")),
            ("hTTps://FOO.com/a", to("FOO.com", "/a", "https")),
            ("http://foo.com", to("foo.com", "/", "http")),
            ("http://foo.com:080//x", to("foo.com:080", "//x", "http")),
            ("http://u@foo.com/x", to("foo.com", "/x", "http")),
            (
                "http://[::1]:80/x?http://b",
                to("[::1]:80", "/x?http://b", "http"),
            ),
            ("http://-foo.com./x", to("-foo.com.", "/x", "http")),
            ("http://foo.com?x=1", Err(404)),
            ("http:///x", Err(400)),
            ("http://foo.com:/x", Err(400)),
            ("http://foo.com:99999/x", Err(400)),
            ("http://foo_a.com/x", Err(400)),
            ("http://a@b@foo.com/x", Err(400)),
            ("http:/foo", Err(400)),
            ("ftp://foo.com/x", Err(400)),
            ("foo.com/x", Err(400)),
            ("*", Err(400)),
        ] {
            assert_eq!(split("GET", target), expected, "{target}");
        }
        assert_eq!(split("OPTIONS", "*"), Err(404));
        assert_eq!(split("CONNECT", "foo.com:80"), to("h", "foo.com:80", ""));
    }
}
