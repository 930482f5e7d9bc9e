//! The backend of the crate `log`: messages go to Envoy's log.
//!
//! [`crate::log_limit`] limits what requests can cause.

use log::{LevelFilter, Log, Metadata, Record};

use spillgate_steer::messages::REQUESTS;

use crate::{abi, log_limit::REQUEST_LINES};

struct EnvoyLog;

/// Sends messages of `info` and above to Envoy's log, which has a level of its own.
pub(crate) fn install() {
    // It fails if Envoy initializes the same file again, which then has this logger.
    if log::set_logger(&EnvoyLog).is_ok() {
        log::set_max_level(LevelFilter::Info);
    }
}

impl Log for EnvoyLog {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= log::max_level()
    }

    fn log(&self, record: &Record<'_>) {
        let kind = record.module_path_static().unwrap_or(REQUESTS);
        let is_admitted = || {
            record.target() != REQUESTS
                || REQUEST_LINES.admit(kind, abi::monotonic_clock()).is_some()
        };
        if self.enabled(record.metadata()) && is_admitted() {
            abi::log(record.level(), &record.args().to_string());
        }
    }

    fn flush(&self) {}
}
