//! The process: its log, its threads and its clocks.

use std::{
    sync::OnceLock,
    time::{Instant, SystemTime, UNIX_EPOCH},
};

use log::Level;

use super::imports;

/// Writes a message to Envoy's log.
pub(crate) fn log(severity: Level, message: &str) {
    let severity = match severity {
        Level::Trace => 0,
        Level::Debug => 1,
        Level::Info => 2,
        Level::Warn => 3,
        Level::Error => 4,
    };
    // SAFETY: Envoy copies the message before it returns.
    unsafe { imports::log(severity, message.into()) }
}

/// Whether this is Envoy's main thread, which applies configurations and updates of hosts.
pub(crate) fn is_main_thread() -> bool {
    // SAFETY: both functions have no arguments and cannot fail.
    unsafe { imports::gettid() == imports::getpid() }
}

/// The wall clock: nanoseconds since the Unix epoch.
#[allow(
    clippy::disallowed_methods,
    reason = "the request path takes time from here"
)]
pub(crate) fn wall_clock() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
    })
}

/// Nanoseconds since the first call in this process.
#[allow(
    clippy::disallowed_methods,
    reason = "the request path takes time from here"
)]
pub(crate) fn monotonic_clock() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let since = START.get_or_init(Instant::now).elapsed();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}
