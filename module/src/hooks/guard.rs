//! Panics end at a hook.

use std::panic::{AssertUnwindSafe, catch_unwind};

use spillgate_steer::port::LogLevel;

use crate::abi;

/// Runs a hook; `otherwise` is its result if it panics.
///
/// The state that a panic leaves behind is dropped with its request, or consists of whole values.
pub(super) fn guarded<T>(otherwise: T, hook: impl FnOnce() -> T) -> T {
    match catch_unwind(AssertUnwindSafe(hook)) {
        Ok(result) => result,
        Err(payload) => {
            let text = payload.downcast_ref::<&str>().copied();
            let text = text.or_else(|| payload.downcast_ref::<String>().map(|text| &**text));
            let text = text.unwrap_or("a panic");
            abi::log(
                LogLevel::Error,
                &format!("spillgate: internal error: {text}"),
            );
            otherwise
        }
    }
}
