//! Calls into the host. Each returns whether it succeeded, or its result; none of them panics.

use super::imports::*;
use super::{Buffer, HeaderMap, LogLevel, MetricKind, SharedDataWrite};
use std::ptr;

/// Fills `bytes` with random bytes. Returns `false` if the host has none.
pub(crate) fn random(bytes: &mut [u8]) -> bool {
    // SAFETY: the host writes exactly the slice.
    unsafe { random_get(bytes.as_mut_ptr(), bytes.len()) == 0 }
}

/// The value of an environment variable of the VM; `None` if it is not set.
pub(crate) fn variable(name: &str) -> Option<Vec<u8>> {
    let (mut count, mut size) = (0, 0);
    // SAFETY: the host writes the two variables.
    let status = unsafe { environ_sizes_get(&raw mut count, &raw mut size) };
    if status != 0 {
        return None;
    }
    let (mut addresses, mut texts) = (vec![ptr::null_mut(); count], vec![0; size]);
    // SAFETY: the host writes as many addresses and bytes as it has just announced.
    let status = unsafe { environ_get(addresses.as_mut_ptr(), texts.as_mut_ptr()) };
    let is_named = |text: &[u8]| {
        let value = text.strip_prefix(name.as_bytes())?.strip_prefix(b"=")?;
        Some(value.to_vec())
    };
    // Each text is `NAME=VALUE` and a zero byte.
    let mut texts = texts.split(|byte| *byte == 0);
    texts.find_map(is_named).filter(|_| status == 0)
}

/// Writes a message to the host's log.
pub(crate) fn log(level: LogLevel, text: &str) -> bool {
    // SAFETY: the host only reads the slice.
    unsafe { proxy_log(level as u32, text.as_ptr(), text.len()) == 0 }
}

/// The host's wall clock: nanoseconds since the Unix epoch.
pub(crate) fn wall_clock() -> Option<u64> {
    let mut time = 0;
    // SAFETY: the host writes the variable.
    let status = unsafe { proxy_get_current_time_nanoseconds(&raw mut time) };
    (status == 0).then_some(time)
}

/// The host's monotonic clock in nanoseconds; `None` if the host has none.
pub(crate) fn monotonic_clock() -> Option<u64> {
    /// `CLOCK_MONOTONIC` of WASI.
    const MONOTONIC: u32 = 1;
    const NANOSECOND: u64 = 1;
    let mut time = 0;
    // SAFETY: the host writes the variable.
    let status = unsafe { clock_time_get(MONOTONIC, NANOSECOND, &raw mut time) };
    (status == 0).then_some(time)
}

/// Requests ticks for the present root context at this interval.
pub(crate) fn set_tick_period(milliseconds: u32) -> bool {
    // SAFETY: no memory is shared.
    unsafe { proxy_set_tick_period_milliseconds(milliseconds) == 0 }
}

/// The first `most` bytes of a buffer; `None` if it is empty.
pub(crate) fn buffer(buffer: Buffer, most: usize) -> Option<Vec<u8>> {
    // SAFETY: the host writes only the two variables.
    given(|at, length| unsafe { proxy_get_buffer_bytes(buffer as u32, 0, most, at, length) })
        .filter(|bytes| !bytes.is_empty())
}

/// All headers of a map, as the host encodes them; `None` if the map does not exist.
pub(crate) fn headers(map: HeaderMap) -> Option<Vec<u8>> {
    // SAFETY: the host writes only the two variables.
    given(|at, length| unsafe { proxy_get_header_map_pairs(map as u32, at, length) })
}

/// The first value of a header; `None` if the map or the header does not exist.
pub(crate) fn header(map: HeaderMap, name: &str) -> Option<Vec<u8>> {
    // SAFETY: the host reads the name and writes only the two variables.
    given(|at, length| unsafe {
        proxy_get_header_map_value(map as u32, name.as_ptr(), name.len(), at, length)
    })
}

/// Removes every value of a header.
pub(crate) fn remove_header(map: HeaderMap, name: &str) -> bool {
    // SAFETY: the host only reads the slice.
    unsafe { proxy_remove_header_map_value(map as u32, name.as_ptr(), name.len()) == 0 }
}

/// Sets a header, and replaces every value of it.
pub(crate) fn set_header(map: HeaderMap, name: &str, value: &str) -> bool {
    // SAFETY: the host only reads, and each address goes with the length of its own slice.
    both(
        name,
        value.as_bytes(),
        |name, length, value, of_value| unsafe {
            proxy_replace_header_map_value(map as u32, name, length, value, of_value)
        },
    )
}

/// Adds a header value, and keeps the present ones.
pub(crate) fn add_header(map: HeaderMap, name: &str, value: &[u8]) -> bool {
    // SAFETY: the host only reads, and each address goes with the length of its own slice.
    both(name, value, |name, length, value, of_value| unsafe {
        proxy_add_header_map_value(map as u32, name, length, value, of_value)
    })
}

/// Sends a local response. `details` appears in access logs as `%RESPONSE_CODE_DETAILS%`. Returns
/// `false` if the host refuses.
pub(crate) fn send_local_response(
    status: u32,
    details: &str,
    body: &str,
    headers: &[(&str, &str)],
) -> bool {
    /// The host derives the gRPC status from the HTTP one.
    const DERIVED: i32 = -1;
    let headers = header_map(headers);
    // SAFETY: the host only reads, and each address goes with the length of its own slice.
    let status = unsafe {
        proxy_send_local_response(
            status,
            details.as_ptr(),
            details.len(),
            body.as_ptr(),
            body.len(),
            headers.as_ptr(),
            headers.len(),
            DERIVED,
        )
    };
    status == 0
}

