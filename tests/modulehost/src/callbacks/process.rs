//! Callbacks about the process.

use crate::abi::AbiBuffer;
use crate::process;

#[unsafe(no_mangle)]
extern "C" fn envoy_dynamic_module_callback_log(severity: u32, message: AbiBuffer) {
    assert!((2..=4).contains(&severity), "the module logs as {severity}");
    process::logged(message.text());
}

unsafe extern "C" {
    safe fn getpid() -> i32;
}

/// Takes the place of the C library's function: the module recognizes the main thread by it, but tests run
/// on other threads of their process.
#[unsafe(no_mangle)]
extern "C" fn gettid() -> i32 {
    getpid() + i32::from(!process::is_main_thread())
}
