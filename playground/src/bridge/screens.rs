//! The module of the import dialog and the custom element, which `www/load-screens.js` loads.

use js_sys::{Array, Function};
use wasm_bindgen::{JsCast as _, JsValue, prelude::Closure, prelude::wasm_bindgen};
use web_sys::Element;
use yew::NodeRef;

use super::reason;
use crate::state::ScreenAction;

#[wasm_bindgen]
extern "C" {
    /// Fetches a module, once.
    #[wasm_bindgen(js_namespace = spillgateScreens, js_name = load, catch)]
    async fn load(module: &str) -> Result<(), JsValue>;

    /// Defines the custom element for documentation, once.
    #[wasm_bindgen(js_namespace = spillgateScreens, js_name = embed, catch)]
    async fn embed() -> Result<JsValue, JsValue>;

    /// Shows a screen of a module in an element, or updates it.
    #[wasm_bindgen(js_namespace = spillgateScreens, js_name = show, catch)]
    fn show(
        module: &str,
        element: &Element,
        scenarios: &[u8],
        input: Vec<String>,
        on_action: &Function,
    ) -> Result<(), JsValue>;

    /// Removes the screen in an element.
    #[wasm_bindgen(js_namespace = spillgateScreens, js_name = close, catch)]
    fn close(module: &str, element: &Element) -> Result<(), JsValue>;
}

/// Fetches a module with screens, and reports the result or the reason of the failure.
pub fn load_screens(module: &'static str, done: impl FnOnce(Result<(), String>) + 'static) {
    yew::platform::spawn_local(async move {
        done(load(module).await.map_err(|error| reason(&error)));
    });
}

/// Defines the custom element `<spillgate-split>`, and reports whether that is possible: the single-file page
/// has no file of it.
pub fn load_embed(done: impl FnOnce(bool) + 'static) {
    yew::platform::spawn_local(async move { done(embed().await.is_ok()) });
}

/// The texts of a list.
pub(super) fn texts_of(list: &JsValue) -> Vec<String> {
    let texts = Array::from(list);
    texts.iter().filter_map(|text| text.as_string()).collect()
}

/// A shown screen; dropping it removes the screen.
#[derive(Debug)]
pub struct ShownScreen {
    module: &'static str,
    element: Element,
    on_action: Closure<dyn FnMut(String, String)>,
}

impl ShownScreen {
    /// A screen of a module in an element, which calls `act` with what the user does; `None` if the
    /// element is not on the page.
    #[must_use]
    pub fn new(
        module: &'static str,
        place: &NodeRef,
        act: impl Fn(ScreenAction) + 'static,
    ) -> Option<Self> {
        let on_action = move |kind: String, value: String| {
            if let Some(action) = ScreenAction::from_text(&kind, value) {
                act(action);
            }
        };
        Some(Self {
            module,
            element: place.cast::<Element>()?,
            on_action: Closure::new(on_action),
        })
    }

    /// Shows the scenarios, given as bytes: the current one, and the one before the latest step if there is
    /// one. `input` has the texts that the module reads.
    ///
    /// # Errors
    /// If the module stops, with the reason.
    pub fn update(&self, scenarios: &[u8], input: Vec<String>) -> Result<(), String> {
        let on_action = self.on_action.as_ref().unchecked_ref();
        let shown = show(self.module, &self.element, scenarios, input, on_action);
        shown.map_err(|error| reason(&error))
    }
}

impl Drop for ShownScreen {
    fn drop(&mut self) {
        // A module that stopped has nothing to remove.
        let _ = close(self.module, &self.element);
    }
}
