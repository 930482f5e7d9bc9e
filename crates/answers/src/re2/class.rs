//! Classes of bytes: brackets, Perl's and POSIX' names, and Unicode properties of Latin-1.

use std::fmt::Write as _;

use regex::Regex;

use super::Translator;

/// A set of bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ByteSet(Vec<(u8, u8)>);

/// The names between `[:` and `:]`, with ranges as pairs of characters.
const POSIX: [(&str, &[u8]); 14] = [
    ("alnum", b"09AZaz"),
    ("alpha", b"AZaz"),
    ("ascii", b"\x00\x7f"),
    ("blank", b"\t\t  "),
    ("cntrl", b"\x00\x1f\x7f\x7f"),
    ("digit", b"09"),
    ("graph", b"!~"),
    ("lower", b"az"),
    ("print", b" ~"),
    ("punct", b"!/:@[`{~"),
    ("space", b"\t\r  "),
    ("upper", b"AZ"),
    ("word", b"09AZ__az"),
    ("xdigit", b"09AFaf"),
];

/// The general categories that RE2 knows, except scripts.
const CATEGORIES: &str = "Any C Cc Cf Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi \
                          Po Ps S Sc Sk Sm So Z Zl Zp Zs";

impl ByteSet {
    pub(super) fn add(&mut self, first: u8, last: u8) {
        self.0.push((first, last));
    }

    pub(super) fn join(&mut self, other: &Self) {
        self.0.extend_from_slice(&other.0);
    }

    /// The set with pairs of first and last bytes.
    fn of(pairs: &[u8]) -> Self {
        let pairs = pairs.chunks_exact(2);
        Self(
            pairs
                .filter_map(|pair| Some((*pair.first()?, *pair.last()?)))
                .collect(),
        )
    }

    fn has(&self, byte: u8) -> bool {
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

impl Translator<'_> {
    /// Reads a class after its bracket.
    pub(super) fn class(&mut self) -> Result<ByteSet, String> {
        let negated = self.take(b"^");
        let mut set = ByteSet::default();
        let mut is_first = true;
        loop {
            if !is_first && self.take(b"]") {
                break;
            }
            is_first = false;
            if let Some(named) = self.named_class()? {
                set.join(&named);
                continue;
            }
            let first = self.class_byte()?;
            let is_range = self.rest.first() == Some(&b'-')
                && self.rest.get(1).is_some_and(|&next| next != b']');
            let mut last = first;
            if is_range {
                self.next();
                last = self.class_byte()?;
            }
            if last < first {
                return Err("bad character class range".into());
            }
            set.add(first, last);
        }
        if self.folds() {
            set = set.folded();
        }
        Ok(if negated { set.negated() } else { set })
    }

    /// A class with a name inside of a class.
    fn named_class(&mut self) -> Result<Option<ByteSet>, String> {
        if let [b'\\', letter, ..] = *self.rest {
            if let Some(set) = perl(letter) {
                self.rest = self.rest.get(2..).unwrap_or_default();
                return Ok(Some(set));
            }
            if matches!(letter, b'p' | b'P') {
                self.rest = self.rest.get(2..).unwrap_or_default();
                return self.property(letter).map(Some);
            }
        }
        let Some(rest) = self.rest.strip_prefix(b"[:") else {
            return Ok(None);
        };
        let Some(end) = rest.windows(2).position(|pair| pair == b":]") else {
            return Ok(None);
        };
        let (name, rest) = rest.split_at(end);
        let (positive, is_negated) = match name.strip_prefix(b"^") {
            Some(name) => (name, true),
            None => (name, false),
        };
        let found = POSIX.iter().find(|(known, _)| known.as_bytes() == positive);
        let Some((_, pairs)) = found else {
            let name = String::from_utf8_lossy(name);
            return Err(format!("unknown character class [:{name}:]"));
        };
        self.rest = rest.get(2..).unwrap_or_default();
        let set = ByteSet::of(pairs);
        Ok(Some(if is_negated { set.negated() } else { set }))
    }

    /// A single byte of a class.
    fn class_byte(&mut self) -> Result<u8, String> {
        match self.next() {
            None => Err("unclosed character class".into()),
            Some(b'\\') => self.escaped_byte(),
            Some(byte) => Ok(byte),
        }
    }

    /// The Latin-1 characters with a Unicode property, whose name follows.
    pub(super) fn property(&mut self, letter: u8) -> Result<ByteSet, String> {
        let bad = || String::from("unknown Unicode property");
        let name = match self.next().ok_or_else(bad)? {
            b'{' => {
                let end = self.rest.iter().position(|&byte| byte == b'}');
                let (name, rest) = self.rest.split_at(end.ok_or_else(bad)?);
                self.rest = rest.get(1..).unwrap_or_default();
                name.to_vec()
            }
            byte => vec![byte],
        };
        let (name, negated) = match name.strip_prefix(b"^") {
            Some(name) => (name, letter == b'p'),
            None => (name.as_slice(), letter == b'P'),
        };
        let name = std::str::from_utf8(name).map_err(|_| bad())?;
        let known = CATEGORIES
            .split_ascii_whitespace()
            .any(|known| known == name);
        let expression = match (known, name.as_bytes().first()) {
            (true, _) if name == "Any" => String::from(r"(?s)\A.\z"),
            (true, _) => format!(r"\A\p{{{name}}}\z"),
            // The names of scripts; RE2 does not ignore case.
            (false, Some(b'A'..=b'Z')) if name.len() > 2 => {
                format!(r"\A\p{{Script={name}}}\z")
            }
            _ => return Err(format!("unknown Unicode property {name}")),
        };
        let expression =
            Regex::new(&expression).map_err(|_| format!("unknown Unicode property {name}"))?;
        let mut set = ByteSet::where_byte(|byte| {
            expression.is_match(char::from(byte).encode_utf8(&mut [0; 4]))
        });
        if self.folds() {
            set = set.folded();
        }
        Ok(if negated { set.negated() } else { set })
    }
}
