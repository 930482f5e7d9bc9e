//! Carets and changes in text areas, counted in UTF-16 units.

use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlDocument, HtmlElement, HtmlTextAreaElement, window};
use yew::NodeRef;

/// Moves the caret of a text area and shows it.
pub fn place_caret(area: &NodeRef, offset: u32, line: u32) {
    select_text(area, offset, offset, line);
}

/// Selects characters of a text area and shows them. `line` is the first one's, from 1.
pub fn select_text(area: &NodeRef, start: u32, end: u32, line: u32) {
    let Some(area) = area.cast::<HtmlTextAreaElement>() else {
        return;
    };
    let _ = area.focus();
    let _ = area.set_selection_range(start, end);
    // Browsers do not scroll to a caret that a script sets.
    let lines = area.value().split('\n').count().max(1);
    let height = area.scroll_height() / lines as i32;
    let above = (line as i32 - 4).max(0);
    area.set_scroll_top(height.saturating_mul(above));
}

/// The caret of a text area, also without focus.
#[must_use]
pub fn caret(area: &NodeRef) -> u32 {
    let area = area.cast::<HtmlTextAreaElement>();
    let start = area.and_then(|area| area.selection_start().ok()?);
    start.unwrap_or_default()
}

/// Whether a field has the focus.
#[must_use]
pub fn has_focus(field: &NodeRef) -> bool {
    let document = window().and_then(|window| window.document());
    let focused = document.and_then(|document| document.active_element());
    focused.is_some() && focused == field.cast::<Element>()
}

/// Replaces the text of an area, without an event.
pub fn set_text(area: &NodeRef, text: &str) {
    if let Some(area) = area.cast::<HtmlTextAreaElement>() {
        area.set_value(text);
    }
}

/// The selected characters of a text area, also without focus.
#[must_use]
pub fn selection(area: &NodeRef) -> (u32, u32) {
    let end = area.cast::<HtmlTextAreaElement>();
    let end = end.and_then(|area| area.selection_end().ok()?);
    let start = caret(area);
    (start, end.unwrap_or(start))
}

/// Replaces the text of an area and its selection, without an event. The area stays where it is scrolled to.
pub fn rewrite_text(area: &NodeRef, text: &str, selection: (u32, u32)) {
    if let Some(field) = area.cast::<HtmlTextAreaElement>() {
        let (top, left) = (field.scroll_top(), field.scroll_left());
        field.set_value(text);
        select_in_place(area, selection);
        field.set_scroll_top(top);
        field.set_scroll_left(left);
    }
}

/// Selects characters of a text area, which gets no focus and does not scroll.
pub fn select_in_place(area: &NodeRef, (start, end): (u32, u32)) {
    let Some(area) = area.cast::<HtmlTextAreaElement>() else {
        return;
    };
    let document = window().and_then(|window| window.document());
    let focused = || document.as_ref()?.active_element();
    let before = focused();
    let _ = area.set_selection_range(start, end);
    // Some browsers focus the area.
    if let Some(before) = before.filter(|before| focused().as_ref() != Some(before))
        && let Ok(before) = before.dyn_into::<HtmlElement>()
    {
        let _ = before.focus();
    }
}

/// How far a text area is scrolled, in pixels.
#[must_use]
pub fn scrolled_by(area: &NodeRef) -> i32 {
    let area = area.cast::<Element>();
    area.map_or(0, |area| area.scroll_top())
}

/// Replaces some characters as if the user typed them: the browser can undo it, and sends an input
/// event.
pub fn replace_text(area: &NodeRef, start: u32, end: u32, text: &str) {
    let document = window().and_then(|window| window.document());
    let document = document.and_then(|document| document.dyn_into::<HtmlDocument>().ok());
    if let (Some(area), Some(document)) = (area.cast::<HtmlTextAreaElement>(), document) {
        let _ = area.focus();
        let _ = area.set_selection_range(start, end);
        let _ = document.exec_command_with_show_ui_and_value("insertText", false, text);
    }
}
