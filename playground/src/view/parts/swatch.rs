//! Colours and patterns of priorities, and the look of health.

use spillgate_core::model::CoarseHealth;
use yew::prelude::*;

/// There are this many colours, each with a pattern of its own; then they come again.
pub(crate) const COLOURS: usize = 7;

/// The class that sets the colour of a priority by its place in the line.
pub(crate) fn colour(line: usize) -> String {
    format!("lv{}", line % COLOURS)
}

/// The paint of a priority: its colour with its pattern.
pub(crate) fn paint(line: usize) -> String {
    format!("url(#water-{})", line % COLOURS)
}

/// A small square of a priority's paint.
#[inline(never)]
pub(crate) fn swatch(line: usize) -> Html {
    html! {
        <svg class="swatch" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
            <rect width="14" height="14" rx="3" fill={paint(line)} />
        </svg>
    }
}

/// The class and the word of a host's health; shape and word say the same as the fill.
pub(crate) const fn health_class(health: CoarseHealth) -> (&'static str, &'static str) {
    match health {
        CoarseHealth::Healthy => ("healthy", "healthy"),
        CoarseHealth::Degraded => ("degraded", "degraded"),
        CoarseHealth::Unhealthy => ("unhealthy", "unhealthy"),
    }
}
