//! Facts in a row.

use spillgate_scenario::{ShortNames, Tone};
use yew::prelude::*;

use super::named;

/// Short facts in a row, with short names.
pub fn strip(test: &'static str, facts: Vec<(Tone, String)>, names: &ShortNames) -> Html {
    if facts.is_empty() {
        return html! {};
    }
    html! {
        <ul class="facts" data-test={test}>
            { for facts.into_iter().map(|(tone, text)| {
                let (class, mark) = match tone {
                    Tone::Good => ("good", "\u{2713}\u{a0}"),
                    Tone::Warning => ("warning", "!\u{a0}"),
                    Tone::Plain => ("plain", ""),
                };
                html! { <li class={class}><span aria-hidden="true">{ mark }</span>{ named(names, &text) }</li> }
            }) }
        </ul>
    }
}
