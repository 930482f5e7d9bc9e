//! The page: the engine in the browser.
//!
//! [`state`] is everything that can be known without a browser, [`view`] draws it, [`bridge`] is
//! the only part that touches the browser. The page asks no server for anything but its own
//! files; results come from the same engine as the filter's, computed here on every change.
//!
//! The module starts itself: `www/boot.js` loads it, and [`start`] mounts the page into the
//! element with the id `app`.

pub mod bridge;
pub mod state;
pub mod view;

/// Mounts the page; called once, when the module has been loaded.
#[wasm_bindgen::prelude::wasm_bindgen(start)]
pub fn start() {
    bridge::mount::<view::App>("app");
}
