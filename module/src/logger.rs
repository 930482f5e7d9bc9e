//! The backend of the crate `log`: messages go to Envoy's log.
//!
//! What a request can cause is limited where it is logged, by [`crate::log_limit`].

use log::{LevelFilter, Log, Metadata, Record};

use crate::abi;

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
        if self.enabled(record.metadata()) {
            abi::log(record.level(), &record.args().to_string());
        }
    }

    fn flush(&self) {}
}
