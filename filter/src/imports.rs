//! The two imports that the SDK does not offer.
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
pub(crate) fn send_local_response(status: u32, details: &str, body: &str) -> bool {
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
    /// A header map with no pairs: its count.
    const NO_HEADERS: [u8; 4] = [0; 4];
    /// The host derives the gRPC status from the HTTP one.
    const DERIVED: i32 = -1;
    // SAFETY: the host only reads, and each address goes with the length of its own slice.
    unsafe {
        proxy_send_local_response(
            status,
            details.as_ptr(),
            details.len(),
            body.as_ptr(),
            body.len(),
            NO_HEADERS.as_ptr(),
            NO_HEADERS.len(),
            DERIVED,
        ) == 0
    }
}

/// There is no host outside a proxy.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn random(_bytes: &mut [u8]) -> bool {
    false
}

/// There is no host outside a proxy.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn send_local_response(_status: u32, _details: &str, _body: &str) -> bool {
    false
}
