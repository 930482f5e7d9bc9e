//! The module that routes requests, which `www/reader.js` loads and runs in a worker of its own.

use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use super::reader::report;

#[wasm_bindgen]
extern "C" {
    /// Fetches the module, once.
    #[wasm_bindgen(js_namespace = spillgateRouter, js_name = load, catch)]
    async fn load_router() -> Result<JsValue, JsValue>;

    /// The answer to a configuration and a question as bytes, or a word.
    #[wasm_bindgen(js_namespace = spillgateRouter, js_name = read, catch)]
    async fn route_request(config: &[u8], question: &[u8]) -> Result<JsValue, JsValue>;
}

/// Routes a request by a configuration, and reports the bytes of the answer, or the reason of a failure.
/// Nothing is reported if a later request replaces this one.
pub fn route(
    config: String,
    question: Vec<u8>,
    done: impl FnOnce(Result<Vec<u8>, String>) + 'static,
) {
    yew::platform::spawn_local(async move {
        let asked = async {
            load_router().await?;
            route_request(config.as_bytes(), &question).await
        };
        report(asked, done).await;
    });
}
