//! `--fleet FILE`: values of the options in a file. Options of the command line replace them; capacities,
//! prices and expectations add to them.

use std::{path::Path, rc::Rc};

use clap::ValueEnum as _;
use spillgate_answers::input::{Faults, read_text};
use spillgate_config::{
    Diagnostic, NamedText,
    envoy::Format,
    node::{Node, NodeValue},
    proto::{Message, Path as FieldPath, Report, Schema},
};

use super::{args::LostCallersArg, stated::Stated};
use crate::command::Done;

static FLEET: Schema = Schema::new(
    "a fleet",
    "callers rps bytes capacity cost n_minus lost_callers expect",
);

/// The values of a file.
#[derive(Debug, Default)]
pub(super) struct FleetFile {
    pub(super) callers: Option<Stated>,
    pub(super) rps: Option<Stated>,
    pub(super) bytes: Option<Stated>,
    pub(super) capacity: Vec<Stated>,
    pub(super) cost: Vec<Stated>,
    pub(super) n_minus: Option<u8>,
    pub(super) lost_callers: Option<LostCallersArg>,
    pub(super) expect: Vec<Stated>,
}

/// Reads a file.
///
/// # Errors
/// Every error of its structure. Values are checked with those of the command line.
pub(super) fn read(path: &Path, done: &mut Done) -> Result<FleetFile, Faults> {
    let text = Rc::new(read_text(path)?);
    let format = Format::guess(&text.name, &text.text);
    let all = |faults: &[Diagnostic]| Faults::all(&*text, faults);
    let document = format.parse(&text.text).map_err(|fault| all(&[fault]))?;
    let mut report = Report::default();
    report.doubt_all(document.warnings);
    let mut file = FleetFile::default();
    if let Some(second) = document.roots.get(1) {
        let fault = Diagnostic::error("config/value", "more than one document");
        report.push(fault.at("", second.position).expected("one fleet"));
    }
    match document.roots.first() {
        Some(root) => {
            let message = Message::open(root, FieldPath::root(), &FLEET, &mut report);
            if let Some(message) = message {
                file = of_message(&text, &message, &mut report);
            }
        }
        None => {
            let fault = Diagnostic::error("config/missing", "empty fleet");
            report.push(fault.expected("callers, rps, bytes, capacity, cost or expect"));
        }
    }
    let warnings = report.finish().map_err(|faults| all(&faults))?;
    done.warn(&*text, &warnings);
    Ok(file)
}

fn of_message(text: &Rc<NamedText>, message: &Message<'_, '_>, report: &mut Report) -> FleetFile {
    let lost_callers = message.string("lost_callers", report).and_then(|name| {
        let known = LostCallersArg::from_str(name, false).ok();
        if known.is_none() {
            message.out_of_range("lost_callers", "stay, fail or move", report);
        }
        known
    });
    FleetFile {
        callers: by_zone(text, message, "callers", report),
        rps: by_zone(text, message, "rps", report),
        bytes: by_zone(text, message, "bytes", report),
        capacity: texts(text, message, "capacity", report),
        cost: texts(text, message, "cost", report),
        n_minus: message
            .u32_within("n_minus", 0..=2, report)
            .map(|zones| zones as u8),
        lost_callers,
        expect: texts(text, message, "expect", report),
    }
}

/// `{a: 40, b: 10}`, or the text of the option.
fn by_zone(
    file: &Rc<NamedText>,
    message: &Message<'_, '_>,
    field: &'static str,
    report: &mut Report,
) -> Option<Stated> {
    let node = message.get(field)?;
    let wrong = || {
        let fault = message.error(field, "config/type", "wrong type");
        fault.expected("a number, or a number for each zone")
    };
    let text = match &node.value {
        NodeValue::Map(entries) => {
            let mut parts = Vec::new();
            for entry in entries {
                match scalar(&entry.node) {
                    Some(value) => parts.push(format!("{}={value}", entry.key.name)),
                    None => report.push(wrong()),
                }
            }
            parts.join(",")
        }
        _ => match scalar(node) {
            Some(text) => text,
            None => {
                report.push(wrong());
                return None;
            }
        },
    };
    let path = FieldPath::root().field(field).text();
    Some(Stated::in_file(file, path, node.position, text))
}

/// A list of the texts of an option.
fn texts(
    file: &Rc<NamedText>,
    message: &Message<'_, '_>,
    field: &'static str,
    report: &mut Report,
) -> Vec<Stated> {
    let mut found = Vec::new();
    let list: Vec<_> = message.list(field, report).collect();
    for (path, node) in list {
        match scalar(node) {
            Some(text) => found.push(Stated::in_file(file, path.text(), node.position, text)),
            None => {
                let fault = Diagnostic::error("config/type", "wrong type");
                let fault = fault.at(path.text(), node.position).found(node.describe());
                report.push(fault.expected("a text as in the option"));
            }
        }
    }
    found
}

/// The text of a string or a number.
fn scalar(node: &Node<'_>) -> Option<String> {
    match &node.value {
        NodeValue::String(text) => Some(text.to_string()),
        NodeValue::Int(number) => Some(number.to_string()),
        NodeValue::Uint(number) => Some(number.to_string()),
        NodeValue::Decimal(number) => Some(number.to_string()),
        _ => None,
    }
}
