//! Ctrl-C and SIGTERM as a flag, so that a loop can end the processes that it started.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result, bail};

static ASKED: AtomicBool = AtomicBool::new(false);

/// From here on an interrupt is remembered instead of ending this process.
pub fn catch() -> Result<()> {
    ctrlc::set_handler(|| ASKED.store(true, Ordering::SeqCst))
        .context("cannot handle Ctrl-C on this system")
}

/// Whether the user asked to stop.
pub fn asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}

/// An error when the user asked to stop.
pub fn check() -> Result<()> {
    if asked() {
        bail!("interrupted");
    }
    Ok(())
}
