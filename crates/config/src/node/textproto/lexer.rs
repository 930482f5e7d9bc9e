//! The words of the text format, with their positions.

use alloc::{borrow::Cow, format, string::String};

use super::strings::unescaped;
use crate::{Diagnostic, Position, node::quote};

/// A word.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Lexeme<'a> {
    /// A name, a value of an enum, or a number, as written.
    Word(&'a str),
    /// A string, without its quotes and escapes.
    Text(Cow<'a, str>),
    /// Any other character.
    Sign(u8),
    End,
}

/// A word and the place of its first character.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Placed<'a> {
    pub(super) token: Lexeme<'a>,
    pub(super) position: Position,
}

/// Reads word by word; [`Lexer::next`] is the one that has not been taken.
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    position: Position,
    next: Placed<'a>,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Result<Self, Diagnostic> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut lexer = Self {
            text,
            at: 0,
            position: Position::START,
            next: Placed {
                token: Lexeme::End,
                position: Position::START,
            },
        };
        lexer.take()?;
        Ok(lexer)
    }

    /// The word that comes next.
    pub(super) const fn next(&self) -> &Placed<'a> {
        &self.next
    }

    /// Takes it.
    pub(super) fn take(&mut self) -> Result<Placed<'a>, Diagnostic> {
        let read = self.read()?;
        Ok(core::mem::replace(&mut self.next, read))
    }

    /// Takes it if it is this sign.
    pub(super) fn takes(&mut self, sign: u8) -> Result<bool, Diagnostic> {
        let is = self.next.token == Lexeme::Sign(sign);
        if is {
            self.take()?;
        }
        Ok(is)
    }

    /// The fault of a word that should be something else.
    pub(super) fn unexpected(&self, expected: &str) -> Diagnostic {
        let found = match &self.next.token {
            Lexeme::Word(word) => quote(word),
            Lexeme::Text(text) => quote(text),
            Lexeme::Sign(sign) => format!("'{}'", char::from(*sign)),
            Lexeme::End => "the end of the text".into(),
        };
        fault("unexpected value", self.next.position)
            .found(found)
            .expected(expected)
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip(&mut self, part: &str) {
        self.at += part.len();
        for c in part.chars() {
            if c == '\n' {
                self.position.line = self.position.line.saturating_add(1);
                self.position.column = 1;
            } else {
                self.position.column = self.position.column.saturating_add(1);
            }
        }
    }

    fn skip_space(&mut self) {
        loop {
            let rest = self.rest();
            let space = rest.len() - rest.trim_start().len();
            self.skip(rest.get(..space).unwrap_or_default());
            if !self.rest().starts_with('#') {
                return;
            }
            let comment = self.rest().split('\n').next().unwrap_or_default();
            self.skip(comment);
        }
    }

    fn read(&mut self) -> Result<Placed<'a>, Diagnostic> {
        self.skip_space();
        let position = self.position;
        let rest = self.rest();
        let token = match rest.bytes().next() {
            None => Lexeme::End,
            Some(quote @ (b'"' | b'\'')) => self.string(quote, position)?,
            Some(byte) if is_of_word(byte) => {
                let end = word_length(rest);
                let word = rest.get(..end).unwrap_or_default();
                self.skip(word);
                Lexeme::Word(word)
            }
            Some(byte) => {
                let sign = rest.chars().next().map_or(1, char::len_utf8);
                self.skip(rest.get(..sign).unwrap_or_default());
                Lexeme::Sign(byte)
            }
        };
        Ok(Placed { token, position })
    }

    fn string(&mut self, quote: u8, position: Position) -> Result<Lexeme<'a>, Diagnostic> {
        let body = self.rest().get(1..).unwrap_or_default();
        let mut escaped = false;
        let end = body.bytes().position(|byte| {
            let ends = byte == b'\n' || (byte == quote && !escaped);
            escaped = byte == b'\\' && !escaped;
            ends
        });
        let end = end.filter(|end| body.as_bytes().get(*end) == Some(&quote));
        let Some(end) = end else {
            return Err(fault("string without its end", position));
        };
        let raw = body.get(..end).unwrap_or_default();
        let text = if raw.contains('\\') {
            let bytes = unescaped(raw).ok_or_else(|| fault("unknown escape", position))?;
            let text = String::from_utf8(bytes);
            Cow::Owned(text.map_err(|_| fault("bytes that are not UTF-8", position))?)
        } else {
            Cow::Borrowed(raw)
        };
        let whole = self.rest().get(..end + 2).unwrap_or_default();
        self.skip(whole);
        Ok(Lexeme::Text(text))
    }
}

/// A syntax error.
pub(super) fn fault(message: &str, position: Position) -> Diagnostic {
    Diagnostic::error("config/textproto-syntax", message).at("", position)
}

/// The length of the word at the start. A number has the sign of its exponent; its own sign is another word.
fn word_length(rest: &str) -> usize {
    let is_number = rest.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && !rest.starts_with("0x")
        && !rest.starts_with("0X");
    let mut before = 0;
    let part = rest.bytes().take_while(|byte| {
        let sign = matches!(byte, b'-' | b'+');
        let of_exponent = is_number && sign && matches!(before, b'e' | b'E');
        before = *byte;
        is_of_word(*byte) || of_exponent
    });
    part.count()
}

/// A number has a point, and a type has several.
const fn is_of_word(byte: u8) -> bool {
    is_of_name(byte) || byte == b'.'
}

/// Whether a name can have this character.
pub(super) const fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
