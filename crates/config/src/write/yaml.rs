//! YAML that Envoy reads correctly.
//!
//! Envoy reads `no` as a Boolean, `017` as 15 and no plain scalar as a float, so strings are plain
//! only if every YAML reader reads them as strings.

use alloc::{format, string::String};
use core::net::Ipv4Addr;

use super::{
    text::{Spelling, flow, inline, nests, new_line, room},
    tree::Tree,
};
use crate::{
    Diagnostic,
    proto::{Path, Report},
};

struct Yaml;

impl Spelling for Yaml {
    fn key(name: &str, out: &mut String) {
        Self::text(name, out);
    }

    fn text(text: &str, out: &mut String) {
        if is_plain(text) {
            out.push_str(text);
        } else {
            quoted(text, out);
        }
    }
}

/// The text of a value. Values that YAML cannot represent for Envoy are reported.
pub(crate) fn to_yaml(tree: &Tree, report: &mut Report) -> String {
    check_numbers(tree, &Path::root(), report);
    let mut out = String::new();
    block(tree, 0, &mut out);
    out.push('\n');
    out
}

/// Appends a value: the first line continues the current one, further lines are indented.
fn block(tree: &Tree, indent: usize, out: &mut String) {
    if !nests(tree) {
        flow::<Yaml>(tree, usize::MAX, out);
        return;
    }
    match tree {
        Tree::List(items) => {
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    new_line(indent, out);
                }
                out.push_str("- ");
                match inline::<Yaml>(item, room(indent + 2)) {
                    // A list of short objects reads best as a table.
                    Some(line) => out.push_str(&line),
                    None => block(item, indent + 2, out),
                }
            }
        }
        Tree::Map(fields) => {
            for (at, (name, value)) in fields.iter().enumerate() {
                if at > 0 {
                    new_line(indent, out);
                }
                Yaml::key(name, out);
                out.push(':');
                let line = inline::<Yaml>(value, room(indent + name.len() + 2));
                match line {
                    Some(line) => {
                        out.push(' ');
                        out.push_str(&line);
                    }
                    None if nests(value) => {
                        // The dash already indents the list by two characters.
                        let inner = match value {
                            Tree::List(_) => indent,
                            _ => indent + 2,
                        };
                        new_line(inner, out);
                        block(value, inner, out);
                    }
                    None => {
                        out.push(' ');
                        flow::<Yaml>(value, usize::MAX, out);
                    }
                }
            }
        }
        _ => {}
    }
}

/// Whether an unquoted text is a string to every YAML reader, in brackets too.
fn is_plain(text: &str) -> bool {
    const WORDS: [&str; 10] = [
        "y", "n", "yes", "no", "true", "false", "on", "off", "null", "nan",
    ];
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '_'));
    let simple = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    (begins && text.chars().all(simple) && !WORDS.iter().any(|w| w.eq_ignore_ascii_case(text)))
        || text.parse::<Ipv4Addr>().is_ok()
}

fn quoted(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            ' '..='~' => out.push(c),
            c if c.is_alphanumeric() => out.push(c),
            c => out.push_str(&format!("\\U{:08X}", u32::from(c))),
        }
    }
    out.push('"');
}

/// Envoy reads all other numbers as strings, which are different values.
fn carried(value: f64) -> bool {
    let whole = value as i32;
    f64::from(whole).to_bits() == value.to_bits()
}

fn check_numbers(tree: &Tree, path: &Path, report: &mut Report) {
    match tree {
        Tree::Number(value) if !carried(*value) => Diagnostic::error(
            "write/number",
            "Envoy reads this number in YAML as a string; use JSON",
        )
        .at(path.text(), None)
        .found(format!("{value}"))
        .expected("a 32-bit integer")
        .push_to(report),
        Tree::List(items) => {
            for (index, item) in items.iter().enumerate() {
                check_numbers(item, &path.index(index), report);
            }
        }
        Tree::Map(fields) => {
            for (name, value) in fields.iter() {
                check_numbers(value, &path.field(String::from(name)), report);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unambiguous_texts_are_plain() {
        for text in [
            "shop",
            "c1",
            "10.0.0.1",
            "envoy.lb",
            "type.googleapis.com/envoy.x",
            "/api",
        ] {
            assert!(is_plain(text), "{text}");
        }
        for text in [
            "", "no", "No", "oFF", "y", "null", "~", "017", "0x1F", "1.5", "1e3", ".inf", "-1",
            "+3", "@type", "a b", "a: b", "a #b", "<<", "[", "a,b", "é", "5s", "::1",
        ] {
            assert!(!is_plain(text), "{text}");
        }
    }
}
