//! The imports that the SDK does not offer, or offers with a panic for what the host may answer.
//!
//! The one file of the filter that may say `unsafe`: a foreign function cannot be called without.
#![allow(
    unsafe_code,
    reason = "imports from the host are foreign functions; each is wrapped once, here"
)]

/// Fills `bytes` with random ones. `false` when the host has none to give.
#[cfg(target_arch = "wasm32")]
pub(crate) fn random(bytes: &mut [u8]) -> bool {
    #[link(wasm_import_module = "wasi_snapshot_preview1")]
    unsafe extern "C" {
        fn random_get(at: *mut u8, length: usize) -> u16;
    }
    // SAFETY: the host writes `length` bytes at `at`, which is exactly the slice.
    unsafe { random_get(bytes.as_mut_ptr(), bytes.len()) == 0 }
}

/// Answers the request in the upstream's place. The SDK's own call cannot give `details`, the text
/// of `%RESPONSE_CODE_DETAILS%` in access logs. `false` when the host refuses.
#[cfg(target_arch = "wasm32")]
pub(crate) fn send_local_response(
    status: u32,
    details: &str,
    body: &str,
    headers: &[(&str, &str)],
) -> bool {
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        fn proxy_send_local_response(
            status: u32,
            details_at: *const u8,
            details_length: usize,
            body_at: *const u8,
            body_length: usize,
            headers_at: *const u8,
            headers_length: usize,
            grpc_status: i32,
        ) -> u32;
    }
    /// The host derives the gRPC status from the HTTP one.
    const DERIVED: i32 = -1;
    let headers = header_map(headers);
    // SAFETY: the host only reads, and each address goes with the length of its own slice.
    unsafe {
        proxy_send_local_response(
            status,
            details.as_ptr(),
            details.len(),
            body.as_ptr(),
            body.len(),
            headers.as_ptr(),
            headers.len(),
            DERIVED,
        ) == 0
    }
}

/// Headers as the host reads them: how many, the lengths of each name and value, then all of these
/// with a zero byte behind each.
#[cfg(target_arch = "wasm32")]
fn header_map(headers: &[(&str, &str)]) -> Vec<u8> {
    // A length of more than 32 bits does not fit into this memory.
    let number = |length: usize| (length as u32).to_le_bytes();
    let mut bytes = number(headers.len()).to_vec();
    for (name, value) in headers {
        bytes.extend(number(name.len()));
        bytes.extend(number(value.len()));
    }
    for text in headers.iter().flat_map(|(name, value)| [name, value]) {
        bytes.extend(text.bytes());
        bytes.push(0);
    }
    bytes
}

/// What the host keeps under a path of properties. `None` when there is no such thing, or it cannot
/// be handed over: the SDK would end the VM over some of these.
#[cfg(target_arch = "wasm32")]
pub(crate) fn property(path: &str) -> Option<Vec<u8>> {
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        fn proxy_get_property(
            path_at: *const u8,
            path_length: usize,
            value_at: *mut *mut u8,
            value_length: *mut usize,
        ) -> u32;
    }
    let (mut at, mut length) = (std::ptr::null_mut(), 0);
    // SAFETY: the host reads the path, and writes where the answer is into the two variables.
    let status =
        unsafe { proxy_get_property(path.as_ptr(), path.len(), &raw mut at, &raw mut length) };
    // SAFETY: of a call that worked, the two are what the host had our allocator make.
    (status == 0).then(|| unsafe { given(at, length) })
}

/// All headers of the request, in the host's form. `None` when they are not there to be read.
#[cfg(target_arch = "wasm32")]
pub(crate) fn request_headers() -> Option<Vec<u8>> {
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        fn proxy_get_header_map_pairs(
            map: u32,
            value_at: *mut *mut u8,
            value_length: *mut usize,
        ) -> u32;
    }
    /// The number of this map.
    const REQUEST_HEADERS: u32 = 0;
    let (mut at, mut length) = (std::ptr::null_mut(), 0);
    // SAFETY: the host writes where the answer is into the two variables.
    let status =
        unsafe { proxy_get_header_map_pairs(REQUEST_HEADERS, &raw mut at, &raw mut length) };
    // SAFETY: of a call that worked, the two are what the host had our allocator make.
    (status == 0).then(|| unsafe { given(at, length) })
}

