//! The clipboard.

use spillgate_core::visible::visible_lines;
use spillgate_scenario::PageMessage;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Clipboard, window};

/// Copies a text, and reports the result. Browsers have no clipboard for pages from plain HTTP.
pub fn copy(text: &str, done: impl FnOnce(PageMessage<'static>) + 'static) {
    let Some(clipboard) = clipboard() else {
        done(PageMessage::NoClipboard);
        return;
    };
    // What is pasted can end in a terminal.
    let promise = clipboard.write_text(&visible_lines(text));
    yew::platform::spawn_local(async move {
        let copied = JsFuture::from(promise).await;
        done(copied.map_or(PageMessage::NoClipboard, |_| PageMessage::Copied));
    });
}

/// The property by its name: the typed getter never reports a missing clipboard.
fn clipboard() -> Option<Clipboard> {
    let navigator = window()?.navigator();
    let value = js_sys::Reflect::get(&navigator, &JsValue::from_str("clipboard")).ok()?;
    (!value.is_undefined() && !value.is_null()).then(|| value.unchecked_into())
}
