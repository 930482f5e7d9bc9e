//! A text that a regular expression matches.

use regex_syntax::{
    ParserBuilder,
    hir::{Class, Hir, HirKind},
};

/// A short text that the expression matches as a whole, or nothing: the syntax of RE2 differs in places, so the
/// caller checks the text.
pub(crate) fn example_of(source: &str) -> Option<String> {
    let mut parser = ParserBuilder::new().utf8(false).unicode(false).build();
    let parsed = parser.parse(source).ok()?;
    let mut text = Vec::new();
    write(&parsed, &mut text);
    String::from_utf8(text).ok()
}

fn write(hir: &Hir, text: &mut Vec<u8>) {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.extend_from_slice(&literal.0),
        HirKind::Class(class) => text.extend(member(class)),
        HirKind::Repetition(repetition) => {
            // One of an optional part shows more than none.
            let count = repetition.min.max(u32::from(repetition.max != Some(0)));
            for _ in 0..count.min(MOST) {
                write(&repetition.sub, text);
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, text),
        HirKind::Concat(parts) => parts.iter().for_each(|part| write(part, text)),
        HirKind::Alternation(branches) => {
            if let Some(first) = branches.first() {
                write(first, text);
            }
        }
    }
}

/// The most repetitions of a part.
const MOST: u32 = 64;

/// A letter or digit of the class if it has one, else any member.
fn member(class: &Class) -> Option<u8> {
    let has = |byte: u8| match class {
        Class::Bytes(bytes) => {
            let mut ranges = bytes.ranges().iter();
            ranges.any(|range| (range.start()..=range.end()).contains(&byte))
        }
        Class::Unicode(characters) => {
            let mut ranges = characters.ranges().iter();
            let character = char::from(byte);
            ranges.any(|range| (range.start()..=range.end()).contains(&character))
        }
    };
    let readable = (b'a'..=b'z').chain(b'0'..=b'9').chain(b'A'..=b'Z');
    readable.chain(b'!'..=b'~').find(|byte| has(*byte))
}
