//! Texts with short names.

use yew::prelude::*;

use crate::state::ShortNames;

/// A text with short names. The whole text is its title, and screen readers read it.
#[inline(never)]
pub fn named(names: &ShortNames, text: &str) -> Html {
    let short = names.in_text(text);
    if short == text {
        return text.into();
    }
    html! {
        <span class="short" title={text.to_owned()}>
            <span aria-hidden="true">{ short }</span>
            <span class="hidden">{ text }</span>
        </span>
    }
}
