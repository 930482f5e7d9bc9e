//! The reader modules, which `www/reader.js` loads.

use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use super::reason;

#[wasm_bindgen]
extern "C" {
    /// Fetches the modules that the last texts require, each once.
    #[wasm_bindgen(js_namespace = spillgateReader, js_name = load, catch)]
    async fn load() -> Result<(), JsValue>;

    /// Reads both texts; `None` if they require a module that is not loaded.
    #[wasm_bindgen(js_namespace = spillgateReader, js_name = read, catch)]
    fn read(config: &[u8], clusters: &[u8]) -> Result<Option<Vec<u8>>, JsValue>;
}

/// Fetches the reader modules that the last texts require, and reports the result or the reason of
/// the failure.
pub fn load_reader(done: impl FnOnce(Result<(), String>) + 'static) {
    yew::platform::spawn_local(async move {
        done(load().await.map_err(|error| reason(&error)));
    });
}

/// The answer of the loaded reader modules to both texts; `None` if they require one that is not
/// loaded.
///
/// # Errors
/// If the module stops, with the reason.
pub fn call_reader(config: &str, clusters: &str) -> Result<Option<Vec<u8>>, String> {
    read(config.as_bytes(), clusters.as_bytes()).map_err(|error| reason(&error))
}
