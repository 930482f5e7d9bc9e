//! Conditions of routes on headers, query parameters and cookies.

use alloc::{borrow::Cow, string::String};

use super::{
    Headers, StringMatch,
    cookie::{cookie, query_parameter},
};

/// A condition on one header (`envoy.config.route.v3.HeaderMatcher`).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct HeaderMatch {
    /// The lower-case name.
    pub name: String,
    /// The condition on the value.
    pub matcher: HeaderMatcher,
    /// Inverts the result (`invert_match`).
    pub invert: bool,
    /// Treats a missing header as an empty one (`treat_missing_header_as_empty`).
    pub missing_as_empty: bool,
}

/// A condition on the value of a header. Of repeated headers, one must match; inverted, none.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum HeaderMatcher {
    /// The header is present; with `false`, it is missing (`present_match`).
    Present(bool),
    /// The value matches (`string_match`).
    Text(StringMatch),
    /// The value is an integer from `start` to `end`, exclusive (`range_match`).
    Range {
        /// The minimum value.
        start: i64,
        /// The end of the range, exclusive.
        end: i64,
    },
}

/// A condition on the first query parameter with a name (`QueryParameterMatcher`).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct QueryMatch {
    /// The case-sensitive name.
    pub name: String,
    /// The condition on the parameter.
    pub matcher: QueryMatcher,
}

/// A condition on a query parameter.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum QueryMatcher {
    /// The parameter is present; with `false`, it is missing (`present_match`).
    Present(bool),
    /// The parameter is present and its value, without percent-decoding, matches (`string_match`).
    Text(StringMatch),
}

/// A condition on the first cookie with a name (`CookieMatcher`).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CookieMatch {
    /// The case-sensitive name.
    pub name: String,
    /// The condition on the value; a missing cookie does not match.
    pub text: StringMatch,
    /// Inverts the result (`invert_match`).
    pub invert: bool,
}

impl HeaderMatch {
    pub(super) fn matches<H: Headers>(&self, headers: &H) -> bool {
        let mut values = headers.values(&self.name).peekable();
        let is_missing = values.peek().is_none();
        let empty = (is_missing && self.missing_as_empty).then_some(&[][..]);
        let mut values = values.chain(empty);
        let holds = match &self.matcher {
            HeaderMatcher::Present(present) => values.next().is_some() == *present,
            // A condition on a missing header fails, even if inverted.
            _ if is_missing && !self.missing_as_empty => return false,
            HeaderMatcher::Text(text) => values.any(|value| text.matches(value)),
            HeaderMatcher::Range { start, end } => values
                .any(|value| integer(value).is_some_and(|value| (*start..*end).contains(&value))),
        };
        holds != self.invert
    }
}

impl QueryMatch {
    pub(super) fn matches(&self, path: &[u8]) -> bool {
        let value = query_parameter(path, &self.name);
        match &self.matcher {
            QueryMatcher::Present(present) => value.is_some() == *present,
            QueryMatcher::Text(text) => value.is_some_and(|value| text.matches(value)),
        }
    }
}

impl CookieMatch {
    pub(super) fn matches<H: Headers>(&self, headers: &H) -> bool {
        let value = cookie(headers, &self.name);
        value.is_some_and(|value| self.text.matches(value)) != self.invert
    }
}

/// Joins repeated headers by commas.
pub(super) fn joined<'a, H: Headers>(headers: &'a H, name: &'a str) -> Option<Cow<'a, [u8]>> {
    let mut values = headers.values(name);
    let mut all = Cow::Borrowed(values.next()?);
    for value in values {
        let all = all.to_mut();
        all.push(b',');
        all.extend_from_slice(value);
    }
    Some(all)
}

fn integer(text: &[u8]) -> Option<i64> {
    core::str::from_utf8(text.trim_ascii()).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::super::{HeaderList, TextMatch};
    use super::*;

    /// The results for a missing header and for the values; `y` means that the condition holds.
    fn answers(matcher: HeaderMatcher, invert: bool, missing_as_empty: bool) -> String {
        let condition = HeaderMatch {
            name: "x-h".into(),
            matcher,
            invert,
            missing_as_empty,
        };
        let values = [None, Some(""), Some("a"), Some("+5"), Some("10")];
        let answer = |value: &Option<&str>| {
            let headers: alloc::vec::Vec<_> = value.iter().map(|v| ("x-h", *v)).collect();
            if condition.matches(&HeaderList(&headers)) {
                'y'
            } else {
                '-'
            }
        };
        values.iter().map(answer).collect()
    }

    fn exact(text: &str) -> HeaderMatcher {
        HeaderMatcher::Text(StringMatch {
            text: TextMatch::Exact(text.into()),
            ignore_case: false,
        })
    }

    #[test]
    fn headers_compare_as_in_envoy() {
        let present = HeaderMatcher::Present;
        let range = HeaderMatcher::Range {
            start: -10,
            end: 10,
        };
        for (matcher, invert, missing_as_empty, expected) in [
            (exact("a"), false, false, "--y--"),
            (exact("a"), true, false, "-y-yy"),
            (exact("a"), true, true, "yy-yy"),
            (exact(""), false, false, "-y---"),
            (present(true), false, false, "-yyyy"),
            (present(false), false, false, "y----"),
            (present(true), true, false, "y----"),
            (present(false), true, false, "-yyyy"),
            (present(true), false, true, "yyyyy"),
            (present(false), false, true, "-----"),
            (range.clone(), false, false, "---y-"),
            (range.clone(), true, false, "-yy-y"),
            (range, false, true, "---y-"),
        ] {
            let found = answers(matcher.clone(), invert, missing_as_empty);
            assert_eq!(found, expected, "{matcher:?} {invert} {missing_as_empty}");
        }
    }

    /// Measured with Envoy 1.40, whose feature `match_headers_individually` is on.
    #[test]
    fn repeated_headers_compare_one_by_one() {
        for (text, invert, expected) in [
            ("a", false, true),
            ("b", false, true),
            ("a,b", false, false),
            ("a", true, false),
            ("z", true, true),
        ] {
            let condition = HeaderMatch {
                name: "x-h".into(),
                matcher: exact(text),
                invert,
                missing_as_empty: false,
            };
            let headers = HeaderList(&[("x-h", "a"), ("X-H", "b")]);
            assert_eq!(condition.matches(&headers), expected, "{text} {invert}");
        }
    }

    #[test]
    fn query_parameters_and_cookies() {
        let text = |text: &str| StringMatch {
            text: TextMatch::Exact(text.into()),
            ignore_case: false,
        };
        let query = |matcher, path: &str| {
            let name = "u".into();
            QueryMatch { name, matcher }.matches(path.as_bytes())
        };
        assert!(query(QueryMatcher::Present(false), "/"));
        assert!(!query(QueryMatcher::Present(false), "/?u"));
        assert!(query(QueryMatcher::Text(text("")), "/?u"));
        assert!(!query(QueryMatcher::Text(text("")), "/"));

        let cookie = |value: &str, invert, headers: &[(&str, &str)]| {
            let (name, text) = ("u".into(), text(value));
            CookieMatch { name, text, invert }.matches(&HeaderList(headers))
        };
        assert!(cookie("ab", false, &[("cookie", "u=ab")]));
        assert!(!cookie("", false, &[]));
        assert!(cookie("", false, &[("cookie", "u=")]));
        assert!(cookie("ab", true, &[]));
    }
}
