//! The hash of a value.

use alloc::{string::String, vec::Vec};

use spillgate_core::hash::xxh64;

use super::{Entry, Node, NodeValue};

/// A hash of a value in which the order of keys, null values, and the forms of numbers and times do not count.
#[must_use]
pub fn canonical_hash(node: &Node<'_>) -> u64 {
    canonical_hash_of("", node)
}

/// As [`canonical_hash`], of the value of a field with this name, which can be a time.
#[must_use]
pub fn canonical_hash_of(field: &str, node: &Node<'_>) -> u64 {
    let mut text = Vec::new();
    write(field, node, &mut text);
    xxh64(&text, 0)
}

/// Writes the value of a field; elements of a list have its name.
fn write(field: &str, node: &Node<'_>, out: &mut Vec<u8>) {
    match &node.value {
        NodeValue::Null => out.push(b'n'),
        NodeValue::Bool(value) => out.extend([b'b', u8::from(*value)]),
        NodeValue::Int(value) => write_int(*value, out),
        NodeValue::Uint(value) => {
            out.push(b'u');
            out.extend(value.to_le_bytes());
        }
        NodeValue::Decimal(text) => match integral(text) {
            Some(value) => write_int(value, out),
            None => write_text(b'd', text, out),
        },
        NodeValue::String(text) => match seconds(text).filter(|_| is_time(field)) {
            Some(seconds) => write_text(b's', &seconds, out),
            None => write_text(b's', text, out),
        },
        NodeValue::List(items) => {
            out.push(b'[');
            items.iter().for_each(|item| write(field, item, out));
            out.push(b']');
        }
        NodeValue::Map(entries) => {
            let set = entries.iter();
            let set = set.filter(|entry| entry.node.value != NodeValue::Null);
            let mut set: Vec<&Entry<'_>> = set.collect();
            set.sort_by(|a, b| a.key.name.cmp(&b.key.name));
            out.push(b'{');
            for entry in set {
                write_text(b'k', &entry.key.name, out);
                write(&entry.key.name, &entry.node, out);
            }
            out.push(b'}');
        }
    }
}

fn write_int(value: i64, out: &mut Vec<u8>) {
    out.push(b'i');
    out.extend(value.to_le_bytes());
}

fn write_text(kind: u8, text: &str, out: &mut Vec<u8>) {
    out.push(kind);
    out.extend(text.len().to_le_bytes());
    out.extend(text.as_bytes());
}

/// The integer that a decimal number such as `10.0` is.
fn integral(text: &str) -> Option<i64> {
    let (integer, fraction) = text.split_once('.')?;
    let is_zero = fraction.bytes().all(|digit| digit == b'0');
    if is_zero { integer.parse().ok() } else { None }
}

/// The shortest text of a number of seconds, such as `1.50s`; `None` for another text.
fn seconds(text: &str) -> Option<String> {
    let number = text.strip_suffix('s')?;
    let (integer, fraction) = number.split_once('.').unwrap_or((number, ""));
    let is_number = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_digit());
    if integer.is_empty() || !is_number(integer) || !is_number(fraction) {
        return None;
    }
    let mut shortest = String::from(match integer.trim_start_matches('0') {
        "" => "0",
        integer => integer,
    });
    let fraction = fraction.trim_end_matches('0');
    if !fraction.is_empty() {
        shortest.push('.');
        shortest.push_str(fraction);
    }
    shortest.push('s');
    Some(shortest)
}

/// Whether the last word of a field names a time, as in `idle_timeout` and `idleTimeout`.
fn is_time(field: &str) -> bool {
    const WORDS: [&str; 7] = [
        "timeout", "interval", "duration", "time", "delay", "window", "age",
    ];
    WORDS.iter().any(|word| {
        let start = field.len().checked_sub(word.len());
        let parts = start.and_then(|start| field.split_at_checked(start));
        parts.is_some_and(|(before, last)| {
            let is_word = before.is_empty()
                || before.ends_with('_')
                || last.starts_with(|first: char| first.is_ascii_uppercase());
            is_word && last.eq_ignore_ascii_case(word)
        })
    })
}
