//! Fields that can change an answer and are not modeled.

use alloc::string::String;

use spillgate_core::decimal;

use super::number::integer_of;
use crate::field_name::same_name;
use crate::node::{Node, NodeValue};

/// A field that can change an answer and is not modeled.
#[derive(Debug)]
pub struct FieldLimit {
    pub(super) field: &'static str,
    /// What can differ. Empty without the feature `yaml`: the filter does not print it.
    effect: &'static str,
    matters: Matters,
}

/// The values that matter.
#[derive(Debug)]
enum Matters {
    /// All but false, 0, and an empty text, list or message.
    Set,
    /// Any, also an empty message.
    Present,
    /// All but the first one, which is the default, and those of [`Matters::Set`].
    Except(&'static str),
    /// This one.
    Only(&'static str),
    /// Those with one of these paths inside.
    With(&'static str),
    /// Integers below this one.
    Below(i64),
    /// Any, if a part of the input reads one of these headers.
    Header(&'static str),
    /// Extensions of other types than these.
    OtherTypes(&'static str),
}

/// A limit of a field: `effect` says what can differ.
pub const fn limit(field: &'static str, effect: &'static str) -> FieldLimit {
    FieldLimit {
        field,
        effect: if cfg!(feature = "yaml") { effect } else { "" },
        matters: Matters::Set,
    }
}

impl FieldLimit {
    /// An empty message matters, too.
    pub const fn even_empty(self) -> Self {
        Self {
            matters: Matters::Present,
            ..self
        }
    }

    /// This value is the default and changes nothing.
    pub const fn except(self, default: &'static str) -> Self {
        Self {
            matters: Matters::Except(default),
            ..self
        }
    }

    /// Only this value matters.
    pub const fn only(self, value: &'static str) -> Self {
        Self {
            matters: Matters::Only(value),
            ..self
        }
    }

    /// Only values below Envoy's default matter.
    pub const fn below(self, default: i64) -> Self {
        Self {
            matters: Matters::Below(default),
            ..self
        }
    }

    /// Only values with one of these paths inside matter. A path is a list of fields with dots between them; `*` is
    /// for each value of a map. With `=value` after it, only this value matters, else any that is set.
    pub const fn with(self, paths: &'static str) -> Self {
        Self {
            matters: Matters::With(paths),
            ..self
        }
    }

    /// Extensions of these types change nothing. A type is the end of its name.
    pub const fn except_types(self, types: &'static str) -> Self {
        Self {
            matters: Matters::OtherTypes(types),
            ..self
        }
    }

    /// It only changes these request headers, and matters if another setting reads one of them. A name that ends in
    /// `-` means all headers that start with it.
    pub const fn header(self, names: &'static str) -> Self {
        Self {
            matters: Matters::Header(names),
            ..self
        }
    }

    /// Whether any value that is set matters.
    pub(super) const fn is_simple(&self) -> bool {
        matches!(self.matters, Matters::Set | Matters::Present)
    }

    /// What can differ, as a sentence about the field or one inside of it.
    pub(super) fn text(&self, name: &str) -> String {
        alloc::format!("{name} is not modeled; {}", self.effect)
    }

    /// The name of the field of a value that matters: the one inside of it at the end of a path, or the field itself.
    #[cfg(feature = "yaml")]
    pub(super) fn name_in(&self, value: &Node<'_>) -> &'static str {
        let Matters::With(paths) = self.matters else {
            return self.field;
        };
        let mut paths = paths.split_ascii_whitespace();
        let path = paths.find(|path| has(value, path)).unwrap_or(self.field);
        let (path, _) = path.split_once('=').unwrap_or((path, ""));
        path.rsplit('.').next().unwrap_or(path)
    }

    /// Whether a value of the field can change an answer.
    pub(super) fn matters(&self, value: &Node<'_>) -> bool {
        match self.matters {
            Matters::Present => true,
            Matters::Set | Matters::Header(_) => is_set(value),
            Matters::Except(default) => is_set(value) && !is_text(value, default),
            Matters::Only(wanted) => is_text(value, wanted),
            Matters::Below(default) => integer_of(value).is_none_or(|value| value < default),
            Matters::OtherTypes(types) => has_other(value, types),
            Matters::With(paths) => paths.split_ascii_whitespace().any(|path| has(value, path)),
        }
    }

    /// The headers that it changes, if it matters only for these.
    pub(super) const fn headers(&self) -> Option<&'static str> {
        match self.matters {
            Matters::Header(names) => Some(names),
            _ => None,
        }
    }
}

/// Whether a value differs from that of an absent field. A wrapper counts like its value.
fn is_set(value: &Node<'_>) -> bool {
    match &value.value {
        NodeValue::Null | NodeValue::Bool(false) => false,
        NodeValue::String(text) => !matches!(text.as_ref(), "" | "0" | "false"),
        NodeValue::List(elements) => !elements.is_empty(),
        NodeValue::Map(entries) => match entries.as_slice() {
            [] => false,
            [only] if only.key.name == "value" => is_set(&only.node),
            _ => true,
        },
        _ => !is_text(value, "0"),
    }
}

fn is_text(value: &Node<'_>, text: &str) -> bool {
    match &value.value {
        NodeValue::String(found) => found.eq_ignore_ascii_case(text),
        NodeValue::Bool(found) => text == if *found { "true" } else { "false" },
        NodeValue::Int(found) => text.parse() == Ok(*found),
        NodeValue::Decimal(found) => decimal::parse(text) == decimal::parse(found),
        NodeValue::Map(entries) => match entries.as_slice() {
            [only] if only.key.name == "value" => is_text(&only.node, text),
            _ => false,
        },
        NodeValue::Null | NodeValue::Uint(_) | NodeValue::List(_) => false,
    }
}

/// Whether a value has one that matters at a path.
fn has(value: &Node<'_>, path: &str) -> bool {
    match path.split_once('=') {
        Some((path, wanted)) => at(value, path, &|found| is_text(found, wanted)),
        None => at(value, path, &is_set),
    }
}

/// Whether one of the values at a path is one of these.
fn at(value: &Node<'_>, path: &str, is_wanted: &dyn Fn(&Node<'_>) -> bool) -> bool {
    if let NodeValue::List(elements) = &value.value {
        return elements.iter().any(|element| at(element, path, is_wanted));
    }
    let NodeValue::Map(entries) = &value.value else {
        return false;
    };
    let (field, rest) = path.split_once('.').unwrap_or((path, ""));
    let mut found = entries
        .iter()
        .filter(|entry| field == "*" || same_name(&entry.key.name, field));
    found.any(|entry| match rest {
        "" => is_wanted(&entry.node),
        rest => at(&entry.node, rest, is_wanted),
    })
}

/// Whether a list has an extension of another type than these.
fn has_other(value: &Node<'_>, types: &str) -> bool {
    at(value, "typed_config.@type", &|found| match &found.value {
        NodeValue::String(found) => !types
            .split_ascii_whitespace()
            .any(|known| found.ends_with(known)),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::read_json;

    fn matters(limit: &FieldLimit, value: &str) -> bool {
        limit.matters(&read_json(value).expect("JSON").roots[0])
    }

    #[test]
    fn defaults_do_not_matter() {
        let set = limit("f", "");
        for value in [
            "null",
            "false",
            "0",
            "0.0",
            "\"\"",
            "[]",
            "{}",
            "{\"value\": false}",
        ] {
            assert!(!matters(&set, value), "{value}");
        }
        for value in ["true", "1", "\"a\"", "[0]", "{\"a\": 0}", "{\"value\": 1}"] {
            assert!(matters(&set, value), "{value}");
        }
        assert!(matters(&limit("f", "").even_empty(), "{}"));
        assert!(!matters(&limit("f", "").except("NONE"), "\"none\""));
        assert!(matters(&limit("f", "").except("NONE"), "\"ALL\""));
    }

    #[test]
    fn paths_lead_through_lists_and_maps() {
        let nested = limit("f", "").with("a.b=false *.c");
        assert!(matters(&nested, r#"{"a": [{"b": true}, {"b": false}]}"#));
        assert!(matters(&nested, r#"{"any name": {"c": "x"}}"#));
        assert!(!matters(&nested, r#"{"a": {"b": true, "d": 1}}"#));
        assert!(!matters(&nested, r#"{"any name": {"c": []}}"#));
    }
}
