//! The page's screens that are loaded on first use, as one module.
//!
//! `www/load-screens.js` loads it, and calls [`show`] after each change of the page's state and [`close`]
//! when the user leaves the screen. Each screen computes with the same engine as the page.

mod app;
mod input;
mod mounted;
pub mod what_if;
pub mod zones;

use js_sys::Function;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::Element;

/// Shows a screen in an element, or updates it.
///
/// `scenario` is the scenario as bytes, `input` what the user entered on the screen before, and
/// `command` has the fields of a `CommandInput` in their order. The screen calls `on_action`
/// with the two texts of a `ScreenAction`.
#[wasm_bindgen]
pub fn show(
    element: Element,
    screen: &str,
    scenario: &[u8],
    input: String,
    command: Vec<String>,
    on_action: Function,
) {
    mounted::show(element, screen, scenario, input, command, on_action);
}

/// Removes the screen in an element.
#[wasm_bindgen]
pub fn close(element: &Element) {
    mounted::close(element);
}
