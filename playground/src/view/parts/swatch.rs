//! Colors and patterns of priorities, and the style of health.

use spillgate_core::model::CoarseHealth;
use spillgate_scenario::pattern_id;
use yew::prelude::*;

/// The color and pattern of a priority.
pub fn paint(line: usize) -> String {
    format!("url(#{})", pattern_id(line))
}

/// A small square with the color and pattern of a priority.
#[inline(never)]
pub fn swatch(line: usize) -> Html {
    html! {
        <svg class="swatch" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
            <rect width="14" height="14" rx="3" fill={paint(line)} />
        </svg>
    }
}

/// The class and the name of a host's health.
pub const fn health_class(health: CoarseHealth) -> (&'static str, &'static str) {
    match health {
        CoarseHealth::Healthy => ("healthy", "healthy"),
        CoarseHealth::Degraded => ("degraded", "degraded"),
        CoarseHealth::Unhealthy => ("unhealthy", "unhealthy"),
    }
}
