//! The layout for the width of the window; the figure has one for each.

use web_sys::{MediaQueryList, window};

use super::EventListener;
use crate::state::Size;

/// One column; the same width as in the style sheet.
const NARROW: &str = "(max-width: 720px)";

/// The current layout.
#[must_use]
pub fn layout() -> Size {
    match query().is_some_and(|query| query.matches()) {
        true => Size::Narrow,
        false => Size::Wide,
    }
}

/// Calls `react` when the layout changes.
#[must_use]
pub fn on_layout_change(react: impl Fn(Size) + 'static) -> Option<EventListener> {
    let query = query()?;
    Some(EventListener::new(&query, "change", move |_| {
        react(layout());
    }))
}

fn query() -> Option<MediaQueryList> {
    window()?.match_media(NARROW).ok()?
}
