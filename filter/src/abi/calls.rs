//! Calls into the host, each with a return value that says whether it worked. None of them panics.

use super::imports::*;
use super::{Buffer, HeaderMap, LogLevel, MetricKind};
use std::ptr;

/// Fills `bytes` with random ones. `false` when the host has none to give.
pub(crate) fn random(bytes: &mut [u8]) -> bool {
    // SAFETY: the host writes exactly the slice.
    unsafe { random_get(bytes.as_mut_ptr(), bytes.len()) == 0 }
}

/// Writes a line to the host's log. Whether it worked.
pub(crate) fn log(level: LogLevel, text: &str) -> bool {
    // SAFETY: the host only reads the slice.
    unsafe { proxy_log(level as u32, text.as_ptr(), text.len()) == 0 }
}

/// The host's clock in nanoseconds since the epoch.
pub(crate) fn nanoseconds() -> Option<u64> {
    let mut time = 0;
    // SAFETY: the host writes the variable.
    let status = unsafe { proxy_get_current_time_nanoseconds(&raw mut time) };
    (status == 0).then_some(time)
}

/// Has the present root context called at this interval. Whether it worked.
pub(crate) fn set_tick_period(milliseconds: u32) -> bool {
    // SAFETY: no memory is shared.
    unsafe { proxy_set_tick_period_milliseconds(milliseconds) == 0 }
}

/// The first `most` bytes of a buffer. `None` when there is nothing in it.
pub(crate) fn buffer(buffer: Buffer, most: usize) -> Option<Vec<u8>> {
    // SAFETY: the host writes only the two variables.
    given(|at, length| unsafe { proxy_get_buffer_bytes(buffer as u32, 0, most, at, length) })
        .filter(|bytes| !bytes.is_empty())
}

/// All headers of a map, in the host's form. `None` when the map does not exist.
pub(crate) fn headers(map: HeaderMap) -> Option<Vec<u8>> {
    // SAFETY: the host writes only the two variables.
    given(|at, length| unsafe { proxy_get_header_map_pairs(map as u32, at, length) })
}

/// The first value of a header. `None` when the map or the header does not exist.
pub(crate) fn header(map: HeaderMap, name: &str) -> Option<Vec<u8>> {
    // SAFETY: the host reads the name and writes only the two variables.
    given(|at, length| unsafe {
        proxy_get_header_map_value(map as u32, name.as_ptr(), name.len(), at, length)
    })
}

/// Removes every copy of a header. Whether it worked.
pub(crate) fn remove_header(map: HeaderMap, name: &str) -> bool {
    // SAFETY: the host only reads the slice.
    unsafe { proxy_remove_header_map_value(map as u32, name.as_ptr(), name.len()) == 0 }
}

/// Sets a header, in place of every copy of it. Whether it worked.
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

/// Adds a header to those of the same name. Whether it worked.
pub(crate) fn add_header(map: HeaderMap, name: &str, value: &str) -> bool {
    // SAFETY: the host only reads, and each address goes with the length of its own slice.
    both(
        name,
        value.as_bytes(),
        |name, length, value, of_value| unsafe {
            proxy_add_header_map_value(map as u32, name, length, value, of_value)
        },
    )
}

/// Answers the request in the upstream's place, with the text of `%RESPONSE_CODE_DETAILS%` in access
/// logs. `false` when the host refuses.
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

/// Sends a request without a body through a cluster of Envoy. The token that the answer will come
/// with, or `None` when there is no such cluster.
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

/// What the host keeps under a path of properties. `None` when there is no such thing, or it cannot
/// be handed over.
pub(crate) fn property(path: &str) -> Option<Vec<u8>> {
    // SAFETY: the host reads the path and writes only the two variables.
    given(|at, length| unsafe { proxy_get_property(path.as_ptr(), path.len(), at, length) })
}

/// Keeps a value with the request, as filter state below `wasm.`. Whether it worked.
pub(crate) fn set_property(path: &str, value: &[u8]) -> bool {
    // SAFETY: the host only reads, and each address goes with the length of its own slice.
    both(path, value, |path, length, value, of_value| unsafe {
        proxy_set_property(path, length, value, of_value)
    })
}

/// What the VMs of this `vm_id` keep under a key.
pub(crate) fn shared_data(key: &str) -> Option<Vec<u8>> {
    let mut version = 0;
    let version = &raw mut version;
    // SAFETY: the host reads the key and writes only the three variables.
    given(|at, length| unsafe {
        proxy_get_shared_data(key.as_ptr(), key.len(), at, length, version)
    })
}

/// Keeps a value for the VMs of this `vm_id`. Whether it worked.
pub(crate) fn set_shared_data(key: &str, value: &[u8]) -> bool {
    /// Whatever is there is replaced.
    const ANY_VERSION: u32 = 0;
    // SAFETY: the host only reads, and each address goes with the length of its own slice.
    both(key, value, |key, length, value, of_value| unsafe {
        proxy_set_shared_data(key, length, value, of_value, ANY_VERSION)
    })
}

/// The id of a metric of this name, which the host defines if need be.
pub(crate) fn define_metric(kind: MetricKind, name: &str) -> Option<u32> {
    let mut id = 0;
    // SAFETY: the host reads the name and writes the id.
    let status =
        unsafe { proxy_define_metric(kind as u32, name.as_ptr(), name.len(), &raw mut id) };
    (status == 0).then_some(id)
}

/// Adds to a metric. Whether it worked.
pub(crate) fn increment_metric(id: u32, by: i64) -> bool {
    // SAFETY: no memory is shared.
    unsafe { proxy_increment_metric(id, by) == 0 }
}

/// Sets a metric. Whether it worked.
pub(crate) fn record_metric(id: u32, value: u64) -> bool {
    // SAFETY: no memory is shared.
    unsafe { proxy_record_metric(id, value) == 0 }
}

/// Headers as the host reads them: how many, the lengths of each name and value, then all of these
/// with a zero byte behind each.
fn header_map(headers: &[(&str, &str)]) -> Vec<u8> {
    // A length of more than 32 bits does not fit into this memory.
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

/// Calls with the addresses and lengths of a name and a value. Whether it worked.
fn both(
    name: &str,
    value: &[u8],
    call: impl FnOnce(*const u8, usize, *const u8, usize) -> u32,
) -> bool {
    call(name.as_ptr(), name.len(), value.as_ptr(), value.len()) == 0
}

/// The bytes that a call of the host returns: where they are and how many. `None` when it fails.
fn given(call: impl FnOnce(*mut *mut u8, *mut usize) -> u32) -> Option<Vec<u8>> {
    let (mut at, mut length) = (ptr::null_mut(), 0);
    let status = call(&raw mut at, &raw mut length);
    (status == 0).then(|| owned(at, length))
}

/// Takes over what the host allocated.
fn owned(at: *mut u8, length: usize) -> Vec<u8> {
    if at.is_null() {
        return Vec::new();
    }
    // SAFETY: of a call that worked, the two are what the host had our allocator make for just this
    // length, and the host has given them away.
    unsafe { Vec::from_raw_parts(at, length, length) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_counted_and_measured_before_they_are_written() {
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
