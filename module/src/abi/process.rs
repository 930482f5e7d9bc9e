//! The process: its log and its threads.

use spillgate_steer::port::LogLevel;

use super::imports;

/// Writes a message to Envoy's log.
pub(crate) fn log(level: LogLevel, message: &str) {
    let level = match level {
        LogLevel::Info => 2,
        LogLevel::Warn => 3,
        LogLevel::Error => 4,
    };
    // SAFETY: Envoy copies the message before it returns.
    unsafe { imports::log(level, message.into()) }
}

/// Whether this is Envoy's main thread, which applies configurations and updates of hosts.
pub(crate) fn is_main_thread() -> bool {
    // SAFETY: both functions have no arguments and cannot fail.
    unsafe { imports::gettid() == imports::getpid() }
}
