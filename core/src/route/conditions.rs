//! Conditions on headers, query parameters and cookies.

use alloc::{borrow::Cow, string::String};

use super::{
    Headers, StringMatch,
    cookie::{cookie, query_parameter},
};

/// A condition on one header (`HeaderMatcher`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderMatch {
    /// The lower-case name.
    pub name: String,
    /// What must hold for its value.
    pub matcher: HeaderMatcher,
    /// Turns the answer around (`invert_match`).
    pub invert: bool,
    /// An absent header is taken for an empty one (`treat_missing_header_as_empty`).
    pub missing_as_empty: bool,
}

/// What must hold for a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeaderMatcher {
    /// It is there, or with `false`: it is not.
    Present(bool),
    /// Its value compares so.
    Text(StringMatch),
    /// It is a whole number at least `start` and below `end` (`range_match`).
    Range {
        /// The least value.
        start: i64,
        /// The first value beyond.
        end: i64,
    },
}

/// A condition on the first query parameter of a name (`QueryParameterMatcher`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryMatch {
    /// Its name; case counts.
    pub name: String,
    /// What must hold for it.
    pub matcher: QueryMatcher,
}

/// What must hold for a query parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueryMatcher {
    /// It is there, or with `false`: it is not.
    Present(bool),
    /// It is there and its value, as it stands in the path, compares so.
    Text(StringMatch),
}

/// A condition on the first cookie of a name (`CookieMatcher`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CookieMatch {
    /// Its name; case counts.
    pub name: String,
    /// How its value compares; an absent cookie compares with nothing.
    pub text: StringMatch,
    /// Turns the answer around (`invert_match`).
    pub invert: bool,
}

impl HeaderMatch {
    pub(super) fn matches<H: Headers>(&self, headers: &H) -> bool {
        let value = joined(headers, &self.name);
        let value = match value {
            None if self.missing_as_empty => Some(Cow::Borrowed(&[][..])),
            value => value,
        };
        let holds = match (&self.matcher, value) {
            (HeaderMatcher::Present(present), value) => value.is_some() == *present,
            // A comparison with an absent header fails, even an inverted one.
            (_, None) => return false,
            (HeaderMatcher::Text(text), Some(value)) => text.matches(&value),
            (HeaderMatcher::Range { start, end }, Some(value)) => {
                whole(&value).is_some_and(|value| (*start..*end).contains(&value))
            }
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

/// Several headers of a name are compared as one, joined by commas.
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

fn whole(text: &[u8]) -> Option<i64> {
    core::str::from_utf8(text.trim_ascii()).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::super::{HeaderList, TextMatch};
    use super::*;

    /// The answers for an absent header and for the values, `y` where the condition holds.
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

    #[test]
    fn repeated_headers_compare_as_one() {
        let condition = HeaderMatch {
            name: "x-h".into(),
            matcher: exact("a,b"),
            invert: false,
            missing_as_empty: false,
        };
        assert!(condition.matches(&HeaderList(&[("x-h", "a"), ("X-H", "b")])));
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
