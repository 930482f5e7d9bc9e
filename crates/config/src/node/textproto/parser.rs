//! The fields and values of the text format.

use alloc::{borrow::Cow, format, string::String, vec::Vec};

use super::{
    lexer::{Lexeme, Lexer, fault},
    shape::{message, repeated},
};
use crate::{
    Diagnostic, Position,
    node::{
        Entry, Key, MAXIMUM_DEPTH, MAXIMUM_VALUES, Node, NodeValue,
        limits::{too_deep, too_many_values},
    },
};

/// Reads a text.
pub(super) struct Parser<'a> {
    lexer: Lexer<'a>,
    depth: usize,
    values: usize,
}

/// The value of one occurrence of a field: several in a list.
type Occurrence<'a> = (Key<'a>, Vec<Node<'a>>);

impl<'a> Parser<'a> {
    pub(super) const fn new(lexer: Lexer<'a>) -> Self {
        Self {
            lexer,
            depth: 0,
            values: 0,
        }
    }

    /// The fields up to a closing sign; up to the end without one.
    pub(super) fn fields(&mut self, close: Option<u8>) -> Result<Vec<Entry<'a>>, Diagnostic> {
        let mut found = Vec::new();
        loop {
            while self.lexer.takes(b',')? || self.lexer.takes(b';')? {}
            match (&self.lexer.next().token, close) {
                (Lexeme::End, None) => return Ok(repeated(found)),
                (Lexeme::Sign(sign), Some(close)) if *sign == close => {
                    self.lexer.take()?;
                    return Ok(repeated(found));
                }
                (Lexeme::Word(_) | Lexeme::Sign(b'['), _) => found.push(self.field()?),
                (_, Some(close)) => {
                    let expected = format!("a field or '{}'", char::from(close));
                    return Err(self.lexer.unexpected(&expected));
                }
                (_, None) => return Err(self.lexer.unexpected("a field")),
            }
        }
    }

    fn field(&mut self) -> Result<Occurrence<'a>, Diagnostic> {
        let first = self.lexer.take()?;
        let name = match first.token {
            Lexeme::Word(word) => Cow::Borrowed(word),
            _ => Cow::Owned(self.type_name()?),
        };
        let is_type = matches!(&name, Cow::Owned(_));
        let colon = self.lexer.takes(b':')?;
        let is_list = self.lexer.next().token == Lexeme::Sign(b'[');
        let is_message = matches!(self.lexer.next().token, Lexeme::Sign(b'{' | b'<'));
        if !colon && !is_list && !is_message {
            return Err(self.lexer.unexpected("':' or a message"));
        }
        let values = if is_list {
            self.list(&name)?
        } else {
            [self.value(&name)?].into()
        };
        let key = Key {
            name: if is_type {
                // An expanded `Any`: `shape` moves the name into its message.
                Cow::Owned(format!("[{name}]"))
            } else {
                name
            },
            position: first.position,
        };
        Ok((key, values))
    }

    /// The rest of `[type.googleapis.com/NAME]`.
    fn type_name(&mut self) -> Result<String, Diagnostic> {
        let mut name = String::new();
        loop {
            match &self.lexer.next().token {
                Lexeme::Word(word) => name.push_str(word),
                Lexeme::Sign(sign @ (b'/' | b'-' | b'%')) => name.push(char::from(*sign)),
                Lexeme::Sign(b']') => {
                    self.lexer.take()?;
                    return Ok(name);
                }
                _ => return Err(self.lexer.unexpected("the name of a type and ']'")),
            }
            self.lexer.take()?;
        }
    }

    fn list(&mut self, name: &str) -> Result<Vec<Node<'a>>, Diagnostic> {
        self.lexer.take()?;
        let mut values = Vec::new();
        if self.lexer.takes(b']')? {
            return Ok(values);
        }
        loop {
            values.push(self.value(name)?);
            if self.lexer.takes(b']')? {
                return Ok(values);
            }
            if !self.lexer.takes(b',')? {
                return Err(self.lexer.unexpected("',' or ']'"));
            }
        }
    }

    fn value(&mut self, name: &str) -> Result<Node<'a>, Diagnostic> {
        let position = self.lexer.next().position;
        self.values += 1;
        if self.values > MAXIMUM_VALUES {
            return Err(too_many_values(position));
        }
        let taken = match &self.lexer.next().token {
            Lexeme::Sign(b'{' | b'<' | b'-') | Lexeme::Word(_) | Lexeme::Text(_) => {
                self.lexer.take()?
            }
            _ => return Err(self.lexer.unexpected("a value")),
        };
        let value = match taken.token {
            Lexeme::Sign(b'-') => match self.lexer.take()?.token {
                Lexeme::Word(word) => {
                    number(word, true).ok_or_else(|| fault("not a number", position))?
                }
                _ => return Err(fault("not a number", position)),
            },
            Lexeme::Sign(open) => {
                let close = if open == b'{' { b'}' } else { b'>' };
                return self.message(name, close, position);
            }
            Lexeme::Text(text) => NodeValue::String(self.strings(text)?),
            Lexeme::Word(word) => match number(word, false) {
                Some(number) => number,
                None => match word {
                    "true" | "True" | "t" => NodeValue::Bool(true),
                    "false" | "False" | "f" => NodeValue::Bool(false),
                    word if word.starts_with(|c: char| c.is_ascii_digit()) => {
                        return Err(fault("not a number", position));
                    }
                    word => NodeValue::String(Cow::Borrowed(word)),
                },
            },
            Lexeme::End => return Err(fault("a value is missing", position)),
        };
        Ok(Node { value, position })
    }

    fn message(
        &mut self,
        name: &str,
        close: u8,
        position: Position,
    ) -> Result<Node<'a>, Diagnostic> {
        if self.depth >= MAXIMUM_DEPTH {
            return Err(too_deep(position));
        }
        self.depth += 1;
        let entries = self.fields(Some(close))?;
        self.depth -= 1;
        Ok(Node {
            value: message(name, entries),
            position,
        })
    }

    /// Strings that follow each other are one.
    fn strings(&mut self, first: Cow<'a, str>) -> Result<Cow<'a, str>, Diagnostic> {
        let mut whole = first;
        while let Lexeme::Text(more) = &self.lexer.next().token {
            whole.to_mut().push_str(more);
            self.lexer.take()?;
        }
        Ok(whole)
    }
}

/// A number: decimal, hexadecimal (`0x`), octal (`0`), or with a fraction.
fn number(word: &str, negative: bool) -> Option<NodeValue<'_>> {
    if !word.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    let hexadecimal = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"));
    let magnitude = match (hexadecimal, word.strip_prefix('0')) {
        (Some(digits), _) => u64::from_str_radix(digits, 16).ok(),
        (None, Some(digits))
            if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) =>
        {
            Some(u64::from_str_radix(digits, 8).ok()?)
        }
        (None, _) => word.parse().ok(),
    };
    if let Some(value) = magnitude {
        let signed = i64::try_from(value).ok();
        return match (signed, negative) {
            (Some(value), false) => Some(NodeValue::Int(value)),
            (Some(value), true) => Some(NodeValue::Int(-value)),
            (None, false) => Some(NodeValue::Uint(value)),
            (None, true) => None,
        };
    }
    let decimal = word.trim_end_matches(['f', 'F']);
    let value: f64 = decimal.parse().ok()?;
    value.is_finite().then(|| {
        NodeValue::Decimal(if negative {
            Cow::Owned(format!("-{decimal}"))
        } else {
            Cow::Borrowed(decimal)
        })
    })
}
