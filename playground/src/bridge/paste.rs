//! A text that is pasted outside of a field.

use wasm_bindgen::JsCast as _;
use web_sys::{ClipboardEvent, window};

use super::{
    EventListener,
    keys::{is_in_dialog, is_in_field},
};

/// Calls `react` for every pasted text that is for the playground: fields and dialogs have their own, and a
/// word without a line break or a brace is no configuration.
#[must_use]
pub fn on_paste(react: impl Fn(String) + 'static) -> Option<EventListener> {
    let window = window()?;
    Some(EventListener::new(&window, "paste", move |event| {
        let Ok(event) = event.dyn_into::<ClipboardEvent>() else {
            return;
        };
        if event.default_prevented() || is_in_field(&event) || is_in_dialog() {
            return;
        }
        let data = event.clipboard_data();
        let text = data.and_then(|data| data.get_data("text/plain").ok());
        if let Some(text) = text.filter(|text| text.contains(['\n', '{'])) {
            event.prevent_default();
            react(text);
        }
    }))
}
