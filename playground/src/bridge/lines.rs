//! The line numbers of a text area.

use std::fmt::Write as _;

use web_sys::{Element, HtmlTextAreaElement};
use yew::NodeRef;

/// The height of a line in pixels, as in `www/style.css`.
const LINE: i32 = 20;
/// The space above the first line, which both scroll.
const PADDING: i32 = 10;
/// More lines than any screen shows, so that a larger area needs no new numbers.
const SHOWN: i32 = 150;

/// The upper edge of a line of a text area in its text, in pixels; lines count from 1.
#[must_use]
pub fn line_top(line: u32) -> i32 {
    let above = i32::try_from(line.saturating_sub(1)).unwrap_or(i32::MAX);
    above.saturating_mul(LINE).saturating_add(PADDING)
}

/// Scrolls an area until the first of these lines is in sight, if it is not.
pub fn reveal_lines(area: &NodeRef, first: u32, last: u32) {
    let Some(area) = area.cast::<Element>() else {
        return;
    };
    let (top, bottom) = (line_top(first), line_top(last.saturating_add(1)));
    let height = area.client_height();
    let shown = area.scroll_top();
    if top < shown || bottom.min(top.saturating_add(height)) > shown.saturating_add(height) {
        area.set_scroll_top((top - 3 * LINE).max(0));
    }
}

/// Shows the numbers of the visible lines of an area, whose text has as many lines.
pub fn show_line_numbers(area: &NodeRef, numbers: &NodeRef, lines: usize) {
    let (Some(area), Some(numbers)) = (
        area.cast::<HtmlTextAreaElement>(),
        numbers.cast::<Element>(),
    ) else {
        return;
    };
    let top = area.scroll_top();
    let first = (top - PADDING).max(0) / LINE;
    let last = i32::try_from(lines)
        .unwrap_or(i32::MAX)
        .min(first.saturating_add(SHOWN));
    let mut text = String::new();
    for line in first..last {
        let _ = writeln!(text, "{}", line.saturating_add(1));
    }
    // At the end of the text, the numbers must not be shorter than the area.
    text.push_str("\n\n");
    numbers.set_text_content(Some(&text));
    numbers.set_scroll_top(top - first * LINE);
}
