//! The functions of the host that the SDK lacks, or that it offers only at a high cost.
//!
//! The SDK copies each header into two allocations, half of a request's instructions, and its local
//! responses have no details for access logs. These are the only two functions of proxy-wasm that are
//! declared here. The others are those of WASI. On targets other than Wasm, every call fails.
#![allow(unsafe_code, reason = "calls of foreign functions are unsafe")]

use proxy_wasm::types::{Bytes, MapType};
use std::ptr;

/// Declares the functions of one module of the host. Each returns a status; 0 means success.
macro_rules! imports {
    ($module:literal: $(fn $name:ident($($argument:ident: $type:ty),* $(,)?);)*) => {
        #[cfg(target_arch = "wasm32")]
        #[link(wasm_import_module = $module)]
        unsafe extern "C" {
            $(fn $name($($argument: $type),*) -> u32;)*
        }
        $(
            #[cfg(not(target_arch = "wasm32"))]
            #[allow(clippy::too_many_arguments, reason = "the ABI defines them")]
            const unsafe fn $name($(_: $type),*) -> u32 {
                12 // Unimplemented.
            }
        )*
    };
}

imports! { "env":
    fn proxy_get_header_map_pairs(map: MapType, value: *mut *mut u8, value_length: *mut usize);
    fn proxy_send_local_response(
        status: u32,
        details: *const u8,
        details_length: usize,
        body: *const u8,
        body_length: usize,
        headers: *const u8,
        headers_length: usize,
        grpc_status: i32,
    );
}

imports! { "wasi_snapshot_preview1":
    fn random_get(at: *mut u8, length: usize);
    fn clock_time_get(clock: u32, precision: u64, time: *mut u64);
    fn environ_sizes_get(count: *mut usize, size: *mut usize);
    fn environ_get(addresses: *mut *mut u8, texts: *mut u8);
}

/// All headers of a map, as the host encodes them; `None` if the map does not exist.
pub(crate) fn headers(map: MapType) -> Option<Bytes> {
    let (mut at, mut length) = (ptr::null_mut(), 0);
    // SAFETY: the host writes only the two variables.
    let status = unsafe { proxy_get_header_map_pairs(map, &raw mut at, &raw mut length) };
    if status != 0 {
        return None;
    }
    if at.is_null() {
        return Some(Bytes::new());
    }
    // SAFETY: the call succeeded, so the host allocated exactly `length` bytes with our allocator
    // and passed their ownership.
    Some(unsafe { Bytes::from_raw_parts(at, length, length) })
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
        assert_eq!(headers(MapType::HttpRequestHeaders), None);
        assert!(!send_local_response(503, "a", "b", &[]));
    }
}
