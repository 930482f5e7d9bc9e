//! HTTP filters before the router that affect load balancing.

use alloc::{sync::Arc, vec::Vec};

use super::{
    HeaderRule, Headers, RuleSource, SessionReading, StatefulSession, chosen::chosen_metadata,
};
use crate::model::{Field, Metadata, Value};

/// An HTTP filter that sets dynamic metadata or an override host.
#[derive(Debug, Clone, PartialEq)]
pub enum RequestFilter {
    /// `envoy.filters.http.header_to_metadata`: its request rules, in order.
    HeaderToMetadata(Vec<HeaderRule>),
    /// `envoy.filters.http.set_metadata`: its values, in order.
    SetMetadata(Vec<SetMetadata>),
    /// `envoy.filters.http.stateful_session`.
    StatefulSession(StatefulSession),
    /// The Spillgate filter with this number in the listener. The caller runs the filter first and
    /// routes the request that it changed.
    Spillgate(usize),
}

/// Metadata of `envoy.filters.http.set_metadata`, the same for every request.
#[derive(Debug, Clone, PartialEq)]
pub struct SetMetadata {
    /// The metadata namespace (`metadata_namespace`); load balancing reads `envoy.lb`.
    pub namespace: Arc<str>,
    /// The metadata (`value`, `typed_value`).
    pub value: Metadata,
    /// Whether the metadata is also set if the namespace has a value: structs are merged, lists are
    /// concatenated (`allow_overwrite`).
    pub allow_overwrite: bool,
}

/// The dynamic metadata of a namespace after these filters.
#[must_use]
pub fn dynamic_metadata<H: Headers>(
    filters: &[RequestFilter],
    headers: &H,
    namespace: &str,
) -> Metadata {
    let mut metadata: Option<Metadata> = None;
    for (index, filter) in filters.iter().enumerate() {
        match filter {
            RequestFilter::HeaderToMetadata(rules) => {
                let before = filters.get(..index).unwrap_or_default();
                let mut fields = Vec::new();
                for (at, rule) in rules.iter().enumerate() {
                    let earlier = rules.get(..at).unwrap_or_default();
                    let headers = Remaining {
                        headers,
                        filters: before,
                        rules: earlier,
                    };
                    fields.extend(rule.field(&headers, namespace));
                }
                if !fields.is_empty() {
                    let set = Metadata::new(fields);
                    metadata = Some(metadata.unwrap_or_default().overridden(&set));
                }
            }
            RequestFilter::SetMetadata(values) => {
                let values = values.iter().filter(|set| *set.namespace == *namespace);
                for SetMetadata {
                    value,
                    allow_overwrite,
                    ..
                } in values
                {
                    metadata = Some(match metadata {
                        None => value.clone(),
                        Some(before) if *allow_overwrite => merged(&before, value),
                        Some(before) => before,
                    });
                }
            }
            RequestFilter::Spillgate(_) => {
                if let Some(set) = chosen_metadata(headers, namespace) {
                    metadata = Some(metadata.unwrap_or_default().overridden(&set));
                }
            }
            RequestFilter::StatefulSession(_) => {}
        }
    }
    metadata.unwrap_or_default()
}

/// The reading of each stateful session filter, in order. The last one that names a host counts.
pub(super) fn sessions<'f, H: Headers>(
    filters: &'f [RequestFilter],
    headers: &H,
    now: u64,
) -> Vec<(&'f StatefulSession, SessionReading)> {
    let mut found = Vec::new();
    for (index, filter) in filters.iter().enumerate() {
        if let RequestFilter::StatefulSession(session) = filter {
            let headers = Remaining {
                headers,
                filters: filters.get(..index).unwrap_or_default(),
                rules: &[],
            };
            found.push((session, session.read(&headers, now)));
        }
    }
    found
}

/// Whether these filters remove a header from the request.
pub(super) fn removes(filters: &[RequestFilter], name: &str) -> bool {
    filters.iter().any(|filter| match filter {
        RequestFilter::HeaderToMetadata(rules) => rules_remove(rules, name),
        RequestFilter::SetMetadata(_)
        | RequestFilter::StatefulSession(_)
        | RequestFilter::Spillgate(_) => false,
    })
}

