//! The playground: the engine in a browser.
//!
//! [`state`] needs no browser, [`view`] draws it, and only [`bridge`] uses the browser. The playground
//! requests only its own files; the engine, the same as in the filter, computes every result here.
//!
//! `www/boot.js` loads the module, and [`start`] opens the playground in the element with the id `app`.

#[cfg(feature = "page")]
pub mod bridge;
#[cfg(feature = "page")]
mod lazy;
pub mod state;
#[cfg(feature = "page")]
pub mod view;

/// Opens the playground; called once after loading.
#[cfg(feature = "page")]
#[wasm_bindgen::prelude::wasm_bindgen(start)]
pub fn start() {
    bridge::after(0, view::open).forget();
}
