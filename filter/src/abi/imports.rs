//! The imported functions of the host. Each returns a status; 0 means success.

/// Declares the functions of one module of the host. On targets other than Wasm, every call fails.
macro_rules! imports {
    ($module:literal: $(fn $name:ident($($argument:ident: $type:ty),* $(,)?);)*) => {
        #[cfg(target_arch = "wasm32")]
        #[link(wasm_import_module = $module)]
        unsafe extern "C" {
            $(pub(super) fn $name($($argument: $type),*) -> u32;)*
        }
        $(
            #[cfg(not(target_arch = "wasm32"))]
            #[allow(clippy::too_many_arguments, reason = "the ABI defines them")]
            pub(super) const unsafe fn $name($(_: $type),*) -> u32 {
                12 // Unimplemented.
            }
        )*
    };
}

imports! { "wasi_snapshot_preview1":
    fn random_get(at: *mut u8, length: usize);
    fn clock_time_get(clock: u32, precision: u64, time: *mut u64);
    fn environ_sizes_get(count: *mut usize, size: *mut usize);
    fn environ_get(addresses: *mut *mut u8, texts: *mut u8);
}

imports! { "env":
    fn proxy_log(level: u32, text: *const u8, text_length: usize);
    fn proxy_get_current_time_nanoseconds(time: *mut u64);
    fn proxy_set_tick_period_milliseconds(period: u32);
    fn proxy_get_buffer_bytes(
        buffer: u32,
        start: usize,
        most: usize,
        value: *mut *mut u8,
        value_length: *mut usize,
    );
    fn proxy_get_header_map_pairs(map: u32, value: *mut *mut u8, value_length: *mut usize);
    fn proxy_get_header_map_value(
        map: u32,
        key: *const u8,
        key_length: usize,
        value: *mut *mut u8,
        value_length: *mut usize,
    );
    fn proxy_remove_header_map_value(map: u32, key: *const u8, key_length: usize);
    fn proxy_replace_header_map_value(
        map: u32,
        key: *const u8,
        key_length: usize,
        value: *const u8,
        value_length: usize,
    );
    fn proxy_add_header_map_value(
        map: u32,
        key: *const u8,
        key_length: usize,
        value: *const u8,
        value_length: usize,
    );
    fn proxy_get_property(
        path: *const u8,
        path_length: usize,
        value: *mut *mut u8,
        value_length: *mut usize,
    );
    fn proxy_set_property(
        path: *const u8,
        path_length: usize,
        value: *const u8,
        value_length: usize,
    );
    fn proxy_get_shared_data(
        key: *const u8,
        key_length: usize,
        value: *mut *mut u8,
        value_length: *mut usize,
        version: *mut u32,
    );
    fn proxy_set_shared_data(
        key: *const u8,
        key_length: usize,
        value: *const u8,
        value_length: usize,
        version: u32,
    );
    fn proxy_define_metric(kind: u32, name: *const u8, name_length: usize, id: *mut u32);
    fn proxy_increment_metric(id: u32, by: i64);
    fn proxy_record_metric(id: u32, value: u64);
    fn proxy_http_call(
        cluster: *const u8,
        cluster_length: usize,
        headers: *const u8,
        headers_length: usize,
        body: *const u8,
        body_length: usize,
        trailers: *const u8,
        trailers_length: usize,
        timeout_ms: u32,
        token: *mut u32,
    );
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
