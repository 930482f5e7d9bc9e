//! The hooks of the HTTP filter.

use core::ptr;
use std::sync::Arc;

use spillgate_steer::messages::PreviousConfig;

use super::{Own, destroy, given, guarded, taken};
use crate::{
    abi::{Address, Buffer, ConfigHandle, Header, StreamHandle},
    policy, registry,
    request::FilterRequest,
    settings::FilterState,
};

/// The filter chain continues.
const CONTINUE: u32 = 0;
/// The filter chain stops: a response was sent.
const STOP: u32 = 1;

#[unsafe(no_mangle)]
pub(super) extern "C" fn envoy_dynamic_module_on_http_filter_config_new(
    envoy: Address,
    _name: Buffer,
    config: Buffer,
) -> Own {
    guarded("http_filter_config_new", ptr::null(), || {
        // SAFETY: both belong to this hook.
        let (envoy, text) = unsafe { (ConfigHandle::new(envoy), config.bytes()) };
        let previous = if registry::has_filters() {
            // They may be those of other filters.
            PreviousConfig::Unknown
        } else {
            PreviousConfig::Absent
        };
        let Some(state) = FilterState::read(&envoy, text, previous) else {
            return ptr::null();
        };
        registry::add_filter(&state);
        policy::publish_all();
        given(state)
    })
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn envoy_dynamic_module_on_http_filter_config_scheduled(
    _envoy: Address,
    _config: Own,
    _event: u64,
) {
    guarded(
        "http_filter_config_scheduled",
        (),
        policy::publish_postponed,
    );
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn envoy_dynamic_module_on_http_filter_config_destroy(config: Own) {
    // SAFETY: `config_new` created it, and Envoy destroys it once.
    unsafe { destroy::<Arc<FilterState>>("http_filter_config_destroy", config) }
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn envoy_dynamic_module_on_http_filter_new(
    config: Own,
    _envoy: Address,
) -> Own {
    guarded("http_filter_new", ptr::null(), || {
        // SAFETY: `config_new` created it, and Envoy destroys it after its last filter.
        let state = unsafe { taken::<Arc<FilterState>>(config) };
        state.map_or(ptr::null(), |state| {
            given(FilterRequest::new(state.clone()))
        })
    })
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn envoy_dynamic_module_on_http_filter_destroy(filter: Own) {
    // SAFETY: `filter_new` created it, and Envoy destroys it once.
    unsafe { destroy::<FilterRequest>("http_filter_destroy", filter) }
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn envoy_dynamic_module_on_http_filter_request_headers(
    envoy: Address,
    filter: Own,
    _is_end: bool,
) -> u32 {
    guarded("http_filter_request_headers", CONTINUE, || {
        // SAFETY: `filter_new` created the filter. Its hooks do not run at the same time: Envoy does not call
        // them for a response that this hook sends itself. The stream belongs to this hook.
        let (filter, envoy) = unsafe {
            let filter = filter.cast_mut().cast::<FilterRequest>().as_mut();
            (filter, StreamHandle::new(envoy))
        };
        if filter.is_none_or(|filter| filter.on_request_headers(envoy)) {
            CONTINUE
        } else {
            STOP
        }
    })
}

#[unsafe(no_mangle)]
pub(super) extern "C" fn envoy_dynamic_module_on_http_filter_response_headers(
    envoy: Address,
    filter: Own,
    _is_end: bool,
) -> u32 {
    guarded("http_filter_response_headers", CONTINUE, || {
        // SAFETY: as for the request headers.
        let (filter, envoy) = unsafe {
            let filter = taken::<FilterRequest>(filter);
            (filter, StreamHandle::new(envoy))
        };
        if filter.is_none_or(|filter| filter.on_response_headers(envoy)) {
            CONTINUE
        } else {
            STOP
        }
    })
}

/// Hooks that must exist, and let the filter chain continue.
macro_rules! idle_status {
    ($($name:ident($($type:ty),*);)*) => {
        $(#[unsafe(no_mangle)]
        pub(super) extern "C" fn $name($(_: $type),*) -> u32 { CONTINUE })*
    };
}

/// Hooks that must exist.
macro_rules! idle_event {
    ($($name:ident($($type:ty),*);)*) => {
        $(#[unsafe(no_mangle)]
        pub(super) extern "C" fn $name($(_: $type),*) {})*
    };
}

idle_status! {
    envoy_dynamic_module_on_http_filter_request_body(Address, Own, bool);
    envoy_dynamic_module_on_http_filter_request_trailers(Address, Own);
    envoy_dynamic_module_on_http_filter_response_body(Address, Own, bool);
    envoy_dynamic_module_on_http_filter_response_trailers(Address, Own);
}

idle_event! {
    envoy_dynamic_module_on_http_filter_stream_complete(Address, Own);
    envoy_dynamic_module_on_http_filter_http_callout_done(Address, Own, u64, u32, *mut Header, usize, *mut Buffer, usize);
    envoy_dynamic_module_on_http_filter_http_stream_headers(Address, Own, u64, *mut Header, usize, bool);
    envoy_dynamic_module_on_http_filter_http_stream_data(Address, Own, u64, *const Buffer, usize, bool);
    envoy_dynamic_module_on_http_filter_http_stream_trailers(Address, Own, u64, *mut Header, usize);
    envoy_dynamic_module_on_http_filter_http_stream_complete(Address, Own, u64);
    envoy_dynamic_module_on_http_filter_http_stream_reset(Address, Own, u64, u32);
    envoy_dynamic_module_on_http_filter_scheduled(Address, Own, u64);
    envoy_dynamic_module_on_http_filter_downstream_above_write_buffer_high_watermark(Address, Own);
    envoy_dynamic_module_on_http_filter_downstream_below_write_buffer_low_watermark(Address, Own);
}
