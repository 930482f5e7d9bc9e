//! Carets and changes in text areas, counted in UTF-16 units.

use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlDocument, HtmlTextAreaElement, window};
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
