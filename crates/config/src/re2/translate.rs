//! Regular expressions in RE2's syntax, as Envoy compiles them: every byte is a Latin-1 character.
//!
//! The translation uses only the syntax that the `regex` crate reads in the same way, without Unicode.

use alloc::{
    format,
    string::{String, ToString as _},
    vec,
    vec::Vec,
};
use core::fmt::Write as _;

use super::byte_set::ByteSet;

/// The highest number of repetitions that RE2 accepts.
const MOST_REPEATED: u32 = 1000;

/// Translates an expression.
///
/// # Errors
/// The reason why Envoy refuses it.
pub(super) fn translate(pattern: &str) -> Result<String, String> {
    let mut translator = Translator {
        rest: pattern.as_bytes(),
        out: String::from("(?-u)"),
        folds: vec![false],
        last: Last::Nothing,
    };
    while let Some(byte) = translator.next() {
        translator.item(byte)?;
    }
    match translator.folds.len() {
        1 => Ok(translator.out),
        _ => Err("unclosed group".into()),
    }
}

/// What a repetition would repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    Nothing,
    Item,
    Repetition,
}

pub(super) struct Translator<'p> {
    pub(super) rest: &'p [u8],
    pub(super) out: String,
    /// Whether letters match in both cases, by open group.
    pub(super) folds: Vec<bool>,
    pub(super) last: Last,
}

impl Translator<'_> {
    pub(super) fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    /// Skips a text if it follows.
    pub(super) fn take(&mut self, text: &[u8]) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    pub(super) fn folds(&self) -> bool {
        self.folds.last() == Some(&true)
    }

    fn item(&mut self, byte: u8) -> Result<(), String> {
        match byte {
            b'\\' => return self.escape(),
            b'[' => {
                let set = self.class()?;
                self.put_set(&set);
            }
            b'(' => return self.open(),
            b')' => {
                self.folds.pop();
                if self.folds.is_empty() {
                    return Err("unopened group".into());
                }
                self.put(")");
            }
            b'|' => {
                self.put("|");
                self.last = Last::Nothing;
            }
            b'*' | b'+' | b'?' => return self.repeat(&char::from(byte).to_string()),
            b'{' => match self.counts()? {
                Some(counts) => return self.repeat(&counts),
                None => self.put_byte(byte),
            },
            b'^' | b'$' | b'.' => self.put(char::from(byte).encode_utf8(&mut [0; 4])),
            _ => self.put_byte(byte),
        }
        Ok(())
    }

    /// Writes an item.
    pub(super) fn put(&mut self, text: &str) {
        self.out.push_str(text);
        self.last = Last::Item;
    }

    /// Writes a byte that matches itself.
    pub(super) fn put_byte(&mut self, byte: u8) {
        let mut set = ByteSet::default();
        set.add(byte, byte);
        self.put_set(&if self.folds() { set.folded() } else { set });
    }

    /// Writes a class of bytes.
    pub(super) fn put_set(&mut self, set: &ByteSet) {
        let text = set.text();
        self.put(&text);
    }

    fn repeat(&mut self, operator: &str) -> Result<(), String> {
        match self.last {
            Last::Nothing => {
                return Err(format!("repetition operator {operator} without argument"));
            }
            Last::Repetition => return Err(format!("bad repetition operator {operator}")),
            Last::Item => self.out.push_str(operator),
        }
        if self.take(b"?") {
            self.out.push('?');
        }
        self.last = Last::Repetition;
        Ok(())
    }

    /// The counts of a repetition after its brace; `None` if the brace is a character.
    fn counts(&mut self) -> Result<Option<String>, String> {
        let Some(end) = self.rest.iter().position(|&byte| byte == b'}') else {
            return Ok(None);
        };
        let (inside, rest) = self.rest.split_at(end);
        let inside = String::from_utf8_lossy(inside);
        let (least, most) = match inside.split_once(',') {
            Some((least, most)) => (least, Some(most)),
            None => (inside.as_ref(), None),
        };
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let most = most.filter(|most| !most.is_empty());
        if least.is_empty() || !digits(least) || !most.is_none_or(digits) {
            return Ok(None);
        }
        // A number that does not fit is above the limit, too.
        let number = |text: &str| text.parse().unwrap_or(u32::MAX);
        let (first, last) = (number(least), most.map_or(number(least), number));
        if first.max(last) > MOST_REPEATED || last < first {
            return Err(format!("bad repetition operator {{{inside}}}"));
        }
        let mut counts = String::new();
        // Writing to a text cannot fail.
        let _ = match (inside.contains(','), most) {
            (false, _) => write!(counts, "{{{first}}}"),
            (true, None) => write!(counts, "{{{first},}}"),
            (true, Some(_)) => write!(counts, "{{{first},{last}}}"),
        };
        self.rest = rest.get(1..).unwrap_or_default();
        Ok(Some(counts))
    }
}
