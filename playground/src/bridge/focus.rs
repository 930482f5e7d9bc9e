//! The keyboard focus.

use wasm_bindgen::JsCast as _;
use web_sys::{Document, Element, HtmlElement, HtmlInputElement, window};
use yew::NodeRef;

use super::after;

/// Focuses the cell of a host.
pub fn focus_host(id: &str) {
    if let Some(cell) = host_cell(id) {
        let _ = cell.focus();
    }
}

/// The number of cells in the first row of a host's grid; at least 1.
#[must_use]
pub fn columns(id: &str) -> usize {
    let grid = host_cell(id).and_then(|cell| cell.parent_element());
    let Some(grid) = grid else {
        return 1;
    };
    let cells = grid.children();
    let mut first_row = None;
    let mut count = 0;
    while let Some(cell) = cells.item(count) {
        let top = cell.get_bounding_client_rect().top();
        if top > *first_row.get_or_insert(top) + 1.0 {
            break;
        }
        count += 1;
    }
    (count as usize).max(1)
}

/// Focuses the element with an id.
pub fn focus_id(id: &str) {
    let document = window().and_then(|window| window.document());
    let element = document.and_then(|document| document.get_element_by_id(id));
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
    }
}

/// Focuses a field.
pub fn focus_field(field: &NodeRef) {
    if let Some(field) = field.cast::<HtmlElement>() {
        let _ = field.focus();
    }
}

/// Takes the focus from a field, and returns it after the next frame unless something else has it by then.
pub fn rest_focus(field: &NodeRef) {
    /// A frame with a long text starts within this time, in milliseconds.
    const FRAME: u32 = 100;
    let Some(field) = field.cast::<HtmlElement>() else {
        return;
    };
    let _ = field.blur();
    after(FRAME, move || {
        let document = window().and_then(|window| window.document());
        let focused = document.as_ref().and_then(Document::active_element);
        let body = document
            .as_ref()
            .and_then(Document::body)
            .map(Element::from);
        if focused.is_none() || focused == body {
            let _ = field.focus();
        }
    })
    .forget();
}

/// Focuses a field and selects its text.
pub fn select_all(field: &NodeRef) {
    if let Some(field) = field.cast::<HtmlInputElement>() {
        let _ = field.focus();
        field.select();
    }
}

fn host_cell(id: &str) -> Option<HtmlElement> {
    // In a quoted attribute value only quotes and backslashes are special.
    let escaped: String = id
        .chars()
        .flat_map(|c| {
            let escape = matches!(c, '"' | '\\').then_some('\\');
            escape.into_iter().chain([c])
        })
        .collect();
    let document = window()?.document()?;
    let cell = document.query_selector(&format!("[data-host=\"{escaped}\"]"));
    cell.ok()??.dyn_into().ok()
}

/// The index of the cell of an event.
#[must_use]
pub fn cell_index(event: &yew::Event) -> Option<usize> {
    let target = event.target()?.dyn_into::<Element>().ok()?;
    let cell = target.closest("[data-index]").ok()??;
    cell.get_attribute("data-index")?.parse().ok()
}
