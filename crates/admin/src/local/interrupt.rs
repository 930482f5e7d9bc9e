//! Ctrl-C and SIGTERM while a command runs an Envoy, so that the command ends it.

use std::{
    process,
    sync::{
        Once,
        atomic::{AtomicBool, Ordering},
    },
};

/// Whether a command runs that looks at `ASKED`.
static WATCHED: AtomicBool = AtomicBool::new(false);
static ASKED: AtomicBool = AtomicBool::new(false);
static HANDLER: Once = Once::new();

/// The status of a process that Ctrl-C ends, as shells report it.
const INTERRUPTED: i32 = 130;

/// As long as this value lives, an interrupt is remembered instead of ending the process.
#[derive(Debug)]
pub struct InterruptWatch(());

impl InterruptWatch {
    /// Begins to watch.
    pub fn start() -> Self {
        ASKED.store(false, Ordering::SeqCst);
        WATCHED.store(true, Ordering::SeqCst);
        HANDLER.call_once(|| {
            // If another handler exists already, it decides.
            let _ = ctrlc::set_handler(|| {
                if WATCHED.load(Ordering::SeqCst) {
                    ASKED.store(true, Ordering::SeqCst)
                } else {
                    process::exit(INTERRUPTED)
                }
            });
        });
        Self(())
    }
}

impl Drop for InterruptWatch {
    fn drop(&mut self) {
        WATCHED.store(false, Ordering::SeqCst);
    }
}

/// An error if the user asked to stop.
pub fn check() -> Result<(), String> {
    if ASKED.load(Ordering::SeqCst) {
        Err("interrupted".into())
    } else {
        Ok(())
    }
}