/// Sends a request without a body through a cluster of Envoy. Returns the token of the call, which
/// the response will have too; `None` if the cluster is unknown.
pub(crate) fn http_call(
    cluster: &str,
    headers: &[(&str, &str)],
    timeout_milliseconds: u32,
) -> Option<u32> {
    let (headers, trailers) = (header_map(headers), header_map(&[]));
    let mut token = 0;
    // SAFETY: the host reads each slice by its own length and writes the token.
    let status = unsafe {
        proxy_http_call(
            cluster.as_ptr(),
            cluster.len(),
            headers.as_ptr(),
            headers.len(),
            ptr::null(),
            0,
            trailers.as_ptr(),
            trailers.len(),
            timeout_milliseconds,
            &raw mut token,
        )
    };
    (status == 0).then_some(token)
}

/// The property of a path, whose parts are separated by zero bytes; `None` if it does not exist, or
/// the host cannot encode it.
pub(crate) fn property(path: &str) -> Option<Vec<u8>> {
    // SAFETY: the host reads the path and writes only the two variables.
    given(|at, length| unsafe { proxy_get_property(path.as_ptr(), path.len(), at, length) })
}

/// Stores a value as filter state of the request, with the prefix `wasm.`.
pub(crate) fn set_property(path: &str, value: &[u8]) -> bool {
    // SAFETY: the host only reads, and each address goes with the length of its own slice.
    both(path, value, |path, length, value, of_value| unsafe {
        proxy_set_property(path, length, value, of_value)
    })
}

/// The value that all VMs of this `vm_id` share under a key, and its revision.
pub(crate) fn shared_data(key: &str) -> Option<(Vec<u8>, u32)> {
    let mut revision = 0;
    let at_revision = &raw mut revision;
    // SAFETY: the host reads the key and writes only the three variables.
    let value = given(|at, length| unsafe {
        proxy_get_shared_data(key.as_ptr(), key.len(), at, length, at_revision)
    })?;
    Some((value, revision))
}

/// Stores a value for all VMs of this `vm_id`, in place of that revision; `None` replaces every
/// revision.
pub(crate) fn set_shared_data(key: &str, value: &[u8], revision: Option<u32>) -> SharedDataWrite {
    const ANY_REVISION: u32 = 0;
    const CAS_MISMATCH: u32 = 8;
    let revision = revision.unwrap_or(ANY_REVISION);
    // SAFETY: the host only reads, and each address goes with the length of its own slice.
    let status = unsafe {
        proxy_set_shared_data(
            key.as_ptr(),
            key.len(),
            value.as_ptr(),
            value.len(),
            revision,
        )
    };
    match status {
        0 => SharedDataWrite::Stored,
        CAS_MISMATCH => SharedDataWrite::Conflict,
        _ => SharedDataWrite::Failed,
    }
}

/// The id of a metric. The host defines it unless it exists.
pub(crate) fn define_metric(kind: MetricKind, name: &str) -> Option<u32> {
    let mut id = 0;
    // SAFETY: the host reads the name and writes the id.
    let status =
        unsafe { proxy_define_metric(kind as u32, name.as_ptr(), name.len(), &raw mut id) };
    (status == 0).then_some(id)
}

/// Adds to a metric.
pub(crate) fn increment_metric(id: u32, by: i64) -> bool {
    // SAFETY: no memory is shared.
    unsafe { proxy_increment_metric(id, by) == 0 }
}

/// Sets a metric.
pub(crate) fn record_metric(id: u32, value: u64) -> bool {
    // SAFETY: no memory is shared.
    unsafe { proxy_record_metric(id, value) == 0 }
}

/// Headers as the host decodes them: their number, the lengths of each name and value, then all
/// names and values, each followed by a zero byte.
fn header_map(headers: &[(&str, &str)]) -> Vec<u8> {
    // Lengths fit into 32 bits, as the memory does.
    let number = |length: usize| (length as u32).to_le_bytes();
    let mut bytes = number(headers.len()).to_vec();
    for (name, value) in headers {
        bytes.extend_from_slice(&number(name.len()));
        bytes.extend_from_slice(&number(value.len()));
    }
    for text in headers.iter().flat_map(|(name, value)| [name, value]) {
        bytes.extend_from_slice(text.as_bytes());
        bytes.push(0);
    }
    bytes
}

/// Calls with the addresses and lengths of a name and a value. Returns whether the call succeeded.
fn both(
    name: &str,
    value: &[u8],
    call: impl FnOnce(*const u8, usize, *const u8, usize) -> u32,
) -> bool {
    call(name.as_ptr(), name.len(), value.as_ptr(), value.len()) == 0
}

/// The bytes that a call of the host returns by address and length; `None` if the call fails.
fn given(call: impl FnOnce(*mut *mut u8, *mut usize) -> u32) -> Option<Vec<u8>> {
    let (mut at, mut length) = (ptr::null_mut(), 0);
    let status = call(&raw mut at, &raw mut length);
    (status == 0).then(|| owned(at, length))
}

/// Takes ownership of bytes that the host allocated.
fn owned(at: *mut u8, length: usize) -> Vec<u8> {
    if at.is_null() {
        return Vec::new();
    }
    // SAFETY: the call succeeded, so the host allocated exactly `length` bytes with our allocator
    // and passed their ownership.
    unsafe { Vec::from_raw_parts(at, length, length) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_and_lengths_precede_the_headers() {
        assert_eq!(header_map(&[]), [0; 4]);
        let lengths = [2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0];
        let texts = b"a\0bc\0def\0\0";
        let map = header_map(&[("a", "bc"), ("def", "")]);
        assert_eq!(map, [&lengths[..], texts].concat());
    }

    #[test]
    fn without_a_host_every_call_fails() {
        assert_eq!(headers(HeaderMap::Request), None);
        assert!(!set_property("a", b"b"));
    }
}
