//! Strings and their escapes.

use alloc::{borrow::Cow, string::String};

use super::{Reader, syntax};
use crate::{Diagnostic, Position};

impl<'a> Reader<'a> {
    /// The string after a quote, which ends it.
    pub(super) fn string(&mut self, quote: u8) -> Result<Cow<'a, str>, Diagnostic> {
        let opened = self.position();
        if quote != b'"' {
            self.warn("string in single quotes", opened);
        }
        self.at += 1;
        let mut start = self.at;
        let mut unescaped: Option<String> = None;
        loop {
            match self.peek() {
                Some(byte) if byte == quote => {
                    let rest = self.text.get(start..self.at).unwrap_or_default();
                    self.at += 1;
                    return Ok(match unescaped {
                        None => Cow::Borrowed(rest),
                        Some(mut text) => {
                            text.push_str(rest);
                            Cow::Owned(text)
                        }
                    });
                }
                Some(b'\\') => {
                    let text = unescaped.get_or_insert_default();
                    text.push_str(self.text.get(start..self.at).unwrap_or_default());
                    let c = self.escape(opened)?;
                    unescaped.get_or_insert_default().push(c);
                    start = self.at;
                }
                Some(0..=0x1f) => {
                    return Err(syntax(
                        "unescaped control character in a string",
                        self.position(),
                    ));
                }
                Some(byte) => {
                    if byte & 0xc0 == 0x80 {
                        self.continuation += 1;
                    }
                    self.at += 1;
                }
                None => return Err(self.truncated_in("string", opened)),
            }
        }
    }

    fn escape(&mut self, opened: Position) -> Result<char, Diagnostic> {
        let position = self.position();
        self.at += 1;
        let Some(byte) = self.peek() else {
            return Err(self.truncated_in("string", opened));
        };
        self.at += 1;
        Ok(match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'\'' if self.is_lenient() => '\'',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode_escape(position, opened),
            _ => return Err(syntax("unknown escape in a string", position)),
        })
    }

    fn unicode_escape(&mut self, position: Position, opened: Position) -> Result<char, Diagnostic> {
        let lone = || syntax("unpaired surrogate in a string", position);
        let first = self.hex4(position, opened)?;
        let code = match first {
            0xd800..=0xdbff => {
                if self.text.as_bytes().get(self.at..self.at + 2) != Some(b"\\u") {
                    return Err(lone());
                }
                self.at += 2;
                let second = self.hex4(position, opened)?;
                if !(0xdc00..=0xdfff).contains(&second) {
                    return Err(lone());
                }
                0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)
            }
            code => code,
        };
        char::from_u32(code).ok_or_else(lone)
    }

    fn hex4(&mut self, position: Position, opened: Position) -> Result<u32, Diagnostic> {
        let mut code = 0;
        for _ in 0..4 {
            let Some(byte) = self.peek() else {
                return Err(self.truncated_in("string", opened));
            };
            let Some(digit) = char::from(byte).to_digit(16) else {
                return Err(syntax("\\u requires four hexadecimal digits", position));
            };
            code = code * 16 + digit;
            self.at += 1;
        }
        Ok(code)
    }
}
