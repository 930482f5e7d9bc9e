//! Faults in the text of a loss, an expectation or criteria.

use alloc::{
    string::{String, ToString as _},
    vec::Vec,
};
use core::fmt;

/// One fault in a short text such as `zone=a:40%`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecFault {
    /// The stable code, such as `what-if/selector`.
    pub code: &'static str,
    /// The column, in characters from 1.
    pub column: usize,
    /// The problem.
    pub message: &'static str,
    /// The faulty part of the text.
    pub found: String,
    /// A description of valid text.
    pub expected: String,
    /// The valid names, for suggestions.
    pub choices: Vec<String>,
}

/// A part of a text, and its position.
#[derive(Debug, Clone, Copy)]
pub struct Piece<'a> {
    /// The part.
    pub text: &'a str,
    /// The number of characters before it.
    pub before: usize,
}

impl SpecFault {
    /// A fault of a part of a text.
    #[must_use]
    pub fn new(
        code: &'static str,
        at: Piece<'_>,
        message: &'static str,
        expected: impl Into<String>,
    ) -> Self {
        Self {
            code,
            column: at.before + 1,
            message,
            found: alloc::format!("\"{}\"", at.text),
            expected: expected.into(),
            choices: Vec::new(),
        }
    }

    /// Adds the valid names, also to `expected`.
    #[must_use]
    pub fn one_of<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Self {
        /// The maximum number of names in `expected`.
        const MOST: usize = 8;
        for name in names {
            if !self.choices.iter().any(|known| known == name) {
                self.choices.push(name.to_string());
            }
        }
        let shown = self.choices.get(..MOST).unwrap_or(&self.choices);
        if !shown.is_empty() {
            self.expected = alloc::format!("one of {}", shown.join(", "));
            if let more @ 1.. = self.choices.len() - shown.len() {
                self.expected.push_str(&alloc::format!(" and {more} more"));
            }
        }
        self
    }
}

impl SpecFault {
    /// The fault of a text in two clusters: for the same part, the names that are valid in either.
    #[must_use]
    pub fn or(self, other: &Self) -> Self {
        if (self.column, &self.found) != (other.column, &other.found) {
            return self;
        }
        self.one_of(other.choices.iter().map(String::as_str))
    }
}

impl fmt::Display for SpecFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            message,
            found,
            expected,
            ..
        } = self;
        write!(f, "{message}; found {found}, expected {expected}")
    }
}

impl core::error::Error for SpecFault {}

impl<'a> Piece<'a> {
    /// All of a text.
    #[must_use]
    pub const fn whole(text: &'a str) -> Self {
        Self { text, before: 0 }
    }

    /// Without surrounding whitespace.
    #[must_use]
    pub fn trimmed(self) -> Self {
        let from_start = self.text.trim_start();
        let blanks = self.text.chars().count() - from_start.chars().count();
        Self {
            text: from_start.trim_end(),
            before: self.before + blanks,
        }
    }

    /// The parts before and after the first separator.
    #[must_use]
    pub fn split_once(self, separator: char) -> Option<(Self, Self)> {
        let (first, rest) = self.text.split_once(separator)?;
        Some(self.halves(first, rest))
    }

    /// The parts before and after the last separator.
    #[must_use]
    pub fn rsplit_once(self, separator: char) -> Option<(Self, Self)> {
        let (first, rest) = self.text.rsplit_once(separator)?;
        Some(self.halves(first, rest))
    }

    /// The parts between separators.
    pub fn split(self, separator: char) -> impl Iterator<Item = Self> {
        let mut before = self.before;
        self.text.split(separator).map(move |text| {
            let piece = Self { text, before };
            before += text.chars().count() + 1;
            piece
        })
    }

    /// The part after a prefix.
    #[must_use]
    pub fn after(self, prefix: &str) -> Option<Self> {
        let text = self.text.strip_prefix(prefix)?;
        let before = self.before + prefix.chars().count();
        Some(Self { text, before })
    }

    /// The parts before and after a separator at this byte.
    #[must_use]
    pub fn cut(self, at: usize, separator: &str) -> Option<(Self, Self)> {
        let (first, rest) = self.text.split_at_checked(at)?;
        let (first, rest) = self.halves(first, rest.strip_prefix(separator)?);
        let before = rest.before + separator.chars().count() - 1;
        Some((first, Self { before, ..rest }))
    }

    /// The part before a final character.
    #[must_use]
    pub fn until_end(self, end: char) -> Option<Self> {
        let text = self.text.strip_suffix(end)?;
        Some(Self { text, ..self })
    }

    fn halves(self, first: &'a str, rest: &'a str) -> (Self, Self) {
        let before = self.before + first.chars().count() + 1;
        let first = Self {
            text: first,
            before: self.before,
        };
        (first, Self { text: rest, before })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_positions() {
        let piece = Piece::whole("é=1, b=2");
        let parts: Vec<(usize, &str)> = piece
            .split(',')
            .map(|part| part.trimmed())
            .map(|part| (part.before, part.text))
            .collect();
        assert_eq!(parts, [(0, "é=1"), (5, "b=2")]);
        let (_, rest) = piece.rsplit_once('=').unwrap();
        assert_eq!((rest.before, rest.text), (7, "2"));
    }

    #[test]
    fn at_most_eight_names_are_listed() {
        let fault = |count: usize| {
            let names: Vec<String> = (0..count).map(|n| n.to_string()).collect();
            let fault = SpecFault::new("x", Piece::whole("q"), "wrong", "a name");
            fault.one_of(names.iter().map(String::as_str)).expected
        };
        assert_eq!(fault(0), "a name");
        assert_eq!(fault(2), "one of 0, 1");
        assert_eq!(fault(10), "one of 0, 1, 2, 3, 4, 5, 6, 7 and 2 more");
    }
}
