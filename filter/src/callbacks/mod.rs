//! The functions that the host calls. It calls every exported callback, and each call adds half a
//! microsecond to a request, so there are no empty callbacks. The end of a request is
//! `proxy_on_delete`, which Envoy calls right after `proxy_on_log`.

#![allow(unsafe_code, reason = "exports need fixed names")]

mod contexts;

use self::contexts::Contexts;
use crate::abi::{Action, LogLevel, calls};
use crate::http::Http;
use crate::root::Root;
use std::cell::RefCell;

thread_local! {
    /// The only static: the host passes ids. Configurations in the same VM share only this table;
    /// each has its own root context.
    static CONTEXTS: RefCell<Contexts> = const { RefCell::new(Contexts::new()) };
}

/// Calls `action` with the contexts. Returns `None` during another callback; the host never nests
/// them.
fn contexts<T>(action: impl FnOnce(&mut Contexts) -> T) -> Option<T> {
    CONTEXTS.with(|contexts| Some(action(&mut *contexts.try_borrow_mut().ok()?)))
}

/// Calls `action` with a root context. Returns `None` if the id is not that of a root context.
fn root<T>(id: u32, action: impl FnOnce(&mut Root) -> T) -> Option<T> {
    contexts(|contexts| contexts.root(id).map(action)).flatten()
}

/// Calls `action` with the context of a request. Returns `None` if the id is not that of a request.
fn http<T>(id: u32, action: impl FnOnce(&mut Http) -> T) -> Option<T> {
    contexts(|contexts| contexts.http(id).map(action)).flatten()
}

/// Declares the version of the ABI.
#[unsafe(no_mangle)]
pub(crate) const extern "C" fn proxy_abi_version_0_2_1() {}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn _initialize() {
    std::panic::set_hook(Box::new(|panic| {
        let _ = calls::log(LogLevel::Critical, &panic.to_string());
    }));
}

/// Allocates memory for results of the host. On other targets, `malloc` belongs to the C library.
#[cfg_attr(target_arch = "wasm32", unsafe(export_name = "malloc"))]
#[cfg_attr(not(target_arch = "wasm32"), unsafe(no_mangle))]
pub(crate) extern "C" fn proxy_on_memory_allocate(size: usize) -> *mut u8 {
    // The host fills it, and `calls` takes it as a vector of exactly this capacity.
    Box::into_raw(Box::<[u8]>::new_uninit_slice(size)).cast()
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn proxy_on_context_create(id: u32, root: u32) {
    contexts(|contexts| contexts.create(id, root));
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn proxy_on_delete(id: u32) {
    // Dropped after the borrow of the table has ended.
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
    // An unknown request is not steered, but its internal headers must be stripped.
    http(id, Http::on_request_headers).unwrap_or_else(|| Http::unknown().on_request_headers())
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn proxy_on_response_headers(id: u32, _count: usize, _end: bool) -> Action {
    http(id, |http| http.on_response_headers()).unwrap_or(Action::Continue)
}
