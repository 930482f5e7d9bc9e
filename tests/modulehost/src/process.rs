//! The process: its main thread and its log.

use std::{
    cell::{Cell, RefCell},
    sync::atomic::{AtomicU64, Ordering},
};

thread_local! {
    static IS_MAIN: Cell<bool> = const { Cell::new(false) };
    static MESSAGES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// The number of hooks that panicked, on all threads.
static PANICS: AtomicU64 = AtomicU64::new(0);

/// Makes this thread Envoy's main thread, or ends that.
pub(crate) fn set_main_thread(is_main: bool) {
    IS_MAIN.set(is_main);
}

pub(crate) fn is_main_thread() -> bool {
    IS_MAIN.get()
}

/// The log messages of this thread since the last call.
#[must_use]
pub fn messages() -> Vec<String> {
    MESSAGES.take()
}

/// A message of the module.
pub(crate) fn logged(message: String) {
    /// More messages fill the memory of a long run.
    const KEPT: usize = 1_000;
    if message.contains("internal error") {
        PANICS.fetch_add(1, Ordering::Relaxed);
        eprintln!("{message}");
    }
    MESSAGES.with_borrow_mut(|all| {
        if all.len() < KEPT {
            all.push(message);
        }
    });
}

/// The number of hooks that panicked since the last call.
pub(crate) fn take_panics() -> u64 {
    PANICS.swap(0, Ordering::Relaxed)
}
