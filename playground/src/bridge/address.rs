//! The fragment of the address bar, which browsers do not send to servers.

use wasm_bindgen::JsValue;
use web_sys::window;

use super::EventListener;

/// The fragment with its `#`; empty without one.
#[must_use]
pub fn fragment() -> String {
    window()
        .and_then(|window| window.location().hash().ok())
        .unwrap_or_default()
}

/// Replaces the fragment (given without `#`) without a new history entry. Browsers limit the rate; a
/// later call repeats a refused one.
pub fn replace_fragment(fragment: &str) {
    let history = window().and_then(|window| window.history().ok());
    if let Some(history) = history {
        let address = format!("#{fragment}");
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&address));
    }
}

/// The address of this page with another fragment.
#[must_use]
pub fn link_to(fragment: &str) -> String {
    let address = window()
        .and_then(|window| window.location().href().ok())
        .unwrap_or_default();
    let page = address.split('#').next().unwrap_or_default();
    format!("{page}#{fragment}")
}

/// Calls `react` with the fragment whenever the user changes it.
#[must_use]
pub fn on_fragment_change(react: impl Fn(String) + 'static) -> Option<EventListener> {
    let window = window()?;
    Some(EventListener::new(&window, "hashchange", move |_| {
        react(fragment());
    }))
}
