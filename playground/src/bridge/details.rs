//! Parts that open and close.

use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event};

/// Whether the `<details>` of a `toggle` event is open now.
#[must_use]
pub fn is_open(event: &Event) -> bool {
    let target = event.target().and_then(|t| t.dyn_into::<Element>().ok());
    target.is_some_and(|element| element.has_attribute("open"))
}
