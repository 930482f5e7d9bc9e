//! A JSON reader with positions: one value per text, no comments, no NaN. It is strict (RFC 8259), or
//! as lenient as Envoy's.

mod number;
mod string;

use alloc::{borrow::Cow, format, string::String, vec::Vec};

use spillgate_core::visible::visible;

use super::{
    Document, Entry, Key, MAXIMUM_DEPTH, MAXIMUM_VALUES, Node, NodeValue,
    limits::{check_size, to_u32, too_deep, too_many_values},
    tree::{Repeated, quote, repeated_keys},
};
use crate::{Diagnostic, Position};

/// Reads one JSON text.
///
/// # Errors
/// The first syntax error: code `config/json-syntax`, `config/truncated` when the text ends
/// before the value does, `config/too-deep` or `config/too-large`.
pub fn read(text: &str) -> Result<Document<'_>, Diagnostic> {
    Reader::read(text, false)
}

/// Reads one JSON text as Envoy reads its files: a comma may end a list or an object, a string may
/// have single quotes, a name may have no quotes. The first of them gets a warning.
///
/// # Errors
/// Those of [`read`].
#[cfg(feature = "yaml")]
pub fn read_lenient(text: &str) -> Result<Document<'_>, Diagnostic> {
    Reader::read(text, true)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    line_start: usize,
    /// Bytes of this line before `at` that are not the first byte of a character.
    continuation: usize,
    values: usize,
    /// The values open at `at`, outermost first.
    open: Vec<(&'static str, Position)>,
    warnings: Vec<Diagnostic>,
    /// Whether the text may be of Envoy's own dialect.
    is_lenient: bool,
    /// Whether it got its warning.
    is_warned: bool,
}

impl<'a> Reader<'a> {
    fn read(text: &'a str, is_lenient: bool) -> Result<Document<'a>, Diagnostic> {
        check_size(text.len())?;
        let mut reader = Self::new(text, is_lenient);
        reader.skip_space();
        let root = reader.value()?;
        reader.skip_space();
        match reader.peek() {
            None => Ok(Document {
                roots: alloc::vec![root],
                warnings: reader.warnings,
            }),
            Some(_) => Err(reader.unexpected("end of input")),
        }
    }

    fn new(text: &'a str, is_lenient: bool) -> Self {
        const BYTE_ORDER_MARK: char = '\u{feff}';
        let at = if text.starts_with(BYTE_ORDER_MARK) {
            BYTE_ORDER_MARK.len_utf8()
        } else {
            0
        };
        Self {
            text,
            at,
            line: 1,
            line_start: at,
            continuation: 0,
            values: 0,
            open: Vec::new(),
            warnings: Vec::new(),
            is_lenient,
            is_warned: false,
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn position(&self) -> Position {
        let column = self.at - self.line_start - self.continuation;
        Position {
            line: self.line,
            column: to_u32(column.saturating_add(1)),
        }
    }

    fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'\n' => {
                    self.at += 1;
                    self.line = self.line.saturating_add(1);
                    self.line_start = self.at;
                    self.continuation = 0;
                }
                _ => return,
            }
        }
    }

    fn value(&mut self) -> Result<Node<'a>, Diagnostic> {
        let position = self.position();
        self.values += 1;
        if self.values > MAXIMUM_VALUES {
            return Err(too_many_values(position));
        }
        let value = match self.peek() {
            Some(b'{') => self.map(position)?,
            Some(b'[') => self.list(position)?,
            Some(quote) if self.is_quote(quote) => NodeValue::String(self.string(quote)?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(byte) if byte.is_ascii_alphabetic() => self.word()?,
            _ => return Err(self.unexpected("a value")),
        };
        Ok(Node { value, position })
    }

    fn enter(&mut self, what: &'static str, position: Position) -> Result<(), Diagnostic> {
        if self.open.len() >= MAXIMUM_DEPTH {
            return Err(too_deep(position));
        }
        self.open.push((what, position));
        self.at += 1;
        self.skip_space();
        Ok(())
    }

    fn leave(&mut self) {
        self.open.pop();
        self.at += 1;
    }

