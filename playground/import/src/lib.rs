//! The page's import dialog: texts, their faults, and the choice of a cluster. It is a module of its own,
//! which the page loads when the user opens the dialog.
//!
//! `www/load-screens.js` loads the module. It calls [`show`] when the page opens the dialog and after each
//! change of the page's state, and [`close`] after the user closed it. What the user imports reaches the page
//! as a [`ScreenAction`](spillgate_playground::state::ScreenAction).
//!
//! Most visits import nothing, and the dialog was a sixteenth of the first load. It returns the
//! texts, the reader's answer and the chosen cluster as one text: the page builds the scenario from
//! the answer, as after a reload, so there is one way from an answer to a scenario. Several files
//! become the documents of one text, because the readers join documents by name, and a position in
//! the text stays a position in the field.

mod messages;
mod mounted;
mod report;
mod text;
mod view;

#[cfg(test)]
mod tests;

pub use messages::{ImportMessage, import_message_examples};
pub use report::{ReadReport, Remark, read_report};
pub use text::{
    MAXIMUM_OCCURRENCES, Occurrence, OpenedFile, QuickFix, caret_offset, field_of, fixable,
    next_fault, occurrences, position_at, quick_fix, texts_of,
};

use wasm_bindgen::prelude::wasm_bindgen;

/// Shows the dialog in an element of the page, or updates it.
///
/// `input` has the texts of an `ImportInput`. The dialog does not use the page's `scenarios`. It calls
/// `on_action` with the texts of a `ScreenAction`.
#[wasm_bindgen]
pub fn show(
    element: web_sys::Element,
    scenarios: &[u8],
    input: Vec<String>,
    on_action: js_sys::Function,
) {
    let _ = scenarios;
    mounted::show(element, input, on_action);
}

/// Removes it.
#[wasm_bindgen]
pub fn close(element: &web_sys::Element) {
    mounted::close(element);
}
