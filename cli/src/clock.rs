//! The current time, for the expiry of cookies and tokens.

use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds since the Unix epoch.
pub(crate) fn present() -> u64 {
    #[expect(
        clippy::disallowed_methods,
        reason = "the command is where the time comes from"
    )]
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}
