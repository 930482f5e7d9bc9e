//! Finds a token in the `cookie` headers of a request: one pass, bounded, without allocation.
//!
//! Any sibling domain can set a cookie with our name, and the browser sends both. Refusing both
//! would let a sibling end all sessions. So the first four are opened, also after a valid one: the
//! time does not show which one is valid. Browsers send each header once, so several session
//! headers are still refused.

use super::SessionCookie;

/// The maximum number of bytes of `cookie` headers.
const MOST_BYTES: usize = 8 * 1024;

/// The maximum number of cookies.
const MOST_COOKIES: usize = 64;

/// The maximum length of a token in bytes.
const LONGEST: usize = 256;

/// The maximum number of cookies with the name whose values are used.
const MOST_COPIES: usize = 4;

/// The result of a search for the token cookie. Every result except [`FoundToken::One`] and
/// [`FoundToken::Several`] means that the request has no token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoundToken<'h> {
    /// No cookie has the name.
    None,
    /// The value of the only cookie with the name.
    One(&'h str),
    /// More than one cookie has the name, for example because a sibling domain sets one, too.
    Several(TokenCopies<'h>),
    /// The value is empty or not a valid cookie value (RFC 6265, section 4.1.1).
    Malformed,
    /// The value exceeds 256 bytes, so it is not a token.
    TooLong(&'h [u8]),
    /// The request has more than 8 KiB of cookies or more than 64 cookies. A further cookie with
    /// the name could follow, so no earlier one is used.
    TooMany,
}

/// The values of the first four cookies with the name; further ones are ignored. To open a token,
/// try all values: the time must not show which one is genuine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenCopies<'h> {
    values: [&'h [u8]; MOST_COPIES],
    count: usize,
}

impl<'h> TokenCopies<'h> {
    /// The values in the order of the request, without quotes. They may be invalid.
    pub fn values(self) -> impl Iterator<Item = &'h [u8]> {
        self.values.into_iter().take(self.count)
    }

    fn push(&mut self, value: &'h [u8]) {
        if let Some(free) = self.values.get_mut(self.count) {
            *free = value;
            self.count += 1;
        }
    }
}

impl FoundToken<'_> {
    /// The name in metrics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::One(_) => "one",
            Self::Several(_) => "several",
            Self::Malformed => "malformed",
            Self::TooLong(_) => "too_long",
            Self::TooMany => "too_many",
        }
    }
}

impl SessionCookie {
    /// Searches the values of the `cookie` headers, in order. Optional quotes around a value are
    /// removed.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::affinity::{CookieSettings, FoundToken, SessionCookie};
    ///
    /// let cookie = SessionCookie::new(&CookieSettings::default()).unwrap();
    /// let headers: [&[u8]; 2] = [b"theme=dark; spillgate=AbC", b"lang=en"];
    /// assert_eq!(cookie.find(headers), FoundToken::One("AbC"));
    ///
    /// let twice: [&[u8]; 1] = [b"spillgate=AbC; spillgate=DeF"];
    /// let FoundToken::Several(copies) = cookie.find(twice) else {
    ///     panic!("two cookies have the name");
    /// };
    /// assert!(copies.values().eq([b"AbC", b"DeF"]));
    /// ```
    pub fn find<'h>(&self, headers: impl IntoIterator<Item = &'h [u8]>) -> FoundToken<'h> {
        let (mut bytes, mut cookies) = (0_usize, 0_usize);
        let (mut first, mut copies) = (None, None);
        for header in headers {
            bytes = bytes.saturating_add(header.len());
            if bytes > MOST_BYTES {
                return FoundToken::TooMany;
            }
            for pair in header.split(|byte| *byte == b';') {
                cookies += 1;
                if cookies > MOST_COOKIES {
                    return FoundToken::TooMany;
                }
                match (self.value(pair).map(unquoted), first) {
                    (None, _) => {}
                    (Some(value), None) => first = Some(value),
                    (Some(value), Some(first)) => copies
                        .get_or_insert(TokenCopies {
                            values: [first, b"", b"", b""],
                            count: 1,
                        })
                        .push(value),
                }
            }
        }
        match (copies, first) {
            (Some(copies), _) => FoundToken::Several(copies),
            (None, Some(value)) => read(value),
            (None, None) => FoundToken::None,
        }
    }

    /// Whether a `set-cookie` header makes clients send a cookie of this name. A client that gets
    /// `=name=value`, a cookie without a name, sends `name=value`.
    ///
    /// # Examples
    /// ```
    /// use spillgate_core::affinity::{CookieSettings, SessionCookie};
    ///
    /// let cookie = SessionCookie::new(&CookieSettings::default()).unwrap();
    /// assert!(cookie.is_set_by(b"spillgate=AbC; Path=/"));
    /// assert!(!cookie.is_set_by(b"theme=spillgate; Path=/"));
    /// ```
    #[must_use]
    pub fn is_set_by(&self, set_cookie: &[u8]) -> bool {
        let pair = set_cookie
            .split(|byte| *byte == b';')
            .next()
            .unwrap_or_default()
            .trim_ascii_start();
        self.value(pair.strip_prefix(b"=").unwrap_or(pair))
            .is_some()
    }

    /// The value of a `name=value` pair with the cookie's name.
    fn value<'h>(&self, pair: &'h [u8]) -> Option<&'h [u8]> {
        let pair = pair
            .trim_ascii_start()
            .strip_prefix(self.name().as_bytes())?;
        pair.trim_ascii_start().strip_prefix(b"=")
    }
}

