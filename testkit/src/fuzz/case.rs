//! One input: a seed with edits, or any text.

use arbitrary::{Arbitrary, Result, Unstructured};

use super::tokens::tokens;

/// The source of an input.
#[derive(Debug, Clone, PartialEq, Eq, Arbitrary)]
pub enum FuzzInput {
    /// A seed of the target and what happens to it. Most inputs are of this kind: they get past
    /// the first line.
    Edited(u8, Edits),
    /// The same, with more of everything.
    Mixed(u8, u8, Edits),
    /// Any text.
    Plain(String),
}

/// Changes, one after the other: as many as the bytes yield.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edits(Vec<Edit>);

impl<'a> Arbitrary<'a> for Edits {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        const MOST: usize = 64;
        let mut edits = Vec::new();
        while !bytes.is_empty() && edits.len() < MOST {
            edits.push(bytes.arbitrary()?);
        }
        Ok(Self(edits))
    }
}

/// One change to a list of tokens; every number is taken modulo the number of choices.
#[derive(Debug, Clone, PartialEq, Eq, Arbitrary)]
pub(super) enum Edit {
    /// A quoted text that is no name becomes one of the words of trouble.
    Text(u16, u8),
    /// An object or list becomes another one of the text.
    Group(u16, u16),
    /// An object or list is duplicated.
    Twice(u16),
    /// A word, number or quoted text becomes one of the words of trouble.
    Word(u16, u8),
    /// A word, number or quoted text becomes another one of the text.
    Other(u16, u16),
    /// A quoted text becomes another quoted one, which keeps the syntax whole.
    Quoted(u16, u16),
    /// A number becomes one of the words of trouble.
    Number(u16, u8),
    /// Tokens go.
    Remove(u16, u8),
    /// Tokens are copied to another place.
    Copy(u16, u8, u16),
    /// Tokens are repeated many times in one place.
    Repeat(u16, u8, u8),
    /// Another token is inserted before a token.
    Insert(u16, String),
    /// The text ends.
    Cut(u16),
}

/// What numbers, names and lists tend to break on.
const TROUBLE: [&str; 48] = [
    "0",
    "1",
    "-1",
    "0.5",
    "100",
    "101",
    "128",
    "129",
    "65535",
    "65536",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "18446744073709551615",
    "-9223372036854775808",
    "1e308",
    "1e999",
    "-0.0",
    "1.5",
    "null",
    "true",
    "false",
    "no",
    "~",
    "017",
    "0x1F",
    ".inf",
    "NaN",
    "\"\"",
    "\"0\"",
    "\"-1\"",
    "\"1.5\"",
    "\"\\ud800\"",
    "\"\\u0000\"",
    "\"0s\"",
    "\"315576000001s\"",
    "{}",
    "[]",
    "[[]]",
    "{\"\":null}",
    "*",
    "&a",
    "*a",
    "<<",
    "::",
    "!!str",
    "---\n",
    "\u{feff}",
];

/// Texts longer than this grow no further.
const LONGEST: usize = 1 << 16;

impl FuzzInput {
    /// The text.
    #[must_use]
    pub fn text(&self, seeds: &[&str]) -> String {
        let seed = |number: u8| seeds[usize::from(number) % seeds.len()];
        let (text, edits) = match self {
            Self::Plain(text) => return text.clone(),
            Self::Edited(number, edits) => (seed(*number).to_owned(), edits),
            Self::Mixed(one, other, edits) => (format!("{}{}", seed(*one), seed(*other)), edits),
        };
        let mut pieces: Vec<String> = tokens(&text).into_iter().map(str::to_owned).collect();
        for edit in &edits.0 {
            edit.apply(&mut pieces);
            if pieces.iter().map(String::len).sum::<usize>() > LONGEST {
                break;
            }
        }
        pieces.concat()
    }
}