fn rules_remove(rules: &[HeaderRule], name: &str) -> bool {
    rules.iter().any(|rule| match &rule.source {
        RuleSource::Header { name: have, remove } => *remove && have == name,
        RuleSource::Cookie(_) => false,
    })
}

/// The headers that earlier filters and rules left in the request.
struct Remaining<'h, H> {
    headers: &'h H,
    filters: &'h [RequestFilter],
    rules: &'h [HeaderRule],
}

impl<H: Headers> Headers for Remaining<'_, H> {
    fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> + 'a {
        let gone = removes(self.filters, name) || rules_remove(self.rules, name);
        self.headers.values(name).filter(move |_| !gone)
    }
}

/// Merges values of the same type; a value of another type replaces the old one. The recursion is
/// as deep as the configuration, which is bounded.
fn merged(before: &Metadata, with: &Metadata) -> Metadata {
    let merge = |field: &Field| match before.get(&field.key) {
        Some(old) => merged_value(old, &field.value),
        None => field.value.clone(),
    };
    let fields = with.fields().iter().map(|f| (f.key.clone(), merge(f)));
    before.overridden(&Metadata::new(fields))
}

fn merged_value(before: &Value, with: &Value) -> Value {
    match (before, with) {
        (Value::Struct(before), Value::Struct(with)) => Value::Struct(merged(before, with)),
        (Value::List(before), Value::List(with)) => {
            let both = before.iter().chain(with.iter()).cloned();
            Value::List(both.collect())
        }
        (_, with) => with.clone(),
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::super::{HeaderList, KeyValue, ValueType};
    use super::*;

    fn text(text: &str) -> Value {
        Value::Text(text.into())
    }

    fn key_value(key: &str, value: &str) -> Option<KeyValue> {
        Some(KeyValue {
            namespace: "envoy.lb".into(),
            key: key.into(),
            value: value.into(),
            rewrite: None,
            value_type: ValueType::String,
            base64: false,
        })
    }

    fn rule(name: &str, remove: bool, key: &str) -> HeaderRule {
        HeaderRule {
            source: RuleSource::Header {
                name: name.into(),
                remove,
            },
            on_present: key_value(key, ""),
            on_missing: key_value(key, "missing"),
        }
    }

    #[test]
    fn later_rules_and_filters_do_not_see_a_removed_header() {
        let filters = [
            RequestFilter::HeaderToMetadata(vec![rule("x-a", true, "a"), rule("x-a", false, "b")]),
            RequestFilter::HeaderToMetadata(vec![rule("x-a", false, "c")]),
        ];
        let headers = [("x-a", "1"), ("x-a", "2")];
        let metadata = dynamic_metadata(&filters, &HeaderList(&headers), "envoy.lb");
        let other = dynamic_metadata(&filters, &HeaderList(&headers), "other");
        assert_eq!(other, Metadata::default());
        let missing = text("missing");
        assert_eq!(metadata.get("a"), Some(&text("1,2")));
        assert_eq!(metadata.get("b"), Some(&missing));
        assert_eq!(metadata.get("c"), Some(&missing));
    }

    #[test]
    fn later_values_override_or_merge() {
        let number = Value::Number;
        let list = |values: &[f64]| Value::List(values.iter().copied().map(number).collect());
        let deep = |key, value| Value::Struct(Metadata::new([(key, value)]));
        let set = |value, allow_overwrite| SetMetadata {
            namespace: "envoy.lb".into(),
            value,
            allow_overwrite,
        };
        let first = Metadata::new([
            ("s", text("1")),
            ("l", list(&[1.0])),
            ("d", deep("a", number(1.0))),
        ]);
        let second = Metadata::new([
            ("s", number(2.0)),
            ("l", list(&[2.0])),
            ("d", deep("b", number(2.0))),
        ]);
        let filters = [RequestFilter::SetMetadata(vec![
            set(first, false),
            set(second, true),
            set(Metadata::new([("s", text("no"))]), false),
        ])];
        let metadata = dynamic_metadata(&filters, &HeaderList::<&str, &str>(&[]), "envoy.lb");
        assert_eq!(metadata.get("s"), Some(&number(2.0)));
        assert_eq!(metadata.get("l"), Some(&list(&[1.0, 2.0])));
        let both = Metadata::new([("a", number(1.0)), ("b", number(2.0))]);
        assert_eq!(metadata.get("d"), Some(&Value::Struct(both)));
    }
}
