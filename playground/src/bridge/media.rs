//! The layout for the width of the window; the figure has one for each.

use spillgate_scenario::PageLayout;
use web_sys::{MediaQueryList, window};

use super::EventListener;

/// One column; the same width as in the style sheet.
const NARROW: &str = "(max-width: 720px)";

const REDUCED: &str = "(prefers-reduced-motion: reduce)";

/// The current layout.
#[must_use]
pub fn layout() -> PageLayout {
    if query().is_some_and(|query| query.matches()) {
        PageLayout::Narrow
    } else {
        PageLayout::Wide
    }
}

/// Calls `react` when the layout changes.
#[must_use]
pub fn on_layout_change(react: impl Fn(PageLayout) + 'static) -> Option<EventListener> {
    let query = query()?;
    Some(EventListener::new(&query, "change", move |_| {
        react(layout());
    }))
}

/// Whether the user asks for less motion.
#[must_use]
pub fn reduces_motion() -> bool {
    let window = window();
    let query = window.and_then(|window| window.match_media(REDUCED).ok()?);
    query.is_some_and(|query| query.matches())
}

fn query() -> Option<MediaQueryList> {
    window()?.match_media(NARROW).ok()?
}
