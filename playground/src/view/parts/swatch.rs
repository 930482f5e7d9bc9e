//! Colors and patterns of priorities, and the style of health.

use spillgate_core::model::Coarse;
use yew::prelude::*;

/// The number of colors with their patterns; they repeat.
pub(crate) const COLORS: usize = 7;

/// The class with the color of a priority, by its place.
pub(crate) fn color(line: usize) -> String {
    format!("p{}", line % COLORS)
}

/// The color and pattern of a priority.
pub(crate) fn paint(line: usize) -> String {
    format!("url(#water-{})", line % COLORS)
}

/// A small square with the color and pattern of a priority.
#[inline(never)]
pub(crate) fn swatch(line: usize) -> Html {
    html! {
        <svg class="swatch" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
            <rect width="14" height="14" rx="3" fill={paint(line)} />
        </svg>
    }
}

/// The class and the name of a host's health.
pub(crate) const fn health_class(health: Coarse) -> (&'static str, &'static str) {
    match health {
        Coarse::Healthy => ("healthy", "healthy"),
        Coarse::Degraded => ("degraded", "degraded"),
        Coarse::Unhealthy => ("unhealthy", "unhealthy"),
    }
}
