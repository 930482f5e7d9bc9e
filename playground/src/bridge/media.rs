//! The width of the window, where a style sheet is not enough: the figure has two layouts.

use web_sys::{MediaQueryList, window};

use super::EventListener;

/// One column; the same width as in the style sheet.
const NARROW: &str = "(max-width: 720px)";

/// Whether the page is in one column.
#[must_use]
pub fn is_narrow() -> bool {
    query().is_some_and(|query| query.matches())
}

/// Calls `react` whenever that changes.
#[must_use]
pub fn on_narrow_change(react: impl Fn(bool) + 'static) -> Option<EventListener> {
    let query = query()?;
    Some(EventListener::new(&query, "change", move |_| {
        react(is_narrow())
    }))
}

fn query() -> Option<MediaQueryList> {
    window()?.match_media(NARROW).ok()?
}
