//! What the filter asks of the host, in the filter's own terms. The calls themselves are in
//! [`crate::abi::calls`].

use crate::abi::{Buffer, HeaderMap, LogLevel, MetricKind, calls};
use crate::request_headers::RequestHeaders;
use std::time::Duration;

/// Which side of the exchange a header belongs to. Each is there only in its own phase.
#[derive(Clone, Copy)]
pub(crate) enum Side {
    /// What the client sent, and what the upstream will get.
    Request,
    /// What the upstream sent, and what the client will get.
    Response,
}

impl Side {
    const fn map(self) -> HeaderMap {
        match self {
            Self::Request => HeaderMap::Request,
            Self::Response => HeaderMap::Response,
        }
    }
}

/// The bytes of the plugin's `configuration`; none when it has no such field.
pub(crate) fn plugin_configuration(size: usize) -> Option<Vec<u8>> {
    calls::buffer(Buffer::PluginConfiguration, size)
}

/// All request headers, with every copy of a repeated one.
pub(crate) fn request_headers() -> RequestHeaders {
    calls::headers(HeaderMap::Request)
        .map(RequestHeaders::new)
        .unwrap_or_default()
}

/// The first value of a request header.
pub(crate) fn request_header(name: &str) -> Option<Vec<u8>> {
    calls::header(HeaderMap::Request, name)
}

/// Removes every copy of a header. Whether it worked.
pub(crate) fn remove_header(side: Side, name: &str) -> bool {
    calls::remove_header(side.map(), name)
}

/// Sets a header, in place of every copy of it. Whether it worked.
pub(crate) fn set_header(side: Side, name: &str, value: &str) -> bool {
    calls::set_header(side.map(), name, value)
}

/// The first value of a header of the answer.
pub(crate) fn response_header(name: &str) -> Option<Vec<u8>> {
    calls::header(HeaderMap::Response, name)
}

/// Adds a header to those of the same name. Whether it worked.
pub(crate) fn add_header(side: Side, name: &str, value: &str) -> bool {
    calls::add_header(side.map(), name, value)
}

/// Answers the request in the upstream's place. Whether it worked.
pub(crate) fn respond(status: u32, details: &str, body: &str, headers: &[(&str, &str)]) -> bool {
    calls::send_local_response(status, details, body, headers)
}

/// The id of a counter of this name, defining it if need be.
pub(crate) fn counter(name: &str) -> Option<u32> {
    calls::define_metric(MetricKind::Counter, name)
}

/// Adds one. Whether it worked.
pub(crate) fn increment(counter: u32) -> bool {
    calls::increment_metric(counter, 1)
}

/// The id of a gauge of this name, defining it if need be.
pub(crate) fn gauge(name: &str) -> Option<u32> {
    calls::define_metric(MetricKind::Gauge, name)
}

/// Sets a gauge. There is nobody to tell when that fails.
pub(crate) fn record(gauge: u32, value: u64) {
    let _ = calls::record_metric(gauge, value);
}

/// Has the present root context called again and again. Whether it worked.
pub(crate) fn tick_every(period: Duration) -> bool {
    calls::set_tick_period(milliseconds(period))
}

/// What the host keeps under a path, its parts with zero bytes between.
pub(crate) fn property(path: &str) -> Option<Vec<u8>> {
    calls::property(path)
}

/// Keeps a value with the request, which access logs show as `%FILTER_STATE(wasm.NAME:PLAIN)%`.
/// Whether it worked.
pub(crate) fn set_property(name: &str, value: &str) -> bool {
    calls::set_property(name, value.as_bytes())
}

/// What the workers share under a key.
pub(crate) fn shared_data(key: &str) -> Option<Vec<u8>> {
    calls::shared_data(key)
}

/// Shares a value with all workers. Whether it worked.
pub(crate) fn share(key: &str, value: &[u8]) -> bool {
    calls::set_shared_data(key, value)
}

/// Sends a GET through a cluster of Envoy; the token that the answer will come with, or none when
/// there is no such cluster.
pub(crate) fn get(cluster: &str, path: &str, timeout: Duration) -> Option<u32> {
    let headers = [
        (":method", "GET"),
        (":path", path),
        (":authority", "spillgate"),
    ];
    calls::http_call(cluster, &headers, milliseconds(timeout))
}

/// The status of the answer that is here now; none where there was no answer.
pub(crate) fn answer_status() -> Option<Vec<u8>> {
    calls::header(HeaderMap::CallResponse, ":status")
}

/// The body of the answer that is here now.
pub(crate) fn answer_body(size: usize) -> Option<Vec<u8>> {
    calls::buffer(Buffer::CallResponseBody, size)
}

/// Writes a line to the host's log. There is nowhere to complain when that fails.
pub(crate) fn log(level: LogLevel, message: &str) {
    let _ = calls::log(level, message);
}

/// The host's clock in nanoseconds since the epoch.
pub(crate) fn nanoseconds() -> Option<u64> {
    calls::nanoseconds()
}

fn milliseconds(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(u32::MAX)
}