fn unquoted(value: &[u8]) -> &[u8] {
    match value.trim_ascii() {
        [b'"', inner @ .., b'"'] => inner,
        value => value,
    }
}

fn read(value: &[u8]) -> FoundToken<'_> {
    if value.len() > LONGEST {
        return FoundToken::TooLong(value);
    }
    // Without branches, compilers check several bytes at once.
    let is_legal = |byte: u8| {
        (byte.is_ascii_graphic() & (byte != b'"') & (byte != b','))
            & ((byte != b';') & (byte != b'\\'))
    };
    let are_legal = value
        .iter()
        .fold(true, |legal, byte| legal & is_legal(*byte));
    match core::str::from_utf8(value) {
        Ok(text) if !text.is_empty() && are_legal => FoundToken::One(text),
        _ => FoundToken::Malformed,
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::String, vec, vec::Vec};

    use super::super::CookieSettings;
    use super::*;

    fn find<'h>(headers: &[&'h str]) -> FoundToken<'h> {
        let cookie = SessionCookie::new(&CookieSettings::default()).unwrap();
        cookie.find(headers.iter().map(|header| header.as_bytes()))
    }

    #[test]
    fn each_result_has_its_name_in_metrics() {
        let long = format!("spillgate={}", "a".repeat(LONGEST + 1));
        let many = "a=1;".repeat(65);
        for (header, name) in [
            ("", "none"),
            ("spillgate=a", "one"),
            ("spillgate=a; spillgate=b", "several"),
            ("spillgate=", "malformed"),
            (&long, "too_long"),
            (&many, "too_many"),
        ] {
            assert_eq!(find(&[header]).name(), name);
        }
    }

    #[test]
    fn one_cookie_of_the_name() {
        for header in [
            "spillgate=ab",
            "spillgate=\"ab\"",
            "a=1; spillgate=ab; b=2",
            "a=1;spillgate=ab;b",
            " ; ;;=;\tspillgate = ab \t;",
            "xspillgate=1; spillgate2=2; Spillgate=3; spillgate=ab; spillgate",
        ] {
            assert_eq!(find(&[header]), FoundToken::One("ab"), "{header}");
        }
        assert_eq!(find(&["a=1", "spillgate=a=b"]), FoundToken::One("a=b"));
        for headers in [
            &[][..],
            &[""],
            &["a=spillgate=1"],
            &["spillgate"],
            &["spill", "gate=1"],
        ] {
            assert_eq!(find(headers), FoundToken::None, "{headers:?}");
        }
    }

    #[test]
    fn the_first_four_cookies_of_one_name_are_found() {
        for (headers, values) in [
            (&["spillgate=ab; spillgate=cd"][..], &["ab", "cd"][..]),
            (&["spillgate=ab; spillgate=ab"], &["ab", "ab"]),
            (&["spillgate=ab", "a=b; spillgate=\"cd\""], &["ab", "cd"]),
            (&["spillgate=; spillgate=c d"], &["", "c d"]),
            (
                &["spillgate=1; spillgate=2; spillgate=3; spillgate=4"],
                &["1", "2", "3", "4"],
            ),
            (
                &["spillgate=1; spillgate=2; spillgate=3; spillgate=4; spillgate=5"],
                &["1", "2", "3", "4"],
            ),
        ] {
            let FoundToken::Several(copies) = find(headers) else {
                panic!("several cookies have the name: {headers:?}");
            };
            let found: Vec<&[u8]> = copies.values().collect();
            let expected: Vec<&[u8]> = values.iter().map(|value| value.as_bytes()).collect();
            assert_eq!(found, expected, "{headers:?}");
        }
        // A later header beyond the limit refuses all copies.
        let long = "a".repeat(8_192);
        let found = find(&["spillgate=1; spillgate=2", &long]);
        assert_eq!(found, FoundToken::TooMany);
    }

    #[test]
    fn a_set_cookie_header_of_the_name() {
        let is_set_by = |settings: &CookieSettings, header: &str| {
            let cookie = SessionCookie::new(settings).unwrap();
            cookie.is_set_by(header.as_bytes())
        };
        let plain = CookieSettings::default();
        for header in [
            "spillgate=ab",
            "spillgate=",
            " spillgate = ab ;path=/;MAX-AGE=0",
            "\tspillgate=ab; SameSite=none; secure; HTTPONLY",
            "spillgate=a=b; Domain=example.org",
            "=spillgate=ab; Path=/",
            " = spillgate=ab",
        ] {
            assert!(is_set_by(&plain, header), "{header}");
        }
        for header in [
            "",
            ";",
            "=",
            "spillgate",
            "spillgate; spillgate=ab",
            "a=spillgate=ab",
            "a=b; spillgate=ab",
            "Spillgate=ab",
            "spillgate2=ab",
            "xspillgate=ab",
            "==spillgate=ab",
            "__Host-spillgate=ab",
        ] {
            assert!(!is_set_by(&plain, header), "{header}");
        }
        let prefixed = CookieSettings {
            host_prefix: true,
            ..plain
        };
        assert!(is_set_by(&prefixed, "__Host-spillgate=ab; Path=/; Secure"));
        assert!(!is_set_by(&prefixed, "spillgate=ab; Path=/"));
    }

    #[test]
    fn invalid_values_are_malformed() {
        for value in [
            "", "\"\"", "\"", "\"a", "a\"", "a b", "a,b", "a\\b", "a\u{7f}b", "\u{e9}",
        ] {
            let header = format!("spillgate={value}");
            assert_eq!(find(&[&header]), FoundToken::Malformed, "{value:?}");
        }
    }

    #[test]
    fn limits() {
        let of = |length: usize| format!("spillgate={}", "a".repeat(length));
        assert_eq!(find(&[&of(256)]), FoundToken::One(&"a".repeat(256)));
        let long = "a".repeat(257);
        assert_eq!(find(&[&of(257)]), FoundToken::TooLong(long.as_bytes()));

        let cookies = |count: usize| vec!["a=b"; count].join(";") + ";spillgate=x";
        assert_eq!(find(&[&cookies(63)]), FoundToken::One("x"));
        assert_eq!(find(&[&cookies(64)]), FoundToken::TooMany);
        let apart: Vec<&str> = core::iter::repeat_n("a=b", 64)
            .chain(["spillgate=x"])
            .collect();
        assert_eq!(find(&apart), FoundToken::TooMany);
        assert_eq!(find(&apart[1..]), FoundToken::One("x"));

        let bytes = |count: usize| String::from("spillgate=x;") + &"a".repeat(count - 12);
        assert_eq!(find(&[&bytes(8_192)]), FoundToken::One("x"));
        assert_eq!(find(&[&bytes(8_193)]), FoundToken::TooMany);
        assert_eq!(find(&[&bytes(8_192), "b"]), FoundToken::TooMany);
    }
}
