//! Waiting for a condition, with a deadline.

use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

/// The pause between two attempts.
const PAUSE: Duration = Duration::from_millis(20);

/// Calls `look` until it finds something, for at most `limit`.
///
/// # Errors
/// At once when `look` fails, or when the time is over; `what` names the condition.
pub fn eventually<T>(
    what: &str,
    limit: Duration,
    mut look: impl FnMut() -> Result<Option<T>>,
) -> Result<T> {
    let deadline = Instant::now() + limit;
    loop {
        if let Some(found) = look().with_context(|| format!("while waiting for {what}"))? {
            return Ok(found);
        }
        if Instant::now() >= deadline {
            bail!(
                "timeout: {what} not reached within {} s",
                limit.as_secs_f64()
            );
        }
        sleep(PAUSE);
    }
}
