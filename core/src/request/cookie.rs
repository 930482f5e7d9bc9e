//! Lookup of cookies and query parameters in a request.

use super::Headers;

/// The value of the first cookie with this name.
pub(crate) fn cookie<'a, H: Headers>(headers: &'a H, name: &str) -> Option<&'a [u8]> {
    cookie_in(headers.values("cookie"), name)
}

/// The value of the first cookie with this name in the values of `cookie` headers, without
/// surrounding quotes. Names are case-sensitive.
///
/// # Examples
/// ```
/// use spillgate_core::route::cookie_in;
///
/// let headers: [&[u8]; 1] = [b"a=1; b=\"2\""];
/// assert_eq!(cookie_in(headers.into_iter(), "b"), Some(&b"2"[..]));
/// assert_eq!(cookie_in(headers.into_iter(), "c"), None);
/// ```
pub fn cookie_in<'a>(headers: impl Iterator<Item = &'a [u8]>, name: &str) -> Option<&'a [u8]> {
    let mut pairs = headers.flat_map(|value| value.split(|&byte| byte == b';'));
    pairs.find_map(|pair| {
        let at = pair.iter().position(|&byte| byte == b'=')?;
        let (key, value) = pair.split_at_checked(at)?;
        let start = key.iter().position(|&byte| byte != b' ').unwrap_or(at);
        if key.get(start..)? != name.as_bytes() {
            return None;
        }
        let value = value.get(1..)?;
        Some(match value {
            [b'"', inner @ .., b'"'] => inner,
            value => value,
        })
    })
}

/// The value of the first query parameter with this name, without percent-decoding. A parameter
/// without `=` has an empty value.
pub(crate) fn query_parameter<'a>(path: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let mut parts = path.splitn(2, |&byte| byte == b'?');
    parts.next()?;
    let mut parameters = parts.next()?.split(|&byte| byte == b'&');
    parameters.find_map(|parameter| {
        let rest = parameter.strip_prefix(name.as_bytes())?;
        match rest {
            [] if !parameter.is_empty() => Some(rest),
            [b'=', value @ ..] => Some(value),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::HeaderList;
    use super::*;

    #[test]
    fn the_first_cookie_of_a_name_counts() {
        let of = |values: &[&'static str]| {
            let headers: alloc::vec::Vec<_> = values.iter().map(|v| ("cookie", *v)).collect();
            let headers = HeaderList(&headers);
            cookie(&headers, "u").map(<[u8]>::to_vec)
        };
        for (values, expected) in [
            (&["u=ab"][..], Some(&b"ab"[..])),
            (&["x=1; u=\"ab\""], Some(b"ab")),
            (&["u=zz; u=ab"], Some(b"zz")),
            (&["u=1", "u=2"], Some(b"1")),
            (&["u="], Some(b"")),
            (&["u; u=a=c"], Some(b"a=c")),
            (&["u =ab"], None),
            (&["U=ab"], None),
            (&["u"], None),
            (&["=u"], None),
            (&[], None),
        ] {
            assert_eq!(of(values).as_deref(), expected, "{values:?}");
        }
    }

    #[test]
    fn the_first_parameter_of_a_name_counts() {
        for (path, expected) in [
            ("/?u=zz&u=abc", Some("zz")),
            ("/?u", Some("")),
            ("/?u=", Some("")),
            ("/?u=a=c", Some("a=c")),
            ("/?u=a%20b", Some("a%20b")),
            ("/?x?u=1&u=a?c", Some("a?c")),
            ("/?%75=x", None),
            ("/?U=1&uu=2", None),
            ("/u=1", None),
        ] {
            let found = query_parameter(path.as_bytes(), "u");
            assert_eq!(found, expected.map(str::as_bytes), "{path}");
        }
    }
}