/// The status of the answer to a call. `None` where the call failed without one: Envoy has no headers
/// then and calls the question a bad argument, over which the SDK would end the VM.
#[cfg(target_arch = "wasm32")]
pub(crate) fn answer_status() -> Option<Vec<u8>> {
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        fn proxy_get_header_map_value(
            map: u32,
            key_at: *const u8,
            key_length: usize,
            value_at: *mut *mut u8,
            value_length: *mut usize,
        ) -> u32;
    }
    /// The number of this map.
    const CALL_RESPONSE_HEADERS: u32 = 6;
    const STATUS: &str = ":status";
    let (mut at, mut length) = (std::ptr::null_mut(), 0);
    // SAFETY: the host reads the key, and writes where the answer is into the two variables.
    let status = unsafe {
        proxy_get_header_map_value(
            CALL_RESPONSE_HEADERS,
            STATUS.as_ptr(),
            STATUS.len(),
            &raw mut at,
            &raw mut length,
        )
    };
    // SAFETY: of a call that worked, the two are what the host had our allocator make.
    (status == 0).then(|| unsafe { given(at, length) })
}

/// Keeps a value with the request, as filter state below `wasm.`. Whether it worked.
#[cfg(target_arch = "wasm32")]
pub(crate) fn set_property(path: &str, value: &[u8]) -> bool {
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        fn proxy_set_property(
            path_at: *const u8,
            path_length: usize,
            value_at: *const u8,
            value_length: usize,
        ) -> u32;
    }
    // SAFETY: the host only reads, and each address goes with the length of its own slice.
    unsafe { proxy_set_property(path.as_ptr(), path.len(), value.as_ptr(), value.len()) == 0 }
}

/// What the VMs of this `vm_id` keep under a key.
#[cfg(target_arch = "wasm32")]
pub(crate) fn shared_data(key: &str) -> Option<Vec<u8>> {
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        fn proxy_get_shared_data(
            key_at: *const u8,
            key_length: usize,
            value_at: *mut *mut u8,
            value_length: *mut usize,
            version: *mut u32,
        ) -> u32;
    }
    let (mut at, mut length, mut version) = (std::ptr::null_mut(), 0, 0);
    // SAFETY: the host reads the key, and writes its answer into the three variables.
    let status = unsafe {
        proxy_get_shared_data(
            key.as_ptr(),
            key.len(),
            &raw mut at,
            &raw mut length,
            &raw mut version,
        )
    };
    // SAFETY: of a call that worked, the two are what the host had our allocator make.
    (status == 0).then(|| unsafe { given(at, length) })
}

/// Keeps a value for the VMs of this `vm_id`. Whether it worked.
#[cfg(target_arch = "wasm32")]
pub(crate) fn set_shared_data(key: &str, value: &[u8]) -> bool {
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        fn proxy_set_shared_data(
            key_at: *const u8,
            key_length: usize,
            value_at: *const u8,
            value_length: usize,
            version: u32,
        ) -> u32;
    }
    /// Whatever is there is replaced.
    const ANY_VERSION: u32 = 0;
    // SAFETY: the host only reads, and each address goes with the length of its own slice.
    unsafe {
        proxy_set_shared_data(
            key.as_ptr(),
            key.len(),
            value.as_ptr(),
            value.len(),
            ANY_VERSION,
        ) == 0
    }
}

/// Bytes that the host gave.
///
/// # Safety
/// `at` is null, or what the module's allocator made for `length` bytes and nobody else owns.
#[cfg(target_arch = "wasm32")]
unsafe fn given(at: *mut u8, length: usize) -> Vec<u8> {
    if at.is_null() {
        return Vec::new();
    }
    // SAFETY: as the caller promises; the allocator makes vectors of just this capacity.
    unsafe { Vec::from_raw_parts(at, length, length) }
}

/// There is no host outside a proxy.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn request_headers() -> Option<Vec<u8>> {
    None
}

/// There is no host outside a proxy.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn answer_status() -> Option<Vec<u8>> {
    None
}

/// There is no host outside a proxy.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn property(_path: &str) -> Option<Vec<u8>> {
    None
}

/// There is no host outside a proxy.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn set_property(_path: &str, _value: &[u8]) -> bool {
    false
}

/// There is no host outside a proxy.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn shared_data(_key: &str) -> Option<Vec<u8>> {
    None
}

/// There is no host outside a proxy.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn set_shared_data(_key: &str, _value: &[u8]) -> bool {
    false
}

/// There is no host outside a proxy.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn random(_bytes: &mut [u8]) -> bool {
    false
}

/// There is no host outside a proxy.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn send_local_response(
    _status: u32,
    _details: &str,
    _body: &str,
    _headers: &[(&str, &str)],
) -> bool {
    false
}
