//! Comparing texts (`StringMatcher`).

use alloc::string::String;

use super::Pattern;

/// A condition on a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StringMatch {
    /// How it compares.
    pub text: TextMatch,
    /// Without regard to ASCII case; a regular expression does not heed it.
    pub ignore_case: bool,
}

/// A comparison of texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextMatch {
    /// Equal.
    Exact(String),
    /// Begins with.
    Prefix(String),
    /// Ends with.
    Suffix(String),
    /// Contains.
    Contains(String),
    /// Matches as a whole.
    Regex(Pattern),
}

impl StringMatch {
    /// Whether a text meets the condition.
    #[must_use]
    pub fn matches(&self, value: &[u8]) -> bool {
        let equal = |a: &[u8], b: &str| equal(a, b.as_bytes(), self.ignore_case);
        match &self.text {
            TextMatch::Exact(text) => equal(value, text),
            TextMatch::Prefix(text) => starts_with(value, text.as_bytes(), self.ignore_case),
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

pub(super) fn starts_with(text: &[u8], prefix: &[u8], ignore_case: bool) -> bool {
    text.get(..prefix.len())
        .is_some_and(|start| equal(start, prefix, ignore_case))
}

pub(super) fn equal(a: &[u8], b: &[u8], ignore_case: bool) -> bool {
    if ignore_case {
        a.eq_ignore_ascii_case(b)
    } else {
        a == b
    }
}
