//! The module that reads what is pasted, by way of `www/reader.js`.

use wasm_bindgen::{JsCast as _, JsValue, prelude::wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    /// Fetches the module, unless it is there already.
    #[wasm_bindgen(js_namespace = spillgateReader, js_name = load, catch)]
    async fn load() -> Result<(), JsValue>;

    /// Reads both texts; needs the module.
    #[wasm_bindgen(js_namespace = spillgateReader, js_name = read, catch)]
    fn read(config: &[u8], clusters: &[u8]) -> Result<Vec<u8>, JsValue>;
}

/// Fetches the readers and tells whether they are there, or else why not.
pub fn load_readers(done: impl FnOnce(Result<(), String>) + 'static) {
    yew::platform::spawn_local(async move {
        done(load().await.map_err(|error| words(&error)));
    });
}

/// What the readers say about the texts, or why they say nothing. They must have been loaded.
///
/// # Errors
/// When they broke off.
pub fn ask_readers(config: &str, clusters: &str) -> Result<Vec<u8>, String> {
    read(config.as_bytes(), clusters.as_bytes()).map_err(|error| words(&error))
}

fn words(error: &JsValue) -> String {
    let error = error.dyn_ref::<js_sys::Error>();
    error.map_or_else(
        || "the browser does not say why".into(),
        |error| error.message().into(),
    )
}
