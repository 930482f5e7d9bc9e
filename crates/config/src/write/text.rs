//! Writes a tree as text. Both formats share the layout: values that fit on a line are on one line.

use alloc::{format, string::String};

use super::tree::{Fields, Tree};

/// Maximum line length for lists and objects.
const LINE: usize = 96;

/// The form of scalars and keys.
pub(super) trait Spelling {
    fn key(name: &str, out: &mut String);
    fn text(text: &str, out: &mut String);
}

/// A value on one line, if it fits into `room` characters.
pub(super) fn inline<S: Spelling>(tree: &Tree, room: usize) -> Option<String> {
    let mut out = String::new();
    flow::<S>(tree, room, &mut out).then_some(out)
}

/// The room on a line after this indentation.
pub(super) fn room(indent: usize) -> usize {
    LINE.saturating_sub(indent)
}

/// Appends a value in brackets; `false` as soon as it is longer than `room`.
pub(super) fn flow<S: Spelling>(tree: &Tree, room: usize, out: &mut String) -> bool {
    match tree {
        Tree::Null => out.push_str("null"),
        Tree::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Tree::Int(value) => out.push_str(&format!("{value}")),
        Tree::Double(value) | Tree::Number(value) => out.push_str(&number(*value)),
        Tree::Text(text) => S::text(text, out),
        Tree::List(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                separate(at, out);
                if !flow::<S>(item, room, out) {
                    return false;
                }
            }
            out.push(']');
        }
        Tree::Map(fields) => {
            out.push('{');
            for (at, (name, value)) in fields.iter().enumerate() {
                separate(at, out);
                S::key(name, out);
                out.push_str(": ");
                if !flow::<S>(value, room, out) {
                    return false;
                }
            }
            out.push('}');
        }
    }
    out.len() <= room
}

fn separate(at: usize, out: &mut String) {
    if at > 0 {
        out.push_str(", ");
    }
}

/// Whether a value is a non-empty list or object.
pub(super) fn nests(tree: &Tree) -> bool {
    match tree {
        Tree::List(items) => !items.is_empty(),
        Tree::Map(fields) => *fields != Fields::new(),
        _ => false,
    }
}

pub(super) fn new_line(indent: usize, out: &mut String) {
    out.push('\n');
    for _ in 0..indent {
        out.push(' ');
    }
}

/// The shortest text that reads back as the same double, with a sign on a negative zero.
fn number(value: f64) -> String {
    const LARGEST: f64 = 1e17;
    const LEAST: f64 = 1e-7;
    let size = if value < 0.0 { -value } else { value };
    if size == 0.0 {
        return String::from(if value.is_sign_negative() {
            "-0.0"
        } else {
            "0"
        });
    }
    if (LEAST..LARGEST).contains(&size) {
        format!("{value}")
    } else {
        format!("{value:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_bit_by_bit() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "-0.0"),
            (1.0, "1"),
            (-2.5, "-2.5"),
            (0.1, "0.1"),
            (1e300, "1e300"),
            (-1.5e-9, "-1.5e-9"),
            (9_007_199_254_740_993.0, "9007199254740992"),
            (f64::MIN_POSITIVE, "2.2250738585072014e-308"),
        ] {
            assert_eq!(number(value), text);
            let back = spillgate_core::decimal::parse(text).unwrap();
            assert_eq!(back.to_bits(), value.to_bits(), "{text}");
        }
    }
}
