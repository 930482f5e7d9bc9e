//! The parts of the Share dialog that are loaded on first use, as two modules: the feature `dialog` shows
//! snippets for other pages and the list of files, `files` writes the files.
//!
//! `www/load-screens.js` loads the modules. It calls [`show`] after each change of the page's state, [`close`]
//! when the user closes the dialog, [`write_file`] for a file, and [`shipped_run`] before the Trace screen runs the
//! shipped filter. The command line writes the same files with the same code, `spillgate-export`.

#[cfg(feature = "files")]
mod files;
#[cfg(feature = "dialog")]
mod mounted;
#[cfg(feature = "files")]
mod shipped;
#[cfg(feature = "dialog")]
mod snippet;
#[cfg(feature = "dialog")]
mod view;

#[cfg(all(test, feature = "files"))]
mod tests;

#[cfg(feature = "files")]
pub use files::{Wanted, file};
#[cfg(feature = "dialog")]
pub use snippet::{Generator, Snippet, SnippetControls, SnippetKind, SnippetView};

use wasm_bindgen::prelude::wasm_bindgen;

/// Shows snippets and files in an element, or updates them.
///
/// `scenarios` starts with the scenario as bytes, and `input` has the texts of a `ShareInput`. The parts change
/// nothing on the page, so that they never call `on_action`.
#[cfg(feature = "dialog")]
#[wasm_bindgen]
pub fn show(
    element: web_sys::Element,
    scenarios: &[u8],
    input: Vec<String>,
    on_action: &js_sys::Function,
) {
    let _ = on_action;
    mounted::show(element, scenarios, input);
}

/// Removes them.
#[cfg(feature = "dialog")]
#[wasm_bindgen]
pub fn close(element: &web_sys::Element) {
    mounted::close(element);
}

/// Writes a file of the first scenario: the texts of a `FileReply`.
#[cfg(feature = "files")]
#[wasm_bindgen]
pub fn write_file(scenarios: &[u8], input: Vec<String>, wanted: &str) -> Vec<String> {
    files::reply(scenarios, input, wanted).into_texts()
}

/// Prepares a request to the first scenario for the shipped filter: the texts of a `ShippedRun`. `request` has
/// the texts of a `ShippedRequest`, and `criteria` its subset criteria as a protobuf `Struct`.
#[cfg(feature = "files")]
#[wasm_bindgen]
pub fn shipped_run(scenarios: &[u8], request: Vec<String>, criteria: &[u8]) -> Vec<String> {
    shipped::run(scenarios, request, criteria).into_texts()
}
