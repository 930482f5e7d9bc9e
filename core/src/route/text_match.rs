//! String conditions (`envoy.type.matcher.v3.StringMatcher`).

use alloc::string::String;

use super::Pattern;

/// A condition on a text.
///
/// # Examples
/// ```
/// use spillgate_core::route::{StringMatch, TextMatch};
///
/// let condition = StringMatch {
///     text: TextMatch::Prefix("Mobile".into()),
///     ignore_case: true,
/// };
/// assert!(condition.matches(b"mobile-app"));
/// assert!(!condition.matches(b"desktop"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StringMatch {
    /// The comparison.
    pub text: TextMatch,
    /// Whether ASCII case is ignored (`ignore_case`). Regular expressions ignore this field.
    pub ignore_case: bool,
}

/// A comparison of texts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextMatch {
    /// The text equals this one (`exact`).
    Exact(String),
    /// The text starts with this one (`prefix`).
    Prefix(String),
    /// The text ends with this one (`suffix`).
    Suffix(String),
    /// The text contains this one (`contains`).
    Contains(String),
    /// The whole text matches (`safe_regex`).
    Regex(Pattern),
}

impl StringMatch {
    /// Whether a text meets the condition.
    #[must_use]
    pub fn matches(&self, value: &[u8]) -> bool {
        let case = if self.ignore_case {
            Case::Insensitive
        } else {
            Case::Sensitive
        };
        let equal = |a: &[u8], b: &str| equal(a, b.as_bytes(), case);
        match &self.text {
            TextMatch::Exact(text) => equal(value, text),
            TextMatch::Prefix(text) => starts_with(value, text.as_bytes(), case),
            TextMatch::Suffix(text) => value
                .len()
                .checked_sub(text.len())
                .and_then(|start| value.get(start..))
                .is_some_and(|end| equal(end, text)),
            TextMatch::Contains(text) => {
                text.is_empty() || value.windows(text.len()).any(|part| equal(part, text))
            }
            TextMatch::Regex(pattern) => pattern.matches(value),
        }
    }
}

/// How ASCII letters compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    Sensitive,
    Insensitive,
}

pub(super) fn starts_with(text: &[u8], prefix: &[u8], case: Case) -> bool {
    text.get(..prefix.len())
        .is_some_and(|start| equal(start, prefix, case))
}

pub(super) fn equal(a: &[u8], b: &[u8], case: Case) -> bool {
    match case {
        Case::Sensitive => a == b,
        Case::Insensitive => a.eq_ignore_ascii_case(b),
    }
}
