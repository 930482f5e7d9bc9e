//! Where the page goes.

use web_sys::window;
use yew::BaseComponent;

/// Puts a component into the element of that id, in place of what stands there; nothing happens
/// when there is none.
pub fn mount<C>(id: &str)
where
    C: BaseComponent,
    C::Properties: Default,
{
    let document = window().and_then(|window| window.document());
    let Some(root) = document.and_then(|document| document.get_element_by_id(id)) else {
        return;
    };
    root.set_inner_html("");
    yew::Renderer::<C>::with_root(root).render();
}
