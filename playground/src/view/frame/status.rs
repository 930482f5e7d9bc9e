//! Announcements for screen readers.

use yew::prelude::*;

use crate::bridge;

/// While a slider moves, nothing is announced.
const REST_MS: u32 = 500;

#[derive(PartialEq, Properties)]
pub(crate) struct StatusProps {
    /// Its `data-test`.
    pub(crate) test: &'static str,
    /// The announcement.
    pub(crate) text: String,
}

/// A polite live region: one for the page, and one for the import dialog.
#[component]
pub(crate) fn Status(props: &StatusProps) -> Html {
    let said = use_state(String::new);
    let setter = said.setter();
    use_effect_with(props.text.clone(), move |text| {
        let text = text.clone();
        let timer = bridge::after(REST_MS, move || setter.set(text));
        // The next change cancels an announcement that is out of date.
        move || drop(timer)
    });
    html! { <p class="hidden" role="status" aria-live="polite" data-test={props.test}>{ &*said }</p> }
}
