//! Regular expressions of hash policies (`regex_rewrite`).
//!
//! Envoy has them done by RE2: every match is replaced, `\0` to `\9` in the substitution stand
//! for groups. The `regex` crate shares RE2's syntax and leftmost-first matching; where `\d`,
//! `\s`, `\w` and `\b` know all of Unicode there, they are narrowed to ASCII here, as in RE2.

use std::sync::Arc;

use regex::bytes::{Captures, Regex, RegexBuilder};
use spillgate_core::route;

/// A compiled rewrite.
#[derive(Debug)]
pub(crate) struct RegexRewrite {
    regex: Regex,
    substitution: Vec<Piece>,
}

/// A part of a substitution.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(Vec<u8>),
    Group(usize),
}

impl RegexRewrite {
    /// Compiles an expression and its substitution.
    ///
    /// # Errors
    /// What is wrong with either, in one line.
    pub(crate) fn new(regex: &str, substitution: &str) -> Result<Self, String> {
        let regex = RegexBuilder::new(&ascii_classes(regex))
            .build()
            .map_err(|error| one_line(&error.to_string()))?;
        let substitution = pieces(substitution, regex.captures_len())?;
        Ok(Self {
            regex,
            substitution,
        })
    }

    /// The same, ready for a hash policy.
    ///
    /// # Errors
    /// As [`RegexRewrite::new`].
    pub(crate) fn shared(regex: &str, substitution: &str) -> Result<route::RegexRewrite, String> {
        let compiled = Arc::new(Self::new(regex, substitution)?);
        Ok(route::RegexRewrite {
            pattern: route::Pattern::new(regex, compiled),
            substitution: substitution.into(),
        })
    }
}

impl route::Regex for RegexRewrite {
    fn matches(&self, text: &[u8]) -> bool {
        self.regex.is_match(text)
    }

    fn replace_all(&self, value: &[u8], _: &str) -> Vec<u8> {
        let replaced = self.regex.replace_all(value, |captures: &Captures<'_>| {
            let mut out = Vec::new();
            for piece in &self.substitution {
                match piece {
                    Piece::Text(text) => out.extend_from_slice(text),
                    // A group that took no part stands for nothing.
                    Piece::Group(group) => {
                        if let Some(found) = captures.get(*group) {
                            out.extend_from_slice(found.as_bytes());
                        }
                    }
                }
            }
            out
        });
        replaced.into_owned()
    }
}

/// Writes RE2's ASCII classes out.
fn ascii_classes(regex: &str) -> String {
    let mut out = String::with_capacity(regex.len());
    let mut in_class = false;
    let mut chars = regex.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            match c {
                '[' => in_class = true,
                ']' => in_class = false,
                _ => {}
            }
            out.push(c);
            continue;
        }
        match (chars.next(), in_class) {
            (Some('d'), _) => out.push_str("[0-9]"),
            (Some('D'), _) => out.push_str("[^0-9]"),
            (Some('w'), _) => out.push_str("[0-9A-Za-z_]"),
            (Some('W'), _) => out.push_str("[^0-9A-Za-z_]"),
            (Some('s'), _) => out.push_str(r"[\t\n\x0c\r ]"),
            (Some('S'), _) => out.push_str(r"[^\t\n\x0c\r ]"),
            (Some('b'), false) => out.push_str(r"(?-u:\b)"),
            (Some(other), _) => {
                out.push('\\');
                out.push(other);
            }
            (None, _) => out.push('\\'),
        }
    }
    out
}

fn pieces(substitution: &str, groups: usize) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut text = Vec::new();
    let mut bytes = substitution.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            text.push(byte);
            continue;
        }
        match bytes.next() {
            Some(b'\\') => text.push(b'\\'),
            Some(digit) if digit.is_ascii_digit() => {
                let group = usize::from(digit - b'0');
                if group >= groups {
                    return Err(format!(
                        "the substitution names group {group}; the expression has {}",
                        groups.saturating_sub(1)
                    ));
                }
                pieces.push(Piece::Text(std::mem::take(&mut text)));
                pieces.push(Piece::Group(group));
            }
            _ => return Err("a backslash in a substitution needs a digit or a backslash".into()),
        }
    }
    pieces.push(Piece::Text(text));
    Ok(pieces)
}

fn one_line(text: &str) -> String {
    let last = text.lines().rfind(|line| !line.trim().is_empty());
    last.unwrap_or(text).trim().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(regex: &str, substitution: &str, value: &str) -> String {
        let rewrite = RegexRewrite::new(regex, substitution).unwrap();
        String::from_utf8(route::Regex::replace_all(
            &rewrite,
            value.as_bytes(),
            substitution,
        ))
        .unwrap()
    }

    #[test]
    fn every_match_is_replaced() {
        assert_eq!(rewritten(r"^v(\d+)-.*$", r"\1", "v42-abc"), "42");
        assert_eq!(rewritten("a", "b", "banana"), "bbnbnb");
        assert_eq!(
            rewritten("(x)(y)?", r"[\0|\2|\\]", "x-xy"),
            r"[x||\]-[xy|y|\]"
        );
        assert_eq!(rewritten("nothing", "b", "banana"), "banana");
    }

    #[test]
    fn classes_are_ascii() {
        // An Arabic-Indic digit is no digit for RE2.
        assert_eq!(rewritten(r"\d", "x", "1\u{661}"), "x\u{661}");
        assert_eq!(rewritten(r"[\w-]+", "x", "a-b é"), "x é");
    }

    #[test]
    fn faults_are_named() {
        assert!(
            RegexRewrite::new("(", "")
                .unwrap_err()
                .contains("unclosed group")
        );
        assert!(
            RegexRewrite::new("a", r"\1")
                .unwrap_err()
                .contains("group 1")
        );
        assert!(RegexRewrite::new("a", r"\x").is_err());
    }
}
