//! What a screen reader hears after a change.

use yew::prelude::*;

use crate::bridge;

/// A slider that is dragged is silent until it rests.
const REST_MS: u32 = 500;

#[derive(PartialEq, Properties)]
pub(crate) struct StatusProps {
    /// Its `data-test`.
    pub(crate) test: &'static str,
    /// What happened.
    pub(crate) text: String,
}

/// A polite live region: one for the page, and one in a dialog that covers it.
#[component]
pub(crate) fn Status(props: &StatusProps) -> Html {
    let said = use_state(String::new);
    let setter = said.setter();
    use_effect_with(props.text.clone(), move |text| {
        let text = text.clone();
        let timer = bridge::after(REST_MS, move || setter.set(text));
        // Dropped with the next change: what was not said yet is out of date.
        move || drop(timer)
    });
    html! { <p class="hidden" role="status" aria-live="polite" data-test={props.test}>{ &*said }</p> }
}
