//! Types of fields that are not read: Envoy refuses a wrong one there, too.
//!
//! [`API_TYPES`] has a line for each message with such fields: `NAME=TYPE`, with spaces between the fields. A type is one
//! letter: `s` text, `b` Boolean, `u` and `U` unsigned integer of 32 and 64 bits, `i` signed integer, `f` number,
//! `e` enum, `d` duration, `o` object of any content, `a` any value, and `m` with the number of the message's line. `*`
//! before it makes it a list, `%` a map. A line that begins with `..` lacks the fields that are read.

use alloc::{format, string::String};

use super::{Message, api_types::API_TYPES, wrong_type};
use crate::{
    Diagnostic,
    node::{Entry, Node, NodeValue},
    proto::{Path, Report, nearest, same_name},
};

/// Reports wrong types in a field of `message`, which is of Envoy's message `api`.
pub(super) fn check_unread(message: &Message<'_, '_>, api: &str, field: &str, report: &mut Report) {
    // What an Envoy accepted has no such fault, and dumps are large.
    if api.is_empty() || report.is_accepted() || report.is_strict() {
        return;
    }
    let line = API_TYPES.binary_search_by(|(name, _)| (*name).cmp(api));
    if let Ok(line) = line {
        check_field(message, line, field, report);
    }
}

fn check_field(message: &Message<'_, '_>, line: usize, field: &str, report: &mut Report) {
    let fields = API_TYPES.get(line).map_or("", |(_, fields)| fields);
    let mut fields = fields.split(' ').filter_map(|field| field.split_once('='));
    let Some((name, kind)) = fields.find(|(name, _)| same_name(field, name)) else {
        return;
    };
    let Some(value) = message.get(name) else {
        return;
    };
    match kind {
        "s" => drop(message.string(name, report)),
        "*s" => drop(message.strings(name, report)),
        "b" if is_boolean_text(value) => {}
        "b" => drop(message.bool(name, report)),
        "u" => drop(message.wrapped_u32(name, report)),
        "U" => drop(message.wrapped_u64(name, report)),
        "i" => drop(message.i64(name, report)),
        "f" => drop(message.wrapped_double(name, report)),
        "d" if is_in_milliseconds(value) => {
            let path = message.path.field(name);
            report.push(wrong_type(value, &path, "a duration such as \"0.25s\""));
        }
        "d" => drop(message.duration(name, report)),
        _ => {
            let path = message.path.field(name);
            match kind.split_at_checked(1) {
                Some(("*", kind)) => {
                    for (path, value) in message.list(name, report) {
                        check_value(value, path, kind, report);
                    }
                }
                Some(("%", kind)) => check_map(value, &path, kind, report),
                _ => check_value(value, path, kind, report),
            }
        }
    }
}

/// Whether Envoy reads this text as a Boolean: more than proto3 JSON has.
fn is_boolean_text(value: &Node<'_>) -> bool {
    const TEXTS: [&str; 10] = ["true", "t", "yes", "y", "1", "false", "f", "no", "n", "0"];
    match &value.value {
        NodeValue::String(text) => TEXTS.iter().any(|known| text.eq_ignore_ascii_case(known)),
        _ => false,
    }
}

/// Whether a text is a duration that only the filter's own configuration has.
fn is_in_milliseconds(value: &Node<'_>) -> bool {
    matches!(&value.value, NodeValue::String(text) if text.ends_with("ms"))
}

fn check_map(map: &Node<'_>, path: &Path, kind: &str, report: &mut Report) {
    let NodeValue::Map(entries) = &map.value else {
        return report.push(wrong_type(map, path, "an object"));
    };
    for entry in entries {
        let path = path.field(alloc::string::String::from(&*entry.key.name));
        check_value(&entry.node, path, kind, report);
    }
}

/// Checks a value that no reader of a field can: an element, an enum or a message.
fn check_value(value: &Node<'_>, path: Path, kind: &str, report: &mut Report) {
    match (kind, &value.value) {
        (_, NodeValue::Null) => {}
        ("s", NodeValue::Bool(_) | NodeValue::Int(_) | NodeValue::Uint(_)) => {
            report.push(wrong_type(value, &path, "a string"));
        }
        ("e", NodeValue::Bool(_) | NodeValue::List(_) | NodeValue::Map(_)) => {
            report.push(wrong_type(value, &path, "a name of the enum"));
        }
        ("o", NodeValue::Map(_)) => {}
        ("o", _) => report.push(wrong_type(value, &path, "an object")),
        _ => {
            if let Some(line) = kind.strip_prefix('m').and_then(|line| line.parse().ok()) {
                check_message(value, path, line, report);
            }
        }
    }
}

/// Reports a field that a message does not have.
fn check_name(
    message: &Message<'_, '_>,
    entry: &Entry<'_>,
    (api, fields): (&str, &str),
    report: &mut Report,
) {
    let own = entry.key.name.as_ref();
    let known = || {
        let fields = fields.split(' ').filter_map(|field| field.split_once('='));
        fields.map(|(name, _)| name)
    };
    if own == "@type" || known().any(|name| same_name(own, name)) {
        return;
    }
    let api = api.rsplit_once(".v3.").map_or(api, |(_, name)| name);
    let path = message.path.field(String::from(own)).text();
    let fault = Diagnostic::error("config/unknown-field", format!("unknown field in {api}"))
        .at(path, entry.key.position)
        .suggest(nearest(own, known()));
    report.tolerate(fault);
}

fn check_message(value: &Node<'_>, path: Path, line: usize, report: &mut Report) {
    let NodeValue::Map(entries) = &value.value else {
        let name = API_TYPES.get(line).map_or("", |(name, _)| name);
        let name = name.rsplit_once(".v3.").map_or(name, |(_, name)| name);
        return report.push(wrong_type(value, &path, format!("an object ({name})")));
    };
    let message = Message {
        entries,
        path,
        position: value.position,
    };
    let (name, fields) = API_TYPES.get(line).copied().unwrap_or_default();
    let is_whole = !fields.starts_with("..");
    for entry in entries {
        if report.is_full() {
            return;
        }
        if is_whole && entry.node.value != NodeValue::Null {
            check_name(&message, entry, (name, fields), report);
        }
        check_field(&message, line, &entry.key.name, report);
    }
}
