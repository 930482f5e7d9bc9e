//! What failures would do.

use yew::prelude::*;

use super::Shared;
use crate::state::{Tone, facts};

/// A row of short facts.
pub(super) fn fact_strip(store: &Shared) -> Html {
    let facts = facts(store.scenario(), &store.outcome).0;
    if facts.is_empty() {
        return html! {};
    }
    html! {
        <ul class="facts" data-test="facts">
            { for facts.into_iter().map(|(tone, text)| {
                let (class, mark) = match tone {
                    Tone::Good => ("good", "\u{2713}\u{a0}"),
                    Tone::Warning => ("warning", "!\u{a0}"),
                    Tone::Plain => ("plain", ""),
                };
                html! { <li class={class}><span aria-hidden="true">{ mark }</span>{ text }</li> }
            }) }
        </ul>
    }
}
