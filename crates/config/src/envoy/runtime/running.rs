//! The response of `/runtime`: the final values of a running Envoy.

use alloc::string::String;

use spillgate_core::route::{FractionDenominator, FractionalPercent};

use super::layers::denominator;
use crate::{
    envoy::schema::{RUNTIME_ENTRY, RUNTIME_VALUES},
    node::{Node, NodeValue},
    proto::{Message, Path, Report, field_of},
    runtime::{Runtime, RuntimeEntry, RuntimeValue},
};

/// Whether a value is a response of `/runtime`.
pub(crate) fn is_runtime(node: &Node<'_>) -> bool {
    let has = |field, fits: fn(&NodeValue<'_>) -> bool| {
        field_of(node, field).is_some_and(|node| fits(&node.value))
    };
    has("entries", |value| matches!(value, NodeValue::Map(_)))
        && has("layers", |value| matches!(value, NodeValue::List(_)))
}

/// Reads the final values of a response.
pub(super) fn read_running(node: &Node<'_>, path: &Path, report: &mut Report) -> Runtime {
    let mut runtime = Runtime::default();
    let Some(response) = Message::open(node, path.clone(), &RUNTIME_VALUES, report) else {
        return runtime;
    };
    let path = response.path.field("entries");
    let Some(NodeValue::Map(entries)) = response.get("entries").map(|node| &node.value) else {
        return runtime;
    };
    for entry in entries {
        let key = String::from(entry.key.name.as_ref());
        let path = path.field(key.clone());
        let Some(message) = Message::open(&entry.node, path, &RUNTIME_ENTRY, report) else {
            continue;
        };
        name_late_threshold(&key, &message, report);
        if let Some(text) = message.string("final_value", report) {
            let value = match fields_of(text) {
                Some(fields) => RuntimeValue::from_struct("a fraction", fraction(fields)),
                None => RuntimeValue::from_text(text),
            };
            let entry = RuntimeEntry {
                value,
                path: message.path.text(),
                position: entry.key.position,
            };
            runtime.set(&key, entry);
        }
    }
    runtime
}

/// Names a panic threshold of the last layer, which is the one that can change at run time: Envoy uses it from
/// the next change of hosts on.
fn name_late_threshold(key: &str, entry: &Message<'_, '_>, report: &mut Report) {
    const EFFECT: &str = "the last runtime layer sets upstream.healthy_panic_threshold; if it has changed since \
                          the last change of hosts, Envoy uses the earlier value";
    if key == "upstream.healthy_panic_threshold"
        && let Some(NodeValue::List(values)) = entry.get("layer_values").map(|node| &node.value)
        && let [_, .., last] = values.as_slice()
        && matches!(&last.value, NodeValue::String(text) if !text.is_empty())
    {
        report.limit("config/runtime-layer", EFFECT, &entry.path, last.position);
    }
}

/// The fields of a struct, which Envoy prints as Protobuf's debug text with a random beginning.
fn fields_of(text: &str) -> Option<&str> {
    let fields = text
        .strip_prefix("goo.gle/debug")
        .map(|rest| rest.split_once('\n').map_or("", |(_, fields)| fields));
    fields.or_else(|| text.starts_with("fields {").then_some(text))
}

/// The fraction in the debug text of a struct; `None` if Envoy does not read it as one.
fn fraction(fields: &str) -> Option<FractionalPercent> {
    let mut fraction = FractionalPercent::new(0, FractionDenominator::Hundred);
    for field in fields.split("fields {").skip(1) {
        let value = |name| {
            let (_, rest) = field.split_once(name)?;
            rest.split_once('\n').map(|(value, _)| value.trim())
        };
        let unquoted =
            |text: Option<&'_ str>| text.map(|text| String::from(text.trim_matches('"')));
        match unquoted(value("key:"))?.as_str() {
            "numerator" => {
                if let Some(number) = value("number_value:") {
                    let number = RuntimeValue::from_text(number).double()?;
                    fraction.numerator = super::layers::numerator(number);
                }
            }
            "denominator" => {
                fraction.denominator = denominator(&unquoted(value("string_value:"))?)?;
            }
            _ => return None,
        }
    }
    Some(fraction)
}
