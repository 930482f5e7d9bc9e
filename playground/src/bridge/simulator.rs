//! The modules that run scenarios and simulate incidents, which `www/reader.js` loads and runs in workers of their own.

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

    /// Fetches the module of incidents, once.
    #[wasm_bindgen(js_namespace = spillgateIncidents, js_name = load, catch)]
    async fn load_incidents() -> Result<JsValue, JsValue>;

    /// The answer to a configuration and a question as bytes, or a word.
    #[wasm_bindgen(js_namespace = spillgateIncidents, js_name = read, catch)]
    async fn run_incident(config: &[u8], question: &[u8]) -> Result<JsValue, JsValue>;

    /// Stops the simulation of an incident.
    #[wasm_bindgen(js_namespace = spillgateIncidents, js_name = cancel)]
    pub fn cancel_incident();
}

/// Simulates an incident of a configuration, and reports as [`simulate`] does.
pub fn simulate_incident(
    config: String,
    question: Vec<u8>,
    done: impl FnOnce(Result<Vec<u8>, String>) + 'static,
) {
    yew::platform::spawn_local(async move {
        let asked = async {
            load_incidents().await?;
            run_incident(config.as_bytes(), &question).await
        };
        report(asked, done).await;
    });
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
