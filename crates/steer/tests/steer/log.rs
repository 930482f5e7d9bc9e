//! The messages that the request path logs, by thread: each test has its own.

use std::{cell::RefCell, sync::Once};

use log::{LevelFilter, Log, Metadata, Record};

thread_local! {
    static LOGGED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Calls `action`. Returns its result and the messages that it logged; calls may nest.
pub(crate) fn logged<T>(action: impl FnOnce() -> T) -> (T, Vec<String>) {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        log::set_logger(&ThreadLog).unwrap();
        log::set_max_level(LevelFilter::Info);
    });
    let outer = LOGGED.take();
    let result = action();
    (result, LOGGED.replace(outer))
}

struct ThreadLog;

impl Log for ThreadLog {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        LOGGED.with_borrow_mut(|logged| logged.push(record.args().to_string()));
    }

    fn flush(&self) {}
}
