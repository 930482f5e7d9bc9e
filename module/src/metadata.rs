//! The values of a namespace in the metadata of a route.

use std::{cell::RefCell, collections::BTreeMap};

use spillgate_core::model::{Metadata, Value};

use crate::abi::{self, MetadataKey, MetadataSource, StreamHandle};

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

/// What the last questions for a value found.
#[derive(Debug, Clone)]
struct KnownValue {
    key: String,
    /// Its type; `None` if Envoy passes it as none of the types.
    kind: Option<ValueType>,
    /// When all types were asked for: [`abi::monotonic_clock`].
    asked: u64,
}

/// How long a value of no type is not asked for again, in nanoseconds: another route can have a value at
/// its address by then.
const ASKED_AGAIN: u64 = 10_000_000_000;
/// The most remembered values of a worker. Most configurations have fewer.
const MOST_KNOWN: usize = 4_096;

thread_local! {
    /// By the namespace and the address of the key, which is that of one value of one route: the same key can
    /// have values of different types in different routes. Envoy logs an error for each question with the
    /// wrong type, so a request must not repeat them.
    static KNOWN: RefCell<BTreeMap<(&'static str, usize), KnownValue>> =
        const { RefCell::new(BTreeMap::new()) };
}

/// The values of a namespace in the metadata of the request's route. Lists, structures and null, which Envoy
/// does not pass, match no host: without its criterion, the request would reach more hosts.
pub(crate) fn of_route(envoy: StreamHandle<'_>, namespace: &'static str) -> Metadata {
    let keys = envoy.metadata_keys(MetadataSource::Route, namespace);
    let field = |key: MetadataKey| {
        let value = value(envoy, namespace, &key);
        (key.name, value)
    };
    Metadata::new(keys.into_iter().map(field))
}

fn value(envoy: StreamHandle<'_>, namespace: &'static str, key: &MetadataKey) -> Value {
    let place = (namespace, key.address);
    let known = KNOWN.with_borrow(|all| {
        let known = all.get(&place).filter(|known| known.key == key.name)?;
        Some((known.kind, known.asked))
    });
    let mut known_kind = None;
    match known {
        Some((Some(kind), _)) => {
            if let Some(value) = value_of(envoy, namespace, &key.name, kind) {
                return value;
            }
            known_kind = Some(kind);
        }
        Some((None, asked)) if abi::monotonic_clock().saturating_sub(asked) < ASKED_AGAIN => {
            return Value::UNMATCHED;
        }
        Some((None, _)) | None => {}
    }
    let mut others = ValueType::ALL
        .into_iter()
        .filter(|kind| Some(*kind) != known_kind);
    let found = others.find_map(|kind| Some((kind, value_of(envoy, namespace, &key.name, kind)?)));
    let known = KnownValue {
        key: key.name.clone(),
        kind: found.as_ref().map(|(kind, _)| *kind),
        asked: abi::monotonic_clock(),
    };
    KNOWN.with_borrow_mut(|all| {
        if all.len() >= MOST_KNOWN {
            all.clear();
        }
        all.insert(place, known);
    });
    found.map_or(Value::UNMATCHED, |(_, value)| value)
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
