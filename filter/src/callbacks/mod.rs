//! What the host calls. It calls whatever is exported, and each call costs a request half a
//! microsecond, so a callback in which the filter does nothing does not exist.

#![allow(unsafe_code, reason = "the host names what it calls")]

mod contexts;

use self::contexts::Contexts;
use crate::abi::{Action, LogLevel, calls};
use crate::http::Http;
use crate::root::Root;
use std::cell::RefCell;

thread_local! {
    /// The one static: the host passes numbers. Configurations that share the VM share this table
    /// only, and each has a root context of its own.
    static CONTEXTS: RefCell<Contexts> = const { RefCell::new(Contexts::new()) };
}

/// Calls `action` with the contexts. `None` during another callback, which the host never does.
fn contexts<T>(action: impl FnOnce(&mut Contexts) -> T) -> Option<T> {
    CONTEXTS.with(|contexts| Some(action(&mut *contexts.try_borrow_mut().ok()?)))
}

/// Calls `action` with a root context, where the number is that of one.
fn root<T>(id: u32, action: impl FnOnce(&mut Root) -> T) -> Option<T> {
    contexts(|contexts| contexts.root(id).map(action)).flatten()
}

/// Calls `action` with the context of a request, where the number is that of one.
fn http<T>(id: u32, action: impl FnOnce(&mut Http) -> T) -> Option<T> {
    contexts(|contexts| contexts.http(id).map(action)).flatten()
}

/// Names the version of the ABI.
#[unsafe(no_mangle)]
pub(crate) const extern "C" fn proxy_abi_version_0_2_1() {}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn _initialize() {
    std::panic::set_hook(Box::new(|panic| {
        let _ = calls::log(LogLevel::Critical, &panic.to_string());
    }));
}

/// Memory for what the host returns. Elsewhere `malloc` belongs to the C library.
#[cfg_attr(target_arch = "wasm32", unsafe(export_name = "malloc"))]
#[cfg_attr(not(target_arch = "wasm32"), unsafe(no_mangle))]
pub(crate) extern "C" fn proxy_on_memory_allocate(size: usize) -> *mut u8 {
    // The host fills it, and `calls` takes it over as a vector of exactly this capacity.
    Box::into_raw(Box::<[u8]>::new_uninit_slice(size)).cast()
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn proxy_on_context_create(id: u32, root: u32) {
    contexts(|contexts| contexts.create(id, root));
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn proxy_on_delete(id: u32) {
    // It is dropped after the table is free again.
    drop(contexts(|contexts| contexts.remove(id)));
}

#[unsafe(no_mangle)]
pub(crate) const extern "C" fn proxy_on_vm_start(_id: u32, _size: usize) -> bool {
    true
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn proxy_on_configure(id: u32, size: usize) -> bool {
    root(id, |root| root.on_configure(size)).unwrap_or(false)
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn proxy_on_tick(id: u32) {
    root(id, Root::on_tick);
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn proxy_on_http_call_response(
    id: u32,
    token: u32,
    _headers: usize,
    size: usize,
    _trailers: usize,
) {
    root(id, |root| root.on_http_call_response(token, size));
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn proxy_on_request_headers(id: u32, _count: usize, _end: bool) -> Action {
    // A request that is not known is not steered, but it must not name hosts either.
    http(id, Http::on_request_headers).unwrap_or_else(|| Http::unknown().on_request_headers())
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn proxy_on_response_headers(id: u32, _count: usize, _end: bool) -> Action {
    http(id, |http| http.on_response_headers());
    Action::Continue
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn proxy_on_log(id: u32) {
    http(id, Http::on_log);
}
