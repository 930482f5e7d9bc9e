//! Escape sequences.

use alloc::{format, string::String};

use super::{byte_set::perl, translate::Translator};

impl Translator<'_> {
    /// Translates an escape sequence outside of a class, after its backslash.
    pub(super) fn escape(&mut self) -> Result<(), String> {
        let Some(&letter) = self.rest.first() else {
            return Err("trailing backslash".into());
        };
        let item = match letter {
            b'A' => r"\A",
            b'z' => r"\z",
            // In parentheses: braces after it are characters.
            b'b' => r"(?:\b)",
            b'B' => r"(?:\B)",
            b'C' => "(?s:.)",
            b'Q' => {
                self.next();
                self.quoted();
                return Ok(());
            }
            b'p' | b'P' => {
                self.next();
                let set = self.property(letter)?;
                self.put_set(&set);
                return Ok(());
            }
            _ => {
                match perl(letter) {
                    Some(set) => {
                        self.next();
                        self.put_set(&set);
                    }
                    None => {
                        let byte = self.escaped_byte()?;
                        self.put_byte(byte);
                    }
                }
                return Ok(());
            }
        };
        self.next();
        self.put(item);
        Ok(())
    }

    /// Characters without meaning, up to `\E` or the end.
    fn quoted(&mut self) {
        while !self.rest.is_empty() && !self.take(br"\E") {
            if let Some(byte) = self.next() {
                self.put_byte(byte);
            }
        }
    }

    /// The byte of an escape sequence.
    pub(super) fn escaped_byte(&mut self) -> Result<u8, String> {
        let Some(letter) = self.next() else {
            return Err("trailing backslash".into());
        };
        let bad = || format!("bad escape sequence \\{}", char::from(letter));
        Ok(match letter {
            b'a' => 0x07,
            b'f' => 0x0c,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 0x0b,
            b'x' => self.hexadecimal().ok_or_else(bad)?,
            b'0'..=b'7' => self.octal(letter).ok_or_else(bad)?,
            _ if letter.is_ascii() && !letter.is_ascii_alphanumeric() => letter,
            _ => return Err(bad()),
        })
    }

    /// Two digits, or any number of them in braces.
    fn hexadecimal(&mut self) -> Option<u8> {
        let digits = if self.take(b"{") {
            let end = self.rest.iter().position(|&byte| byte == b'}')?;
            let digits = self.rest.get(..end)?;
            self.rest = self.rest.get(end.saturating_add(1)..)?;
            digits
        } else {
            let (digits, rest) = self.rest.split_at_checked(2)?;
            self.rest = rest;
            digits
        };
        let is_digit = |byte: &u8| byte.is_ascii_hexdigit();
        let text = str::from_utf8(digits).ok();
        let text = text.filter(|text| !text.is_empty() && digits.iter().all(is_digit))?;
        u8::from_str_radix(text, 16).ok()
    }

    /// Up to three digits; a single one other than 0 would be a reference to a group.
    fn octal(&mut self, first: u8) -> Option<u8> {
        let digit = |byte: u8| u32::from(byte.saturating_sub(b'0'));
        let mut value = digit(first);
        for at in 0..2 {
            let next = self.rest.first().copied();
            let Some(next) = next.filter(|byte| (b'0'..=b'7').contains(byte)) else {
                if at == 0 && first != b'0' {
                    return None;
                }
                break;
            };
            self.next();
            value = value.checked_mul(8)?.checked_add(digit(next))?;
        }
        u8::try_from(value).ok()
    }
}
