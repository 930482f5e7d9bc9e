//! The shipped filter, which `www/filter.js` runs in a worker.

use js_sys::Array;
use spillgate_scenario::ShippedAnswer;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use super::reason;

#[wasm_bindgen]
extern "C" {
    /// The texts of an answer; empty if a later run replaces this one.
    #[wasm_bindgen(js_namespace = spillgateServer, js_name = runFilter, catch)]
    async fn run_filter(run: Vec<String>, route: Vec<u8>) -> Result<JsValue, JsValue>;
}

/// Executes a run of the filter with the metadata of a route, and reports the answer, or why the filter did
/// not run. Nothing is reported if a later run replaces this one.
pub fn run_shipped(
    run: Vec<String>,
    route: Vec<u8>,
    done: impl FnOnce(Result<ShippedAnswer, String>) + 'static,
) {
    yew::platform::spawn_local(async move {
        match run_filter(run, route).await {
            Ok(list) => {
                let list = Array::from(&list);
                let texts = list.iter().filter_map(|text| text.as_string());
                let texts: Vec<String> = texts.collect();
                if !texts.is_empty() {
                    let other = "filter.js is from another version; reload the page";
                    done(ShippedAnswer::from_texts(texts).ok_or_else(|| other.into()));
                }
            }
            Err(error) => done(Err(reason(&error))),
        }
    });
}
