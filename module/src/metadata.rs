//! The values of a namespace in the metadata of a route.

use std::{cell::RefCell, collections::BTreeMap};

use spillgate_core::model::{Metadata, Value};

use crate::abi::{MetadataSource, StreamHandle};

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ValueType {
    Text,
    Number,
    Bool,
}

impl ValueType {
    const ALL: [Self; 3] = [Self::Text, Self::Number, Self::Bool];
}

thread_local! {
    /// The last type of the value of each key, by namespace. Envoy logs an error for each question with the
    /// wrong type, so the right type is asked for first.
    static TYPES: RefCell<BTreeMap<(&'static str, String), ValueType>> =
        const { RefCell::new(BTreeMap::new()) };
}

/// The values of a namespace in the metadata of the request's route. Lists and structures are left out.
pub(crate) fn of_route(envoy: StreamHandle<'_>, namespace: &'static str) -> Metadata {
    let keys = envoy.metadata_keys(MetadataSource::Route, namespace);
    let field = |key: String| {
        let value = value(envoy, namespace, &key)?;
        Some((key, value))
    };
    Metadata::new(keys.into_iter().filter_map(field))
}

fn value(envoy: StreamHandle<'_>, namespace: &'static str, key: &str) -> Option<Value> {
    let place = (namespace, key.to_owned());
    let last = TYPES.with_borrow(|types| types.get(&place).copied());
    let others = ValueType::ALL
        .into_iter()
        .filter(|kind| Some(*kind) != last);
    let (kind, value) = last
        .into_iter()
        .chain(others)
        .find_map(|kind| Some((kind, value_of(envoy, namespace, key, kind)?)))?;
    if last != Some(kind) {
        TYPES.with_borrow_mut(|types| types.insert(place, kind));
    }
    Some(value)
}

fn value_of(envoy: StreamHandle<'_>, namespace: &str, key: &str, kind: ValueType) -> Option<Value> {
    let route = MetadataSource::Route;
    match kind {
        ValueType::Text => {
            let text = envoy.metadata_text(route, namespace, key)?;
            Some(Value::Text(String::from_utf8_lossy(&text).into()))
        }
        ValueType::Number => {
            let number = envoy.metadata_number(route, namespace, key)?;
            Some(Value::Number(number))
        }
        ValueType::Bool => envoy.metadata_bool(route, namespace, key).map(Value::Bool),
    }
}
