//! What the guest logged.

/// Severity of a log line, with the numbers of proxy-wasm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub enum GuestLogLevel {
    /// Everything.
    Trace = 0,
    /// For debugging the filter.
    Debug = 1,
    /// Of interest to operators.
    Info = 2,
    /// Something is off and the filter goes on.
    Warn = 3,
    /// Something was refused or lost.
    Error = 4,
    /// The last words before a trap.
    Critical = 5,
}

impl GuestLogLevel {
    pub(crate) fn from_number(number: u32) -> Option<Self> {
        Some(match number {
            0 => Self::Trace,
            1 => Self::Debug,
            2 => Self::Info,
            3 => Self::Warn,
            4 => Self::Error,
            5 => Self::Critical,
            _ => return None,
        })
    }
}

/// One line that the guest logged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// How bad it is.
    pub level: GuestLogLevel,
    /// The text, with bytes that are no UTF-8 replaced.
    pub message: String,
}
