//! The hostcalls of the SDK that the filter uses. Each returns whether it succeeded, or its result.
//!
//! The SDK panics on a status that it does not expect, which ends the VM for every filter in it. So
//! this is the only file that calls it, and only by functions that cannot meet such a status: those
//! without a context, and in their byte forms. What Envoy 1.40 returns (`source/extensions/common/wasm/context.cc`,
//! with proxy-wasm-cpp-host, `src/exports.cc` and `src/shared_data.cc`):
//!
//! | function of the host | status | when |
//! |---|---|---|
//! | `proxy_log` | `Ok` | always, for a level of the ABI |
//! | `proxy_get_current_time_nanoseconds` | `Ok` | always |
//! | `proxy_set_tick_period_milliseconds` | `Ok` | always |
//! | `proxy_get_buffer_bytes` | `NotFound` | the buffer is that of another callback, or a failed call has no body |
//! | `proxy_get_header_map_value` | `NotFound` | the header is absent |
//! | `proxy_remove_header_map_value` | `Ok` | always, for a map that exists |
//! | `proxy_replace_header_map_value` | `Ok` | always, for a map that exists |
//! | `proxy_add_header_map_value` | `Ok` | always, for a map that exists |
//! | `proxy_get_property` | `NotFound` | no such attribute, or not in this phase |
//! | `proxy_get_property` | `SerializationFailure` | an attribute without a byte form |
//! | `proxy_get_property` | `InternalFailure` | a field that cannot be read |
//! | `proxy_set_property` | `Ok` | always, for a new name in a request |
//! | `proxy_get_shared_data` | `NotFound` | no such key |
//! | `proxy_set_shared_data` | `CasMismatch` | another revision |
//! | `proxy_define_metric` | `Ok` | always, for a kind of the ABI |
//! | `proxy_record_metric` | `NotFound` | an unknown number |
//! | `proxy_increment_metric` | `NotFound` | an unknown number |
//! | `proxy_increment_metric` | `BadArgument` | not a counter or gauge, or an addition of 0 |
//! | `proxy_http_call` | `BadArgument` | no such cluster, or a required header is missing |
//! | `proxy_http_call` | `InternalFailure` | the call failed at once, such as without a host |
//! | `proxy_set_effective_context` | `Ok` | always, for a context that exists; the dispatcher of the SDK calls it |
//! | `proxy_get_header_map_pairs` | `BadArgument` | a number that names no map |
//! | `proxy_send_local_response` | `Ok` | always |
//!
//! Where a map does not exist, Envoy returns `BadArgument`, on which the SDK panics: a request and a
//! response have their own map in their own phase only, and a failed call has none. So
//! [`Exchange`](crate::host::Exchange) knows its phase, and [`root`](crate::root) the number of headers.
//!
//! The dispatcher of the SDK panics on numbers that it does not know. Envoy passes none: numbers of contexts
//! (`WasmBase::allocContextId`) and of calls (`nextHttpCallId`) are unique in a VM, `Context::decodeHeaders`
//! creates the context of a request before its first callback, later callbacks need this one, and
//! `onHttpCallFailure` ignores a call that failed at once.
//!
//! If `capability_restriction_config` denies a function, it returns `InternalFailure`, and the SDK ends
//! the VM: all of them must be allowed.

use proxy_wasm::hostcalls;
use proxy_wasm::types::{BufferType, Bytes, MapType, MetricType, Status};
use spillgate_steer::port::ShareOutcome;
use std::time::{Duration, UNIX_EPOCH};

/// The host's wall clock: nanoseconds since the Unix epoch.
pub(crate) fn wall_clock() -> Option<u64> {
    let now = hostcalls::get_current_time().ok()?;
    let since = now.duration_since(UNIX_EPOCH).ok()?;
    u64::try_from(since.as_nanos()).ok()
}

