//! Copying.

use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Clipboard, window};

/// Copies a text and tells whether that worked. On pages that are not from https or this machine
/// there is no clipboard.
pub fn copy(text: &str, done: impl FnOnce(bool) + 'static) {
    let Some(clipboard) = clipboard() else {
        done(false);
        return;
    };
    let promise = clipboard.write_text(text);
    yew::platform::spawn_local(async move {
        done(JsFuture::from(promise).await.is_ok());
    });
}

/// Asked for by name: the typed getter hands out a clipboard even where the browser has none.
fn clipboard() -> Option<Clipboard> {
    let navigator = window()?.navigator();
    let value = js_sys::Reflect::get(&navigator, &JsValue::from_str("clipboard")).ok()?;
    (!value.is_undefined() && !value.is_null()).then(|| value.unchecked_into())
}
