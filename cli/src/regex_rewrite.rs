//! Regular expressions of routes and hash policies.
//!
//! Envoy has them done by RE2. The `regex` crate shares its syntax and leftmost-first matching;
//! where `\d`, `\s`, `\w` and `\b` know all of Unicode there, they are narrowed to ASCII here,
//! and what only has a meaning there within a class (`[`, `&&`, `~~`) is taken literally, as
//! in RE2. In a rewrite every match is replaced; `\0` to `\9` stand for groups.

use std::sync::Arc;

use regex::bytes::{Captures, Regex, RegexBuilder};
use spillgate_core::route;

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
/// What is wrong with it, in one line.
pub fn compile(source: &str) -> Result<Arc<dyn route::Regex>, String> {
    let source = as_re2_reads(source);
    let build = |text: &str| {
        RegexBuilder::new(text)
            .build()
            .map_err(|error| one_line(&error.to_string()))
    };
    // The expression alone first: between the anchors, "a)(b" would make sense.
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

/// Writes RE2's ASCII classes out, and what is literal there so that it is literal here.
fn as_re2_reads(regex: &str) -> String {
    let mut out = String::with_capacity(regex.len());
    let mut in_class = false;
    let mut chars = regex.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => escape(chars.next(), in_class, &mut out),
            '[' if !in_class => {
                in_class = true;
                out.push(c);
                if chars.next_if_eq(&'^').is_some() {
                    out.push('^');
                }
                // A bracket that comes first is one of the characters.
                if chars.next_if_eq(&']').is_some() {
                    out.push_str(r"\]");
                }
            }
            '[' if chars.peek() == Some(&':') => {
                // [:alpha:] ends with a bracket of its own.
                out.push(c);
                for c in chars.by_ref() {
                    out.push(c);
                    if c == ']' {
                        break;
                    }
                }
            }
            '[' | '&' | '~' if in_class => {
                out.push('\\');
                out.push(c);
            }
            ']' => {
                in_class = false;
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

fn escape(c: Option<char>, in_class: bool, out: &mut String) {
    match (c, in_class) {
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
