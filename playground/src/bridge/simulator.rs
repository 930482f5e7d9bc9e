//! The module that runs scenarios, which `www/reader.js` loads and runs in a worker of its own.

use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use super::reader::report;

#[wasm_bindgen]
extern "C" {
    /// Fetches the module, once.
    #[wasm_bindgen(js_namespace = spillgateSimulator, js_name = load, catch)]
    async fn load_simulator() -> Result<JsValue, JsValue>;

    /// The answer to a scenario file and a question as bytes, or a word.
    #[wasm_bindgen(js_namespace = spillgateSimulator, js_name = read, catch)]
    async fn run_scenario(text: &[u8], question: &[u8]) -> Result<JsValue, JsValue>;

    /// Stops the run.
    #[wasm_bindgen(js_namespace = spillgateSimulator, js_name = cancel)]
    pub fn cancel_simulation();
}

/// Runs a scenario file, and reports the bytes of the answer, or the reason of a failure. Nothing is
/// reported if a later run replaces this one. An older run is stopped.
pub fn simulate(
    text: String,
    question: Vec<u8>,
    done: impl FnOnce(Result<Vec<u8>, String>) + 'static,
) {
    yew::platform::spawn_local(async move {
        let asked = async {
            load_simulator().await?;
            run_scenario(text.as_bytes(), &question).await
        };
        report(asked, done).await;
    });
}
