//! The line of a position in a text, unless it may have a secret.

use std::ops::Range;

use spillgate_config::{
    Position,
    secret_names::is_secret_name,
    secret_text::{is_value_field, looks_secret},
};

/// Lines with more bytes are cut.
const LONG: usize = 20_000;
/// The number of kept characters of a long line before the position.
const BEFORE: usize = 60;
/// The number of kept characters of a long line after the position.
const AFTER: usize = 120;

/// A line of a text, and the value at a position in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The line, or the part around the position of a long one. A position at its end has a space.
    pub text: String,
    /// The bytes of the scalar, key or bracket at the position.
    pub marked: Range<usize>,
    /// Whether the line has more than the text.
    pub is_cut: bool,
}

/// The lines of a text for positions in text order: an earlier position is found by a search from the start,
/// because lines can be long and columns count characters.
#[derive(Debug)]
pub struct Excerpts<'t> {
    text: &'t str,
    /// The bytes of the present line.
    range: Range<usize>,
    line: u32,
    column: u32,
    /// The offset of the column in the line.
    byte: usize,
    /// Whether the line may have a secret, once that is known.
    is_hidden: Option<bool>,
}

impl<'t> Excerpts<'t> {
    /// The lines of a text.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        Self {
            text,
            range: 0..line_length(text),
            line: 1,
            column: 1,
            byte: 0,
            is_hidden: None,
        }
    }

    /// The line of a position; `None` if the text has none, or a line that may have a secret.
    pub fn at(&mut self, position: Position) -> Option<Excerpt> {
        if position.line < self.line {
            *self = Self::new(self.text);
        }
        while self.line < position.line {
            let start = self.range.end.saturating_add(1);
            let length = line_length(self.text.get(start..)?);
            self.range = start..start + length;
            self.line += 1;
            (self.column, self.byte) = (1, 0);
            self.is_hidden = None;
        }
        let line = self.text.get(self.range.clone())?;
        let line = line.strip_suffix('\r').unwrap_or(line);
        let is_hidden = self.is_hidden.unwrap_or_else(|| {
            let before = self.text.get(..self.range.start).unwrap_or_default();
            let after = self.text.get(self.range.end..).unwrap_or_default();
            may_have_secret(line)
                || ends_with_secret_name(before)
                || names(line).any(is_value_field) && is_near_secret_name(before, after)
        });
        self.is_hidden = Some(is_hidden);
        if is_hidden {
            return None;
        }
        if position.column < self.column {
            (self.column, self.byte) = (1, 0);
        }
        let rest = line.get(self.byte..)?;
        let columns = position.column.saturating_sub(self.column) as usize;
        let found = rest.char_indices().nth(columns);
        self.byte += found.map_or(rest.len(), |(byte, _)| byte);
        self.column = position.column;
        excerpt(line, self.byte)
    }
}

/// The number of bytes before the end of a line.
fn line_length(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}

/// The part of a line around a byte.
fn excerpt(line: &str, start: usize) -> Option<Excerpt> {
    let is_cut = line.len() > LONG;
    let (before, rest) = line.split_at_checked(start)?;
    let (most_before, most_after) = if is_cut {
        (BEFORE, AFTER)
    } else {
        (usize::MAX, usize::MAX)
    };
    let kept = before.char_indices().rev().take(most_before).last();
    let kept = before.get(kept.map_or(before.len(), |(byte, _)| byte)..)?;
    let mut text = String::from(kept);
    let from = text.len();
    text.extend(rest.chars().take(most_after));
    let length = value_length(rest);
    if length == 0 {
        // A value at the end of the line has no character to mark.
        text.push(' ');
    }
    let to = (from + length.max(1)).min(text.len());
    Some(Excerpt {
        text,
        marked: from..to,
        is_cut,
    })
}

/// Fields that have the bytes of keys and certificates, too.
const SECRET_FIELDS: [&str; 2] = ["inline_string", "inline_bytes"];

