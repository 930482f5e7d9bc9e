//! The progress of a reading.

use yew::prelude::*;

use crate::bridge::{self, Timer};

/// From here on, a reading has a progress bar, in milliseconds.
pub(super) const SLOW_MS: u32 = 300;
/// How often the elapsed time changes.
pub(super) const TICK_MS: u32 = 1000;

/// A reading of texts.
pub(super) struct ReadingProgress {
    /// Replies to earlier texts have a lower number.
    pub(super) number: u32,
    /// Its start, in milliseconds of the playground's clock.
    started: f64,
    /// The next update.
    pub(super) timer: Timer,
    /// Whether it takes long.
    pub(super) is_slow: bool,
}

impl ReadingProgress {
    /// A reading that starts now.
    pub(super) fn new(number: u32, timer: Timer) -> Self {
        Self {
            number,
            started: bridge::now(),
            timer,
            is_slow: false,
        }
    }

    /// The bar, and the elapsed time. The readers do not report how far they are.
    pub(super) fn view(&self) -> Html {
        let seconds = ((bridge::now() - self.started) / 1000.0).max(0.0) as u32;
        html! {
            <>
                <progress data-test="import-progress" aria-labelledby="import-summary" />
                <span class="note" aria-hidden="true">{ format!("{seconds}\u{a0}s") }</span>
            </>
        }
    }
}
