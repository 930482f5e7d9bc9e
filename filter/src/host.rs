//! The only file that names hostcalls.
//!
//! Every call answers with a value that says whether it worked; none of the SDK's shorthands on
//! its contexts is used, because they turn an error into a panic, and a panic kills the VM for
//! every filter in it.

use crate::imports;
use crate::request_headers::RequestHeaders;
use proxy_wasm::hostcalls;
use proxy_wasm::types::{BufferType, Bytes, LogLevel, MapType, MetricType};
use std::time::{Duration, UNIX_EPOCH};

/// Which side of the exchange a header belongs to. Each is there only in its own phase.
#[derive(Clone, Copy)]
pub(crate) enum Side {
    /// What the client sent, and what the upstream will get.
    Request,
    /// What the upstream sent, and what the client will get.
    Response,
}

impl Side {
    const fn map(self) -> MapType {
        match self {
            Self::Request => MapType::HttpRequestHeaders,
            Self::Response => MapType::HttpResponseHeaders,
        }
    }
}

/// The bytes of the plugin's `configuration`; none when it has no such field.
pub(crate) fn plugin_configuration(size: usize) -> Option<Bytes> {
    hostcalls::get_buffer(BufferType::PluginConfiguration, 0, size)
        .ok()
        .flatten()
}

/// All request headers, with every copy of a repeated one.
pub(crate) fn request_headers() -> RequestHeaders {
    imports::request_headers()
        .map(RequestHeaders::new)
        .unwrap_or_default()
}

/// The first value of a request header.
pub(crate) fn request_header(name: &str) -> Option<Bytes> {
    hostcalls::get_map_value_bytes(MapType::HttpRequestHeaders, name)
        .ok()
        .flatten()
}

/// Removes every copy of a header. Whether it worked.
pub(crate) fn remove_header(side: Side, name: &str) -> bool {
    hostcalls::remove_map_value(side.map(), name).is_ok()
}

/// Sets a header, in place of every copy of it. Whether it worked.
pub(crate) fn set_header(side: Side, name: &str, value: &str) -> bool {
    hostcalls::set_map_value(side.map(), name, Some(value)).is_ok()
}

/// The first value of a header of the answer.
pub(crate) fn response_header(name: &str) -> Option<Bytes> {
    hostcalls::get_map_value_bytes(MapType::HttpResponseHeaders, name)
        .ok()
        .flatten()
}

/// Adds a header to those of the same name. Whether it worked.
pub(crate) fn add_header(side: Side, name: &str, value: &str) -> bool {
    hostcalls::add_map_value(side.map(), name, value).is_ok()
}

/// Answers the request in the upstream's place. Whether it worked.
pub(crate) fn respond(status: u32, details: &str, body: &str, headers: &[(&str, &str)]) -> bool {
    imports::send_local_response(status, details, body, headers)
}

/// The id of a counter of this name, defining it if need be.
pub(crate) fn counter(name: &str) -> Option<u32> {
    hostcalls::define_metric(MetricType::Counter, name).ok()
}

/// Adds one. Whether it worked.
pub(crate) fn increment(counter: u32) -> bool {
    hostcalls::increment_metric(counter, 1).is_ok()
}

/// The id of a gauge of this name, defining it if need be.
pub(crate) fn gauge(name: &str) -> Option<u32> {
    hostcalls::define_metric(MetricType::Gauge, name).ok()
}

/// Sets a gauge. There is nobody to tell when that fails.
pub(crate) fn record(gauge: u32, value: u64) {
    let _ = hostcalls::record_metric(gauge, value);
}

/// Has the present root context called again and again. Whether it worked.
pub(crate) fn tick_every(period: Duration) -> bool {
    hostcalls::set_tick_period(period).is_ok()
}

/// What the host keeps under a path, its parts with zero bytes between.
pub(crate) fn property(path: &str) -> Option<Vec<u8>> {
    imports::property(path)
}

/// Keeps a value with the request, which access logs show as `%FILTER_STATE(wasm.NAME:PLAIN)%`.
/// Whether it worked.
pub(crate) fn set_property(name: &str, value: &str) -> bool {
    imports::set_property(name, value.as_bytes())
}

/// What the workers share under a key.
pub(crate) fn shared_data(key: &str) -> Option<Vec<u8>> {
    imports::shared_data(key)
}

/// Shares a value with all workers. Whether it worked.
pub(crate) fn share(key: &str, value: &[u8]) -> bool {
    imports::set_shared_data(key, value)
}

/// Sends a GET through a cluster of Envoy; the token that the answer will come with, or none when
/// there is no such cluster.
pub(crate) fn get(cluster: &str, path: &str, timeout: Duration) -> Option<u32> {
    let headers = vec![
        (":method", "GET"),
        (":path", path),
        (":authority", "spillgate"),
    ];
    hostcalls::dispatch_http_call(cluster, headers, None, Vec::new(), timeout).ok()
}

/// The status of the answer that is here now; none where there was no answer.
pub(crate) fn answer_status() -> Option<Bytes> {
    imports::answer_status()
}

/// The body of the answer that is here now.
pub(crate) fn answer_body(size: usize) -> Option<Bytes> {
    hostcalls::get_buffer(BufferType::HttpCallResponseBody, 0, size)
        .ok()
        .flatten()
}

/// Writes a line to the host's log. There is nowhere to complain when that fails.
pub(crate) fn log(level: LogLevel, message: &str) {
    let _ = hostcalls::log(level, message);
}

/// The host's clock in nanoseconds since the epoch.
pub(crate) fn nanoseconds() -> Option<u64> {
    let now = hostcalls::get_current_time().ok()?;
    let since = now.duration_since(UNIX_EPOCH).ok()?;
    u64::try_from(since.as_nanos()).ok()
}
