//! `layered_runtime`: static layers in order; the values of other layers are not in the input.

use alloc::{format, string::String, vec::Vec};

use spillgate_core::{
    names::Names,
    route::{FractionDenominator, FractionalPercent},
};

use crate::{
    Diagnostic, Position,
    envoy::schema::{LAYERED_RUNTIME, RUNTIME_LAYER},
    node::{Node, NodeValue, quote},
    proto::{Message, Path, Report, number_of},
    runtime::{Runtime, RuntimeEntry, RuntimeValue},
};

const KINDS: [&str; 4] = ["static_layer", "disk_layer", "admin_layer", "rtds_layer"];

/// The runtime of a bootstrap.
#[derive(Debug, Default)]
pub(crate) struct RuntimeLayers {
    /// The values of the static layers.
    pub(crate) values: Runtime,
    /// The layers whose values are not in the input.
    pub(super) other: Vec<OtherLayer>,
    /// The keys that one layer defines twice.
    pub(super) doubtful: Vec<(String, Path, Position)>,
}

/// A layer whose values are not in the input.
#[derive(Debug)]
pub(super) struct OtherLayer {
    pub(super) name: String,
    pub(super) kind: &'static str,
    pub(super) path: Path,
    pub(super) position: Position,
}

/// Reads `layered_runtime` of a bootstrap. Later layers replace the values of earlier ones.
pub(crate) fn read_layers(bootstrap: &Message<'_, '_>, report: &mut Report) -> RuntimeLayers {
    let mut read = RuntimeLayers::default();
    let field = "layered_runtime";
    let Some(layered) = bootstrap.message(field, &LAYERED_RUNTIME, report) else {
        return read;
    };
    let mut names = Names::default();
    let mut has_admin = false;
    for (path, node) in layered.list("layers", report) {
        let Some(layer) = Message::open(node, path, &RUNTIME_LAYER, report) else {
            continue;
        };
        let name = layer.required_string("name", report).unwrap_or_default();
        if !name.is_empty() && !names.add(name) {
            let fault = layer.error("name", "config/runtime-layer", "duplicate layer name");
            report.push(fault.found(quote(name)));
        }
        layer.one_of(&KINDS, report);
        let Some(kind) = KINDS.into_iter().find(|kind| layer.has(kind)) else {
            let fault = layer.error("name", "config/missing", "layer without a kind");
            report.push(fault.expected("static_layer, disk_layer, admin_layer or rtds_layer"));
            continue;
        };
        if kind == "admin_layer" && core::mem::replace(&mut has_admin, true) {
            let fault = "more than one admin_layer";
            report.push(layer.error(kind, "config/runtime-layer", fault));
        }
        let path = layer.path.field(kind);
        match layer.get(kind) {
            Some(values) if kind == KINDS[0] => {
                let mut one = StaticLayer {
                    into: &mut read,
                    seen: Names::default(),
                };
                one.fields(values, "", &path, report);
            }
            _ => read.other.push(OtherLayer {
                name: name.into(),
                kind,
                position: layer.position_of(kind),
                path,
            }),
        }
    }
    read
}

/// The layer that is being read.
struct StaticLayer<'r> {
    into: &'r mut RuntimeLayers,
    /// The keys of this layer.
    seen: Names,
}

impl StaticLayer<'_> {
    /// Reads the fields of a struct. Nested structs are dotted keys.
    fn fields(&mut self, node: &Node<'_>, prefix: &str, path: &Path, report: &mut Report) {
        let NodeValue::Map(entries) = &node.value else {
            report.push(invalid(node, path).expected("an object with runtime values"));
            return;
        };
        for (at, entry) in entries.iter().enumerate() {
            let name = entry.key.name.as_ref();
            let later = entries.get(at + 1..).unwrap_or_default();
            // Of duplicate names the last one is used.
            if later.iter().any(|other| other.key.name == name) {
                continue;
            }
            let key = match prefix {
                "" => String::from(name),
                prefix => format!("{prefix}.{name}"),
            };
            let path = path.field(String::from(name));
            self.value(&entry.node, key, path, entry.key.position, report);
        }
    }

    fn value(
        &mut self,
        node: &Node<'_>,
        key: String,
        path: Path,
        position: Position,
        report: &mut Report,
    ) {
        let value = match &node.value {
            NodeValue::Bool(value) => RuntimeValue::from_bool(*value),
            NodeValue::String(text) => RuntimeValue::from_text(text),
            NodeValue::Int(_) | NodeValue::Uint(_) | NodeValue::Decimal(_) => {
                let number = number_of(node).unwrap_or_default();
                RuntimeValue::from_number(node.describe(), number)
            }
            NodeValue::Map(_) if is_fraction(node) => {
                RuntimeValue::from_struct(shown(node), fraction(node))
            }
            NodeValue::Map(_) => return self.fields(node, &key, &path, report),
            NodeValue::Null | NodeValue::List(_) => {
                let expected = "a number, a Boolean, a string, or an object";
                report.push(invalid(node, &path).expected(expected));
                return;
            }
        };
        if !self.seen.add(&key) {
            self.into.doubtful.push((key, path, position));
            return;
        }
        let entry = RuntimeEntry {
            value,
            path: path.text(),
            position,
        };
        self.into.values.set(&key, entry);
    }
}

fn invalid(node: &Node<'_>, path: &Path) -> Diagnostic {
    Diagnostic::error("config/runtime-value", "invalid runtime value")
        .at(path.text(), node.position)
        .found(node.describe())
}

/// Whether Envoy reads a struct as one value.
fn is_fraction(node: &Node<'_>) -> bool {
    let NodeValue::Map(entries) = &node.value else {
        return false;
    };
    let names = ["numerator", "denominator"];
    entries.is_empty() || names.iter().any(|name| node.get(name).is_some())
}

/// The fraction in a struct; `None` if Envoy does not read it as one. Only a number counts as
/// numerator, and one below 0 means all requests.
fn fraction(node: &Node<'_>) -> Option<FractionalPercent> {
    let NodeValue::Map(entries) = &node.value else {
        return None;
    };
    let mut fraction = FractionalPercent::new(0, FractionDenominator::Hundred);
    for entry in entries {
        match (entry.key.name.as_ref(), &entry.node.value) {
            ("numerator", NodeValue::String(_)) => {}
            ("numerator", _) => {
                let number = number_of(&entry.node).unwrap_or_default();
                fraction.numerator = numerator(number);
            }
            ("denominator", NodeValue::String(text)) => fraction.denominator = denominator(text)?,
            _ => return None,
        }
    }
    Some(fraction)
}

/// The numerator that Envoy makes of a number. One below 0 is larger than all denominators.
pub(super) const fn numerator(number: f64) -> u32 {
    if number <= -1.0 {
        u32::MAX
    } else {
        number as u32
    }
}

/// A denominator by its name.
pub(super) fn denominator(name: &str) -> Option<FractionDenominator> {
    use FractionDenominator::{Hundred, Million, TenThousand};
    let names = [
        ("HUNDRED", Hundred),
        ("TEN_THOUSAND", TenThousand),
        ("MILLION", Million),
    ];
    let found = names.iter().find(|(known, _)| name == *known);
    found.map(|(_, denominator)| *denominator)
}

/// A struct for messages.
fn shown(node: &Node<'_>) -> String {
    let part = |name| node.get(name).map_or(String::new(), Node::describe);
    format!("{} of {}", part("numerator"), part("denominator"))
}
