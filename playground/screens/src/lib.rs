//! The page's screens that are loaded on first use, as modules: the feature `failures` has What-if and
//! Zones, `requests` has Trace, `inspectors` has the
//! inspectors of Trace, `lessons` has Learn, `timeline` has the Timeline of What-if, `live` has Live.
//!
//! `www/load-screens.js` loads a module, and calls [`show`] after each change of the page's state and
//! [`close`] when the user leaves the screen. Each screen computes with the same engine as the page.
//!
//! The first screen must be usable early. A module contains the engine and Yew once more, about two
//! thirds of its size, because modules share no code; only bytes and texts cross between them. The
//! scenarios have the format of imports, because a link drops settings such as subsets, and every
//! screen must show the same figures. A screen that stops leaves the page as it is. One function
//! that returns markup for each screen would save the second Yew, but needs its own code for
//! updating the document without losing the focus.

mod app;
mod input;
#[cfg(feature = "lessons")]
pub mod lessons;
#[cfg(feature = "live")]
pub mod live;
pub mod losses;
mod mounted;
#[cfg(any(
    feature = "failures",
    feature = "requests",
    feature = "inspectors",
    feature = "timeline"
))]
mod quoting;
#[cfg(any(feature = "failures", feature = "requests", feature = "inspectors"))]
mod shell;
#[cfg(any(feature = "failures", feature = "requests"))]
mod shown_command;
#[cfg(any(feature = "failures", feature = "live"))]
mod stacked_bars;
#[cfg(feature = "timeline")]
pub mod timeline;
#[cfg(any(feature = "requests", feature = "inspectors"))]
pub mod trace;
#[cfg(feature = "failures")]
pub mod what_if;
#[cfg(feature = "failures")]
pub mod zones;

use js_sys::Function;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::Element;

/// Shows a screen in an element, or updates it.
///
/// `scenarios` are the scenario and the one before the latest step, as bytes, and `input` has the texts of
/// a `ScreenInput`. The screen calls `on_action` with the two texts of a `ScreenAction`.
#[wasm_bindgen]
pub fn show(element: Element, scenarios: &[u8], input: Vec<String>, on_action: Function) {
    mounted::show(element, scenarios, input, on_action);
}

/// Removes the screen in an element.
#[wasm_bindgen]
pub fn close(element: &Element) {
    mounted::close(element);
}
