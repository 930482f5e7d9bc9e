//! Messages of the `log` facade go to the host's log.
//!
//! Nothing is logged for a request, so there is no level to tune here: the host drops what its own
//! level excludes.

use crate::abi::LogLevel;
use crate::host;
use log::{Level, LevelFilter, Log, Metadata, Record};

struct HostLog;

static HOST_LOG: HostLog = HostLog;

/// Makes the host's log the one that `log` writes to, and the place of a panic's last words.
pub(crate) fn install() {
    // An error says that a logger is installed already, which is this one.
    if log::set_logger(&HOST_LOG).is_ok() {
        log::set_max_level(LevelFilter::Info);
        std::panic::set_hook(Box::new(|panic| {
            host::log(LogLevel::Critical, &panic.to_string());
        }));
    }
}

impl Log for HostLog {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= log::max_level()
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            host::log(host_level(record.level()), &record.args().to_string());
        }
    }

    fn flush(&self) {}
}

fn host_level(level: Level) -> LogLevel {
    match level {
        Level::Error => LogLevel::Error,
        Level::Warn => LogLevel::Warn,
        Level::Info => LogLevel::Info,
        Level::Debug => LogLevel::Debug,
        Level::Trace => LogLevel::Trace,
    }
}
