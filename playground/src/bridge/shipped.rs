//! The shipped filter, which `www/filter.js` runs in a worker.

use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use super::{reason, screens::texts_of};
use crate::state::{ShippedAnswer, ShippedRequest, ShippedRun, route_metadata};

#[wasm_bindgen]
extern "C" {
    /// The texts of a run, by the module that writes files.
    #[wasm_bindgen(js_namespace = spillgateScreens, js_name = shippedRun, catch)]
    async fn shipped_run(
        scenarios: Vec<u8>,
        request: Vec<String>,
        criteria: Vec<u8>,
    ) -> Result<JsValue, JsValue>;

    /// The texts of an answer; empty if a later run replaces this one.
    #[wasm_bindgen(js_namespace = spillgateScreens, js_name = runFilter, catch)]
    async fn run_filter(run: Vec<String>, route: Vec<u8>) -> Result<JsValue, JsValue>;
}

/// What became of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShippedOutcome {
    /// The answer, and what the configuration omits, as sentences.
    Answered(ShippedAnswer, String),
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
        match outcome(scenarios, request, criteria).await {
            Ok(Some(outcome)) => done(outcome),
            Ok(None) => {}
            Err(error) => done(ShippedOutcome::Failed(reason(&error))),
        }
    });
}

async fn outcome(
    scenarios: Vec<u8>,
    request: ShippedRequest,
    criteria: Vec<u8>,
) -> Result<Option<ShippedOutcome>, JsValue> {
    let route = route_metadata(&criteria);
    let run = shipped_run(scenarios, request.into_texts(), criteria).await?;
    let (omitted, run) = match ShippedRun::from_texts(texts_of(&run)) {
        ShippedRun::Ready { omitted, texts } => (omitted, texts),
        ShippedRun::Refused(reason) => return Ok(Some(ShippedOutcome::Refused(reason))),
    };
    let answer = texts_of(&run_filter(run, route).await?);
    if answer.is_empty() {
        return Ok(None);
    }
    Ok(Some(match ShippedAnswer::from_texts(answer) {
        Some(answer) => ShippedOutcome::Answered(answer, omitted),
        None => ShippedOutcome::Failed("filter.js is from another version; reload the page".into()),
    }))
}
