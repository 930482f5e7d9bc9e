//! The modules that route requests and compare routes, which `www/reader.js` loads and runs in workers of their own.

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

    /// Fetches the module of comparisons, once.
    #[wasm_bindgen(js_namespace = spillgateComparisons, js_name = load, catch)]
    async fn load_comparisons() -> Result<JsValue, JsValue>;

    /// The answer to two configurations as bytes, or a word.
    #[wasm_bindgen(js_namespace = spillgateComparisons, js_name = read, catch)]
    async fn run_comparison(old: &[u8], new: &[u8]) -> Result<JsValue, JsValue>;
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

/// Compares two configurations, and reports as [`route`] does.
pub fn compare_configs(
    (old, new): (String, String),
    done: impl FnOnce(Result<Vec<u8>, String>) + 'static,
) {
    yew::platform::spawn_local(async move {
        let asked = async {
            load_comparisons().await?;
            run_comparison(old.as_bytes(), new.as_bytes()).await
        };
        report(asked, done).await;
    });
}