/// The number of base64 digits that a token key has at least.
const KEY_DIGITS: usize = 40;

/// Whether a line may have a secret: logs keep what is printed, so such a line is not shown.
fn may_have_secret(line: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=');
    let mut runs = line.split(|c| !is_digit(c));
    runs.any(|run| run.len() >= KEY_DIGITS) || looks_secret(line) || names(line).any(is_secret)
}

/// Whether a text ends with the name of a secret, so that its value is on the next line.
fn ends_with_secret_name(text: &str) -> bool {
    let text = text.trim_end();
    let line = text.rsplit('\n').next().unwrap_or_default();
    text.ends_with(':') && names(line).last().is_some_and(is_secret)
}

/// Whether the name of a value in the lines around it is that of a secret.
fn is_near_secret_name(before: &str, after: &str) -> bool {
    /// The most lines between a value and its name, as in `string_match`.
    const NEAR: usize = 3;
    let before = before.trim_end().rsplit('\n').take(NEAR);
    let after = after.trim_start().split('\n').take(NEAR);
    before.chain(after).flat_map(names).any(is_secret)
}

/// The words of a line that can be names.
fn names(line: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    let words = line.split(move |c| !is_part(c));
    words.filter(|word| !word.is_empty())
}

fn is_secret(name: &str) -> bool {
    SECRET_FIELDS.contains(&name) || is_secret_name(name)
}

/// The length in bytes of the scalar, key or bracket at the start of a text.
fn value_length(text: &str) -> usize {
    let mut characters = text.char_indices();
    let Some((_, first)) = characters.next() else {
        return 0;
    };
    if matches!(first, '"' | '\'') {
        let end = characters.find(|(_, c)| *c == first);
        return end.map_or(text.len(), |(end, quote)| end + quote.len_utf8());
    }
    let ends = |c: char| c.is_whitespace() || matches!(c, ',' | ':' | ']' | '}' | '{' | '[');
    let end = characters.find(|(_, c)| ends(*c));
    end.map_or(text.len(), |(end, _)| end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_hide_their_whole_line_and_the_next_one() {
        for (hidden, line) in [
            (true, "{apiKey: abc, x: 1}"),
            (true, "{key: authorization, value: Bearer abc}"),
            (true, "x-api-key: abc"),
            (true, "inline_string: abc"),
            (false, "key: stage"),
            (false, "authority: a"),
        ] {
            let shown = Excerpts::new(line).at(Position::START).is_some();
            assert_eq!(shown, !hidden, "{line}");
        }
        let far = format!("password: {} x: 1", "y ".repeat(LONG));
        let column = u32::try_from(far.len()).unwrap();
        assert_eq!(Excerpts::new(&far).at(Position { line: 1, column }), None);
        let next = Position { line: 2, column: 3 };
        assert_eq!(Excerpts::new("password:\n  abc").at(next), None);
        assert!(Excerpts::new("hosts:\n  abc").at(next).is_some());
        for text in [
            "- name: authorization\n  exact: abc",
            "\n- exact: abc\n  name: authorization",
            "- name: x\n  value: Bearer abcdef",
        ] {
            assert_eq!(Excerpts::new(text).at(next), None, "{text}");
        }
        assert!(Excerpts::new("- name: x\n  exact: abc").at(next).is_some());
    }

    #[test]
    fn a_long_line_is_cut_around_the_value() {
        let line = format!(
            "{}é: value, {}",
            "x ".repeat(LONG / 2),
            "y ".repeat(LONG / 2)
        );
        let column = u32::try_from(LONG + 4).unwrap();
        let found = Excerpts::new(&line).at(Position { line: 1, column });
        let found = found.unwrap();
        assert!(found.is_cut);
        assert_eq!(found.text.chars().count(), BEFORE + AFTER);
        assert_eq!(found.text.get(found.marked), Some("value"));
    }
}
