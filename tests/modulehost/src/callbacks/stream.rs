//! Callbacks about a configuration of the filter, and about a request.

use super::{AbiBuffer, AbiHeader, Address, fill, fill_all, lent_array};
use crate::{
    filter::ConfigObject,
    headers::HostHeaders,
    lent::found,
    metadata::LentValue,
    stream::{SentResponse, StreamObject},
};

const SUCCESS: u32 = 0;
const REQUEST: u32 = 0;
const RESPONSE: u32 = 2;
const UPSTREAM_ADDRESS: u32 = 41;
/// `upstream.request_attempt_count`.
const UPSTREAM_ATTEMPTS: u32 = 53;
const RESPONSE_CODE_DETAILS: u32 = 16;

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_http_filter_config_define_counter(
    config: Address,
    name: AbiBuffer,
    labels: *const AbiBuffer,
    count: usize,
    metric: *mut usize,
) -> u32 {
    let config: &ConfigObject = found(config);
    let labels = lent_array(labels, count).iter().map(|label| label.text());
    let mut metrics = config.metrics.borrow_mut();
    metrics.push((name.text(), labels.collect()));
    fill(metric, metrics.len() - 1);
    SUCCESS
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_http_filter_increment_counter(
    stream: Address,
    metric: usize,
    labels: *const AbiBuffer,
    count: usize,
    by: u64,
) -> u32 {
    let stream = reached(stream);
    let (name, names) = stream.metric(metric);
    assert_eq!(names.len(), count, "labels of {name}");
    let mut full = name.clone();
    for value in lent_array(labels, count) {
        full = format!("{full}.{}", value.text());
    }
    *stream.counted.borrow_mut().entry(full).or_default() += by;
    SUCCESS
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_http_get_header(
    stream: Address,
    map: u32,
    name: AbiBuffer,
    value: *mut AbiBuffer,
    index: usize,
    count: *mut usize,
) -> bool {
    let headers = map_of(reached(stream), map).borrow();
    let name = name.text();
    if !count.is_null() {
        fill(count, headers.values(&name).count());
    }
    let found = headers.values(&name).nth(index);
    fill(value, found.map_or(AbiBuffer::NULL, AbiBuffer::lent));
    found.is_some()
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_http_get_headers_size(
    stream: Address,
    map: u32,
) -> usize {
    map_of(reached(stream), map).borrow().iter().len()
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_http_get_headers(
    stream: Address,
    map: u32,
    headers: *mut AbiHeader,
) -> bool {
    fill_all(
        headers,
        lent_headers(&map_of(reached(stream), map).borrow()),
    );
    true
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_http_set_header(
    stream: Address,
    map: u32,
    name: AbiBuffer,
    value: AbiBuffer,
) -> bool {
    let copy = (!value.is_null()).then(|| value.copied());
    let mut headers = map_of(reached(stream), map).borrow_mut();
    headers.set(&name.text(), copy.as_deref());
    true
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_http_add_header(
    stream: Address,
    map: u32,
    name: AbiBuffer,
    value: AbiBuffer,
) -> bool {
    let mut headers = map_of(reached(stream), map).borrow_mut();
    headers.add(&name.text(), &value.copied());
    true
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_http_send_response(
    stream: Address,
    status: u32,
    headers: *const AbiHeader,
    count: usize,
    body: AbiBuffer,
    details: AbiBuffer,
) {
    let stream = reached(stream);
    let mut copy = HostHeaders::default();
    for header in lent_array(headers, count) {
        copy.add(&header.name.text(), &header.value.copied());
    }
    drop(body.text());
    let before = stream.sent.replace(Some(SentResponse {
        status,
        headers: copy,
        details: details.text(),
    }));
    assert!(before.is_none(), "a second response");
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_http_clear_route_cache(stream: Address) {
    reached(stream).clear_route();
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_http_clear_route_cluster_cache(stream: Address) {
    reached(stream).cluster.replace(None);
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_http_get_cluster_name(
    stream: Address,
    name: *mut AbiBuffer,
) -> bool {
    let stream = reached(stream);
    stream.choose_cluster();
    lend(name, stream.cluster.borrow().as_deref())
}

/// Envoy refuses a text that is not an address.
#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_http_set_upstream_override_host(
    stream: Address,
    host: AbiBuffer,
    _is_strict: bool,
) -> bool {
    let host = host.text();
    let is_address = host.parse::<std::net::SocketAddr>().is_ok();
    if is_address {
        reached(stream).override_host.replace(Some(host));
    }
    is_address
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_http_set_dynamic_metadata_string(
    stream: Address,
    namespace: AbiBuffer,
    key: AbiBuffer,
    value: AbiBuffer,
) {
    let value = LentValue::Text(value.copied());
    let mut metadata = reached(stream).metadata.borrow_mut();
    metadata.set(&namespace.text(), &key.text(), value);
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_http_set_filter_state_bytes(
    stream: Address,
    key: AbiBuffer,
    value: AbiBuffer,
) -> bool {
    let mut state = reached(stream).filter_state.borrow_mut();
    state.insert(key.text(), value.copied());
    true
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_http_filter_get_attribute_string(
    stream: Address,
    attribute: u32,
    value: *mut AbiBuffer,
) -> bool {
    let stream = reached(stream);
    let text = match attribute {
        UPSTREAM_ADDRESS => &stream.upstream,
        RESPONSE_CODE_DETAILS => &stream.details,
        _ => panic!("the module reads the attribute {attribute}"),
    };
    lend(value, text.borrow().as_deref())
}

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_http_filter_get_attribute_int(
    stream: Address,
    attribute: u32,
    value: *mut u64,
) -> bool {
    assert_eq!(
        attribute, UPSTREAM_ATTEMPTS,
        "the module reads another number"
    );
    let attempts = reached(stream).attempts.get();
    if let Some(attempts) = attempts {
        fill(value, attempts);
    }
    attempts.is_some()
}

/// The request of a hook that has not returned.
pub(super) fn reached<'a>(stream: Address) -> &'a StreamObject {
    let stream: &StreamObject = found(stream);
    assert!(stream.in_hook.get(), "a callback outside of the hook");
    stream
}

/// Lends headers.
pub(super) fn lent_headers(headers: &HostHeaders) -> impl Iterator<Item = AbiHeader> {
    headers.iter().map(|(name, value)| AbiHeader {
        name: AbiBuffer::lent(name),
        value: AbiBuffer::lent(value),
    })
}

/// Lends a text, if there is one.
pub(super) fn lend(variable: *mut AbiBuffer, text: Option<&[u8]>) -> bool {
    if let Some(text) = text {
        fill(variable, AbiBuffer::lent(text));
    }
    text.is_some()
}

fn map_of(stream: &StreamObject, map: u32) -> &std::cell::RefCell<HostHeaders> {
    match map {
        REQUEST => &stream.request,
        RESPONSE => &stream.response,
        _ => panic!("the module reads the header map {map}"),
    }
}
