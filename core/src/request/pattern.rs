//! Regular expressions. The engine defines traits; the configuration reader provides the
//! implementation.

use alloc::{boxed::Box, string::String, sync::Arc, vec::Vec};
use core::{cmp::Ordering, fmt};

/// A compiled regular expression with RE2 syntax (`type.matcher.v3.RegexMatcher`).
pub trait Regex: fmt::Debug + Send + Sync {
    /// Whether the expression matches the whole text.
    fn matches(&self, text: &[u8]) -> bool;

    /// Compiles a substitution for the matches of this expression; `\1` is the first group.
    ///
    /// # Errors
    /// The problem with the substitution, in one line.
    fn rewrite(&self, substitution: &str) -> Result<Arc<dyn Rewrite>, String>;
}

/// A compiled expression with its substitution.
pub trait Rewrite: fmt::Debug + Send + Sync {
    /// The text with every match replaced.
    fn replace_all(&self, text: &[u8]) -> Vec<u8>;
}

/// A regular expression with its source text. Two patterns are equal if their source texts are
/// equal.
#[derive(Debug, Clone)]
pub struct Pattern {
    source: Arc<str>,
    regex: Arc<dyn Regex>,
}

impl Pattern {
    /// A pattern; `regex` is the compiled form of `source`.
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

    /// Whether the pattern matches the whole text.
    #[must_use]
    pub fn matches(&self, text: &[u8]) -> bool {
        self.regex.matches(text)
    }

    /// A rewrite of this pattern's matches.
    ///
    /// # Errors
    /// The problem with the substitution, in one line.
    pub fn rewrite(&self, substitution: &str) -> Result<RegexRewrite, String> {
        Ok(RegexRewrite {
            source: self.source.clone(),
            substitution: substitution.into(),
            rewrite: self.regex.rewrite(substitution)?,
        })
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Eq for Pattern {}

impl PartialOrd for Pattern {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Pattern {
    fn cmp(&self, other: &Self) -> Ordering {
        self.source.cmp(&other.source)
    }
}

/// Replaces every match of a pattern (`type.matcher.v3.RegexMatchAndSubstitute`). Two rewrites are
/// equal if their texts are equal.
#[derive(Debug, Clone)]
pub struct RegexRewrite {
    source: Arc<str>,
    substitution: Box<str>,
    rewrite: Arc<dyn Rewrite>,
}

impl RegexRewrite {
    /// The text of the expression.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The text that replaces a match.
    #[must_use]
    pub fn substitution(&self) -> &str {
        &self.substitution
    }

    /// The text with every match replaced.
    #[must_use]
    pub fn replace_all(&self, text: &[u8]) -> Vec<u8> {
        self.rewrite.replace_all(text)
    }
}

impl PartialEq for RegexRewrite {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source && self.substitution == other.substitution
    }
}

impl Eq for RegexRewrite {}