impl Edit {
    fn apply(&self, pieces: &mut Vec<String>) {
        let count = pieces.len();
        if count == 0 {
            return;
        }
        let at = |place: &u16| usize::from(*place) % count;
        let end = |place: &u16, length: &u8| (at(place) + usize::from(length % 32)).min(count);
        match self {
            Self::Text(place, word) => {
                let no_name = |at: &usize| {
                    let next = pieces.get(at + 1).map_or("", String::as_str);
                    is_quoted(&pieces[*at]) && next != ":"
                };
                if let Some(at) = pick(count, place, no_name) {
                    pieces[at] = trouble(*word);
                }
            }
            Self::Group(place, other) => {
                let opens = |at: &usize| is_open(&pieces[*at]);
                if let Some(at) = pick(count, place, opens)
                    && let Some(other) = pick(count, other, opens)
                {
                    let other = pieces[group(pieces, other)].to_vec();
                    let range = group(pieces, at);
                    pieces.splice(range, other);
                }
            }
            Self::Twice(place) => {
                if let Some(at) = pick(count, place, |at| is_open(&pieces[*at])) {
                    let range = group(pieces, at);
                    let mut copied = pieces[range.clone()].to_vec();
                    copied.insert(0, ", ".to_owned());
                    pieces.splice(range.end..range.end, copied);
                }
            }
            Self::Word(place, word) => {
                if let Some(at) = pick(count, place, |at| is_value(&pieces[*at])) {
                    pieces[at] = trouble(*word);
                }
            }
            Self::Number(place, word) => {
                if let Some(at) = pick(count, place, |at| is_number(&pieces[*at])) {
                    pieces[at] = trouble(*word);
                }
            }
            Self::Other(place, other) => exchange(pieces, place, other, is_value),
            Self::Quoted(place, other) => exchange(pieces, place, other, is_quoted),
            Self::Remove(place, length) => {
                pieces.drain(at(place)..end(place, length));
            }
            Self::Copy(place, length, to) => {
                let copied = pieces[at(place)..end(place, length)].to_vec();
                pieces.splice(at(to)..at(to), copied);
            }
            Self::Repeat(place, length, times) => {
                let copied = pieces[at(place)..end(place, length)].concat();
                let longest = LONGEST / copied.len().max(1);
                let copies = copied.repeat(usize::from(*times).min(longest));
                pieces.insert(at(place), copies);
            }
            Self::Insert(place, text) => pieces.insert(at(place), text.clone()),
            Self::Cut(place) => pieces.truncate(at(place)),
        }
    }
}

fn trouble(word: u8) -> String {
    TROUBLE[usize::from(word) % TROUBLE.len()].to_owned()
}

fn is_quoted(piece: &str) -> bool {
    piece.starts_with('"')
}

fn is_number(piece: &str) -> bool {
    piece.starts_with(|c: char| c.is_ascii_digit())
}

fn is_value(piece: &str) -> bool {
    is_quoted(piece) || piece.starts_with(char::is_alphanumeric)
}

fn is_open(piece: &str) -> bool {
    matches!(piece, "{" | "[")
}

/// From a bracket to the one that closes it, or to the end.
fn group(pieces: &[String], start: usize) -> std::ops::Range<usize> {
    let mut depth = 0_usize;
    for (at, piece) in pieces.iter().enumerate().skip(start) {
        match piece.as_str() {
            "{" | "[" => depth += 1,
            "}" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return start..at + 1;
        }
    }
    start..pieces.len()
}

/// One of that many places of a kind, if there are any.
fn pick(count: usize, place: &u16, kind: impl Fn(&usize) -> bool) -> Option<usize> {
    let of_kind = (0..count).filter(&kind).count();
    let nth = usize::from(*place).checked_rem(of_kind)?;
    (0..count).filter(kind).nth(nth)
}

fn exchange(pieces: &mut [String], place: &u16, other: &u16, kind: fn(&str) -> bool) {
    let of_kind = |at: &usize| kind(&pieces[*at]);
    let found = [place, other].map(|place| pick(pieces.len(), place, of_kind));
    if let [Some(at), Some(other)] = found {
        pieces[at] = pieces[other].clone();
    }
}
