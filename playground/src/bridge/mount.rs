//! The element of the playground.

use web_sys::window;
use yew::BaseComponent;

/// Replaces the content of an element by a component; does nothing without that element.
pub fn mount<C: BaseComponent>(id: &str, properties: C::Properties) {
    let document = window().and_then(|window| window.document());
    let Some(root) = document.and_then(|document| document.get_element_by_id(id)) else {
        return;
    };
    root.set_inner_html("");
    yew::Renderer::<C>::with_root_and_props(root, properties).render();
}
