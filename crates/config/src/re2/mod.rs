//! Regular expressions of routes and hash policies.
//!
//! Envoy uses RE2. The `regex` crate has the same leftmost-first matching; [`translate`] removes the
//! differences of its syntax. A rewrite replaces every match; `\0` to `\9` refer to groups.
//!
//! The features of the crate change its speed and its tables of Unicode, which the translation does not use,
//! but no match: so commands and the playground agree.

mod byte_set;
mod class;
mod escape;
mod group;
mod property;
mod translate;

use alloc::{
    format,
    string::{String, ToString as _},
    sync::Arc,
    vec::Vec,
};

use regex::bytes::{Captures, Regex, RegexBuilder};
use spillgate_core::route;

use translate::translate;

/// A compiled expression.
#[derive(Debug)]
struct Expression {
    /// Finds matches anywhere.
    anywhere: Regex,
    /// Matches whole texts.
    whole: Regex,
}

/// A compiled rewrite.
#[derive(Debug)]
struct Rewrite {
    regex: Regex,
    substitution: Vec<Piece>,
}

/// A part of a substitution.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(Vec<u8>),
    Group(usize),
}

/// Compiles an expression.
///
/// # Errors
/// The error of the expression, in one line.
pub fn compile(source: &str) -> Result<Arc<dyn route::Regex>, String> {
    let source = translate(source)?;
    let build = |text: &str| {
        RegexBuilder::new(text)
            .build()
            .map_err(|error| one_line(&error.to_string()))
    };
    // Compiled alone first: between the anchors, "a)(b" would be valid.
    let anywhere = build(&source)?;
    let whole = build(&format!(r"\A(?:{source})\z"))?;
    Ok(Arc::new(Expression { anywhere, whole }))
}

impl route::Regex for Expression {
    fn matches(&self, text: &[u8]) -> bool {
        self.whole.is_match(text)
    }

    fn rewrite(&self, substitution: &str) -> Result<Arc<dyn route::Rewrite>, String> {
        let substitution = pieces(substitution, self.anywhere.captures_len())?;
        Ok(Arc::new(Rewrite {
            regex: self.anywhere.clone(),
            substitution,
        }))
    }
}

impl route::Rewrite for Rewrite {
    fn replace_all(&self, value: &[u8]) -> Vec<u8> {
        let replaced = self.regex.replace_all(value, |captures: &Captures<'_>| {
            let mut out = Vec::new();
            for piece in &self.substitution {
                match piece {
                    Piece::Text(text) => out.extend_from_slice(text),
                    // A group without a match is empty.
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

/// Splits a substitution into text and group references.
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
                        "substitution uses group {group}, but the expression has {} groups",
                        groups.saturating_sub(1)
                    ));
                }
                pieces.push(Piece::Text(core::mem::take(&mut text)));
                pieces.push(Piece::Group(group));
            }
            _ => {
                return Err(
                    "backslash in a substitution must precede a digit or a backslash".into(),
                );
            }
        }
    }
    pieces.push(Piece::Text(text));
    Ok(pieces)
}

/// The last line of an error message, which has the reason.
fn one_line(text: &str) -> String {
    let last = text.lines().rfind(|line| !line.trim().is_empty());
    last.unwrap_or(text).trim().into()
}

#[cfg(test)]
mod syntax_tests;

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(regex: &str, substitution: &str, value: &str) -> String {
        let rewrite = compile(regex).unwrap().rewrite(substitution).unwrap();
        String::from_utf8(rewrite.replace_all(value.as_bytes())).unwrap()
    }

    fn matches(regex: &str, value: &str) -> bool {
        compile(regex).unwrap().matches(value.as_bytes())
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
    fn the_whole_text_must_match() {
        assert!(matches("/a|/ab", "/ab"));
        assert!(!matches("/a", "/ab"));
        assert!(!matches("/a", "/a\n"));
        assert!(matches("^/a$", "/a"));
        assert!(!matches("/A", "/a"));
        assert!(matches("(?i)/A", "/a"));
    }

    #[test]
    fn classes_are_ascii() {
        // An Arabic-Indic digit is no digit for RE2.
        assert_eq!(rewritten(r"\d", "x", "1\u{661}"), "x\u{661}");
        assert_eq!(rewritten(r"[\w-]+", "x", "a-b é"), "x é");
        // Each byte is a character.
        assert_eq!(rewritten("[^a]", "x", "aé"), "axx");
    }

    #[test]
    fn classes_have_no_operators() {
        assert!(matches("[a&&b]+", "a&b"));
        assert!(matches("[[a]+", "[a"));
        assert!(matches("[]a]+", "]a"));
        assert!(matches("[^]a]+", "b["));
        assert!(matches("[[:alpha:]_]+", "a_"));
    }

    #[test]
    fn faults_are_named() {
        assert!(compile("(").unwrap_err().contains("unclosed group"));
        assert!(compile("a)(b").is_err());
        let substitution = |text| compile("a").unwrap().rewrite(text);
        assert!(substitution(r"\1").unwrap_err().contains("group 1"));
        assert!(substitution(r"\x").is_err());
    }
}
