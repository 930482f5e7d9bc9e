//! Why a module cannot be loaded or stopped.

use wasm_bindgen::{JsCast as _, JsValue};

/// The message of an exception.
pub(super) fn reason(error: &JsValue) -> String {
    let error = error.dyn_ref::<js_sys::Error>();
    error.map_or_else(|| "unknown reason".into(), |error| error.message().into())
}
