//! A word with an explanation, on hover, focus or touch.

use yew::prelude::*;

/// The word as a button that opens its explanation. `id` is unique in the playground.
///
/// `interestfor` shows the explanation while the pointer or the focus is on the word, in browsers that know
/// it; `popovertarget` shows it on click and touch. Escape closes it.
#[inline(never)]
pub fn term(id: &'static str, word: Html, text: &'static str) -> Html {
    html! {
        <>
            <button type="button" class="term" popovertarget={id} interestfor={id}>{ word }</button>
            <span class="tip" {id} popover="hint" role="note">{ text }</span>
        </>
    }
}
