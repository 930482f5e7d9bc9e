//! A set of bytes, and the sets that letters after a backslash name.

use alloc::{string::String, vec::Vec};
use core::fmt::Write as _;

/// A set of bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ByteSet(Vec<(u8, u8)>);

impl ByteSet {
    pub(super) fn add(&mut self, first: u8, last: u8) {
        self.0.push((first, last));
    }

    pub(super) fn join(&mut self, other: &Self) {
        self.0.extend_from_slice(&other.0);
    }

    /// The set with pairs of first and last bytes.
    pub(super) fn of(pairs: &[u8]) -> Self {
        let pairs = pairs.chunks_exact(2);
        Self(
            pairs
                .filter_map(|pair| Some((*pair.first()?, *pair.last()?)))
                .collect(),
        )
    }

    pub(super) fn has(&self, byte: u8) -> bool {
        self.0
            .iter()
            .any(|(first, last)| (*first..=*last).contains(&byte))
    }

    fn where_byte(is_in: impl Fn(u8) -> bool) -> Self {
        let bytes = (0..=u8::MAX).filter(|&byte| is_in(byte));
        Self(bytes.map(|byte| (byte, byte)).collect())
    }

    pub(super) fn negated(&self) -> Self {
        Self::where_byte(|byte| !self.has(byte))
    }

    /// With the letters of the other case; in Latin-1, RE2 folds only those of ASCII.
    pub(super) fn folded(&self) -> Self {
        Self::where_byte(|byte| {
            self.has(byte) || (byte.is_ascii_alphabetic() && self.has(byte ^ 0x20))
        })
    }

    /// The class in the syntax of the `regex` crate.
    pub(super) fn text(&self) -> String {
        let mut text = String::from("[");
        let mut open = None;
        for byte in 0..=u8::MAX {
            match (self.has(byte), open) {
                (true, None) => open = Some(byte),
                (false, Some(first)) => {
                    range(&mut text, first, byte.saturating_sub(1));
                    open = None;
                }
                _ => {}
            }
        }
        if let Some(first) = open {
            range(&mut text, first, u8::MAX);
        }
        match text.as_str() {
            // A class without members.
            "[" => String::from(r"[^\x00-\xFF]"),
            _ => text + "]",
        }
    }
}

fn range(text: &mut String, first: u8, last: u8) {
    // Writing to a text cannot fail.
    let _ = write!(text, r"\x{first:02X}-\x{last:02X}");
}

/// The class of a letter after a backslash, such as `\d`.
pub(super) fn perl(letter: u8) -> Option<ByteSet> {
    let set = ByteSet::of(match letter.to_ascii_lowercase() {
        b'd' => b"09",
        b'w' => b"09AZ__az",
        b's' => b"\t\n\x0c\r  ",
        _ => return None,
    });
    Some(if letter.is_ascii_uppercase() {
        set.negated()
    } else {
        set
    })
}