    fn list(&mut self, position: Position) -> Result<NodeValue<'a>, Diagnostic> {
        self.enter("list", position)?;
        let mut items = Vec::new();
        if self.peek() != Some(b']') {
            loop {
                items.push(self.value()?);
                if !self.another(b']', "',' or ']'")? {
                    break;
                }
            }
        }
        self.leave();
        items.shrink_to_fit();
        Ok(NodeValue::List(items))
    }

    fn map(&mut self, position: Position) -> Result<NodeValue<'a>, Diagnostic> {
        self.enter("object", position)?;
        let mut entries = Vec::new();
        if self.peek() != Some(b'}') {
            loop {
                entries.push(self.entry()?);
                if !self.another(b'}', "',' or '}'")? {
                    break;
                }
            }
        }
        self.leave();
        entries.shrink_to_fit();
        let how = if self.is_lenient() {
            Repeated::Combined
        } else {
            Repeated::Last
        };
        repeated_keys(&entries, how, &mut self.warnings);
        Ok(NodeValue::Map(entries))
    }

    fn entry(&mut self) -> Result<Entry<'a>, Diagnostic> {
        let position = self.position();
        let name = match self.peek() {
            Some(quote) if self.is_quote(quote) => self.string(quote)?,
            Some(byte) if self.is_lenient() && is_in_name(byte) => self.name(),
            _ => return Err(self.unexpected("a key in double quotes")),
        };
        self.skip_space();
        if self.peek() != Some(b':') {
            return Err(self.unexpected("':'"));
        }
        self.at += 1;
        self.skip_space();
        let node = self.value()?;
        let key = Key { name, position };
        Ok(Entry { key, node })
    }

    /// After an element: whether a comma follows. Stops before `close`.
    fn another(&mut self, close: u8, expected: &str) -> Result<bool, Diagnostic> {
        self.skip_space();
        match self.peek() {
            Some(byte) if byte == close => Ok(false),
            Some(b',') => {
                let comma = self.position();
                self.at += 1;
                self.skip_space();
                if self.peek() != Some(close) {
                    return Ok(true);
                }
                if !self.is_lenient() {
                    return Err(syntax("trailing comma", comma));
                }
                self.warn("trailing comma", comma);
                Ok(false)
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    /// Whether Envoy's dialect is accepted. The filter, whose JSON is strict, is built without it.
    const fn is_lenient(&self) -> bool {
        cfg!(feature = "yaml") && self.is_lenient
    }

    /// Whether a byte begins a string.
    const fn is_quote(&self, byte: u8) -> bool {
        byte == b'"' || (self.is_lenient() && byte == b'\'')
    }

    /// A name without quotes.
    fn name(&mut self) -> Cow<'a, str> {
        let (start, position) = (self.at, self.position());
        while self.peek().is_some_and(is_in_name) {
            self.at += 1;
        }
        self.warn("name without quotes", position);
        Cow::Borrowed(self.text.get(start..self.at).unwrap_or_default())
    }

    /// Warns about the first part of the text that is no JSON.
    fn warn(&mut self, what: &str, position: Position) {
        if !core::mem::replace(&mut self.is_warned, true) {
            let message = format!("{what}; Envoy accepts it, other programs do not");
            let warning = Diagnostic::warning("config/json-dialect", message);
            self.warnings.push(warning.at("", position));
        }
    }

    fn word(&mut self) -> Result<NodeValue<'a>, Diagnostic> {
        let (start, position) = (self.at, self.position());
        while self.peek().is_some_and(|b| b.is_ascii_alphanumeric()) {
            self.at += 1;
        }
        let word = self.text.get(start..self.at).unwrap_or_default();
        match word {
            "null" => Ok(NodeValue::Null),
            "true" => Ok(NodeValue::Bool(true)),
            "false" => Ok(NodeValue::Bool(false)),
            _ if self.peek().is_none()
                && ["null", "true", "false"]
                    .iter()
                    .any(|w| w.starts_with(word)) =>
            {
                Err(self.truncated())
            }
            _ => Err(syntax("not a JSON value", position)
                .found(quote(word))
                .expected("a value; strings require double quotes")),
        }
    }

    fn unexpected(&self, expected: &str) -> Diagnostic {
        let Some(c) = self
            .text
            .get(self.at..)
            .and_then(|rest| rest.chars().next())
        else {
            return self.truncated();
        };
        let message = match c {
            '/' | '#' => "comments are not allowed in JSON",
            _ => "unexpected character",
        };
        let shown = match c {
            '\'' => "\\'".into(),
            c => String::from(visible(c.encode_utf8(&mut [0; 4]))),
        };
        syntax(message, self.position())
            .found(format!("'{shown}'"))
            .expected(expected)
    }

    fn truncated(&self) -> Diagnostic {
        match self.open.last() {
            Some((what, opened)) => self.truncated_in(what, *opened),
            None => Diagnostic::error("config/truncated", "unexpected end of input")
                .at("", self.position())
                .expected("a JSON value"),
        }
    }

    fn truncated_in(&self, what: &str, opened: Position) -> Diagnostic {
        Diagnostic::error(
            "config/truncated",
            format!(
                "unexpected end of input; close the {what} opened at line {}, column {}",
                opened.line, opened.column
            ),
        )
        .at("", self.position())
    }
}

/// Whether a name without quotes can have this byte.
const fn is_in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn syntax(message: &str, position: Position) -> Diagnostic {
    Diagnostic::error("config/json-syntax", message).at("", position)
}
