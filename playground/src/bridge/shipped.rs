//! The shipped filter, which `www/filter.js` runs in a worker.

use js_sys::Array;
use spillgate_scenario::{ShippedAnswer, ShippedRequest, route_metadata};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use super::reason;

#[wasm_bindgen]
extern "C" {
    /// The texts of an answer; empty if a later run replaces this one.
    #[wasm_bindgen(js_namespace = spillgateServer, js_name = runFilter, catch)]
    async fn run_filter(
        scenarios: Vec<u8>,
        request: Vec<String>,
        criteria: Vec<u8>,
        route: Vec<u8>,
    ) -> Result<JsValue, JsValue>;
}

/// What became of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShippedOutcome {
    /// The answer.
    Answered(ShippedAnswer),
    /// The settings that the filter does not support, as sentences.
    Refused(String),
    /// Why the filter did not run.
    Failed(String),
}

/// Runs requests to the first scenario, given as bytes, in the shipped filter. `criteria` are the bytes of
/// their subset criteria. Nothing is reported if a later run replaces this one.
pub fn run_shipped(
    scenarios: Vec<u8>,
    request: ShippedRequest,
    criteria: Vec<u8>,
    done: impl FnOnce(ShippedOutcome) + 'static,
) {
    yew::platform::spawn_local(async move {
        let route = route_metadata(&criteria);
        let answer = run_filter(scenarios, request.into_texts(), criteria, route).await;
        match answer.map(|answer| texts_of(&answer)) {
            Ok(texts) if texts.is_empty() => {}
            Ok(texts) => done(outcome(texts)),
            Err(error) => done(ShippedOutcome::Failed(reason(&error))),
        }
    });
}

/// The texts of a list.
fn texts_of(list: &JsValue) -> Vec<String> {
    let texts = Array::from(list);
    texts.iter().filter_map(|text| text.as_string()).collect()
}

fn outcome(mut texts: Vec<String>) -> ShippedOutcome {
    if texts.len() == 1 {
        return ShippedOutcome::Refused(texts.pop().unwrap_or_default());
    }
    match ShippedAnswer::from_texts(texts) {
        Some(answer) => ShippedOutcome::Answered(answer),
        None => ShippedOutcome::Failed("filter.js is from another version; reload the page".into()),
    }
}
