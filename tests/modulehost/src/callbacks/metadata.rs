//! Callbacks about the metadata of a route.

use super::{
    AbiBuffer, Address, fill, fill_all,
    stream::{lend, reached},
};
use crate::{metadata::LentValue, process, stream::StreamObject};

const ROUTE: u32 = 1;

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_http_get_metadata_string(
    stream: Address,
    source: u32,
    namespace: AbiBuffer,
    key: AbiBuffer,
    value: *mut AbiBuffer,
) -> bool {
    with_field(source, reached(stream), namespace, key, "string", |field| {
        field_text(field, value)
    })
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_http_get_metadata_number(
    stream: Address,
    source: u32,
    namespace: AbiBuffer,
    key: AbiBuffer,
    value: *mut f64,
) -> bool {
    with_field(source, reached(stream), namespace, key, "number", |field| {
        field_number(field, value)
    })
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_http_get_metadata_bool(
    stream: Address,
    source: u32,
    namespace: AbiBuffer,
    key: AbiBuffer,
    value: *mut bool,
) -> bool {
    with_field(source, reached(stream), namespace, key, "bool", |field| {
        field_bool(field, value)
    })
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_http_get_metadata_keys_count(
    stream: Address,
    source: u32,
    namespace: AbiBuffer,
) -> usize {
    assert_eq!(source, ROUTE, "a source of metadata");
    let route = reached(stream).route.borrow();
    route.metadata.keys(&namespace.text()).count()
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_http_get_metadata_keys(
    stream: Address,
    source: u32,
    namespace: AbiBuffer,
    keys: *mut AbiBuffer,
) -> bool {
    assert_eq!(source, ROUTE, "a source of metadata");
    let route = reached(stream).route.borrow();
    let namespace = namespace.text();
    let texts = route.metadata.keys(&namespace);
    fill_all(keys, texts.map(|key| AbiBuffer::lent(key.as_bytes())));
    true
}

/// Reads a value of this type. Envoy logs a question with another type.
fn with_field(
    source: u32,
    stream: &StreamObject,
    namespace: AbiBuffer,
    key: AbiBuffer,
    kind: &str,
    read: impl FnOnce(Option<&LentValue>) -> bool,
) -> bool {
    assert_eq!(source, ROUTE, "a source of metadata");
    let route = stream.route.borrow();
    let field = route.metadata.get(&namespace.text(), &key.text());
    let is_read = read(field);
    if field.is_some() && !is_read {
        process::logged(format!("key {} is not a {kind}", key.text()));
    }
    is_read
}

/// Lends a value if it is a text.
pub(super) fn field_text(field: Option<&LentValue>, value: *mut AbiBuffer) -> bool {
    match field {
        Some(LentValue::Text(text)) => lend(value, Some(text)),
        _ => false,
    }
}

/// Passes a value if it is a number.
pub(super) fn field_number(field: Option<&LentValue>, value: *mut f64) -> bool {
    match field {
        Some(LentValue::Number(number)) => {
            fill(value, *number);
            true
        }
        _ => false,
    }
}

/// Passes a value if it is a truth value.
pub(super) fn field_bool(field: Option<&LentValue>, value: *mut bool) -> bool {
    match field {
        Some(LentValue::Bool(truth)) => {
            fill(value, *truth);
            true
        }
        _ => false,
    }
}
