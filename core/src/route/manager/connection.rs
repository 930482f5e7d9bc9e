//! The headers that concern only the connection of an HTTP/1 request.

use alloc::{string::String, vec::Vec};

use super::{ChangedHeaders, Headers};

/// Envoy refuses a `connection` header with so many options.
const MOST_OPTIONS: usize = 10;
/// Envoy refuses a `te` of this length if `connection` names it.
const LONGEST_TE: usize = 256;
/// The status of a request that Envoy refuses because of these headers.
const BAD_REQUEST: u16 = 400;

/// Options that are no headers to remove, or that Envoy removes elsewhere.
const NOT_NAMES: [&str; 5] = [
    "close",
    "connection",
    "http2-settings",
    "keep-alive",
    "upgrade",
];
/// Headers that no client can remove, or without which there is no request.
const REFUSED: [&str; 4] = [
    "host",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
];

const TE: &str = "te";
const TRAILERS: &[u8] = b"trailers";

/// Removes the headers that `connection` names; the status if Envoy refuses the request.
pub(super) fn remove_named<H: Headers>(headers: &mut ChangedHeaders<'_, H>) -> Option<u16> {
    let values = headers.values("connection");
    let options = values
        .flat_map(|value| value.split(|&byte| byte == b','))
        .filter(|option| !option.is_empty());
    let names: Vec<String> = options
        .map(|option| String::from_utf8_lossy(option.trim_ascii()).to_ascii_lowercase())
        .collect();
    if names.len() >= MOST_OPTIONS {
        return Some(BAD_REQUEST);
    }
    for name in names.iter().map(String::as_str) {
        match name {
            _ if NOT_NAMES.contains(&name) => {}
            _ if REFUSED.contains(&name) || name.starts_with(':') => return Some(BAD_REQUEST),
            TE => match headers.first(TE) {
                Some(value) if value.len() >= LONGEST_TE => return Some(BAD_REQUEST),
                Some(value) => {
                    if has_trailers(value, <[u8]>::eq_ignore_ascii_case) {
                        headers.set(TE, TRAILERS.to_vec())
                    } else {
                        headers.remove(TE)
                    }
                }
                None => {}
            },
            _ => headers.remove(name),
        }
    }
    None
}

/// Leaves only `trailers` in `te`.
pub(super) fn reduce_te<H: Headers>(headers: &mut ChangedHeaders<'_, H>) {
    let mut values = headers.values(TE).filter(|value| !value.is_empty());
    let Some(first) = values.next() else {
        return;
    };
    let is_kept =
        has_trailers(first, <[u8]>::eq) || values.any(|more| has_trailers(more, <[u8]>::eq));
    drop(values);
    if is_kept {
        headers.set(TE, TRAILERS.to_vec())
    } else {
        headers.remove(TE)
    }
}

fn has_trailers(value: &[u8], equals: impl Fn(&[u8], &[u8]) -> bool) -> bool {
    let mut options = value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
    options.any(|option| equals(option, TRAILERS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::HeaderList;

    /// The rest of `x-u` and `te` that Envoy 1.40 forwarded.
    #[test]
    fn named_headers_are_removed_as_by_envoy() {
        let left = |connection: &str, te: &str| {
            let sent = [("connection", connection), ("x-u", "b"), ("te", te)];
            let sent = HeaderList(&sent);
            let mut headers = ChangedHeaders::new(&sent);
            if let Some(status) = remove_named(&mut headers) {
                return Err(status);
            }
            reduce_te(&mut headers);
            let te = headers
                .first("te")
                .map(|te| String::from_utf8_lossy(te).into_owned());
            Ok((headers.has("x-u"), te))
        };
        let te = |te: &str| Ok((true, Some(String::from(te))));
        let many = "x-0,x-1,x-2,x-3,x-4,x-5,x-6,x-7";
        for (connection, sent, expected) in [
            ("x-u", "gzip", Ok((false, None))),
            ("close, X-U", "gzip", Ok((false, None))),
            ("connection, x-u", "", Ok((false, Some(String::new())))),
            (",,,,,,,,,,,,x-u", "gzip", Ok((false, None))),
            ("x-u;q=1", "gzip", Ok((true, None))),
            ("cookie", "gzip", Ok((true, None))),
            ("x-forwarded-for, x-u", "gzip", Err(400)),
            ("x-forwarded-host", "gzip", Err(400)),
            ("host", "gzip", Err(400)),
            (":x, x-u", "gzip", Err(400)),
            (&alloc::format!("{many},x-u"), "gzip", Ok((false, None))),
            (&alloc::format!("{many},x-8,x-u"), "gzip", Err(400)),
            ("close", "trailers", te("trailers")),
            ("close", "gzip, trailers", te("trailers")),
            ("close", "Trailers", Ok((true, None))),
            ("close", "trailers;q=0.5", Ok((true, None))),
            ("close", "", te("")),
            ("te", "Gzip, TRAILERS", te("trailers")),
            ("te", "", Ok((true, None))),
            ("te", &"a".repeat(256), Err(400)),
            ("te", &"a".repeat(255), Ok((true, None))),
        ] {
            assert_eq!(left(connection, sent), expected, "{connection} {sent}");
        }
    }
}
