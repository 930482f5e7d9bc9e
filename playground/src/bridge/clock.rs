//! Time, for quick edits and delayed work, never for results.

use gloo_timers::callback::Timeout;
use web_sys::window;

/// Delayed work; dropping it cancels it.
pub type Timer = Timeout;

/// Milliseconds since the playground was opened.
#[must_use]
pub fn now() -> f64 {
    let performance = window().and_then(|window| window.performance());
    performance.map_or(0.0, |performance| performance.now())
}

/// Runs `work` later.
pub fn after(milliseconds: u32, work: impl FnOnce() + 'static) -> Timer {
    Timeout::new(milliseconds, work)
}

/// Marks in the browser's own timeline that the playground can be used.
pub fn mark_interactive() {
    let performance = window().and_then(|window| window.performance());
    if let Some(performance) = performance {
        let _ = performance.mark("spillgate-interactive");
    }
}
