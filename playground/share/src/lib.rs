//! Prepares requests of the Trace screen for the shipped filter, in the worker of `www/filter.js`.

mod shipped;

#[cfg(test)]
mod tests;

use wasm_bindgen::prelude::wasm_bindgen;

/// Prepares a request to the first scenario for the shipped filter: the texts of a `ShippedRun`. `request` has
/// the texts of a `ShippedRequest`, and `criteria` its subset criteria as a protobuf `Struct`.
#[wasm_bindgen]
pub fn shipped_run(scenarios: &[u8], request: Vec<String>, criteria: &[u8]) -> Vec<String> {
    shipped::run(scenarios, request, criteria).into_texts()
}
