//! Panics end at a hook.
//!
//! A panic that leaves a hook would end Envoy. Every hook catches panics and returns a safe result:
//! a configuration is refused, a request continues undecided. So `[profile.module]` unwinds, and
//! the code is subject to the same lints against panics as the filter.

use std::{
    panic::{self, AssertUnwindSafe, catch_unwind},
    sync::Once,
};

use super::faults;
use crate::{abi, log_limit::REQUEST_LINES};

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
            report(name, text.unwrap_or("a panic"));
            otherwise
        }
    }
}

fn report(hook: &'static str, text: &str) {
    let omitted = match REQUEST_LINES.admit(hook, abi::monotonic_clock()) {
        None => return,
        Some(0) => String::new(),
        Some(omitted) => format!(" ({omitted} such messages were omitted)"),
    };
    log::error!("spillgate: internal error in {hook}: {text}{omitted}");
}

/// Limits what the standard library prints about each panic, too.
pub(super) fn limit_panic_messages() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if REQUEST_LINES
                .admit("panic", abi::monotonic_clock())
                .is_some()
            {
                print(panic);
            }
        }));
    });
}
