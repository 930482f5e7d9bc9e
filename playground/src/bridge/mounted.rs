//! A component in an element of the page that another module draws.

use js_sys::Function;
use wasm_bindgen::JsValue;
use web_sys::{Element, window};
use yew::{AppHandle, BaseComponent, Callback, Html, Renderer, component, html};

use crate::state::ScreenAction;

/// A component, and the element in which it is.
#[derive(Debug)]
pub struct MountedApp<C: BaseComponent> {
    element: Element,
    app: AppHandle<C>,
}

impl<C: BaseComponent> MountedApp<C> {
    /// Shows the component in an element, or updates it there.
    pub fn show(mounted: &mut Option<Self>, element: Element, props: C::Properties) {
        match mounted
            .as_mut()
            .filter(|mounted| mounted.element == element)
        {
            Some(mounted) => mounted.app.update(props),
            None => {
                skip_first_root();
                let app = Renderer::<C>::with_root_and_props(element.clone(), props).render();
                *mounted = Some(Self { element, app });
            }
        }
    }

    /// Removes it, if it is in that element.
    pub fn close(mounted: &mut Option<Self>, element: &Element) {
        if let Some(mounted) = mounted.take_if(|here| here.element == *element) {
            mounted.app.destroy();
        }
    }
}

/// Calls the function of the page with the texts of an action.
#[must_use]
pub fn action_callback(on_action: Function) -> Callback<ScreenAction> {
    Callback::from(move |action: ScreenAction| {
        let (name, value) = action.to_text();
        // The page's own callback does not throw.
        let _ = on_action.call2(&JsValue::NULL, &name.into(), &value.into());
    })
}

/// An app without content.
#[component]
fn Nothing() -> Html {
    html! {}
}

/// Yew numbers the roots of each module from 1, and marks elements with the number of their root. The page
/// is the first root of its own module: it would take a click on an element of another first root for a
/// click on its own element with the same listener number. So no component here is the first root of its
/// module.
fn skip_first_root() {
    let document = window().and_then(|window| window.document());
    let detached = document.and_then(|document| document.create_element("div").ok());
    if let Some(detached) = detached {
        Renderer::<Nothing>::with_root(detached).render().destroy();
    }
}
