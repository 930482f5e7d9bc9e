//! Finding a token among the cookies of a request: one pass, bounded, without allocation.

use super::SessionCookie;

/// How many bytes of `cookie` headers are looked at.
const MOST_BYTES: usize = 8 * 1024;

/// How many cookies are looked at.
const MOST_COOKIES: usize = 64;

/// How long a token may be.
const LONGEST: usize = 256;

/// What there is of a token. Anything but [`FoundToken::One`] means that the request has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoundToken<'h> {
    /// There is no cookie of that name.
    None,
    /// The value of the only cookie of that name.
    One(&'h str),
    /// There is more than one. Which of them the client means nobody knows.
    Several,
    /// Its value is no value of a cookie (RFC 6265, section 4.1.1), or empty.
    Malformed,
    /// It has more than 256 bytes.
    TooLong,
    /// The request has more than 8 KiB or 64 of cookies. What is behind that is unknown, so what
    /// is before it is not used.
    TooMany,
}

impl FoundToken<'_> {
    /// Its name in metrics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::One(_) => "one",
            Self::Several => "several",
            Self::Malformed => "malformed",
            Self::TooLong => "too_long",
            Self::TooMany => "too_many",
        }
    }
}

impl SessionCookie {
    /// Looks for the token in the values of the `cookie` headers, in their order.
    pub fn find<'h>(&self, headers: impl IntoIterator<Item = &'h [u8]>) -> FoundToken<'h> {
        let (mut bytes, mut cookies) = (0_usize, 0_usize);
        let mut found = FoundToken::None;
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
                if let Some(value) = self.value(pair) {
                    found = match found {
                        FoundToken::None => read(value),
                        _ => FoundToken::Several,
                    };
                }
            }
        }
        found
    }

    /// The value of a pair of this name.
    fn value<'h>(&self, pair: &'h [u8]) -> Option<&'h [u8]> {
        let pair = pair
            .trim_ascii_start()
            .strip_prefix(self.name().as_bytes())?;
        pair.trim_ascii_start().strip_prefix(b"=")
    }
}

fn read(value: &[u8]) -> FoundToken<'_> {
    let value = value.trim_ascii();
    let value = match value {
        [b'"', inner @ .., b'"'] => inner,
        value => value,
    };
    if value.len() > LONGEST {
        return FoundToken::TooLong;
    }
    let is_legal = |byte: &u8| byte.is_ascii_graphic() && !b"\",;\\".contains(byte);
    match core::str::from_utf8(value) {
        Ok(text) if !text.is_empty() && value.iter().all(is_legal) => FoundToken::One(text),
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
    fn several_are_as_good_as_none() {
        for headers in [
            &["spillgate=ab; spillgate=cd"][..],
            &["spillgate=ab; spillgate=ab"],
            &["spillgate=ab", "a=b; spillgate=cd"],
            &["spillgate=; spillgate=cd"],
            &["spillgate=ab; spillgate="],
        ] {
            assert_eq!(find(headers), FoundToken::Several, "{headers:?}");
        }
    }

    #[test]
    fn values_that_are_none() {
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
        assert_eq!(find(&[&of(257)]), FoundToken::TooLong);

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
