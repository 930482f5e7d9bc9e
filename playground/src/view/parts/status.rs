//! Announcements for screen readers.

use yew::prelude::*;

use crate::bridge;

/// While a slider moves, nothing is announced.
const REST_MS: u32 = 500;

/// The properties of an announcement.
#[derive(Debug, PartialEq, Properties)]
pub struct StatusProps {
    /// Its `data-test`.
    pub test: &'static str,
    /// The announcement.
    pub text: String,
}

/// An announcement that is not visible. `www/announce.js` repeats it, like every text with `data-said`, in the
/// only live region of the playground.
#[component]
pub fn Status(props: &StatusProps) -> Html {
    let said = use_state(String::new);
    let setter = said.setter();
    use_effect_with(props.text.clone(), move |text| {
        let text = text.clone();
        let timer = bridge::after(REST_MS, move || setter.set(text));
        // The next change cancels an announcement that is out of date.
        move || drop(timer)
    });
    html! { <p class="hidden" data-said="yes" data-test={props.test}>{ &*said }</p> }
}
