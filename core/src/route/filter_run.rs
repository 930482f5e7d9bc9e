//! Running the HTTP filters before the router: header changes and dynamic metadata.

use alloc::{sync::Arc, vec::Vec};

use super::{
    CHOICE_NAMESPACE, ChangedHeaders, Connection, HeaderMutation, Headers, RequestFilter,
    RuleSource, SetMetadata, StatefulSession, chosen::chosen_metadata,
};
use crate::model::{Field, Metadata, Value};

/// A request after filters.
pub(super) struct FilterRun<'h, H> {
    /// The headers.
    pub(super) headers: ChangedHeaders<'h, H>,
    /// The dynamic metadata, by namespace.
    metadata: Vec<(Arc<str>, Metadata)>,
}

impl<'h, H: Headers> FilterRun<'h, H> {
    /// Runs filters in order; `session` gets each stateful session filter with the headers that it
    /// sees.
    pub(super) fn new<'f>(
        filters: &'f [RequestFilter],
        headers: &'h H,
        connection: &Connection<'_>,
        mut session: impl FnMut(&'f StatefulSession, &ChangedHeaders<'h, H>),
    ) -> Self {
        let mut run = Self {
            headers: ChangedHeaders::new(headers),
            metadata: Vec::new(),
        };
        for filter in filters {
            match filter {
                RequestFilter::HeaderMutation(mutations) => {
                    HeaderMutation::apply_all(mutations, &mut run.headers, connection);
                }
                RequestFilter::HeaderToMetadata(rules) => {
                    let mut set = Vec::new();
                    for rule in rules {
                        set.extend(rule.field(&run.headers));
                        if let RuleSource::Header { name, remove: true } = &rule.source {
                            run.headers.remove(name);
                        }
                    }
                    run.override_fields(set);
                }
                RequestFilter::SetMetadata(values) => {
                    for value in values {
                        run.set(value);
                    }
                }
                RequestFilter::Spillgate(_) => {
                    if let Some(chosen) = chosen_metadata(&run.headers) {
                        let before = run.metadata(CHOICE_NAMESPACE).overridden(&chosen);
                        run.put(CHOICE_NAMESPACE.into(), before);
                    }
                }
                RequestFilter::StatefulSession(of) => session(of, &run.headers),
            }
        }
        run
    }

    /// The dynamic metadata of a namespace.
    pub(super) fn metadata(&self, namespace: &str) -> Metadata {
        self.known(namespace).cloned().unwrap_or_default()
    }

    fn known(&self, namespace: &str) -> Option<&Metadata> {
        let mut known = self.metadata.iter();
        let found = known.find(|(have, _)| **have == *namespace);
        found.map(|(_, metadata)| metadata)
    }

    fn put(&mut self, namespace: Arc<str>, metadata: Metadata) {
        match self
            .metadata
            .iter_mut()
            .find(|(have, _)| *have == namespace)
        {
            Some((_, old)) => *old = metadata,
            None => self.metadata.push((namespace, metadata)),
        }
    }

    /// Sets the values of a filter's rules at once.
    fn override_fields(&mut self, mut set: Vec<(Arc<str>, Arc<str>, Value)>) {
        while let Some((namespace, ..)) = set.first() {
            let namespace = namespace.clone();
            let (of, others) = set.into_iter().partition(|(other, ..)| *other == namespace);
            let of: Vec<(Arc<str>, Arc<str>, Value)> = of;
            let fields = of.into_iter().map(|(_, key, value)| (key, value));
            let fields: Vec<(Arc<str>, Value)> = fields.collect();
            let with = self.metadata(&namespace).overridden(&Metadata::new(fields));
            self.put(namespace, with);
            set = others;
        }
    }

    fn set(&mut self, set: &SetMetadata) {
        let with = match self.known(&set.namespace) {
            None => set.value.clone(),
            Some(before) if set.allow_overwrite => merged(before, &set.value),
            Some(_) => return,
        };
        self.put(set.namespace.clone(), with);
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

    use super::super::{HeaderList, HeaderRule, KeyValue, ValueType};
    use super::*;

    fn dynamic_metadata<H: Headers>(
        filters: &[RequestFilter],
        headers: &H,
        namespace: &str,
    ) -> Metadata {
        FilterRun::new(filters, headers, &Connection::default(), |_, _| {}).metadata(namespace)
    }

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
