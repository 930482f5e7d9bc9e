//! The functions that Envoy calls. A panic that left one would end Envoy, so each that does anything is
//! guarded.
//!
//! Envoy gets the addresses of our boxes, passes them back to every hook, and destroys each once. A hook
//! that panics returns null in place of an object, and Envoy may pass that back, too.

#![allow(unsafe_code, reason = "the ABI consists of C functions")]

mod balancer_hooks;
mod bootstrap;
mod faults;
mod filter;
mod guard;
mod specifier;

use core::ffi::{c_char, c_void};

use guard::guarded;

use crate::logger;

/// An object of this module, or an address of Envoy that takes its place.
type Own = *const c_void;

/// The version of the ABI that the module was written for: Envoy 1.40. Envoy warns about another one.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn envoy_dynamic_module_on_program_init() -> *const c_char {
    guard::limit_panic_messages();
    logger::install();
    c"v0.2.0".as_ptr()
}

/// Passes a new object to Envoy.
fn given<T>(object: T) -> Own {
    Box::into_raw(Box::new(object)).cast_const().cast()
}

/// The object of a hook; `None` if the hook that creates it panicked.
///
/// # Safety
/// `object` must be null, or come from [`given`] with the same type and not be destroyed while the result
/// exists.
unsafe fn taken<'hook, T>(object: Own) -> Option<&'hook T> {
    // SAFETY: the caller guarantees it.
    unsafe { object.cast::<T>().as_ref() }
}

/// The hook `name`, which destroys an object that Envoy no longer uses.
///
/// # Safety
/// `object` must be null, or come from [`given`] with the same type, and must not be used afterwards.
unsafe fn destroy<T>(name: &'static str, object: Own) {
    if object.is_null() {
        return;
    }
    // SAFETY: the caller guarantees that this box is ours, and its last use.
    let object = unsafe { Box::from_raw(object.cast_mut().cast::<T>()) };
    guarded(name, (), move || drop(object));
}
