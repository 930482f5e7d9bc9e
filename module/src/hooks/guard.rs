//! Panics end at a hook.

use std::panic::{AssertUnwindSafe, catch_unwind};

use spillgate_steer::port::LogLevel;

use super::faults;
use crate::abi;

/// Runs a hook; `otherwise` is its result if it panics. `name` is its name in the ABI, without the prefix
/// `envoy_dynamic_module_on_`.
///
/// The state that a panic leaves behind is dropped with its request, or consists of whole values. What
/// `hook` owns is dropped in any case.
pub(super) fn guarded<T>(name: &'static str, otherwise: T, hook: impl FnOnce() -> T) -> T {
    let hook = move || {
        faults::panic_on_request(name);
        hook()
    };
    match catch_unwind(AssertUnwindSafe(hook)) {
        Ok(result) => result,
        Err(payload) => {
            let text = payload.downcast_ref::<&str>().copied();
            let text = text.or_else(|| payload.downcast_ref::<String>().map(|text| &**text));
            let text = text.unwrap_or("a panic");
            abi::log(
                LogLevel::Error,
                &format!("spillgate: internal error in {name}: {text}"),
            );
            otherwise
        }
    }
}