/// Requests ticks for the present root context at this interval.
pub(crate) fn set_tick_period(period: Duration) {
    let _ = hostcalls::set_tick_period(limited(period));
}

/// The first `most` bytes of a buffer; `None` if it is empty.
pub(crate) fn buffer(buffer: BufferType, most: usize) -> Option<Bytes> {
    window(buffer, 0, most)
}

/// At most that many bytes of a buffer from a place in it; `None` if no bytes are left.
pub(crate) fn window(buffer: BufferType, start: usize, most: usize) -> Option<Bytes> {
    hostcalls::get_buffer(buffer, start, most).ok().flatten()
}

/// The first value of a header; `None` if the header does not exist. The map must exist.
pub(crate) fn header(map: MapType, name: &str) -> Option<Bytes> {
    hostcalls::get_map_value_bytes(map, name).ok().flatten()
}

/// Removes every value of a header. The map must exist.
pub(crate) fn remove_header(map: MapType, name: &str) -> bool {
    hostcalls::remove_map_value(map, name).is_ok()
}

/// Sets a header, and replaces every value of it. The map must exist.
pub(crate) fn set_header(map: MapType, name: &str, value: &str) -> bool {
    hostcalls::set_map_value_bytes(map, name, Some(value.as_bytes())).is_ok()
}

/// Adds a header value, and keeps the present ones. The map must exist.
pub(crate) fn add_header(map: MapType, name: &str, value: &[u8]) -> bool {
    hostcalls::add_map_value_bytes(map, name, value).is_ok()
}

/// Sends a request without a body through a cluster of Envoy. Returns the token of the call, which
/// the response will have too; `None` if the cluster is unknown.
pub(crate) fn http_call(cluster: &str, headers: &[(&str, &str)], timeout: Duration) -> Option<u32> {
    let headers = headers.to_vec();
    hostcalls::dispatch_http_call(cluster, headers, None, Vec::new(), limited(timeout)).ok()
}

/// The property of a path, whose parts are separated by zero bytes; `None` if it does not exist, if
/// it is empty, or if the host cannot encode it.
pub(crate) fn property(path: &str) -> Option<Bytes> {
    hostcalls::get_property(vec![path]).ok().flatten()
}

/// Stores a value as filter state of the request, with the prefix `wasm.`.
pub(crate) fn set_property(path: &str, value: &[u8]) -> bool {
    hostcalls::set_property(vec![path], Some(value)).is_ok()
}

/// The value that all VMs of this `vm_id` share under a key, and its revision.
pub(crate) fn shared_data(key: &str) -> Option<(Bytes, u32)> {
    let (value, revision) = hostcalls::get_shared_data(key).ok()?;
    // No key has the revision 0, so an absent revision is an absent key.
    Some((value.unwrap_or_default(), revision?))
}

/// Stores a value for all VMs of this `vm_id`, in place of that revision; `None` replaces every
/// revision.
pub(crate) fn set_shared_data(key: &str, value: &[u8], revision: Option<u32>) -> ShareOutcome {
    match hostcalls::set_shared_data(key, Some(value), revision) {
        Ok(()) => ShareOutcome::Stored,
        Err(Status::CasMismatch) => ShareOutcome::Conflict,
        Err(_) => ShareOutcome::Refused,
    }
}

/// The id of a metric. The host defines it unless it exists.
pub(crate) fn define_metric(kind: MetricType, name: &str) -> Option<u32> {
    hostcalls::define_metric(kind, name).ok()
}

/// Adds to a metric.
pub(crate) fn increment_metric(id: u32, by: i64) {
    let _ = hostcalls::increment_metric(id, by);
}

/// Sets a metric.
pub(crate) fn record_metric(id: u32, value: u64) {
    let _ = hostcalls::record_metric(id, value);
}

/// At most what the ABI can express, 32 bits of milliseconds: the SDK drops higher bits.
fn limited(duration: Duration) -> Duration {
    duration.min(Duration::from_millis(u32::MAX.into()))
}
