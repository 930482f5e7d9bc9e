//! The current time: for the expiry of cookies and tokens, and for reads of a running Envoy.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A clock that shows the time since its start.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SteadyClock(Instant);

/// Starts a clock.
pub(crate) fn steady() -> SteadyClock {
    #[expect(
        clippy::disallowed_methods,
        reason = "the command is where the time comes from"
    )]
    let now = Instant::now();
    SteadyClock(now)
}

impl SteadyClock {
    /// The time since the start.
    pub(crate) fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}

/// Seconds since the Unix epoch.
pub(crate) fn present() -> u64 {
    #[expect(
        clippy::disallowed_methods,
        reason = "the command is where the time comes from"
    )]
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}
