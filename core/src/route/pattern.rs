//! Regular expressions, which the engine does not have itself.

use alloc::{sync::Arc, vec::Vec};
use core::fmt;

/// A compiled regular expression. Whoever reads configurations brings an implementation
/// (`type.matcher.v3.RegexMatcher`, RE2 syntax).
pub trait Regex: fmt::Debug + Send + Sync {
    /// Whether the whole text matches.
    fn matches(&self, text: &[u8]) -> bool;

    /// The text with every match replaced; `\\1` in the substitution is the first group.
    fn replace_all(&self, text: &[u8], substitution: &str) -> Vec<u8>;
}

/// A regular expression and its source text, by which two are compared.
#[derive(Debug, Clone)]
pub struct Pattern {
    source: Arc<str>,
    regex: Arc<dyn Regex>,
}

impl Pattern {
    /// The pattern that `source` was compiled to.
    pub fn new(source: impl Into<Arc<str>>, regex: Arc<dyn Regex>) -> Self {
        Self {
            source: source.into(),
            regex,
        }
    }

    /// The text of the expression.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether the whole text matches.
    #[must_use]
    pub fn matches(&self, text: &[u8]) -> bool {
        self.regex.matches(text)
    }

    /// The text with every match replaced.
    #[must_use]
    pub fn replace_all(&self, text: &[u8], substitution: &str) -> Vec<u8> {
        self.regex.replace_all(text, substitution)
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Eq for Pattern {}
