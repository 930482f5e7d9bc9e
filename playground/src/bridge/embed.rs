//! The custom element for documentation, which `www/server.js` loads.

use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    /// Defines the custom element, once.
    #[wasm_bindgen(js_namespace = spillgateServer, js_name = embed, catch)]
    async fn embed() -> Result<JsValue, JsValue>;
}

/// Defines the custom element `<spillgate-split>`, and reports whether that is possible: the single-file page
/// has no file of it.
pub fn load_embed(done: impl FnOnce(bool) + 'static) {
    yew::platform::spawn_local(async move { done(embed().await.is_ok()) });
}
