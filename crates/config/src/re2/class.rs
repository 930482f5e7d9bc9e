//! Classes of bytes: brackets, and the names of Perl, POSIX and Unicode.

use alloc::{format, string::String, vec};

use super::{
    byte_set::{ByteSet, perl},
    property,
    translate::Translator,
};

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
        let name = str::from_utf8(name).map_err(|_| bad())?;
        let mut set =
            property::property(name).ok_or_else(|| format!("unknown Unicode property {name}"))?;
        if self.folds() {
            set = set.folded();
        }
        Ok(if negated { set.negated() } else { set })
    }
}
