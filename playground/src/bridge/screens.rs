//! The module with the further screens, which `www/load-screens.js` loads.

use js_sys::Function;
use wasm_bindgen::{JsCast as _, JsValue, prelude::Closure, prelude::wasm_bindgen};
use web_sys::Element;
use yew::NodeRef;

use super::reason;
use crate::state::{CommandInput, Screen, ScreenAction};

#[wasm_bindgen]
extern "C" {
    /// Fetches the module, once.
    #[wasm_bindgen(js_namespace = spillgateScreens, js_name = load, catch)]
    async fn load() -> Result<(), JsValue>;

    /// Shows a screen in an element, or updates it.
    #[wasm_bindgen(js_namespace = spillgateScreens, js_name = show, catch)]
    fn show(
        element: &Element,
        screen: &str,
        scenario: &[u8],
        input: &str,
        command: Vec<String>,
        on_action: &Function,
    ) -> Result<(), JsValue>;

    /// Removes the screen in an element.
    #[wasm_bindgen(js_namespace = spillgateScreens, js_name = close, catch)]
    fn close(element: &Element) -> Result<(), JsValue>;
}

/// Fetches the module with the screens, and reports the result or the reason of the failure.
pub fn load_screens(done: impl FnOnce(Result<(), String>) + 'static) {
    yew::platform::spawn_local(async move {
        done(load().await.map_err(|error| reason(&error)));
    });
}

/// A shown screen; dropping it removes the screen.
#[derive(Debug)]
pub struct ShownScreen {
    element: Element,
    on_action: Closure<dyn FnMut(String, String)>,
}

impl ShownScreen {
    /// A screen in an element, which calls `act` with what the user does; `None` if the element is not
    /// on the page.
    #[must_use]
    pub fn new(place: &NodeRef, act: impl Fn(ScreenAction) + 'static) -> Option<Self> {
        let on_action = move |kind: String, value: String| {
            if let Some(action) = ScreenAction::from_text(&kind, value) {
                act(action);
            }
        };
        Some(Self {
            element: place.cast::<Element>()?,
            on_action: Closure::new(on_action),
        })
    }

    /// Shows a scenario, given as bytes, and the input of the screen.
    ///
    /// # Errors
    /// If the module stops, with the reason.
    pub fn update(
        &self,
        screen: Screen,
        scenario: &[u8],
        input: &str,
        command: CommandInput,
    ) -> Result<(), String> {
        let command = vec![command.before, command.arguments, command.about];
        let on_action = self.on_action.as_ref().unchecked_ref();
        let shown = show(
            &self.element,
            screen.name(),
            scenario,
            input,
            command,
            on_action,
        );
        shown.map_err(|error| reason(&error))
    }
}

impl Drop for ShownScreen {
    fn drop(&mut self) {
        // A module that stopped has nothing to remove.
        let _ = close(&self.element);
    }
}
