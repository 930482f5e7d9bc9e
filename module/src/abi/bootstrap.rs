//! Envoy's statistics, through a bootstrap extension.

use std::sync::atomic::{AtomicPtr, Ordering};

use super::{Address, imports};

/// The running extension, or null.
static EXTENSION: AtomicPtr<core::ffi::c_void> = AtomicPtr::new(core::ptr::null_mut());

/// The configuration of a bootstrap extension is complete: Envoy goes on starting.
///
/// # Safety
/// `config` must be the configuration that Envoy passed to a hook that has not returned.
pub(crate) unsafe fn signal_init_complete(config: Address) {
    // SAFETY: the caller guarantees it.
    unsafe { imports::bootstrap_init_complete(config) }
}

/// Keeps the extension for [`gauge`].
///
/// # Safety
/// `extension` must exist until [`forget_extension`].
pub(crate) unsafe fn keep_extension(extension: Address) {
    EXTENSION.store(extension, Ordering::Release);
}

/// Envoy destroys this extension.
pub(crate) fn forget_extension(extension: Address) {
    let none = core::ptr::null_mut();
    let order = (Ordering::AcqRel, Ordering::Relaxed);
    // Another extension may have taken its place.
    let _ = EXTENSION.compare_exchange(extension, none, order.0, order.1);
}

/// Whether Envoy runs the extension.
pub(crate) fn has_extension() -> bool {
    !EXTENSION.load(Ordering::Acquire).is_null()
}

/// The value of a gauge, for the main thread. `None` without the extension, or without the gauge.
pub(crate) fn gauge(name: &str) -> Option<u64> {
    let extension = EXTENSION.load(Ordering::Acquire);
    let mut value = 0;
    // SAFETY: a kept extension exists, because Envoy destroys it on this thread, and writes the variable.
    let found = !extension.is_null()
        && unsafe { imports::bootstrap_gauge(extension, name.into(), &raw mut value) };
    found.then_some(value)
}
