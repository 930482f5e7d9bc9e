//! A component in an element of the page that another module draws.

use std::cell::Cell;

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
                number_root(&element);
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

/// The attribute of an element with the number of the root in it.
const ROOT: &str = "data-root";

thread_local! {
    /// The number of the latest root of this module.
    static LATEST_ROOT: Cell<u32> = const { Cell::new(0) };
}

/// Gives the next root of this module a higher number than the roots around the element.
///
/// Yew numbers the roots of each module from 1, and marks elements with the number of their root. A root
/// around this element would take a click on an element of a root with its own number for a click on its
/// own element with the same listener number. The page is the first root of its module.
fn number_root(element: &Element) {
    let around = element
        .parent_element()
        .and_then(|parent| parent.closest(&format!("[{ROOT}]")).ok()?);
    let number = around
        .and_then(|root| root.get_attribute(ROOT)?.parse().ok())
        .unwrap_or(1);
    while LATEST_ROOT.get() < number {
        let document = window().and_then(|window| window.document());
        let detached = document.and_then(|document| document.create_element("div").ok());
        let Some(detached) = detached else {
            return;
        };
        Renderer::<Nothing>::with_root(detached).render().destroy();
        LATEST_ROOT.set(LATEST_ROOT.get() + 1);
    }
    LATEST_ROOT.set(LATEST_ROOT.get() + 1);
    // An element of the page accepts attributes.
    let _ = element.set_attribute(ROOT, &LATEST_ROOT.get().to_string());
}
